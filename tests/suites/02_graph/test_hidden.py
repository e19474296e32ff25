"""The same claims at other numbers, and what a history must not do."""

import re

import pytest
from hypothesis import given, settings

from grader.autograd import Reference, build, close, programs, read_number
from grader.raised import SubmissionError


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
def test_a_negative_leaf_has_no_history(submission):
    """A leaf with a negative number holds it, with gradient 0, no parents and no operation."""
    built = build(submission, "s = w + v", w=-3.75, v=0.5)
    expect(built, "w.data", -3.75, built.data("w"))
    expect(built, "w.grad", 0.0, built.grad("w"))
    expect(built, "w.op", "", built.nodes["w"].op)
    expect(built, "w.parents", "none", parents_of(built, "w"))


@pytest.mark.points(0.25)
def test_fractions_and_signs(submission):
    """The data of a sum and of a product, with fractions and signs."""
    built = build(submission, "s = u + v; p = u * v", u=-1.75, v=0.3)
    got = {name: built.data(name) for name in "sp"}
    expect(built, "s.data", -1.45, got["s"])
    expect(built, "p.data", -0.525, got["p"])


@pytest.mark.points(0.25)
def test_each_result_names_its_own_operation(submission):
    """In a graph of sums and products, every node has the sign that made it."""
    built = build(submission, "p = u * v; s = p + u; q = s * v; t = q + p", u=1.5, v=-0.5)
    got = {name: built.nodes[name].op for name in "psqt"}
    for name, want in (("p", "*"), ("s", "+"), ("q", "*"), ("t", "+")):
        expect(built, f"{name}.op", want, got[name])


@pytest.mark.points(0.25)
def test_the_parents_of_a_sum_are_the_objects(submission):
    """The parents of a sum are the two operands themselves, not copies and not numbers."""
    built = build(submission, "s = u + v", u=0.25, v=-4.5)
    expect(built, "s.parents", "u and v", parents_of(built, "s"))


@pytest.mark.points(0.25)
def test_the_parents_of_a_product_are_the_objects(submission):
    """The parents of a product are the two operands themselves, not copies and not numbers."""
    built = build(submission, "p = u * v", u=0.25, v=-4.5)
    expect(built, "p.parents", "u and v", parents_of(built, "p"))


@pytest.mark.points(0.25)
def test_a_longer_graph_is_linked_step_by_step(submission):
    """Each result has the operands of its own step as parents, and nobody further back."""
    built = build(submission, "p = u * v; s = p + w; q = s * p", u=1.5, v=-0.5, w=3.0)
    got = {name: parents_of(built, name) for name in "psq"}
    expect(built, "p.parents", "u and v", got["p"])
    expect(built, "s.parents", "p and w", got["s"])
    expect(built, "q.parents", "p and s", got["q"])


@pytest.mark.points(0.25)
def test_equal_numbers_are_still_two_parents(submission):
    """Two operands that hold the same number are two nodes."""
    built = build(submission, "s = u + v; p = u * v", u=1.25, v=1.25)
    got = {name: parents_of(built, name) for name in "sp"}
    expect(built, "s.parents", "u and v", got["s"])
    expect(built, "p.parents", "u and v", got["p"])


@pytest.mark.points(0.25)
def test_an_operand_may_be_used_on_both_sides(submission):
    """x + x and x * x have x as their parent."""
    built = build(submission, "s = x + x; p = x * x", x=-1.5)
    got = {name: (built.data(name), parents_of(built, name)) for name in "sp"}
    expect(built, "s.data", -3.0, got["s"][0])
    expect(built, "p.data", 2.25, got["p"][0])
    expect(built, "s.parents", "x", got["s"][1])
    expect(built, "p.parents", "x", got["p"][1])


@pytest.mark.points(0.25)
def test_operands_are_left_as_they_were(submission):
    """Adding and multiplying change no operand: not its number, not its history."""
    built = build(submission, "s = u + v; p = u * v; t = s + p", u=-2.5, v=0.75)
    datas = {name: built.data(name) for name in "uvs"}
    histories = {name: parents_of(built, name) for name in "uvs"}
    for name, data, history in (("u", -2.5, "none"), ("v", 0.75, "none"), ("s", -1.75, "u and v")):
        expect(built, f"{name}.data", data, datas[name])
        expect(built, f"{name}.parents", history, histories[name])


