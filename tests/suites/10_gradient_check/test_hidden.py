"""Wrong operations of every kind beside right ones: small, large, near kinks, many inputs."""

import math

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
def test_numeric_gradients_at_many_scales(submission):
    """numeric_gradients from 0.00001 to 100 million"""
    source = """
CASES = [
    lambda x: 1 / x,
    lambda x: x.log(),
    lambda x: x**3,
    lambda x: x**2,
    lambda x: x.exp() + x.sin(),
    lambda x: (2 * x).tanh(),
    lambda x: 2 + (10 - x) * x + 3,
]
"""
    expect_slopes(
        submission,
        source,
        ([2e-5], [-1 / 2e-5**2], "1/x"),
        ([3e-4], [1 / 3e-4], "log(x)"),
        ([-40.0], [4800.0], "x**3"),
        ([1.5e8], [3e8], "x**2"),
        ([0.0], [2.0], "exp(x) + sin(x)"),
        ([-0.3], [2 * (1 - math.tanh(-0.6) ** 2)], "tanh(2*x)"),
        ([2.5], [5.0], "2 + (10 - x)*x + 3"),
    )


@pytest.mark.points("1/4")
def test_numeric_gradients_by_each_input(submission):
    """Only the input in question is moved, the others stay"""
    source = """
CASES = [
    lambda a, b, c: a * b + b * c * c,
    lambda a, b, c, d: a / b - d,
    lambda a, b: b,
    lambda a, b, c: a * b * b - c,
]
"""
    expect_slopes(
        submission,
        source,
        ([1.5, -2.0, 0.7], [-2.0, 1.5 + 0.49, 2 * -2.0 * 0.7], "a*b + b*c*c"),
        ([3.0, 0.1, 7.0, -5.0], [10.0, -300.0, 0.0, -1.0], "a/b - d"),
        ([2.5, 1.25], [0.0, 1.0], "b"),
        ([1.7, 1.7, 1.7], [1.7**2, 2 * 1.7**2, -1.0], "a*b*b - c"),
    )


@pytest.mark.points("1/2")
def test_the_operations_of_the_engine(submission):
    """The engine's operations, and their usual mistakes"""
    source = """
def power(x):  # without its exponent
    return op(x.data**3, (x,), lambda g: (x.data**2 * g,))


def tanh(x):  # the slope taken at the input
    return op(math.tanh(x.data), (x,), lambda g: ((1 - x.data**2) * g,))


def exp(x):  # nothing handed on
    return op(math.exp(x.data), (x,), lambda g: (0.0,))


def divide(a, b):  # the sign of b
    return op(a.data / b.data, (a, b), lambda g: (g / b.data, a.data / b.data**2 * g))


def sine(x):  # the sign of the cosine
    return op(math.sin(x.data), (x,), lambda g: (-math.cos(x.data) * g,))


def product(a, b):  # overwrites
    out = Value(a.data * b.data, (a, b))

    def step():
        a.grad = b.data * out.grad
        b.grad = a.data * out.grad

    out._backward = step
    return out


def twice(node):
    return node * node + node


CASES = [
    lambda x: 2 * x**3,
    lambda x: 2 * power(x),
    lambda x: x.tanh() * x,
    lambda x: tanh(x) * x,
    lambda x: x.exp() + x,
    lambda x: exp(x) + x,
    lambda a, b: 1 - a / b,
    lambda a, b: 1 - divide(a, b),
    lambda x: x.sin() * -0.5,
    lambda x: sine(x) * -0.5,
    lambda x: x * x + x,
    lambda x: product(x, x) + x,
    lambda x: (x * x) ** 2 + twice(x * x),
]
"""
    expect_verdicts(
        submission,
        source,
        ([-1.3], True, "2*x**3"),
        ([-1.3], False, "2*x**3, whose power lacks the factor 3"),
        ([0.8], True, "tanh(x)*x"),
        ([0.8], False, "tanh(x)*x, whose tanh has slope 1 - x**2"),
        ([0.35], True, "exp(x) + x"),
        ([0.35], False, "exp(x) + x, whose exp hands on nothing"),
        ([0.9, -1.7], True, "1 - a/b"),
        ([0.9, -1.7], False, "1 - a/b, whose division has the wrong sign for b"),
        ([2.1], True, "sin(x)*-0.5"),
        ([2.1], False, "sin(x)*-0.5, whose sin hands on -cos(x)"),
        ([-0.6], True, "x*x + x"),
        ([-0.6], False, "x*x + x, whose product overwrites"),
        ([-0.6], True, "p**2 + q*q + q with p = q = x*x"),
    )


