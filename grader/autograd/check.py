"""Build a program in a submission, run backward, compare with the reference.

Everything is asked in a fixed order, whatever the answers are: data of the output, data of every
name, backward, gradient of every leaf, data of every leaf. Only then is anything compared, the
forward pass first. So a recorded conversation can be replayed, and a message names the earliest
thing that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.autograd.numbers import close, is_by_value, read_number, show
from grader.autograd.program import Number, Program, ProgramError, Ref, parse
from grader.autograd.reference import KinkError, Reference


@dataclass(frozen=True, slots=True)
class Built:
    """A program's objects in the submission: `nodes[name]` for every leaf and assigned name."""

    submission: Any
    program: Program
    nodes: Mapping[str, Any]

    def data(self, name: str) -> float:
        """`.data` of a node as a float. Raises AssertionError if it is no number."""
        value = read_number(self.nodes[name], "data", name)
        assert value is not None
        return value

    def grad(self, name: str) -> float | None:
        """`.grad` of a node as a float; None where it is None or absent."""
        return read_number(self.nodes[name], "grad", name, optional=True)

    def backward(self, name: str | None = None) -> Any:
        """Run backward from the output, or from `name`: as a method or as a function."""
        return self.submission.invoke("backward", self.nodes[name or self.program.output])

    def expect_grads(self, want: Mapping[str, float], when: str = "") -> None:
        """Read the gradients of these nodes, then compare them."""
        got = {name: self.grad(name) for name in want}
        lines = [
            _line(f"d{self.program.output}/d{name}", want[name], got[name])
            for name in want
            if not close(got[name], want[name])
        ]
        if lines:
            raise AssertionError(_message(self.program, [*([when] if when else []), *lines]))


def build(submission: Any, program: str | Program, **leaves: Number) -> Built:
    """Make each leaf with `submission.Value(number)` and run the statements on them.

    Raises AssertionError where an operation gives back something that is no node."""
    program = as_program(program, leaves)

    def visit(index: int, value: Any) -> Any:
        if is_by_value(value):
            raise AssertionError(_message(program, [_no_node(program, index, value)]))
        return value

    made = [submission.Value(number) for _, number in program.leaves]
    try:
        registers = program.run(made, visit)
    except Exception as error:
        if type(error) is not AssertionError:  # ours has the program in its message already
            error.add_note(f"while building {program}")
        raise
    return Built(submission, program, {name: registers[i] for name, i in program.names})


def check(
    submission: Any,
    program: str | Program,
    *,
    data: float | None = None,
    grads: Mapping[str, float] | None = None,
    **leaves: Number,
) -> Built:
    """Check data and gradients of a program against the reference, at leaves such as `x=2.0`.

    `data` and `grads` are the author's own numbers for the output and for leaves; the reference has
    to agree with them, or the suite is at fault (RuntimeError). Raises AssertionError for the
    student.
    """
    program = as_program(program, leaves)
    reference = _agreed(program, data, grads or {})
    built = build(submission, program)
    output = program.output
    others = [name for name, _ in program.names if name != output]
    datas = {name: built.data(name) for name in [output, *others]}
    returned = _backward(built)
    reached = reached_leaves(program)
    gradients = {name: built.grad(name) for name in reached}
    fixed = [name for name, _ in program.leaves if not _reassigned(program, name)]
    afterwards = {name: built.data(name) for name in fixed}

    _compare_data(program, reference, datas)
    _compare_grads(built, reference, gradients, returned)
    for name in fixed:
        if not close(afterwards[name], reference.data(name)):
            change = f"{show(datas[name])} before backward, {show(afterwards[name])} after it"
            raise AssertionError(
                _message(program, [f"{name}.data    {change}: backward must leave data alone"])
            )
    return built


def as_program(program: str | Program, leaves: Mapping[str, Number]) -> Program:
    """Text and leaves as a Program; a fault of the suite if that can't be."""
    try:
        if isinstance(program, Program):
            return program.with_leaves(**leaves) if leaves else program
        return parse(program, leaves)
    except ProgramError as error:
        raise RuntimeError(f"fault of the suite: {error}") from None


