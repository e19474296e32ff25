"""Other shapes: deep on either side, deep and shared, wide; and the depth of them."""

import re

import pytest
from hypothesis import given, settings

from grader.autograd import build, check, close, programs, show

# Runs in the worker, beside the submission: builds a graph, and lets backward or depth work on it
# with Python's usual recursion limit, while it counts how often anything is read from a node.
HELPER = """
import sys

LIMIT = 1000


class TooMuch(BaseException):
    pass


def carefully(work, nodes):
    reads, comparisons, counting, raised = 0, 0, False, False
    plain_read, plain_equal = Value.__getattribute__, Value.__eq__

    def read(self, name):
        nonlocal reads
        reads += counting
        if reads > 100 * nodes + 1000:
            raise TooMuch
        return plain_read(self, name)

    def equal(self, other):
        nonlocal comparisons
        comparisons += counting
        if comparisons > 20 * nodes + 100_000:
            raise TooMuch
        return plain_equal(self, other)

    Value.__getattribute__, Value.__eq__ = read, equal
    set_limit, before = sys.setrecursionlimit, sys.getrecursionlimit()

    def refuse(limit):
        nonlocal raised
        raised = True

    set_limit(LIMIT)
    sys.setrecursionlimit = refuse
    ending, counting = "done", True
    try:
        work()
    except RecursionError:
        ending = "recursion"
    except TooMuch:
        ending = "searches" if comparisons > reads else "visits"
    finally:
        counting = False
        if raised and ending == "recursion" or sys.getrecursionlimit() != LIMIT:
            ending = "limit"
        sys.setrecursionlimit = set_limit
        set_limit(before)
    return ending


def gradients(nodes, times=1):
    root, leaves, inner = build()
    run = getattr(root, "backward", None) or (lambda: backward(root))
    for _ in range(times):
        for node in inner + leaves + [root]:
            node.grad = 0.0
        ending = carefully(run, nodes)
        if ending != "done":
            return ending
    return [float(leaf.grad) for leaf in leaves]


def depth_of(nodes):
    root, _, _ = build()
    found = []
    ending = carefully(lambda: found.append(depth(root)), nodes)
    return found[0] if ending == "done" else ending
"""

WHY = {
    "recursion": "too deep for recursion: Python gives up after some 1,000 calls inside each other",
    "limit": "the recursion limit was raised; that only moves the wall: keep a stack of your own",
    "visits": "far too many looks at the nodes: each should be worked on once, not once per way",
    "searches": "far too many comparisons: a list is searched node by node, a set finds it at once",
}


def expect_gradients(submission, text, build, nodes, want, times=1):
    """Backward over the graph that the source `build` makes: it has `nodes` nodes."""
    got = submission.define(HELPER + build).gradients(nodes, times)
    if isinstance(got, str):
        raise AssertionError(f"built     {text}\n{WHY[got]}")
    for name, right, number in zip(want, want.values(), got, strict=True):
        if not close(number, right):
            line = f"dy/d{name:<5} expected {show(right)}, got {show(number, right)}"
            raise AssertionError(f"built     {text}\n{line}")


def expect_depth(submission, text, build, nodes, want):
    """depth of the graph that the source `build` makes."""
    got = submission.define(HELPER + build).depth_of(nodes)
    if isinstance(got, str) and got in WHY:
        raise AssertionError(f"built     {text}\n{WHY[got]}")
    if type(got) not in (int, float) or got != want:
        raise AssertionError(f"built     {text}\ndepth     expected {want}, got {got!r}")


def expect_order(submission, text, **leaves):
    """topological_order of the last name: each node once, parents first.

    `text` has one operation in each statement, such as "c = a*b"."""
    nodes = build(submission, text, **leaves).nodes
    got = list(submission.topological_order(list(nodes.values())[-1]))
    names = {node: name for name, node in nodes.items()}
    order = [names.get(node, "?") for node in got]
    wrong = f"built     {text}\norder     {' '.join(order)}\n"
    for name in nodes:
        if order.count(name) != 1:
            raise AssertionError(f"{wrong}{name} is there {order.count(name)} times, not once")
    if len(order) != len(nodes):
        raise AssertionError(f"{wrong}expected {len(nodes)} nodes, got {len(order)}")
    for statement in text.split("; "):
        name, _, formula = statement.partition(" = ")
        for parent in re.split(r" ?[*+] ?", formula):
            if order.index(parent) > order.index(name):
                raise AssertionError(f"{wrong}{parent} is a parent of {name}: it goes before it")


