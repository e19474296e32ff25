"""Each operator on its own: other numbers, numbers on either side, something other than 1 arriving,
and operands that are used elsewhere too; then all of them together."""

import pytest
from hypothesis import given

from grader.autograd import check, programs


@pytest.mark.points(0.25)
def test_negation(submission):
    """Negation of Values that are used elsewhere too"""
    check(submission, "y = -x*2.5", x=1.7)
    check(submission, "y = x*-x + -(-x)", x=1.7)
    check(submission, "n = -a; y = (n + b)*a*n", a=-0.8, b=1.4)


@pytest.mark.points(0.25)
def test_difference_of_two_values(submission):
    """a - b and b - a"""
    check(submission, "y = (a - b)*-3", a=1.3, b=-0.6)
    check(submission, "y = (b - a)*w", a=1.3, b=2.2, w=0.7)


@pytest.mark.points(0.25)
def test_difference_whose_operands_are_used_again(submission):
    """A difference whose operands are used elsewhere too"""
    check(submission, "y = a*(a - b)", a=1.3, b=2.2)
    check(submission, "y = a*(b - a)", a=1.3, b=2.2)
    check(submission, "y = (x - x)*b + x*2", x=1.3, b=0.7)


@pytest.mark.points(0.25)
def test_a_value_minus_a_number(submission):
    """A Value minus an int or a float"""
    check(submission, "y = (x - 4)*2.5", x=1.3)
    check(submission, "y = (x - 0.7)*x", x=-1.3)


@pytest.mark.points(0.25)
def test_a_number_minus_a_value(submission):
    """An int or a float minus a Value"""
    check(submission, "y = (7 - x)*2.5", x=1.3)
    check(submission, "y = (0.7 - x)*x", x=1.3)
    check(submission, "y = x*(-2 - x)", x=-1.7)


@pytest.mark.points(0.25)
def test_quotient_of_two_values(submission):
    """a / b with numbers of either sign"""
    check(submission, "y = a/b*-3", a=1.3, b=0.6)
    check(submission, "y = w*(a/b)", a=-1.3, b=2.2, w=0.7)
    check(submission, "y = a/b*2.5", a=1.9, b=-0.7)


@pytest.mark.points(0.25)
def test_quotient_whose_operands_are_used_again(submission):
    """A quotient whose operands are used elsewhere too"""
    check(submission, "y = a/b + a*b", a=1.3, b=2.2)
    check(submission, "q = a/b; y = q*b*b + q", a=1.3, b=-2.2)
    check(submission, "y = x/x*b + x*2", x=1.3, b=0.7)
    check(submission, "y = a/(a + b)", a=1.3, b=2.2)


@pytest.mark.points(0.25)
def test_a_value_over_a_number(submission):
    """A Value over an int or a float"""
    check(submission, "y = x/4*2.5", x=1.3)
    check(submission, "y = x/-0.7*x", x=1.3)


@pytest.mark.points(0.25)
def test_a_number_over_a_value(submission):
    """An int or a float over a Value"""
    check(submission, "y = 3/x*2.5", x=1.7)
    check(submission, "y = 0.7/x*x*x", x=1.3)
    check(submission, "y = x + -2/x", x=-0.7)


@pytest.mark.points(0.25)
def test_a_number_on_either_side(submission):
    """Numbers on either side in one graph"""
    check(submission, "g = x/3.0; g += 7.0/x", x=-1.7)
    check(submission, "y = (1 - x)*(x - 3)/(2.5 - x)", x=0.8)


@pytest.mark.points(0.25)
def test_relu_of_positive_numbers(submission):
    """relu of positive numbers passes every gradient on"""
    check(submission, "y = 2.5*relu(x)", x=0.3)
    check(submission, "y = -2.5*relu(x)", x=0.6)
    check(submission, "y = relu(x)*w", x=3.7, w=-0.8)


@pytest.mark.points(0.25)
def test_relu_of_negative_numbers(submission):
    """relu of a negative number is 0 and passes nothing on"""
    check(submission, "y = 2.5*relu(x) + x", x=-0.3, grads={"x": 1.0})
    check(submission, "y = w*relu(x) + w*x", x=-2.7, w=-0.8, grads={"x": -0.8, "w": -2.7})


@pytest.mark.points(0.25)
def test_relu_of_a_node_that_is_used_again(submission):
    """The input of relu is used elsewhere too"""
    check(submission, "y = x + 3*relu(x)", x=0.7)
    check(submission, "y = relu(x)*x + x", x=1.3)
    check(submission, "y = relu(x) + 2*relu(x)", x=0.4)
    check(submission, "s = a - b; y = relu(s)*s + relu(a)", a=1.3, b=0.9)


@pytest.mark.points(0.25)
def test_exp(submission):
    """exp, exactly, also of a node that is used elsewhere"""
    check(submission, "y = w*exp(x)", x=0.123456, w=-1.3)
    check(submission, "y = 2.5*exp(x)", x=-1.7)
    check(submission, "y = exp(x)*x + exp(x)", x=0.6)
    check(submission, "y = exp(exp(x))*0.3", x=-0.4)


@pytest.mark.points(0.25)
def test_log(submission):
    """log, also of a node that is used elsewhere"""
    check(submission, "y = w*log(x)", x=0.3, w=-1.3)
    check(submission, "y = 2.5*log(x)", x=37.0)
    check(submission, "y = log(x)*x + log(x)", x=1.6)
    check(submission, "y = log(log(x))*0.7", x=3.4)


@pytest.mark.points(0.25)
def test_sin(submission):
    """sin, also above 90 degrees"""
    check(submission, "y = w*sin(x)", x=0.7, w=-1.3)
    check(submission, "y = 2.5*sin(x)", x=-2.6)
    check(submission, "y = sin(x)*x + sin(x)", x=2.3)
    check(submission, "y = sin(sin(x))*0.7", x=0.6)


@pytest.mark.points(0.25)
def test_equal_numbers(submission):
    """Leaves and results that hold equal numbers stay apart"""
    check(submission, "y = (a - b)*3 + a/b", a=1.5, b=1.5)
    check(submission, "p = -a; q = -b; y = exp(p)*q - p/b", a=0.75, b=0.75)


@pytest.mark.points(0.25)
def test_assignments_with_an_operator(submission):
    """y -= x, y *= x and y /= x make new Values"""
    check(submission, "y = a*b; y -= a; y /= b; y *= y", a=1.3, b=-0.7)
    check(submission, "y = a/b; y -= 2; y /= 4; y += y", a=1.3, b=-0.7)


@pytest.mark.points(0.25)
@given(program=programs("+ - * / ** neg", leaves=3, steps=7, numbers=True))
def test_random_arithmetic(submission, program):
    """Random arithmetic with Values and numbers"""
    check(submission, program)


@pytest.mark.points(0.25)
@given(program=programs("+ - * / neg tanh relu exp log sin", leaves=3, steps=8, numbers=True))
def test_random_graphs(submission, program):
    """Random graphs of everything"""
    check(submission, program)
