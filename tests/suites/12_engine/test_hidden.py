"""A whole engine, whatever its design: only Value, data, grad and backward are looked at.

Each rule is met with an upstream gradient other than 1, of either sign; in both positions; by an
operand that has already been given something by another use; at inputs that are not round.
"""

import pytest
from hypothesis import given, settings

from grader.autograd import build, check, close, programs, read_number, show
from grader.raised import SubmissionError


@pytest.mark.points(0.5)
def test_addition(submission):
    """Addition, also of a number, and of a Value to itself"""
    check(submission, "y = (a + b)*-3", a=1.37, b=-0.62)
    check(submission, "y = (x + x)*1.5", x=0.83)
    check(submission, "y = a*(a + b)", a=1.37, b=2.21)
    check(submission, "y = a*(b + a)", a=1.37, b=2.21)
    check(submission, "y = (x + 7)*2.5", x=-1.19)
    check(submission, "y = (7 + x)*-2.5", x=1.19)
    check(submission, "y = (x + 0.37)*x", x=1.19)
    check(submission, "y = (0.37 + x)*x", x=-1.19)
    check(submission, "y = x + 6*x*x", x=1.13)


@pytest.mark.points(0.5)
def test_subtraction_and_negation(submission):
    """Subtraction and negation: who gets the minus"""
    check(submission, "y = (a - b)*-3", a=1.37, b=-0.62)
    check(submission, "y = a*(a - b)", a=1.37, b=2.21)
    check(submission, "y = a*(b - a)", a=1.37, b=2.21)
    check(submission, "y = (x - x)*b + x*2", x=1.31, b=0.7)
    check(submission, "y = (x - 4)*2.5", x=1.19)
    check(submission, "y = (9 - x)*2.5", x=1.19)
    check(submission, "y = (x - 0.37)*x", x=1.19)
    check(submission, "y = (0.37 - x)*x", x=1.19)
    check(submission, "y = -x*2.5", x=1.71)
    check(submission, "y = x*-x + -(-x)", x=1.71)
    check(submission, "n = -a; y = (n + b)*a*n", a=-0.77, b=1.46)


@pytest.mark.points(0.5)
def test_multiplication(submission):
    """Multiplication, also by a number, itself and zero"""
    check(submission, "y = (a*b)*-3", a=1.37, b=-0.62)
    check(submission, "y = (x*x)*1.5", x=0.83)
    check(submission, "y = a + (a*b)*2", a=1.37, b=2.21)
    check(submission, "y = a + (b*a)*2", a=1.37, b=2.21)
    check(submission, "y = (x*7)*x", x=-1.19)
    check(submission, "y = (7*x)*x", x=1.19)
    check(submission, "y = (x*0.37 + 1)*x", x=1.19)
    check(submission, "y = (0.37*x + 1)*x", x=-1.19)
    check(submission, "y = x*b*3 + b", x=0.0, b=1.72)
    check(submission, "y = (x*0 + x)*2", x=1.19)
    check(submission, "y = a*b*c*a", a=1.3, b=-0.7, c=2.9)
    check(submission, "y = x*w*0.00123456", x=1.37, w=2.31)


@pytest.mark.points(0.5)
def test_division(submission):
    """Division, above and below the line"""
    check(submission, "y = (a/b)*-3", a=1.37, b=-0.62)
    check(submission, "y = a + a/b*2", a=1.37, b=2.21)
    check(submission, "y = a*(b/a + a)", a=1.37, b=2.21)
    check(submission, "y = (x/x)*2 + x", x=1.31)
    check(submission, "y = (x/4)*-2.5", x=1.19)
    check(submission, "y = (9/x)*2.5", x=1.19)
    check(submission, "y = x*(x/0.37)", x=1.19)
    check(submission, "y = (0.37/x)*2 + x", x=-1.19)
    check(submission, "y = 1/x", x=-1.7)
    check(submission, "y = g/3.0 + 7.0/g", g=-4.2)
    check(submission, "y = (a + 2)/(a*b)", a=1.3, b=-0.7)


@pytest.mark.points(0.5)
def test_powers(submission):
    """Powers: whole, negative and fractional exponents"""
    for exponent in ("3", "2", "5", "1", "-1", "-2", "-3", "0"):
        check(submission, f"y = -2.5*x**{exponent} + x", x=-1.34)
        check(submission, f"y = x*x**{exponent}*1.5 + x", x=1.34)
    for exponent in ("0.5", "1.5", "-0.5", "3.0", "2.7"):
        check(submission, f"y = x + 1.5*x**{exponent}", x=1.87)
    check(submission, "y = (x**2 + x)*3", x=0.0)
    check(submission, "y = (a*b + 2.3)**3 - a", a=1.7, b=-0.9)
    check(submission, "y = 9*w*x**4 - w", x=5.2, w=1.3)