@pytest.mark.points("1/4")
def test_order_of_a_braid(submission):
    """topological_order where every node feeds the next two"""
    expect_order(submission, "c = a*b; d = c + b; e = c*d; f = e + d; y = e*f", a=1.5, b=-2.0)
    expect_order(submission, "c = b*a; d = b + c; e = d*c; f = d + e; y = f*e", a=1.5, b=-2.0)


@pytest.mark.points("1/4")
def test_a_long_way_and_a_short_way(submission):
    """A node met early by a short way waits for the long one"""
    check(
        submission, "s = x*a; p = s*b; q = p + c; r = q*s; y = s + r", x=0.5, a=-3.0, b=1.5, c=2.0
    )


@pytest.mark.points("1/4")
def test_the_long_way_first(submission):
    """The same with the long way as the left operand"""
    check(
        submission, "s = x*a; p = b*s; q = c + p; r = s*q; y = r + s", x=0.5, a=-3.0, b=1.5, c=2.0
    )


@pytest.mark.points("1/2")
def test_a_chain_to_the_right(submission):
    """A chain of 20,000 operations, to the right"""
    source = """
def build():
    x, a, b = Value(1.5), Value(0.99999), Value(0.25)
    y = x
    for _ in range(10_000):
        y = b + a * y
    return y, [x, a, b], []
"""
    y, by_x, by_a, by_b = 1.5, 1.0, 0.0, 0.0
    for _ in range(10_000):
        by_x, by_a, by_b = 0.99999 * by_x, y + 0.99999 * by_a, 1.0 + 0.99999 * by_b
        y = 0.25 + 0.99999 * y
    want = {"x": by_x, "a": by_a, "b": by_b}
    text = "y = x, then 10,000 times y = b + a*y"
    expect_gradients(submission, text, source, 20_003, want)


@pytest.mark.points("1/4")
def test_two_deep_branches(submission):
    """Two deep branches that meet in a product"""
    source = """
def build():
    x, a, b = Value(2.0), Value(0.25), Value(-0.5)
    left, right = x * x, x * a
    for _ in range(6000):
        left, right = left + a, b + right
    return left * right, [x, a, b], []
"""
    left, right = 4.0 + 6000 * 0.25, 0.5 - 6000 * 0.5
    want = {"x": 4.0 * right + 0.25 * left, "a": 6000 * right + 2.0 * left, "b": 6000 * left}
    text = "left = x*x, right = x*a; 6,000 times left = left + a, right = b + right; y = left*right"
    expect_gradients(submission, text, source, 12_006, want)


@pytest.mark.points("1/2")
def test_deep_and_shared(submission):
    """Deep, and every node is used by the next two"""
    source = """
def build():
    x, u = Value(3.0), Value(0.5)
    p, q = x, x * u
    for _ in range(6000):
        p, q = q, u * p + q * u
    return q, [x], []
"""
    p, q = 1.0, 0.5
    for _ in range(6000):
        p, q = q, 0.5 * p + 0.5 * q
    text = "p = x, q = x*u; 6,000 times the next one is u*p + q*u of the two before"
    expect_gradients(submission, text, source, 18_003, {"x": q})


@pytest.mark.points("1/4")
def test_doublings_by_products(submission):
    """64 times y = a*y + y*b: many ways, few nodes"""
    source = """
def build():
    x, a, b = Value(-1.5), Value(0.75), Value(0.5)
    y = x
    for _ in range(64):
        y = a * y + y * b
    return y, [x, a, b], []
"""
    by_a = -1.5 * 64 * 1.25**63
    want = {"x": 1.25**64, "a": by_a, "b": by_a}
    expect_gradients(submission, "y = x, then 64 times y = a*y + y*b", source, 195, want)


