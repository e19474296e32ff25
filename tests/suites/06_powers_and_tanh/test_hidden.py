"""Other exponents, other numbers, either sign; operands that are used elsewhere too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.autograd import build, check, close, programs


def expect_flat(submission, x, w, end):
    """(t + 0.5)*w + x with t = tanh(x), so far out that t is `end` and its slope is 0."""
    built = build(submission, "t = tanh(x); y = (t + 0.5)*w + x", x=x, w=w)
    t = built.data("t")
    built.backward()
    if not close(t, end):
        raise AssertionError(f"tanh({x}) is {end} up to rounding, got {t}")
    built.expect_grads({"x": 1.0, "w": end + 0.5}, when=f"tanh is flat at {x}: x only adds its 1")


@pytest.mark.points(0.25)
def test_squared_affine_of_other_products(submission):
    """(a*b + c)**2 at other numbers"""
    check(submission, "L = (a*b + c)**2", a=1.4, b=-2.3, c=0.7)
    check(submission, "L = (a*b + 5)**2", a=-1.7, b=0.9)


@pytest.mark.points(0.25)
def test_whole_exponents(submission):
    """Exponents 2, 3, 4 and 5"""
    check(submission, "y = w*x**2", x=1.7, w=-1.3)
    check(submission, "y = w*x**3", x=1.7, w=-1.3)
    check(submission, "y = w*x**4", x=0.6, w=2.9)
    check(submission, "y = -2.5*x**5", x=1.2)


@pytest.mark.points(0.25)
def test_negative_exponents(submission):
    """Exponents -1, -2 and -3"""
    check(submission, "y = w*x**-1", x=1.7, w=-1.3)
    check(submission, "y = w*x**-2", x=1.3, w=2.9)
    check(submission, "y = -2.5*x**-3", x=0.8)


@pytest.mark.points(0.25)
def test_fractional_exponents(submission):
    """Exponents 0.5, 1.5 and -0.5"""
    check(submission, "y = w*x**0.5", x=1.7, w=-1.3)
    check(submission, "y = w*x**1.5", x=2.3, w=2.9)
    check(submission, "y = -2.5*x**-0.5", x=0.8)


@pytest.mark.points(0.25)
def test_negative_base(submission):
    """A negative number to a whole power"""
    check(submission, "y = w*x**2", x=-1.7, w=-1.3)
    check(submission, "y = w*x**3", x=-1.4, w=2.9)
    check(submission, "y = w*x**-1", x=-0.7, w=1.9)
    check(submission, "y = w*x**-2", x=-1.6, w=-2.2)
    check(submission, "y = w*x**3.0", x=-1.2, w=1.1)


@pytest.mark.points(0.25)
def test_base_zero(submission):
    """x**2 + x**1 at 0, where nothing can be divided by x"""
    check(submission, "y = (x**2 + x**1)*w", x=0.0, w=-1.7, grads={"x": -1.7})


@pytest.mark.points(0.25)
def test_base_that_is_used_again(submission):
    """The base of a power is used elsewhere too"""
    check(submission, "y = x**2*x + x", x=-1.3)
    check(submission, "y = x + x*x**3", x=0.9)
    check(submission, "s = a + b; y = s**2 + a*s", a=1.3, b=-2.1)


@pytest.mark.points(0.25)
def test_two_powers_of_one_base(submission):
    """x**4 + 2 * x**3: each power goes by its own exponent"""
    check(submission, "y = x**4 + 2*x**3", x=0.7)
    check(submission, "p = x**-1; q = x**2; y = p*q*q", x=1.3)


@pytest.mark.points(0.25)
def test_power_of_a_power(submission):
    """(x**2)**3 and (x**3)**0.5"""
    check(submission, "y = (x**2)**3*1.5", x=-1.1)
    check(submission, "y = (x**3)**0.5*-1.5", x=1.9)


@pytest.mark.points(0.25)
def test_tanh_on_both_sides(submission):
    """tanh of positive and negative numbers"""
    check(submission, "y = w*tanh(x)", x=0.8, w=-1.3)
    check(submission, "y = w*tanh(x)", x=-0.6, w=2.7)
    check(submission, "y = -2.5*tanh(x)", x=-1.4)


@pytest.mark.points(0.25)
def test_tanh_of_a_node_that_is_used_again(submission):
    """The input of tanh is used elsewhere too"""
    check(submission, "y = tanh(x)*x + x", x=0.7)
    check(submission, "y = x + x*tanh(x)", x=-0.9)
    check(submission, "y = tanh(x) + 2*tanh(x)", x=0.4)
    check(submission, "t = tanh(x); y = t*t + t", x=-0.8)


@pytest.mark.points(0.25)
def test_tanh_far_right(submission):
    """tanh far to the right: 1, and flat"""
    expect_flat(submission, x=1000.0, w=-1.3, end=1.0)
    expect_flat(submission, x=400.0, w=2.1, end=1.0)


@pytest.mark.points(0.25)
def test_tanh_far_left(submission):
    """tanh far to the left: -1, and flat"""
    expect_flat(submission, x=-1000.0, w=-1.3, end=-1.0)
    expect_flat(submission, x=-400.0, w=2.1, end=-1.0)


@pytest.mark.points(0.25)
def test_powers_and_tanh_in_one_graph(submission):
    """A neuron with a squared error, and equal leaves"""
    check(submission, "n = tanh(w*x + b); L = (n + -0.9)**2", w=0.7, x=-1.2, b=0.5)
    check(submission, "p = a**3; q = tanh(b); y = p*q + b**2*a", a=0.75, b=0.75)
    check(submission, "y = tanh(x**2)*1.7", x=-0.8)
    check(submission, "y = tanh(x)**-2", x=-0.8)


@pytest.mark.points(0.25)
@given(
    x=st.integers(30, 240).map(lambda n: n * 0.0113),
    exponent=st.sampled_from([2, 3, -1, -2, 0.5, 2.5, -1.5, 4.0, 1]),
)
def test_powers_of_many_numbers(submission, x, exponent):
    """Many bases to many exponents"""
    check(submission, f"y = w*x**{exponent} + x", x=x, w=-1.37)


@pytest.mark.points(0.25)
@given(program=programs("+* ** tanh", leaves=3, steps=7, numbers=True))
def test_random_graphs(submission, program):
    """Random graphs of sums, products, powers and tanh"""
    check(submission, program)