def reached_leaves(program: Program) -> list[str]:
    """The leaves that the output depends on; no engine owes the others a gradient."""
    first = len(program.leaves)
    seen, todo = set(), [program.root]
    while todo:
        index = todo.pop()
        if index in seen:
            continue
        seen.add(index)
        if index >= first:
            todo.extend(
                o.index for o in program.steps[index - first].operands if isinstance(o, Ref)
            )
    return [name for i, (name, _) in enumerate(program.leaves) if i in seen]


def _reassigned(program: Program, leaf: str) -> bool:
    """Whether `leaf` no longer names the leaf itself, as after `x += 1`."""
    return dict(program.names)[leaf] >= len(program.leaves)


def _agreed(program: Program, data: float | None, grads: Mapping[str, float]) -> Reference:
    try:
        reference = Reference(program)
        own = {name: reference.grad(name) for name in grads}
    except (KinkError, KeyError) as error:
        raise RuntimeError(f"fault of the suite: {error}") from None
    if data is not None and not close(data, reference.data(program.output)):
        right = reference.data(program.output)
        raise RuntimeError(f"fault of the suite: {program} gives {right!r}, not {data!r}")
    for name, want in grads.items():
        if not close(want, own[name]):
            raise RuntimeError(
                f"fault of the suite: {program} has gradient {own[name]!r} by {name}, not {want!r}"
            )
    return reference


def _backward(built: Built) -> Any:
    try:
        return built.backward()
    except Exception as error:
        error.add_note(f"in backward of {built.program}")
        raise


def _compare_data(program: Program, reference: Reference, datas: Mapping[str, float]) -> None:
    """Names the first wrong name in the order of the statements; later ones only follow from it."""
    leaves = [name for name, _ in program.leaves]
    for name in sorted(datas, key=program.register):
        want, got = reference.data(name), datas[name]
        if close(got, want):
            continue
        if name in leaves and not _reassigned(program, name):
            line = f"{_line(f'{name}.data', want, got)} once the rest is built"
            raise AssertionError(_message(program, [f"{line}: is an operand changed in place?"]))
        raise AssertionError(_message(program, [_line(f"{name}.data", want, got)]))


def _compare_grads(
    built: Built, reference: Reference, gradients: Mapping[str, float | None], returned: Any
) -> None:
    program = built.program
    lines = []
    wanted = {name: reference.slope(program.root, _leaf(program, name)) for name in gradients}
    for name, got in gradients.items():
        if not close(got, wanted[name]):
            lines.append(_line(f"d{program.output}/d{name}", wanted[name], got))
    if not lines:
        return
    if all(not got for got in gradients.values()):
        lines += _why_nothing(built.submission, returned)
    raise AssertionError(_message(program, lines))


def _leaf(program: Program, name: str) -> int:
    return [leaf for leaf, _ in program.leaves].index(name)


def _why_nothing(submission: Any, returned: Any) -> list[str]:
    """Reasons why every gradient is 0 or None although backward ran: asked only after a failure."""
    if returned is not None:
        kind = f"a {type(returned).__name__}" if is_by_value(returned) else "an object"
        return [f"backward returned {kind}: the grader reads each gradient from its node, as .grad"]
    try:
        submission.Value(1.0, requires_grad=True)
    except Exception:  # any refusal means that it is not an option here
        return []
    return ["Value takes requires_grad here: a plain Value(number) must get a gradient, too"]


def _no_node(program: Program, index: int, value: Any) -> str:
    first = len(program.leaves)
    made = (
        f"Value({program.leaves[index][1]!r})"
        if index < first
        else program.steps[index - first].text
    )
    if value is None:
        return f"{made} gave None, not a Value: is a `return` missing?"
    return f"{made} gave {value!r:.60}, a plain {type(value).__name__}, not a Value"


def _line(label: str, want: float, got: float | None) -> str:
    return f"{label:<9} expected {show(want, got)}, got {show(got, want)}"


def _message(program: Program, lines: list[str]) -> str:
    return "\n".join([f"built     {program}", *lines])
