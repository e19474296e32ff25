"""The blanks at the far ends, and both functions at other numbers."""

import pytest

from grader.autograd import close, show

HELPER = """
def number(name):
    value = globals()[name]
    if value is None or value is TODO:
        return None
    return value if isinstance(value, str) else float(value)


def expect_filled(names):
    blank = [name for name in names if globals()[name] is TODO]
    if blank:
        raise NotImplementedError(f"TODO: still blank: {', '.join(blank)}")


def numbers(function, *arguments):
    returned = globals()[function](*arguments)
    if returned is None:
        return None
    if not isinstance(returned, (list, tuple)):
        returned = [returned]
    return [float(number) for number in returned]
"""


def read(submission, names):
    """The numbers in these blanks, None for an empty one; and what says which are empty."""
    helper = submission.define(HELPER)
    got = {}
    for name in names:
        getattr(submission, name)  # where it is gone, this says so
        got[name] = helper.number(name)
    try:
        helper.expect_filled(names)
    except NotImplementedError as todo:
        return got, todo
    empty = [name for name in names if got[name] is None]
    if empty:
        raise AssertionError(f"{empty[0]} is None; write a number")
    return got, None


def expect_blanks(submission, advice, **blanks):
    """Each of these blanks holds its number."""
    got, todo = read(submission, list(blanks))
    for name, want in blanks.items():
        value = got[name]
        if isinstance(value, str):
            raise AssertionError(f"{name} holds a text; write the number without quotes")
        if value is not None and not close(value, want):
            raise AssertionError(f"{name} is not right: {advice}")
    if todo:
        raise todo


def expect_returns(submission, function, *cases):
    """The function returns these numbers. `cases` has (arguments, numbers)."""
    helper = submission.define(HELPER)
    getattr(submission, function)
    seen = [helper.numbers(function, *arguments) for arguments, _ in cases]
    for (arguments, want), got in zip(cases, seen, strict=True):
        call = f"{function}({', '.join(map(str, arguments))})"
        if got is None:
            raise AssertionError(f"{call} returned nothing")
        if len(got) != len(want):
            raise AssertionError(f"{call} returned {len(got)} numbers, expected {len(want)}")
        if not all(map(close, got, want)):
            wanted, found = (", ".join(map(show, numbers)) for numbers in (want, got))
            raise AssertionError(f"{call}  expected {wanted}, got {found}")


def expected_gradients(a, b):
    """(a*b + 3)**2 written out is a²b² + 6ab + 9: another way to the same slopes."""
    return (2 * a * b * b + 6 * b, 2 * a * a * b + 6 * a)


def expected_gradient(x):
    """(x² + 1) * 3x² written out is 3x⁴ + 3x²."""
    return (12 * x**3 + 6 * x,)


@pytest.mark.points("1/4")
def test_gradient_of_a(submission):
    """Part 1, backward through the product to a: dL_da"""
    expect_blanks(submission, "b times what arrives at c", dL_da=-2.0)


@pytest.mark.points("1/4")
def test_gradient_of_b(submission):
    """Part 1, backward through the product to b: dL_db"""
    expect_blanks(submission, "a times what arrives at c", dL_db=4.0)


@pytest.mark.points("1/4")
def test_where_two_ways_meet(submission):
    """Part 2, where two ways meet: dy_dp"""
    expect_blanks(submission, "what comes by q plus what comes by r", dy_dp=57.0)


@pytest.mark.points("1/4")
def test_through_the_square_to_x(submission):
    """Part 2: x is both factors of x*x: dy_dx"""
    expect_blanks(submission, "x receives once for each factor that it is", dy_dx=342.0)


@pytest.mark.points("1/4")
def test_the_way_through_part_1(submission):
    """Part 1: all numbers on the way, from a = 2 and b = -1"""
    advice = "a and b stay as given, and each number follows from its neighbour"
    expect_blanks(submission, advice, a=2.0, b=-1.0, c=-2.0, d=1.0, L=1.0, dL_dd=2.0, dL_dc=2.0)


@pytest.mark.points("1/4")
def test_the_way_through_part_2(submission):
    """Part 2: all numbers on the way, from x = 3"""
    advice = "x stays as given, and each number follows from its neighbours"
    numbers = {"x": 3.0, "p": 9.0, "q": 10.0, "r": 27.0, "y": 270.0, "dy_dq": 27.0, "dy_dr": 10.0}
    expect_blanks(submission, advice, **numbers)


@pytest.mark.points("1/4")
def test_gradients_of_part_1_elsewhere(submission):
    """Part 3: gradients_of_loss at other whole numbers"""
    points = [(3, 2), (-2, 4), (5, -3)]
    expect_returns(submission, "gradients_of_loss", *[(p, expected_gradients(*p)) for p in points])


@pytest.mark.points("1/4")
def test_gradients_of_part_1_at_fractions(submission):
    """Part 3: gradients_of_loss at fractions"""
    points = [(0.5, -3.5), (-1.25, -0.75), (2.5, 0.125)]
    expect_returns(submission, "gradients_of_loss", *[(p, expected_gradients(*p)) for p in points])


@pytest.mark.points("1/4")
def test_gradients_where_a_factor_is_zero(submission):
    """Part 3: gradients_of_loss where one factor is 0"""
    points = [(0, 7), (-1.5, 0)]
    expect_returns(submission, "gradients_of_loss", *[(p, expected_gradients(*p)) for p in points])


@pytest.mark.points("1/2")
def test_gradient_of_the_diamond_elsewhere(submission):
    """Part 3: gradient_of_y at other numbers"""
    points = [(2,), (-3,), (0.5,), (-1.5,)]
    expect_returns(submission, "gradient_of_y", *[(p, expected_gradient(*p)) for p in points])
