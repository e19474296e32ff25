"""Each engine on other graphs, where a repair for one example only does not hold; and the words."""

import pytest
from hypothesis import given, settings

from grader.autograd import build, check, close, programs, read_number, show

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


def repaired(submission, number):
    """The engine, once its word is there."""
    word(submission, number)
    return Engine(submission, number)


@pytest.mark.points("1/2")
@settings(max_examples=25)
@given(program=programs("+* tanh", leaves=2, steps=5))
def test_engine_1_elsewhere(submission, program):
    """Engine 1 on random graphs of sums, products and tanh"""
    engine = repaired(submission, 1)
    check(engine, program)


@pytest.mark.points("1/4")
def test_engine_2_when_ways_differ_in_length(submission):
    """Engine 2 where a long and a short way meet"""
    engine = repaired(submission, 2)
    check(engine, "s = x*a; p = s*b; q = p + a; r = q*s; y = s + r", x=1.5, a=-0.5, b=2.5)
    check(engine, "s = x*a; p = b*s; q = a + p; r = s*q; y = r + s", x=1.5, a=-0.5, b=2.5)
    check(engine, "a = x*x; b = a*x; c = a + b; y = c*a", x=-1.25)


@pytest.mark.points("1/4")
@settings(max_examples=25)
@given(program=programs("+*", leaves=2, steps=7))
def test_engine_2_elsewhere(submission, program):
    """Engine 2 on random graphs of sums and products"""
    engine = repaired(submission, 2)
    check(engine, program)


@pytest.mark.points("1/2")
def test_engine_3_elsewhere(submission):
    """Engine 3: nodes and numbers on either side of a minus"""
    engine = repaired(submission, 3)
    check(engine, "y = 7 - x", x=2.5, grads={"x": -1.0})
    check(engine, "y = 2.5 - x", x=4.0, data=-1.5, grads={"x": -1.0})
    check(engine, "y = (1.5 - a)*b - a", a=-2.0, b=0.75)
    check(engine, "y = (a - b)*(a - 4)*(0.5 - b)", a=1.25, b=-3.0)
    check(engine, "s = a + b; y = b*s", a=0.75, b=-1.5)
    check(engine, "d = a - b; y = 3*d + (2 + d)*d - d*5", a=0.25, b=1.75)


@pytest.mark.points("1/4")
def test_engine_4_in_sums_and_products(submission):
    """Engine 4: one node on both sides of sums and products"""
    engine = repaired(submission, 4)
    check(engine, "s = x + x; y = s*a", x=1.5, a=-2.5)
    check(engine, "p = x*x; y = a*p", x=-0.75, a=4.0)
    check(engine, "s = x + x; p = s*s; y = p + p", x=1.25)
    again = build(engine, "y = x*x", x=1.75)
    again.backward()
    again.backward()
    again.expect_grads({"x": 7.0}, when="after two calls of backward, which add up")


@pytest.mark.points("1/4")
@settings(max_examples=25)
@given(program=programs("+*", leaves=2, steps=6))
def test_engine_4_elsewhere(submission, program):
    """Engine 4 on random graphs of sums and products"""
    engine = repaired(submission, 4)
    check(engine, program)


@pytest.mark.points("1/2")
def test_engine_5_elsewhere(submission):
    """Engine 5: sums inside products, a node used twice"""
    word(submission, 5)
    engine = submission.Engine5
    a, b, c, d = (engine(number) for number in (1.5, -2.0, 0.25, 3.0))
    nodes = {"a": a, "b": b, "c": c, "d": d}
    inner = engine.weighted_sum([0.5, -3.0], [a, b])
    other = engine.weighted_sum([2.0, 1.5, -0.75], [c, a, c])
    y = engine.weighted_sum([-2.0, 4.0, 0.5, 1.0, 2.0], [inner * other, d, b, inner, other])
    data = read_number(y, "data", "y")
    submission.invoke("backward", y)
    got = {name: read_number(node, "grad", name) for name, node in nodes.items()}
    by_inner, by_other = 1.0 - 2 * 2.5625, 2.0 - 2 * 6.75  # inner = 6.75, other = 2.5625
    want = {
        "a": 0.5 * by_inner + 1.5 * by_other,
        "b": -3.0 * by_inner + 0.5,
        "c": 1.25 * by_other,
        "d": 4.0,
    }
    if not close(data, -2 * 6.75 * 2.5625 + 12.0 - 1.0 + 6.75 + 5.125):
        raise AssertionError(f"y.data of three weighted sums: got {show(data)}")
    for name, right in want.items():
        if not close(got[name], right):
            line = f"dy/d{name}     expected {show(right)}, got {show(got[name])}"
            raise AssertionError(f"three weighted sums inside each other\n{line}")


@pytest.mark.points("1/2")
def test_engine_6_elsewhere(submission):
    """Engine 6: three results that share their insides"""
    engine = repaired(submission, 6)
    graph = build(engine, "p = a*b; q = p + a; u = q*p; v = q*b; w = u + v", a=0.75, b=-2.0)
    other = build(engine, "s = c*c; t = s + c; z = c*t", c=1.75)
    wanted = (
        (graph, "u", {"a": 3.0, "b": -1.6875}),
        (graph, "v", {"a": 2.0, "b": -2.25}),
        (other, "z", {"c": 12.6875}),
        (graph, "u", {"a": 3.0, "b": -1.6875}),
        (graph, "w", {"a": 5.0, "b": -3.9375}),
    )
    seen = []
    for built, result, want in wanted:
        built.backward(result)
        seen.append({name: built.grad(name) for name in want})
    for (built, result, want), got in zip(wanted, seen, strict=True):
        for name, right in want.items():
            if not close(got[name], right):
                line = f"d{result}/d{name}     expected {show(right)}, got {show(got[name])}"
                when = "backward from u, v, z, u, w, one after the other"
                raise AssertionError(f"built     {built.program}\n{when}\n{line}")


def expect_word(submission, number, right):
    """The word for an engine's wrong reasoning."""
    if word(submission, number) != right:
        raise AssertionError(f"wrong_{number} is another one of the nine words")


@pytest.mark.points("1/4")
def test_word_for_engine_1(submission):
    """The reasoning that was wrong in engine 1"""
    expect_word(submission, 1, "chain")


@pytest.mark.points("1/4")
def test_word_for_engine_2(submission):
    """The reasoning that was wrong in engine 2"""
    expect_word(submission, 2, "order")


@pytest.mark.points("1/4")
def test_word_for_engine_3(submission):
    """The reasoning that was wrong in engine 3"""
    expect_word(submission, 3, "sides")


@pytest.mark.points("1/4")
def test_word_for_engine_4(submission):
    """The reasoning that was wrong in engine 4"""
    expect_word(submission, 4, "twice")


@pytest.mark.points("1/4")
def test_word_for_engine_5(submission):
    """The reasoning that was wrong in engine 5"""
    expect_word(submission, 5, "late")


@pytest.mark.points("1/4")
def test_word_for_engine_6(submission):
    """The reasoning that was wrong in engine 6"""
    expect_word(submission, 6, "memory")
