"""What the first wrong node did, in words and numbers. One sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from grader.autograd.numbers import close, show
from grader.autograd.observe import Change, Seen, refs
from grader.autograd.program import Program, Ref, Step
from grader.autograd.right import Edge, Right
from grader.autograd.trace import Trace

LONGEST = 32  # characters of an expression in a sentence
KINDS = {
    "": "a leaf", "+": "a sum", "-": "a difference", "*": "a product", "/": "a quotient",
    "**": "a power", "neg": "a negation",
}  # fmt: skip


def kind(op: str) -> str:
    """An operation by its kind: `a product`, `a tanh`."""
    sign = op.removesuffix("=")
    return KINDS.get(sign) or f"{'an' if op[0] in 'aeiou' else 'a'} {op}"


def name(graph: Trace, register: int) -> str:
    """A node's name; its expression where it has none; its kind where that is long."""
    label = graph.label(register)
    return label if len(label) <= LONGEST else kind(graph.op(register))


def expression(graph: Trace, register: int) -> str:
    """What makes a node, short enough for a sentence."""
    text = graph.text(register)
    return text if len(text) <= LONGEST else kind(graph.op(register))


def _at(graph: Trace, register: int, data: Sequence[float]) -> str:
    """`at x = 0.5`: the numbers of the operands."""
    parts = []
    for operand in dict.fromkeys(index for _, index in refs(graph.operands(register))):
        parts.append(f"{name(graph, operand)} = {show(data[operand])}")
    return "at " + " and ".join(parts)


def forward(graph: Trace, want: Right, register: int, got: float) -> str:
    """The data of a node is wrong, and its operands are right."""
    right = want.data[register]
    numbers = f"expected {show(right, got)}, got {show(got, right)}"
    if not graph.op(register):
        return f"{name(graph, register)}.data: {numbers}: a leaf keeps its number as it is"
    said = f"{expression(graph, register)}: {_at(graph, register, want.data)}, {numbers}"
    operands = graph.operands(register)
    if len(operands) == 2 and close(got, _exchanged(graph, register, want.data)):
        return f"{said}; left and right look exchanged"
    if close(got, -right):
        return f"{said}; the sign is turned around"
    return said


def _exchanged(graph: Trace, register: int, data: Sequence[float]) -> float:
    swapped = tuple(reversed(graph.operands(register)))
    values = [data[o.index] if isinstance(o, Ref) else o for o in swapped]
    program = Program((), (Step(graph.op(register), (Ref(0), Ref(1)), ""),), (), (), "")
    try:
        result = program.run(values)[-1]
    except (ArithmeticError, ValueError):
        return float("nan")
    return result if isinstance(result, float | int) else float("nan")


def changed(graph: Trace, change: Change) -> str:
    """An operation has changed its operand."""
    numbers = f"{show(change.before)} to {show(change.after)}"
    what = expression(graph, change.by)
    return (
        f"{what}: changed {name(graph, change.operand)} from {numbers}; operands stay as they are"
    )


def seed(graph: Trace, seen: Seen, root: int) -> str:
    """The output's own gradient is not 1."""
    got, output = seen.grad[root], name(graph, root)
    if not got:
        return f"{output}: its own gradient is {show(got)}; backward starts by making it 1"
    said = f"{output}: its own gradient should be 1, got {show(got, 1)}"
    return f"{said}, which is its data" if close(got, seen.data[root] or 0.0) else said


def seeded(graph: Trace, register: int, got: float) -> str:
    """Every node starts with 1."""
    right = f"{show(got - 1)} is right"
    return (
        f"{name(graph, register)}: has 1 too much ({right}); only the output itself starts with 1"
    )


def rule(graph: Trace, want: Right, edge: Edge, passed: float) -> str:
    """A local rule is wrong: what arrived, what should have left, what left."""
    arriving = want.grad[edge.by]
    where = f"{_at(graph, edge.by, want.data)} with {show(arriving)} arriving"
    to = name(graph, edge.to)
    numbers = f"{to} should get {show(edge.amount, passed)}, got {show(passed, edge.amount)}"
    said = f"{expression(graph, edge.by)}: {where}, {numbers}"
    why = _why(graph, want, edge, passed)
    return f"{said}; {why}" if why else said


def _why(graph: Trace, want: Right, edge: Edge, passed: float) -> str:
    """What the wrong number is, where it is exactly one thing that it could be."""
    arriving, slope = want.grad[edge.by], edge.slope
    others = [other.amount for other in want.out_of(edge.by) if other.place != edge.place]
    guesses = {
        "nothing is passed on": 0.0,
        "the sign is turned around": -edge.amount,
        "that is what arrived, unchanged": arriving,
        "that is the slope alone: what arrives is not multiplied in": slope,
        "the slope looks added, not multiplied": slope + arriving,
        "the slope looks subtracted, not multiplied": arriving - slope,
        "the slope looks divided by": arriving / slope if slope else 0.0,
        "that is what the other operand should get": others[0] if others else 0.0,
    }
    if passed == 0:
        return "nothing is passed on"
    fitting = [text for text, number in guesses.items() if close(passed, number)]
    if arriving == 1:  # then multiplying and dividing by it, or leaving it out, look alike
        fitting = [text for text in fitting if "arrive" not in text]
    return fitting[0] if len(fitting) == 1 else ""


def one_side(graph: Trace, edges: Sequence[Edge], got: float) -> str:
    """The same, and only one side's part is there."""
    first, second = edges[:2]
    each = (
        f"{show(first.amount)} from each side, {show(2 * first.amount)} in all"
        if close(first.amount, second.amount)
        else f"{show(first.amount)} and {show(second.amount)}"
    )
    to = name(graph, first.to)
    return f"{expression(graph, first.by)}: {to} should get {each}; got {show(got)}"


def overwritten(graph: Trace, edge: Edge, gone: Sequence[Edge], got: float) -> str:
    """What had arrived before was replaced."""
    lost = show(sum(item.amount for item in gone))
    who = " and ".join(dict.fromkeys(name(graph, item.by) for item in gone))
    to = name(graph, edge.to)
    return (
        f"{expression(graph, edge.by)}: its {show(edge.amount)} replaced the {lost} that {to} "
        f"had from {who}; it should be added"
    )


def early(graph: Trace, by: int, part: float, late: Sequence[Edge], total: float) -> str:
    """A node passed its gradient on before all of it had arrived."""
    rest = show(sum(edge.amount for edge in late))
    who = " and ".join(dict.fromkeys(name(graph, edge.by) for edge in late))
    return (
        f"{name(graph, by)}: passed on {show(part)}; another {rest} arrived from {who} "
        f"only afterwards ({show(total)} is right)"
    )


def nothing(graph: Trace, by: int, total: float) -> str:
    """A node received and did not pass on."""
    return f"{name(graph, by)}: {show(total)} arrived, and nothing was passed on"


def again(graph: Trace, by: int, passed: Sequence[float], total: float) -> str:
    """A node passed on something each time something had arrived."""
    listed = ", then ".join(show(amount) for amount in passed)
    return f"{name(graph, by)}: passed on more than once: {listed}; once {show(total)} is right"


def times(graph: Trace, by: int, total: float, count: int) -> str:
    """A node passed the same on several times."""
    often = {2: "twice", 3: "three times", 4: "four times"}[count]
    return f"{name(graph, by)}: passed its {show(total)} on {often}"
