"""The other engine as the lesson shows it."""

import contextlib

import pytest

from grader.autograd import build, check, close, show
from grader.raised import SubmissionError


@pytest.mark.points(0.25)
def test_a_product_and_a_sum(submission):
    """a*b + c: two parents, two local gradients"""
    grads = {"a": 5.0, "b": 2.0, "c": 1.0}
    check(submission, "p = a*b; y = p + c", a=2.0, b=5.0, c=3.0, data=13.0, grads=grads)


@pytest.mark.points(0.25)
def test_a_square(submission):
    """x * x at 3: x is both parents, and gets 6, not 3"""
    built = build(submission, "y = x*x", x=3.0)
    data = built.data("y")
    built.backward()
    # compared with nothing: they tell a diagnosis whether the root was seeded, and the slopes right
    built.grad("y")
    with contextlib.suppress(SubmissionError, AttributeError):
        _ = built.nodes["y"].local_gradients
    if not close(data, 9.0):
        raise AssertionError(f"built     {built.program}\ny.data    expected 9, got {show(data)}")
    built.expect_grads({"x": 6.0})


@pytest.mark.points(0.5)
def test_sin_of_a_product_with_a_sum(submission):
    """sin(x3*(x1 + x2)) at 2, 3, 4"""
    grads = {"x1": 1.6323282472535678, "x2": 1.6323282472535678, "x3": 2.0404103090669596}
    check(
        submission,
        "s = x1 + x2; p = x3*s; y = sin(p)",
        x1=2.0,
        x2=3.0,
        x3=4.0,
        data=0.9129452507276277,
        grads=grads,
    )


@pytest.mark.points(0.5)
def test_power_relu_and_exp(submission):
    """One parent, one slope: 5*x**2, 5*relu(x), 5*exp(x)"""
    check(submission, "y = 5*x**2", x=3.0, data=45.0, grads={"x": 30.0})
    check(submission, "y = 5*relu(x)", x=3.0, data=15.0, grads={"x": 5.0})
    check(submission, "y = 5*exp(x)", x=1.0, grads={"x": 13.591409142295225})


@pytest.mark.points(0.5)
def test_the_diamond(submission):
    """The diamond: a node waits until all has arrived"""
    check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=2.0, data=48.0, grads={"x": 112.0})