@pytest.mark.points(0.5)
def test_tanh(submission):
    """tanh, of something that is used again"""
    check(submission, "y = 2.5*tanh(x)", x=0.43)
    check(submission, "y = -3*tanh(x)", x=-1.26)
    check(submission, "y = tanh(x) + tanh(x)", x=0.71)
    check(submission, "y = x + 3*tanh(x)", x=0.67)
    check(submission, "y = x*tanh(a*x + b)", a=-1.3, x=0.52, b=0.37)
    check(submission, "t = tanh(x); y = t*t*x", x=0.912345678)


@pytest.mark.points(0.5)
def test_relu(submission):
    """relu opens by the sign of its input alone"""
    check(submission, "y = -3*relu(x)", x=0.43)
    check(submission, "y = 2.5*relu(x)", x=8.71)
    check(submission, "y = x + 3*relu(x)", x=1.21)
    check(submission, "y = x + 3*relu(x)", x=-1.21)
    check(submission, "y = x - 2*relu(x)", x=-0.07)
    check(submission, "y = relu(x)*x + relu(x)", x=0.06)
    check(submission, "y = relu(a*b)*a + relu(-a)*b", a=1.3, b=0.7)
    check(submission, "y = relu(a*b)*a + relu(-a)*b", a=-1.3, b=0.7)


@pytest.mark.points(0.5)
def test_exp_and_log(submission):
    """exp and log, at inputs that are not round"""
    check(submission, "y = 3*exp(x)", x=0.2345678)
    check(submission, "y = -2*exp(x)", x=-1.3)
    check(submission, "y = 0.5*exp(x)", x=4.2)
    check(submission, "y = x + 2*exp(x)", x=1.17)
    check(submission, "y = exp(a*b)*a", a=1.3, b=-0.7)
    check(submission, "y = 3*log(x)", x=0.41)
    check(submission, "y = -2*log(x)", x=7.3456)
    check(submission, "y = x + 2*log(x)", x=2.17)
    check(submission, "y = log(a*b)*a", a=1.3, b=2.7)
    check(submission, "y = log(exp(x) + 1)*2", x=0.61)


@pytest.mark.points(0.5)
def test_sin(submission):
    """sin, on both sides of its top"""
    check(submission, "y = 2*sin(x)", x=0.43)
    check(submission, "y = -3*sin(x)", x=2.46)
    check(submission, "y = x + 3*sin(x)", x=-0.87)
    check(submission, "y = sin(a*(b + c))*a", a=1.3, b=0.4, c=-2.1)


@pytest.mark.points(0.5)
def test_shared_results(submission):
    """Results that are used again, near and far"""
    check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=1.6)
    check(submission, "a = x*3; y = a*2 + a*5", x=1.9)
    check(submission, "a = x*x; b = a + x; c = b*a; d = c + b; e = d*a; y = e + c*x", x=1.1)
    check(submission, "a = x*z; b = a + z; c = a*b; d = b - c; y = d*a*b + c", x=0.7, z=-1.4)
    check(submission, "a = x + 1; b = a*a; c = b*a; d = b + c; y = a*d", x=0.35)
    doublings = [f"d{i + 1} = d{i} + d{i}" for i in range(10)]
    check(submission, "; ".join(["d0 = x*3", *doublings, "y = d10*x"]), x=0.081)
    check(submission, "h = tanh(x*w); s = h*h + h; t = s/h - h*x; y = exp(t)*h", x=0.9, w=0.7)
    check(submission, "a = x*w; b = tanh(a)*a; c = sin(b) + a*x; y = c*b - a", x=0.9, w=-1.2)


@pytest.mark.points(0.5)
def test_whole_numbers_and_equal_numbers(submission):
    """Whole numbers, and Values with equal numbers"""
    check(submission, "y = a/b - a", a=7, b=2)
    check(submission, "y = 3/a + b*a - 1", a=4, b=-5)
    check(submission, "y = (a - 9)*b*2 + a**-1", a=2, b=3)
    check(submission, "y = relu(a)*b + relu(b)", a=2, b=-3)
    check(submission, "p = a*2; q = b*2; y = p*3 + q*5", a=1.7, b=1.7)
    check(submission, "p = a*b; q = c*d; y = p*q + p", a=1.5, b=1.2, c=1.2, d=1.5)
    check(submission, "y = 2.0*x*x + x", x=2.0)
    check(submission, "y = (x*1 + z)*x", x=-1.0, z=1.0)
    check(submission, "y = x*w + z*w", x=1, w=1, z=1)


