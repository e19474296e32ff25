"""What a Value remembers: its number, its parents and its operation."""

import re

import pytest

from grader.autograd import build, close, read_number


def expect(built, what, want, got):
    """One line that says what is wrong, under the program that was built."""
    same = close(got, want) if isinstance(want, float) else got == want
    if not same:
        raise AssertionError(f"built     {built.program}\n{what}  expected {want!r}, got {got!r}")


def parents_of(built, name):
    """The names of a node's parents, each once; a tuple, list or set of them is fine."""
    parents = built.nodes[name].parents
    if parents is None or isinstance(parents, int | float | str | dict):
        raise AssertionError(
            f"built     {built.program}\n{name}.parents is {parents!r}, not a tuple"
        )
    names = {id(node): label for label, node in built.nodes.items()}
    return " and ".join(sorted({names.get(id(p), describe(p)) for p in parents})) or "none"


def describe(parent):
    """What stands among the parents although it is none of the nodes that were built."""
    return f"the number {parent}" if isinstance(parent, int | float) else "another object"


@pytest.mark.points(0.25)
def test_a_leaf_has_a_number_and_no_history(submission):
    """A leaf holds its number, a gradient of 0, no parents and no operation."""
    leaf = submission.Value(2.0)
    data, grad = read_number(leaf, "data", "leaf"), read_number(leaf, "grad", "leaf")
    parents, op = leaf.parents, leaf.op
    for field, want, got in (("data", 2.0, data), ("grad", 0.0, grad), ("op", "", op)):
        if got != want:
            raise AssertionError(f"Value(2.0).{field}  expected {want!r}, got {got!r}")
    if parents is None or len(parents) != 0:
        raise AssertionError("Value(2.0).parents  expected (): a leaf was computed from nothing")


@pytest.mark.points(0.25)
def test_a_sum_remembers_its_operands(submission):
    """c = a + b holds the sum, "+", and a and b themselves."""
    built = build(submission, "c = a + b", a=2.0, b=5.0)
    expect(built, "c.data", 7.0, built.data("c"))
    expect(built, "c.op", "+", built.nodes["c"].op)
    expect(built, "c.parents", "a and b", parents_of(built, "c"))


@pytest.mark.points(0.25)
def test_a_product_remembers_its_operands(submission):
    """c = a * b holds the product, "*", and a and b themselves."""
    built = build(submission, "c = a * b", a=2.0, b=5.0)
    expect(built, "c.data", 10.0, built.data("c"))
    expect(built, "c.op", "*", built.nodes["c"].op)
    expect(built, "c.parents", "a and b", parents_of(built, "c"))


@pytest.mark.points(0.25)
def test_a_plain_number_may_stand_on_either_side(submission):
    """a + 3, 3 + a, a * 3 and 3 * a all give a Value."""
    built = build(submission, "p = a + 3; q = 3 + a; r = a * 3; s = 3 * a", a=2.0)
    got = {name: built.data(name) for name in "pqrs"}
    for name, want in (("p", 5.0), ("q", 5.0), ("r", 6.0), ("s", 6.0)):
        expect(built, f"{name}.data", want, got[name])


@pytest.mark.points(0.25)
def test_repr_shows_data_and_grad(submission):
    """repr(Value(2.0)) is Value(data=2.0, grad=0.0)."""
    text = repr(submission.Value(2.0))
    if not re.fullmatch(r"Value\(data=2(\.0)?, grad=0(\.0)?\)", text.strip()):
        raise AssertionError(f"expected the text Value(data=2.0, grad=0.0), got {text!r}")
