"""Powers and tanh as the lesson shows them."""

import pytest

from grader.autograd import build, check, close


@pytest.mark.points(0.5)
def test_squared_affine_of_a_product(submission):
    """(a*b + 3)**2 at a = 2, b = -1: the gradients are -2 and 4"""
    grads = {"a": -2.0, "b": 4.0}
    check(submission, "c = a*b + 3; L = c**2", a=2.0, b=-1.0, data=1.0, grads=grads)


@pytest.mark.points(0.25)
def test_a_cube_inside_a_product(submission):
    """w * x**3 at x = -2: the slope is 12, and 0.5 arrives"""
    check(submission, "y = w*x**3", x=-2.0, w=0.5, data=-4.0, grads={"x": 6.0, "w": -8.0})


@pytest.mark.points(0.5)
def test_negative_and_fractional_exponents(submission):
    """x**-2 and x**0.5 follow the same rule as x**3"""
    check(submission, "y = 3*x**-2", x=2.0, data=0.75, grads={"x": -0.75})
    check(submission, "y = 3*x**0.5", x=4.0, data=6.0, grads={"x": 0.75})


@pytest.mark.points(0.25)
def test_tanh_inside_a_product(submission):
    """3 * tanh(x) at x = 0.5"""
    check(submission, "y = 3*x.tanh()", x=0.5, grads={"x": 2.3593431988977823})


@pytest.mark.points(0.5)
def test_tanh_far_from_zero(submission):
    """tanh is 1 at 1000, -1 at -1000, and flat at both"""
    for x, end in ((1000.0, 1.0), (-1000.0, -1.0)):
        built = build(submission, "t = tanh(x); y = w*t", x=x, w=2.0)
        t = built.data("t")
        built.backward()
        if not close(t, end):
            raise AssertionError(f"tanh({x}) is {end} up to rounding, got {t}")
        built.expect_grads({"x": 0.0, "w": end}, when=f"tanh is flat at {x}")