@pytest.mark.points(0.5)
def test_backward_starts_where_it_is_asked_to(submission):
    """backward starts at its own node, and at no other"""
    check(submission, "c = a*b; d = c + a; e = d*d*c; y = c", a=1.7, b=-0.6)
    check(submission, "c = tanh(a); d = c*b; e = d*a; f = e*b; g = f + d; y = e", a=0.7, b=1.9)

    first = build(submission, "y = x*x*w", x=1.3, w=0.8)
    first.backward()
    second = build(submission, "y = x*w + x", x=-0.9, w=2.3)
    second.backward()
    second.expect_grads({"x": 3.3, "w": -0.9}, when="the second of two graphs")
    first.expect_grads({"x": 2.08, "w": 1.69}, when="after backward of another graph")
    check(submission, "y = 5*w", w=2.6)


@pytest.mark.points(0.5)
def test_backward_a_second_time(submission):
    """A second backward reaches the leaves again"""
    one = build(submission, "h = x*w; p = h*2; q = h*3", x=1.3, w=0.7)
    _backward_and_keep(one, "p")
    try:
        one.backward("q")
    except SubmissionError:
        pass  # a graph that is used up may say so
    else:
        # gradients of leaves and of h may each start anew or pile up
        _expect_one_of("dq/dx", one.grad("x"), [0.7 * 3, 0.7 * 5, 0.7 * 7])

    two = build(submission, "y = (a*b + c)*d", a=1.2, b=0.7, c=-2.3, d=1.9)
    two.backward()
    try:
        two.backward()
    except SubmissionError:
        pass
    else:
        _expect_one_of("dy/da", two.grad("a"), [0.7 * 1.9 * times for times in (1, 2, 3, 4)])

    three = build(submission, "h = x*w; y = h*5", x=1.3, w=0.7)
    _backward_and_keep(three, "y")
    try:
        three.backward("h")
    except SubmissionError:
        pass
    else:
        _expect_one_of("dh/dx", three.grad("x"), [0.7, 0.7 + 0.7 * 5])


def _backward_and_keep(built, name):
    """backward, asking an engine that would use its graph up to keep it."""
    try:
        built.nodes[name].backward(retain_graph=True)
    except (AttributeError, TypeError):
        built.backward(name)


def _expect_one_of(label, got, wanted):
    if not any(close(got, want) for want in wanted):
        raise AssertionError(
            f"{label} is {show(got)} after two calls of backward, which no way of counting "
            "explains: is anything left over in the nodes from the first call?"
        )


@pytest.mark.points(0.5)
def test_sums_in_a_loop(submission):
    """Sums that grow in a loop"""
    check(submission, "s = x*1; s += x*x; s += 3; s -= w; y = s*w", x=1.4, w=0.6)
    check(submission, "s = x*w; s *= x; s /= w + 2; y = s + x", x=1.4, w=0.6)
    check(submission, "s = 0 + a; s = s + b; s = s + c; y = s*-2", a=1.1, b=2.2, c=-0.4)
    steps = [f"s{i + 1} = s{i}*1.02 + x*{0.1 + i / 100}" for i in range(45)]
    check(submission, "; ".join(["s0 = x*w", *steps, "y = s45*w"]), x=0.37, w=1.21)
    _check_total(submission)


def _check_total(submission):
    """A function `total(values)` is the student's own choice; where there is one, it counts."""
    try:
        total = submission.total
        leaves = [submission.Value(number) for number in (1.4, -0.3, 2.2)]
        result = total([*leaves, leaves[0]])
        data = read_number(result, "data", "total([a, b, c, a])")
    except (SubmissionError, AssertionError):
        return  # no such function, or one with another purpose
    submission.invoke("backward", result * -2)
    got = [read_number(leaf, "grad", name) for leaf, name in zip(leaves, "abc", strict=True)]
    if close(data, 4.7) and not all(map(close, got, (-4.0, -2.0, -2.0))):
        raise AssertionError(
            "y = total([a, b, c, a])*-2 has gradients -4, -2, -2 by a, b, c; "
            f"got {', '.join(map(show, got))}"
        )


@pytest.mark.points(0.5)
@given(program=programs("+ - *", leaves=3, steps=9, numbers=True))
@settings(max_examples=40)
def test_random_graphs_of_sums_and_products(submission, program):
    """Random graphs of sums and products"""
    check(submission, program)


@pytest.mark.points(0.5)
@given(program=programs("+ - * / ** neg tanh relu exp log sin", leaves=3, steps=8, numbers=True))
@settings(max_examples=40)
def test_random_graphs_of_everything(submission, program):
    """Random graphs of everything"""
    check(submission, program)
