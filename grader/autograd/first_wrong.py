"""The first node, in the order in which an engine works, that does something wrong.

Forward first: the earliest node whose operands are right and whose data is not. Then backward,
from the output down: the first gradient that is wrong although all that should add up to it has
right gradients. Which of those operations broke it, small experiments tell (`probe`). Where the
numbers do not prove anything, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.autograd import words
from grader.autograd.numbers import close
from grader.autograd.observe import Seen
from grader.autograd.probe import Prober
from grader.autograd.right import Edge, Right
from grader.autograd.structure import structural
from grader.autograd.trace import Trace


@dataclass(frozen=True, slots=True)
class Blame:
    """The first wrong node, the edges that carried the wrong amount, and what it did, in words."""

    node: int
    edges: tuple[tuple[int, int], ...]  # (operation, operand), as registers
    words: str


def first_wrong(graph: Trace, seen: Seen, want: Right, prober: Prober) -> Blame | None:
    """Where it went wrong first; None where nothing did, or where it cannot be told."""
    found = _forward(graph, seen, want)
    if found is not None or any(number is None for number in seen.data):
        return found
    root = graph.program.root
    others = [number for register, number in enumerate(seen.grad) if register != root]
    if not close(seen.grad[root], 1.0) and (seen.grad[root] or not any(others)):
        if all(number is None for number in seen.grad):
            return None
        return Blame(root, (), words.seed(graph, seen, root))
    for register in reversed(range(root)):
        got = seen.grad[register]
        if close(got, want.grad[register]):
            continue
        if not got and _keeps_none(graph, seen, register):
            return None
        return _backward(graph, register, got or 0.0, want, prober)
    return None


def _forward(graph: Trace, seen: Seen, want: Right) -> Blame | None:
    change = seen.change
    for register, right in enumerate(want.data):
        got = seen.data[register]
        if got is not None and not close(got, right):
            return Blame(register, (), words.forward(graph, want, register, got))
        if change is not None and change.by == register:
            edge = change.by, change.operand
            return Blame(change.by, (edge,), words.changed(graph, change))
    return None


def _keeps_none(graph: Trace, seen: Seen, register: int) -> bool:
    """Whether a gradient of 0 may only mean that this engine keeps none inside the graph."""
    first = len(graph.program.leaves)
    if register < first:
        return False
    return not any(seen.grad[first : graph.program.root]) and any(seen.grad[:first])


def _backward(graph: Trace, register: int, got: float, want: Right, prober: Prober) -> Blame | None:
    edges = want.into(register)
    if close(got, want.grad[register] + 1) and prober.seeds_everywhere():
        return Blame(register, (), words.seeded(graph, register, got))
    for by in dict.fromkeys(edge.by for edge in edges):
        mine = [edge for edge in edges if edge.by == by]
        blame = _by_experiment(graph, mine, want, prober)
        if blame is not None:
            return blame
    found = structural(graph, register, got, want, prober)
    if found is not None:
        node, lost, text = found
        return Blame(node, tuple(dict.fromkeys((edge.by, edge.to) for edge in lost)), text)
    if len(edges) == 1:  # nothing else passes on to this node
        return _rule(graph, want, edges[0], got)
    return None


def _by_experiment(graph: Trace, edges: list[Edge], want: Right, prober: Prober) -> Blame | None:
    """Whether one operation, all by itself, passes on something wrong to this operand."""
    by = edges[0].by
    op, operands = graph.op(by), graph.operands(by)
    passed = prober.rule(op, operands, want.data, want.grad[by])
    if passed is None:
        return None
    for edge in edges:
        if not close(passed[edge.place], edge.amount):
            return _rule(graph, want, edge, passed[edge.place] or 0.0)
    if len(edges) == 2:  # x*x, whose two sides are right when they are two nodes
        both = prober.rule(op, operands, want.data, want.grad[by], apart=False)
        total = edges[0].amount + edges[1].amount
        if both is not None and not close(both[0], total):
            text = words.one_side(graph, edges, both[0] or 0.0)
            return Blame(by, ((by, edges[0].to),), text)
    return None


def _rule(graph: Trace, want: Right, edge: Edge, passed: float) -> Blame:
    return Blame(edge.by, ((edge.by, edge.to),), words.rule(graph, want, edge, passed))