@pytest.mark.points(0.25)
def test_plus_equals_makes_a_new_node(submission):
    """After t = s; t += u the name t holds a new node, and s is what it was."""
    built = build(submission, "s = u * v; t = s; t += u", u=2.5, v=-0.5)
    got = [built.data("s"), built.data("t"), parents_of(built, "t")]
    expect(built, "s.data", -1.25, got[0])
    expect(built, "t.data", 1.25, got[1])
    expect(built, "t.parents", "s and u", got[2])


@pytest.mark.points(0.25)
def test_a_number_on_the_right_becomes_a_leaf(submission):
    """x + 4 and x * -1.5: the number is wrapped in a leaf, which is a parent, too."""
    built = build(submission, "s = x + 4; p = x * -1.5", x=0.5)
    got = {name: (built.data(name), parent_beside(built, name, "x")) for name in "sp"}
    expect(built, "s.data", 4.5, got["s"][0])
    expect(built, "p.data", -0.75, got["p"][0])
    expect(built, "the parent of s beside x", "a Value of 4", got["s"][1])
    expect(built, "the parent of p beside x", "a Value of -1.5", got["p"][1])


@pytest.mark.points(0.25)
def test_a_number_on_the_left_becomes_a_leaf(submission):
    """4 + x and -1.5 * x: Python asks the number first, then Value's __radd__ and __rmul__."""
    built = build(submission, "s = 4 + x; p = -1.5 * x", x=0.5)
    got = {name: (built.data(name), parent_beside(built, name, "x")) for name in "sp"}
    expect(built, "s.data", 4.5, got["s"][0])
    expect(built, "p.data", -0.75, got["p"][0])
    expect(built, "the parent of s beside x", "a Value of 4", got["s"][1])
    expect(built, "the parent of p beside x", "a Value of -1.5", got["p"][1])


@pytest.mark.points(0.25)
def test_python_sum_works_on_values(submission):
    """sum([...]) starts from the plain number 0, so it needs number + Value."""
    total = sum([submission.Value(1.5), submission.Value(-4.0), submission.Value(0.75)])
    got = read_number(total, "data", "sum([Value(1.5), Value(-4.0), Value(0.75)])")
    if not close(got, -1.75):
        raise AssertionError(f"the sum of Values with 1.5, -4.0 and 0.75 holds {got}, not -1.75")


@pytest.mark.points(0.25)
def test_repr_of_a_result(submission):
    """repr of a computed node shows its data and its grad."""
    built = build(submission, "s = u + v", u=-4.0, v=0.5)
    node = built.nodes["s"]
    text = repr(node)
    try:
        node.grad = 2.25
    except (SubmissionError, AttributeError):
        wanted = ("0.0", "0")  # a field that cannot be set is fine, and stays as it was
    else:
        wanted = ("2.25",)
    later = repr(node)
    if not re.fullmatch(r"Value\(data=-3\.5, grad=0(\.0)?\)", text.strip()):
        raise AssertionError(f"expected the text Value(data=-3.5, grad=0.0), got {text!r}")
    if later.strip() not in [f"Value(data=-3.5, grad={grad})" for grad in wanted]:
        raise AssertionError(f"at grad = {wanted[0]} the text is {later!r}: show the field itself")


@pytest.mark.points(0.25)
@settings(max_examples=30)
@given(program=programs("+*", leaves=2, steps=5, numbers=True))
def test_random_expressions_have_the_right_numbers(submission, program):
    """Random expressions with Values and plain numbers give what Python's own floats give."""
    built = build(submission, program)
    reference = Reference(program)
    names = [name for name, _ in program.names]
    got = {name: built.data(name) for name in names}
    for name in sorted(names, key=program.register):
        expect(built, f"{name}.data", reference.data(name), got[name])


def parent_beside(built, name, operand):
    """What the one parent of `name` is that is not `operand`, in words."""
    parents_of(built, name)  # complains where there is no collection of parents
    others = [p for p in built.nodes[name].parents if p is not built.nodes[operand]]
    if len(others) != 1:
        return f"{len(others)} of them"
    if isinstance(others[0], int | float):
        return f"the plain number {others[0]}"
    return f"a Value of {read_number(others[0], 'data', f'a parent of {name}'):g}"
