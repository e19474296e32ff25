"""Each operator as the lesson shows it."""

import pytest

from grader.autograd import check


@pytest.mark.points(0.25)
def test_difference_and_negation(submission):
    """-a, a - b and a - 3: who gets the minus"""
    check(submission, "y = -x*2", x=3.0, data=-6.0, grads={"x": -2.0})
    check(submission, "y = (a - b)*2", a=5.0, b=2.0, data=6.0, grads={"a": 2.0, "b": -2.0})
    check(submission, "y = (a - 3)*2", a=5.0, data=4.0, grads={"a": 2.0})


@pytest.mark.points(0.25)
def test_ten_minus_x(submission):
    """10 - x at x = 3 is 7, not -7"""
    check(submission, "y = 10 - x", x=3.0, data=7.0, grads={"x": -1.0})


@pytest.mark.points(0.5)
def test_a_value_over_a_number_and_a_number_over_it(submission):
    """f/2.0 + 10.0/f at f = 4 is 4.5, and its slope -0.125"""
    check(submission, "g = f/2.0; g += 10.0/f", f=4.0, data=4.5, grads={"f": -0.125})


@pytest.mark.points(0.25)
def test_relu(submission):
    """relu passes a positive number and stops a negative one"""
    check(submission, "y = 5*x.relu()", x=3.0, data=15.0, grads={"x": 5.0})
    check(submission, "y = 5*x.relu() + w", x=-3.0, w=1.0, data=1.0, grads={"x": 0.0, "w": 1.0})


@pytest.mark.points(0.5)
def test_exp_and_log(submission):
    """exp is its own slope; the slope of log is 1/x"""
    check(submission, "y = 2*x.exp()", x=1.0, grads={"x": 5.43656365691809})
    check(submission, "y = 2*x.log()", x=4.0, data=2.772588722239781, grads={"x": 0.5})


@pytest.mark.points(0.25)
def test_sin(submission):
    """The slope of sin is cos"""
    check(submission, "y = 2*x.sin()", x=1.0, grads={"x": 1.0806046117362795})
