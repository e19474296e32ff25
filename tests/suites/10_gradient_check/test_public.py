"""The numeric slopes of the lesson; right and wrong operations at everyday numbers."""

import pytest

from grader.autograd import close, show

# Runs in the worker. `op` makes an operation of its own, right or wrong: `data` from `parents`,
# with the amounts that its step hands to them for what arrives in `g`.
HELPER = """
import math


def op(data, parents, amounts):
    out = Value(data, parents)

    def step():
        for parent, amount in zip(parents, amounts(out.grad)):
            parent.grad += amount

    out._backward = step
    return out


def verdict(number, inputs):
    before = list(inputs)
    answer = gradcheck(CASES[number], inputs)
    kept = inputs == before
    return answer if isinstance(answer, bool) else type(answer).__name__, kept


def numeric(number, inputs):
    before = list(inputs)
    answer = numeric_gradients(CASES[number], inputs)
    if isinstance(answer, (list, tuple)):
        answer = [float(getattr(slope, "data", slope)) for slope in answer]
    return answer, inputs == before
"""


def expect_verdicts(submission, source, *cases):
    """gradcheck of the functions in the list CASES of `source`, one after the other.

    `cases` has (inputs, whether the operation is right, what it is)."""
    helper = submission.define(HELPER + source)
    seen = [helper.verdict(number, inputs) for number, (inputs, _, _) in enumerate(cases)]
    for (inputs, right, what), (answer, kept) in zip(cases, seen, strict=True):
        place = f"at {', '.join(map(repr, inputs))}"
        if not isinstance(answer, bool):
            raise AssertionError(f"gradcheck gave back {answer}, expected True or False")
        if answer and not right:
            raise AssertionError(f"gradcheck accepted what is wrong: {what}, {place}")
        if right and not answer:
            raise AssertionError(f"gradcheck refused what is right: {what}, {place}")
        if not kept:
            raise AssertionError(f"gradcheck changed the list of inputs: {what}, {place}")


def expect_slopes(submission, source, *cases):
    """numeric_gradients of the functions in CASES; `cases` has (inputs, slopes, formula)."""
    helper = submission.define(HELPER + source)
    seen = [helper.numeric(number, inputs) for number, (inputs, _, _) in enumerate(cases)]
    for (inputs, want, formula), (got, kept) in zip(cases, seen, strict=True):
        where = f"{formula} at {', '.join(map(repr, inputs))}"
        if not isinstance(got, list) or len(got) != len(want):
            raise AssertionError(f"{where}: expected a list of {len(want)} slopes, got {got!r:.80}")
        for slope, number in zip(want, got, strict=True):
            if not close(number, slope):
                line = f"slope     expected {show(slope)}, got {show(number, slope)}"
                raise AssertionError(f"f         {where}\n{line}")
        if not kept:
            raise AssertionError(f"{where}: the list of inputs was changed")


@pytest.mark.points("1/2")
def test_numeric_gradients_of_the_example(submission):
    """numeric_gradients of x*x*y at 3, 2: 12 and 9"""
    expect_slopes(
        submission, "CASES = [lambda x, y: x * x * y]", ([3.0, 2.0], [12.0, 9.0], "x*x*y")
    )


@pytest.mark.points("1/2")
def test_a_product(submission):
    """gradcheck: a product, and one with its factors mixed up"""
    source = """
def wrong(a, b):
    return op(a.data * b.data, (a, b), lambda g: (a.data * g, b.data * g))


CASES = [lambda a, b: a * b, wrong]
"""
    expect_verdicts(
        submission,
        source,
        ([2.0, 5.0], True, "a*b"),
        ([2.0, 5.0], False, "a*b, whose step gives a*g to a and b*g to b"),
    )


@pytest.mark.points("1/2")
def test_a_step_that_forgets_what_arrives(submission):
    """gradcheck: tanh, and one that ignores what arrives"""
    source = """
def wrong(x):
    t = math.tanh(x.data)
    return op(t, (x,), lambda g: (1 - t * t,))


CASES = [lambda x: 3 * x.tanh(), lambda x: 3 * wrong(x)]
"""
    expect_verdicts(
        submission,
        source,
        ([0.5], True, "3*tanh(x)"),
        ([0.5], False, "3*tanh(x), whose tanh hands on its slope alone"),
    )


@pytest.mark.points("1/2")
def test_the_second_input_counts(submission):
    """gradcheck: a - b, and one with the wrong sign for b"""
    source = """
def wrong(a, b):
    return op(a.data - b.data, (a, b), lambda g: (g, g))


CASES = [lambda a, b: a - b, wrong]
"""
    expect_verdicts(
        submission,
        source,
        ([4.0, 1.5], True, "a - b"),
        ([4.0, 1.5], False, "a - b, whose step gives +g to b"),
    )
