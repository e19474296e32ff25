"""A whole engine: what every design has to get right, at numbers that a student can follow."""

import pytest

from grader.autograd import check


@pytest.mark.points(0.5)
@pytest.mark.hint("Start with Value, + and *, and backward; the other operators follow from these.")
def test_a_product_plus_a_number(submission):
    """(a*b + 1)*a at 2, -3: a counts twice"""
    check(submission, "y = (a*b + 1)*a", a=2.0, b=-3.0, data=-10.0, grads={"a": -11.0, "b": 4.0})


@pytest.mark.points(0.5)
@pytest.mark.hint("5 - x calls x.__rsub__(5): what is subtracted from what?")
def test_every_operator_with_numbers_on_either_side(submission):
    """Every operator, with a number on either side"""
    check(submission, "y = 3*x + x*2.0", x=4.0, grads={"x": 5.0})
    check(submission, "y = 2*(5 - x) + (x - 1.0)", x=4.0, grads={"x": -1.0})
    check(submission, "y = 6/x + x/2", x=2.0, grads={"x": -1.0})
    check(submission, "y = 1 + -(x**3)", x=2.0, grads={"x": -12.0})


@pytest.mark.points(0.5)
@pytest.mark.hint(
    "The slope of f, times the gradient that arrives: both factors, for each function."
)
def test_the_five_functions(submission):
    """The five functions, with 3 arriving from above"""
    for function in ("tanh", "relu", "exp", "log", "sin"):
        check(submission, f"y = 3*{function}(x)", x=0.8)


@pytest.mark.points(0.5)
@pytest.mark.hint(
    "A node may pass its gradient on only when everything that uses it has added to it."
)
def test_a_result_that_is_used_again(submission):
    """A node that feeds two others waits for both"""
    check(submission, "a = x*y; b = a + x; z = b*a", x=3.0, y=2.0, grads={"x": 36.0, "y": 45.0})