@pytest.mark.points("1/4")
def test_one_percent(submission):
    """A slope that is off by one percent is refused"""
    source = """
def scaled(x, by):
    return op(math.exp(x.data), (x,), lambda g: (by * math.exp(x.data) * g,))


CASES = [
    lambda x: scaled(x, 1.0) * 0.5,
    lambda x: scaled(x, 1.01) * 0.5,
    lambda x: scaled(x, 0.99) * 0.5,
]
"""
    expect_verdicts(
        submission,
        source,
        ([1.1], True, "0.5*exp(x)"),
        ([1.1], False, "0.5*exp(x) with a slope 1 % too large"),
        ([1.1], False, "0.5*exp(x) with a slope 1 % too small"),
    )


@pytest.mark.points("1/2")
def test_small_gradients(submission):
    """Gradients of about 0.000001 are compared as strictly"""
    source = """
def wrong(a, b):
    return op(a.data * b.data, (a, b), lambda g: (b.data * g, 1.2 * a.data * g))


CASES = [
    lambda a, b: 1e-6 * (a * b),
    lambda a, b: 1e-6 * wrong(a, b),
    lambda a: 2e-6 * a.tanh(),
    lambda a: 2e-6 * op(math.tanh(a.data), (a,), lambda g: (0.0,)),
]
"""
    expect_verdicts(
        submission,
        source,
        ([0.7, 1.9], True, "0.000001*a*b"),
        ([0.7, 1.9], False, "0.000001*a*b with a slope for b that is 20 % too large"),
        ([0.4], True, "0.000002*tanh(a)"),
        ([0.4], False, "0.000002*tanh(a), whose tanh hands on nothing"),
    )


@pytest.mark.points("1/4")
def test_how_much_may_differ(submission):
    """Rounding apart, a gradient may differ a little, and no more"""
    source = """
def scaled(x, by):
    return op(math.exp(x.data), (x,), lambda g: (by * math.exp(x.data) * g,))


def constant(x, slope):
    return op(0.5, (x,), lambda g: (slope * g,))


CASES = [
    lambda x: scaled(x, 1.00003) * -2,
    lambda x: scaled(x, 1.003) * -2,
    lambda x: constant(x, 4e-9),
]
"""
    expect_verdicts(
        submission,
        source,
        ([0.6], True, "-2*exp(x) with a slope that is off by 0.00003 of itself"),
        ([0.6], False, "-2*exp(x) with a slope that is off by 0.003 of itself"),
        ([1.4], False, "a constant with a slope of 4e-9"),
    )


@pytest.mark.points("1/4")
def test_large_numbers(submission):
    """Large numbers: rounding alone is no mistake"""
    source = """
def square(x, by):
    return op(x.data**2, (x,), lambda g: (by * x.data * g,))


CASES = [
    lambda x: x * x,
    lambda x: square(x, 2.1),
    lambda a, b: a**3 * b,
    lambda a, b: square(a, 2.0) * a * b,
    lambda a, b: square(a, 1.0) * a * b,
]
"""
    expect_verdicts(
        submission,
        source,
        ([3e8], True, "x*x"),
        ([3e8], False, "x*x with slope 2.1*x"),
        ([1234.5, 67.8], True, "a**3*b"),
        ([1234.5, 67.8], True, "a*a*a*b"),
        ([1234.5, 67.8], False, "a*a*a*b with slope a for a*a"),
    )


@pytest.mark.points("1/4")
def test_small_inputs(submission):
    """Inputs of about 0.00001: the step is small beside them"""
    source = """
CASES = [
    lambda x: 1 / x,
    lambda x: op(1 / x.data, (x,), lambda g: (-g / x.data,)),
    lambda a, b: a.log() * b,
]
"""
    expect_verdicts(
        submission,
        source,
        ([-3e-5], True, "1/x"),
        ([-3e-5], False, "1/x with slope -1/x"),
        ([1e-5, 2.0], True, "log(a)*b"),
    )


@pytest.mark.points("1/4")
def test_near_a_kink(submission):
    """Near a kink of relu, on either side"""
    source = """
def leaky(x):
    return op(max(0.0, x.data), (x,), lambda g: (g,))


CASES = [
    lambda x: (x - 4).relu() * 2,
    lambda x: (x - 4).relu() * 2,
    lambda x: leaky(x - 4) * 2,
    lambda x: x.relu() + (-x).relu(),
    lambda x: x.relu() + (-x).relu(),
    lambda x: leaky(x) + leaky(-x),
]
"""
    expect_verdicts(
        submission,
        source,
        ([4.001], True, "2*relu(x - 4)"),
        ([3.999], True, "2*relu(x - 4)"),
        ([3.999], False, "2*relu(x - 4), whose relu hands on everything"),
        ([0.0005], True, "relu(x) + relu(-x)"),
        ([-0.0005], True, "relu(x) + relu(-x)"),
        ([0.0005], False, "relu(x) + relu(-x), whose relu hands on everything"),
    )


