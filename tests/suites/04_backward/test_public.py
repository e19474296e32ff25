"""Backward as the lesson shows it: chains, and nodes that are used twice."""

import pytest

from grader.autograd import build, check, close, show


@pytest.mark.points(0.5)
def test_one_product(submission):
    """y = a * b passes its gradient to both factors."""
    built = build(submission, "y = a*b", a=2.0, b=5.0)
    data = built.data("y")
    built.backward()
    built.grad("y")  # compared with nothing: it tells a diagnosis whether the root was seeded
    if not close(data, 10.0):
        raise AssertionError(f"built     {built.program}\ny.data    expected 10, got {show(data)}")
    built.expect_grads({"a": 5.0, "b": 2.0})


@pytest.mark.points(0.5)
def test_a_chain_of_three_operations(submission):
    """(a*b + c)*d at 2, 3, 4, 5: the loss is 50, the gradients 15, 10, 5, 10."""
    grads = {"a": 15.0, "b": 10.0, "c": 5.0, "d": 10.0}
    check(submission, "loss = (a*b + c)*d", a=2.0, b=3.0, c=4.0, d=5.0, data=50.0, grads=grads)


@pytest.mark.points(1)
def test_a_leaf_that_is_used_twice(submission):
    """y = x*x + x at 3: all that x does adds up to 7."""
    check(submission, "s = x*x; y = s + x", x=3.0, data=12.0, grads={"x": 7.0})


@pytest.mark.points(1)
def test_the_diamond(submission):
    """A node that feeds two operations runs its step after both: dy/dx is 112."""
    check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=2.0, data=48.0, grads={"x": 112.0})


@pytest.mark.points(1)
def test_operands_in_the_other_order(submission):
    """The same diamond with the operands of every operation exchanged."""
    check(submission, "a = x*x; b = x*a; c = b + a; y = a*c", x=2.0, data=48.0, grads={"x": 112.0})
