"""A graph as lines of text: one for each node, leaves first, in the order of the computation."""

from __future__ import annotations

import textwrap

from grader.autograd.look import View
from grader.autograd.numbers import close, show
from grader.autograd.words import LONGEST, name

WIDTH = 78


def lines(view: View) -> list[str]:
    """What the terminal shows. A wrong number stands in brackets beside the right one, `>>` marks
    the first wrong node, and below it are the edges that carried the wrong amount."""
    graph, blame = view.graph, view.blame
    rows = [("node", "data", "gradient")]
    rows += [_row(view, register) for register in range(len(graph.made))]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    found = [_line("  ", rows[0], widths)]
    for register, row in enumerate(rows[1:]):
        found.append(_line(">>" if blame and blame.node == register else "  ", row, widths))
        if blame and blame.node == register:
            for _, operand in blame.edges:
                found.append(f"      - - > wrong amount to {name(graph, operand)}")
    if any("(" in row[1] or "(" in row[2] for row in rows[1:]):
        found += ["", "(in brackets: what yours has, where it is not right)"]
    if blame:
        label = "first wrong  "
        found += [
            "",
            *textwrap.wrap(blame.words, WIDTH, initial_indent=label, subsequent_indent=" " * 13),
        ]
    return found


def _line(mark: str, row: tuple[str, str, str], widths: list[int]) -> str:
    return f"{mark} {row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}".rstrip()


def _row(view: View, register: int) -> tuple[str, str, str]:
    graph, seen, want = view.graph, view.seen, view.want
    label, text = graph.label(register), graph.text(register)
    heading = label if label == text or not graph.op(register) else f"{label} = {text}"
    if len(heading) > LONGEST:
        heading = heading[: LONGEST - 1] + "…"
    data = _number(seen.data[register] if seen else want.data[register], want.data[register])
    grad = _number(seen.grad[register] if seen else want.grad[register], want.grad[register])
    return heading, data, grad


def _number(got: float | None, want: float) -> str:
    return show(want) if close(got, want) else f"({show(got, want)}) {show(want, got)}"