@pytest.mark.points("1/4")
def test_one_wrong_input_of_six(submission):
    """One wrong input of six is enough"""
    source = """
def total(values, weak):
    amounts = [0.5 if i == weak else 1.0 for i in range(len(values))]
    data = sum(v.data for v in values)
    return op(data, values, lambda g: [amount * g for amount in amounts])


CASES = [
    lambda *v: total(v, None) * v[2],
    lambda *v: total(v, 0) * v[2],
    lambda *v: total(v, 3) * v[2],
    lambda *v: total(v, 5) * v[2],
    lambda *v: total(v, None) * v[2],
    lambda *v: total(v, 3) * v[2],
]
"""
    inputs = [1.5, -0.5, 2.0, 3.5, -1.0, 0.25]
    expect_verdicts(
        submission,
        source,
        (inputs, True, "(a + b + c + d + e + f)*c"),
        (inputs, False, "the same with half of its gradient for a"),
        (inputs, False, "the same with half of its gradient for d"),
        (inputs, False, "the same with half of its gradient for f"),
        ([0.75] * 6, True, "(a + b + c + d + e + f)*c"),
        ([0.75] * 6, False, "the same with half of its gradient for d"),
    )


@pytest.mark.points("1/4")
def test_errors_that_cancel(submission):
    """Errors that make up for each other are errors"""
    source = """
def swapped(a, b):
    return op(a.data * b.data, (a, b), lambda g: (a.data * g, b.data * g))


def shifted(a, b):
    return op(a.data + b.data, (a, b), lambda g: (1.5 * g, 0.5 * g))


CASES = [
    lambda a, b: swapped(a, b) * 2,
    lambda a, b: a * b * 2,
    shifted,
    lambda a, b: op(-b.data, (a, b), lambda g: (-g, 0.0)),
]
"""
    expect_verdicts(
        submission,
        source,
        ([1.25, 3.0], False, "2*a*b, whose factors get each other's gradient"),
        ([1.25, 3.0], True, "2*a*b"),
        ([1.25, 3.0], False, "a + b with slopes 1.5 and 0.5"),
        ([1.25, 3.0], False, "-b, whose gradient goes to a"),
    )


@pytest.mark.points("1/4")
def test_gradients_that_are_no_numbers(submission):
    """A gradient that is NaN or infinite is wrong"""
    source = """
CASES = [
    lambda x: op(x.data**2, (x,), lambda g: (math.nan,)),
    lambda x: op(x.data**2, (x,), lambda g: (math.inf,)),
    lambda x: op(x.data**2, (x,), lambda g: (-math.inf * g,)),
    lambda x: op(x.data**2, (x,), lambda g: (2 * x.data * g,)),
    lambda a, b: op(a.data + b.data, (a, b), lambda g: (math.nan, g)),
]
"""
    expect_verdicts(
        submission,
        source,
        ([1.5], False, "x**2 with a gradient of NaN"),
        ([1.5], False, "x**2 with an infinite gradient"),
        ([1.5], False, "x**2 with an infinite negative gradient"),
        ([1.5], True, "x**2"),
        ([1.5, 2.5], False, "a + b with NaN for a"),
    )


@pytest.mark.points("1/4")
def test_gradients_of_zero(submission):
    """A gradient of 0 where nothing changes, or something does"""
    source = """
CASES = [
    lambda x: x.exp() * x.exp() / (2 * x).exp(),
    lambda x: 3 * x / x,
    lambda a, b, c: a * c,
    lambda a, b, c: op(a.data * c.data, (a, b, c), lambda g: (c.data * g, 1e-3 * g, a.data * g)),
    lambda a, b: b,
    lambda a, b: a * 0.0 + b,
    lambda x: x * x,
    lambda x: op(x.data + 1.0, (x,), lambda g: (0.0,)),
]
"""
    expect_verdicts(
        submission,
        source,
        ([0.37], True, "exp(x)*exp(x)/exp(2*x)"),
        ([0.37], True, "3*x/x"),
        ([0.5, 2.0, -3.0], True, "a*c, without b"),
        ([0.5, 2.0, -3.0], False, "a*c, which hands something to b"),
        ([0.5, 2.0], True, "b itself"),
        ([0.5, 0.0], True, "0*a + b"),
        ([0.0], True, "x*x at 0"),
        ([0.0], False, "x + 1 with a slope of 0"),
    )
