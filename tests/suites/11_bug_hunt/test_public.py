"""Each engine at a graph on which its bug shows."""

import pytest

from grader.autograd import build, check, close, read_number, show

WORDS = ("seed", "slope", "chain", "overwrite", "order", "twice", "sides", "late", "memory")
HELPER = """
def word(number):
    try:
        return str(globals()[f"wrong_{number}"])
    except NotImplementedError:
        raise NotImplementedError(f"TODO: wrong_{number} has no word yet") from None
"""


def word(submission, number):
    """The student's word for an engine: while there is none, the check is still to do."""
    getattr(submission, f"wrong_{number}")  # where it is gone, this says so
    return submission.define(HELPER).word(number).strip().lower()


class Engine:
    """A submission in which Value is one of the engines."""

    def __init__(self, submission, number):
        self.Value = getattr(submission, f"Engine{number}")
        self.invoke = submission.invoke


def expect_known(found, number):
    """The word is one of the nine: a slip of the pen costs nothing here."""
    if found not in WORDS:
        known = ", ".join(WORDS)
        raise AssertionError(f"engine {number} is right now; wrong_{number} must be one of {known}")


@pytest.mark.points("1/4")
def test_engine_1(submission):
    """Engine 1: y = t*a with t = tanh(x)"""
    found = word(submission, 1)
    check(Engine(submission, 1), "t = tanh(x); y = t*a", x=0.5, a=3.0)
    expect_known(found, 1)


@pytest.mark.points("1/4")
def test_engine_2(submission):
    """Engine 2: s = a*b; t = s*a; y = s + t"""
    found = word(submission, 2)
    check(Engine(submission, 2), "s = a*b; t = s*a; y = s + t", a=2.0, b=5.0)
    expect_known(found, 2)


@pytest.mark.points("1/4")
def test_engine_3(submission):
    """Engine 3: y = 10 - x*x"""
    found = word(submission, 3)
    check(Engine(submission, 3), "y = 10 - x*x", x=3.0, data=1.0, grads={"x": -6.0})
    expect_known(found, 3)


@pytest.mark.points("1/4")
def test_engine_4(submission):
    """Engine 4: y = x*x + x"""
    found = word(submission, 4)
    check(Engine(submission, 4), "p = x*x; y = p + x", x=3.0, data=12.0, grads={"x": 7.0})
    expect_known(found, 4)


@pytest.mark.points("1/4")
def test_engine_5(submission):
    """Engine 5: weighted_sum([2, -1, 4], [a, b, c])"""
    found = word(submission, 5)
    engine = submission.Engine5
    nodes = [engine(1.0), engine(3.0), engine(0.5)]
    y = engine.weighted_sum([2.0, -1.0, 4.0], nodes)
    data = read_number(y, "data", "y")
    submission.invoke("backward", y)
    got = [read_number(node, "grad", name) for node, name in zip(nodes, "abc", strict=True)]
    built = (
        "built     y = Engine5.weighted_sum([2.0, -1.0, 4.0], [a, b, c]) at a = 1, b = 3, c = 0.5"
    )
    if not close(data, 1.0):
        raise AssertionError(f"{built}\ny.data    expected 1, got {show(data)}")
    if not all(map(close, got, (2.0, -1.0, 4.0))):
        found_grads = ", ".join(map(show, got))
        raise AssertionError(f"{built}\ngradients expected 2, -1, 4, got {found_grads}")
    expect_known(found, 5)


@pytest.mark.points("1/4")
def test_engine_6(submission):
    """Engine 6: p = a*b; backward from p + a, then from p*b"""
    found = word(submission, 6)
    built = build(Engine(submission, 6), "p = a*b; y = p + a; z = p*b", a=2.0, b=3.0)
    built.backward("y")
    first = {name: built.grad(name) for name in "ab"}
    built.backward("z")
    second = {name: built.grad(name) for name in "ab"}
    for result, got, want in (("y", first, (4.0, 2.0)), ("z", second, (9.0, 12.0))):
        for name, right in zip("ab", want, strict=True):
            if not close(got[name], right):
                line = f"d{result}/d{name}     expected {show(right)}, got {show(got[name])}"
                when = "backward from y, then from z"
                raise AssertionError(f"built     {built.program}\n{when}\n{line}")
    expect_known(found, 6)
