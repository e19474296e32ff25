"""A small order, a small diamond, and the two graphs that break a simple walk."""

import re

import pytest

from grader.autograd import build, check, close, show

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


@pytest.mark.points("1/2")
def test_order_of_a_small_graph(submission):
    """topological_order: every node once, parents first"""
    expect_order(submission, "c = a*b; s = c + a; t = c*s; y = t + s", a=2.0, b=3.0)


@pytest.mark.points("1/2")
def test_the_diamond(submission):
    """The diamond still works: dy/dx is 112"""
    check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=2.0, data=48.0, grads={"x": 112.0})


@pytest.mark.points("1/2")
@pytest.mark.seconds(15)
def test_a_chain_of_100000_sums(submission):
    """A chain of 100,000 sums"""
    source = """
def build():
    x, b = Value(2.0), Value(0.5)
    y = x
    for _ in range(100_000):
        y = y + b
    return y, [x, b], []
"""
    text = "y = x, then 100,000 times y = y + b"
    expect_gradients(submission, text, source, 100_002, {"x": 1.0, "b": 100_000.0})


@pytest.mark.points("1/2")
def test_sixty_doublings(submission):
    """60 doublings y = y + y: 61 nodes, 2**60 ways"""
    source = """
def build():
    x = Value(3.0)
    y = x
    for _ in range(60):
        y = y + y
    return y, [x], []
"""
    text = "y = x, then 60 times y = y + y"
    expect_gradients(submission, text, source, 61, {"x": 2.0**60})


@pytest.mark.points("1/4")
def test_depth_of_a_small_graph(submission):
    """depth counts the operations on the longest way"""
    source = """
def build():
    a, b = Value(2.0), Value(3.0)
    c = a * b
    y = c * c + a
    return y, [a, b], [c]
"""
    expect_depth(submission, "c = a*b; y = c*c + a", source, 6, 3)
