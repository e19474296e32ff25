"""The blanks of part 1, and those of part 2 up to where two ways meet.

A message says which blank is not right and what to think of, never the number."""

import pytest

from grader.autograd import close

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


def expect(submission, **blanks):
    """Each blank holds its number. `blanks` has (number, what to think of) by name.

    A blank that is filled in is looked at although others are still empty."""
    got, todo = read(submission, list(blanks))
    lines = []
    for name, (want, advice) in blanks.items():
        value = got[name]
        if isinstance(value, str):
            lines.append(f"{name} holds a text; write the number without quotes")
        elif value is not None and not close(value, want):
            lines.append(f"{name} is not right: {advice}")
    if lines:
        raise AssertionError("\n".join(lines))
    if todo:
        raise todo


@pytest.mark.points("1/4")
def test_forward_pass_of_part_1(submission):
    """Part 1, forward: c, d and L"""
    expect(
        submission,
        c=(-2.0, "it is a * b, with a = 2 and b = -1"),
        d=(1.0, "it is c + 3"),
        L=(1.0, "it is d ** 2"),
    )


@pytest.mark.points("1/4")
def test_slope_of_the_square(submission):
    """Part 1, backward through the square: dL_dd"""
    expect(submission, dL_dd=(2.0, "L = d**2, and the slope of a square is 2 * d, not d"))


@pytest.mark.points("1/4")
def test_slope_of_adding_three(submission):
    """Part 1, backward through + 3: dL_dc"""
    expect(submission, dL_dc=(2.0, "when c grows by a bit, c + 3 grows by just that bit"))


@pytest.mark.points("1/4")
def test_forward_pass_of_the_diamond(submission):
    """Part 2, forward: p, q, r and y"""
    expect(
        submission,
        p=(9.0, "it is x * x, with x = 3"),
        q=(10.0, "it is p + 1"),
        r=(27.0, "it is 3 * p"),
        y=(270.0, "it is q * r"),
    )


@pytest.mark.points("1/4")
def test_slopes_of_the_last_product(submission):
    """Part 2, backward through y = q*r: dy_dq and dy_dr"""
    advice = "the slope of a product by one factor is the other factor"
    expect(submission, dy_dq=(27.0, advice), dy_dr=(10.0, advice))
