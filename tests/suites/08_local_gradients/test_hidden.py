"""Every local gradient at other numbers, and the one loop on graphs of other shapes."""

import pytest
from hypothesis import given

from grader.autograd import build, check, programs


@pytest.mark.points(0.25)
def test_sin_of_a_product_with_other_numbers(submission):
    """sin(x3*(x1 + x2)) at other numbers"""
    check(submission, "s = x1 + x2; p = x3*s; y = sin(p)", x1=1.3, x2=-0.4, x3=2.9)
    check(submission, "s = x2 + x1; p = s*x3; y = sin(p)", x1=-1.1, x2=0.3, x3=-2.6)


@pytest.mark.points(0.25)
def test_sums(submission):
    """Sums of Values and of numbers"""
    check(submission, "y = (a + b)*c", a=1.3, b=-2.2, c=-0.7)
    check(submission, "y = (a + 7)*(0.3 + a)", a=-1.3)
    check(submission, "y = a*b; s = y; s += a; s += b*b; y = s*y", a=1.3, b=-0.7)


@pytest.mark.points(0.25)
def test_products(submission):
    """Products: each factor gets the other one"""
    check(submission, "p = a*b; y = p*c", a=1.3, b=-2.2, c=-0.7)
    check(submission, "p = a*b; y = c*p", a=-1.3, b=0.4, c=2.6)
    check(submission, "y = a*3*(a + -0.5*b)", a=1.3, b=2.2)


@pytest.mark.points(0.25)
def test_one_parent_twice(submission):
    """A parent that stands there twice receives twice"""
    check(submission, "y = (x + x)*w", x=-1.3, w=0.7)
    check(submission, "y = (x*x)*w", x=-1.7, w=-0.6)
    check(submission, "s = a + b; p = s*s; y = p*p", a=0.4, b=-1.2)


@pytest.mark.points(0.25)
def test_order_of_the_operands(submission):
    """a - b and a / b: the first slope is the first operand's"""
    check(submission, "y = (a - b)*w", a=1.3, b=-2.2, w=-0.7)
    check(submission, "y = a/b*w", a=1.3, b=-2.2, w=-0.7)
    check(submission, "y = 5/x - x/3 + (2 - x)*x", x=1.6)


@pytest.mark.points(0.25)
def test_powers(submission):
    """Powers: whole, negative and fractional exponents"""
    check(submission, "y = w*x**3", x=-1.4, w=-0.7)
    check(submission, "y = w*x**0.5", x=1.7, w=-1.3)
    check(submission, "y = w*x**-2", x=-1.3, w=2.9)
    check(submission, "y = x**4*x + x", x=0.9)


@pytest.mark.points(0.25)
def test_relu(submission):
    """relu of small, large and negative numbers"""
    check(submission, "y = -2.5*relu(x)", x=0.4)
    check(submission, "y = relu(x)*x + x", x=1.7)
    check(submission, "y = w*relu(x) + w*x", x=-2.3, w=0.8, grads={"x": 0.8, "w": -2.3})
    check(submission, "y = w*relu(x) + w*x", x=-0.4, w=1.7, grads={"x": 1.7, "w": -0.4})


@pytest.mark.points(0.25)
def test_exp(submission):
    """exp, also of a node that is used elsewhere"""
    check(submission, "y = w*exp(x)", x=0.123456, w=-1.3)
    check(submission, "y = exp(x)*x + exp(x)", x=-0.7)


@pytest.mark.points(0.25)
def test_sin(submission):
    """sin, also above 90 degrees"""
    check(submission, "y = w*sin(x)", x=2.6, w=-1.3)
    check(submission, "y = sin(x)*x + sin(x)", x=-0.7)


@pytest.mark.points(0.25)
def test_functions_inside_functions(submission):
    """Chains: what arrives is multiplied at every step"""
    check(submission, "y = sin(exp(x))**2", x=0.3)
    check(submission, "y = exp(sin(x)*relu(w))*tanh(x)", x=0.8, w=1.3)
    check(submission, "y = log(x**2 + relu(w*x))", x=-0.6, w=-1.9)


@pytest.mark.points(0.25)
def test_the_diamond_at_another_point(submission):
    """The diamond at other numbers"""
    check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=-1.5, grads={"x": 11.8125})
    check(submission, "a = x*x; b = x*a; c = b + a; y = a*c", x=0.7)


@pytest.mark.points(0.25)
def test_long_and_short_ways(submission):
    """A node that is met early by a short way waits for the long way"""
    check(submission, "s = x*a; p = s*b; q = p + c; r = q*s; y = s + r", x=1.5, a=-2, b=0.5, c=4.0)
    check(submission, "s = x*a; p = b*s; q = c + p; r = s*q; y = r + s", x=1.5, a=-2, b=0.5, c=4.0)
    check(submission, "c = a + b; d = b*c; e = c + d; f = d*e; y = e + f", a=0.7, b=-1.2)


@pytest.mark.points(0.25)
def test_equal_numbers_and_results_beside_the_loss(submission):
    """Equal numbers in different nodes; results beside the loss"""
    check(submission, "p = a*b; q = b*c; s = p + q; y = s*a", a=1.5, b=1.5, c=1.5)
    check(submission, "p = a*b; aside = exp(p); far = aside*b; y = p + a", a=1.3, b=-0.7)


@pytest.mark.points(0.25)
def test_a_second_graph(submission):
    """Two graphs, one after the other"""
    first = build(submission, "p = a*b; y = p + a", a=2.5, b=-1.5)
    second = build(submission, "q = u*v; z = v*q", u=-0.5, v=4.0)
    first.backward()
    second.backward()
    second.expect_grads({"u": 16.0, "v": -4.0}, when="after another graph had its backward")
    first.expect_grads({"a": -0.5, "b": 2.5}, when="after another graph had its backward, too")


@pytest.mark.points(0.25)
@given(program=programs("+ * ** relu exp sin", leaves=3, steps=8, numbers=True))
def test_random_graphs(submission, program):
    """Random graphs of everything"""
    check(submission, program)


@pytest.mark.points(0.25)
@given(program=programs("+ - * / sin tanh", leaves=1, steps=8))
def test_random_graphs_of_one_leaf(submission, program):
    """Random graphs of one leaf"""
    check(submission, program)
