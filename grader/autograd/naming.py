"""A check's own names for the nodes of a graph, read from the message that it wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.autograd.program import Program, ProgramError, Ref, parse
from grader.autograd.trace import Made, Trace, trace

_BUILT = re.compile(r"built +(.+)")
_LEAF = re.compile(r"(\w+) = (-?[\d.]+(?:e[-+]?\d+)?)")


def program_in(message: str) -> Program | None:
    """The program that a message of `check` says was built; None where it says none.

    Only its first line is read: that one is a check's own, further ones may quote a submission."""
    found = _BUILT.match(message)
    if found is None:
        return None
    leaves: dict[str, int | float] = {}
    rest = [part.strip() for part in found[1].split(";")]
    while rest and (leaf := _LEAF.fullmatch(rest[0])) and leaf[1] not in leaves:
        leaves[leaf[1]] = float(leaf[2]) if set(leaf[2]) & set(".e") else int(leaf[2])
        rest.pop(0)
    try:
        return parse("; ".join(rest), leaves)
    except ProgramError:
        return None


def named(graph: Trace, program: Program) -> Trace | None:
    """The same graph with the program's names; None where it is another graph."""
    size = len(program.leaves) + len(program.steps)
    for start in range(len(graph.built) - size, -1, -1):
        window = graph.built[start : start + size]
        if _same(window, program):
            requests = [node.request for node in window]
            labels = {requests[index]: name for name, index in program.names}
            target = graph.made[graph.program.root]
            if target in labels:
                return trace(graph.built, target, graph.backward, labels, program.statements)
    return None


def _same(window: Sequence[Made], program: Program) -> bool:
    first = len(program.leaves)
    for node, (_, number) in zip(window[:first], program.leaves, strict=True):
        if node.op or repr(node.number) != repr(number):
            return False
    for node, step in zip(window[first:], program.steps, strict=True):
        operands = tuple(
            Ref(window[o.index].request) if isinstance(o, Ref) else o for o in step.operands
        )
        if node.op != step.op or repr(node.operands) != repr(operands):
            return False
    return True