@pytest.mark.points("1/4")
def test_a_long_braid(submission):
    """80 steps of p, q = q, p + q: 82 nodes, many ways"""
    source = """
def build():
    a, b = Value(0.5), Value(-2.0)
    p, q = a, b
    for _ in range(80):
        p, q = q, p + q
    return q, [a, b], []
"""
    p, q = (1, 0), (0, 1)
    for _ in range(80):
        p, q = q, (p[0] + q[0], p[1] + q[1])
    want = {"a": float(q[0]), "b": float(q[1])}
    expect_gradients(submission, "p = a, q = b; 80 times p, q = q, p + q", source, 82, want)


@pytest.mark.points("1/4")
def test_a_wide_tree(submission):
    """A tree of 4,096 products: wide, not deep"""
    source = """
def build():
    x, a = Value(0.25), Value(3.0)
    row = [x * a for _ in range(4096)]
    while len(row) > 1:
        row = [row[i] + row[i + 1] for i in range(0, len(row), 2)]
    return row[0], [x, a], []
"""
    want = {"x": 4096 * 3.0, "a": 4096 * 0.25}
    text = "4,096 products x*a, added up in pairs, then pairs of pairs …"
    expect_gradients(submission, text, source, 8193, want)


@pytest.mark.points("1/4")
def test_a_second_time_after_a_reset(submission):
    """Backward again after a reset gives the same"""
    source = """
def build():
    x, a = Value(1.25), Value(-2.0)
    p = x * a
    q = p + x
    r = q * p
    return r + q, [x, a], [p, q, r]
"""
    want = {"x": 2 * 1.25 * 4.0 - 2 * 1.25 * 2.0 - 1.0, "a": 2 * 1.25**2 * -2.0 + 1.25**2 + 1.25}
    text = "p = x*a; q = p + x; y = q*p + q; backward, every grad = 0, backward"
    expect_gradients(submission, text, source, 7, want, times=2)


@pytest.mark.points("1/4")
@settings(max_examples=50)
@given(program=programs("+*", leaves=2, steps=9, numbers=True))
def test_random_graphs(submission, program):
    """Random graphs, with plain numbers among them"""
    check(submission, program)


SHORT_AND_LONG = """
def build():
    a, b = Value(2.0), Value(3.0)
    s = a + b
    y = a * (b * (s * s) + a)
    return y, [a, b], []
"""


@pytest.mark.points("1/4")
def test_depth_takes_the_longest_way(submission):
    """depth: a leaf, a sum, and ways of different length"""
    text = "s = a + b; y = a*(b*(s*s) + a)"
    expect_depth(submission, "a leaf", "def build():\n    return Value(1.0), [], []", 1, 0)
    expect_depth(
        submission, "a + a", "def build():\n    a = Value(1.0)\n    return a + a, [], []", 2, 1
    )
    expect_depth(submission, text, SHORT_AND_LONG, 7, 5)
    for text, depth, nodes in (
        ("(a + b)*(a*b)", 2, 5),  # two ways of two operations each, and three operations in all
        ("c + a*b", 2, 5),  # c and a*b hold the same number
        ("a*b + c", 2, 5),
    ):
        source = f"""
def build():
    a, b, c = Value(2.0), Value(3.0), Value(6.0)
    return {text}, [], []
"""
        expect_depth(submission, f"y = {text} at a = 2, b = 3, c = 6", source, nodes, depth)


@pytest.mark.points("1/4")
def test_depth_of_deep_and_shared_graphs(submission):
    """depth of 20,000 operations, and of 70 doublings"""
    chain = """
def build():
    y = x = Value(1.0)
    for _ in range(10_000):
        y = x + y * x
    return y, [], []
"""
    doublings = """
def build():
    y = Value(1.0)
    for _ in range(70):
        y = y + y
    return y, [], []
"""
    text = "y = x, then 10,000 times y = x + y*x"
    expect_depth(submission, text, chain, 20_001, 20_000)
    expect_depth(submission, "y = x, then 70 times y = y + y", doublings, 71, 70)
