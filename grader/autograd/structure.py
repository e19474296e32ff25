"""Gradients that are wrong although every rule is right: lost, passed on too early, or twice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from grader.autograd import words
from grader.autograd.numbers import close
from grader.autograd.probe import Prober
from grader.autograd.right import Edge, Right
from grader.autograd.trace import Trace

MOST_EDGES = 6  # into one node; more leave too many ways to add up to any number
Found = tuple[int, list[Edge], str]  # the node, the edges that carried the wrong amount, words


def structural(
    graph: Trace, register: int, got: float, want: Right, prober: Prober
) -> Found | None:
    """What explains a wrong gradient at `register`, if all that adds to it works by itself."""
    edges = want.into(register)
    if len(edges) > MOST_EDGES:
        return None
    return _overwritten(graph, edges, got, want, prober) or _in_time(graph, edges, got, want)


def _overwritten(
    graph: Trace, edges: list[Edge], got: float, want: Right, prober: Prober
) -> Found | None:
    """Some of what arrived is gone, and an operation among those that are left replaces."""
    if len(edges) < 2:
        return None
    for left in _proper_subsets(edges):
        if not left or not close(got, sum(edge.amount for edge in left)):
            continue
        gone = [edge for edge in edges if edge not in left]
        for edge in left:
            operands = graph.operands(edge.by)
            if prober.overwrites(graph.op(edge.by), operands, want.data, edge.place):
                return edge.by, [edge], words.overwritten(graph, edge, gone, got)
    return None


def _in_time(graph: Trace, edges: list[Edge], got: float, want: Right) -> Found | None:
    """An operation passed on a part, nothing, or more than once.

    Told only where exactly one operation, doing one of these, explains the number."""
    found: list[Found] = []
    for by in dict.fromkeys(edge.by for edge in edges):
        mine = [edge for edge in edges if edge.by == by]
        others = sum(edge.amount for edge in edges if edge.by != by)
        slope = sum(edge.slope for edge in mine)
        for passed, text in _ways(graph, by, want):
            if close(got, others + slope * passed) and not close(passed, want.grad[by]):
                found.append((by, mine, text))
                break
    return found[0] if len(found) == 1 else None


def _ways(graph: Trace, by: int, want: Right) -> Iterator[tuple[float, str]]:
    """The amounts that a node may have passed on in place of its gradient, and what to say."""
    total = want.grad[by]
    arrived = want.into(by)
    if len(arrived) <= MOST_EDGES:
        for early in _proper_subsets(arrived):
            if early:
                late = [edge for edge in arrived if edge not in early]
                part = sum(edge.amount for edge in early)
                yield part, words.early(graph, by, part, late, total)
    yield 0.0, words.nothing(graph, by, total)
    for times in (2, 3, 4):
        yield times * total, words.times(graph, by, total, times)
    for parts in itertools.permutations(arrived) if 1 < len(arrived) <= 3 else ():
        steps = list(itertools.accumulate(edge.amount for edge in parts))
        for runs in (2, 3, 4):
            for chosen in itertools.combinations_with_replacement(range(len(steps)), runs):
                passed = [steps[index] for index in chosen]
                yield sum(passed), words.again(graph, by, passed, total)


def _proper_subsets(edges: Sequence[Edge]) -> Iterator[list[Edge]]:
    for size in range(1, len(edges)):
        for chosen in itertools.combinations(edges, size):
            yield list(chosen)
