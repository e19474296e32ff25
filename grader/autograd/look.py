"""One failing check, looked at from inside: what it built, what the submission made of it, what
is right, and the first wrong node. This is what `graph` draws and what the message names."""

from __future__ import annotations

import contextlib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from grader.autograd.first_wrong import Blame, first_wrong
from grader.autograd.naming import named, program_in
from grader.autograd.numbers import close
from grader.autograd.observe import Channel, Desk, LostError, Seen, Watcher
from grader.autograd.probe import Prober
from grader.autograd.right import Right, right
from grader.autograd.trace import Trace, walk
from grader.observation import Stopped

WIDTH = 76  # of a message's lines
_LABEL = re.compile(r"^(built|d\w+/d\w+|\w+\.data|\w+\.grad) +(?=\S)")


@dataclass(frozen=True, slots=True)
class View:
    """A graph with the submission's numbers and the right ones. `seen` is None where only the
    right ones are wanted, `blame` where nothing can be said."""

    graph: Trace
    want: Right
    seen: Seen | None = None
    blame: Blame | None = None


def look(
    channel: Channel, requests: Sequence[bytes], message: str = "", *, also_right: bool = False
) -> View | None:
    """The first wrong graph among those that a check builds; None where there is none to show.

    `message` is the check's own: its names for the nodes are taken from there. With `also_right`,
    the first graph of all where none is wrong."""
    with contextlib.suppress(LostError, Stopped):
        desk = Desk(channel)
        views = _views(Watcher(desk, walk(requests)).look(requests))
        views = [view for view in views if _wrong(view)] or (views if also_right else [])
        program = program_in(message)
        chosen = views[0] if views else None
        for view in views if program else ():
            graph = named(view.graph, program) if program else None
            if graph is not None:
                chosen = right_view(graph, view.seen)
                break
        if chosen is None or chosen.seen is None:
            return None
        blame = None
        with contextlib.suppress(LostError, Stopped):  # of an experiment: the rest still holds
            blame = first_wrong(chosen.graph, chosen.seen, chosen.want, Prober(desk))
        return View(chosen.graph, chosen.want, chosen.seen, blame)
    return None


def right_view(graph: Trace, seen: Seen | None = None) -> View | None:
    """A graph with its right numbers; None where the reference has none."""
    want = right(graph)
    return None if want is None else View(graph, want, seen)


def _views(looked: Sequence[tuple[Trace, Seen]]) -> list[View]:
    found = [right_view(graph, seen) for graph, seen in looked]
    return [view for view in found if view is not None]


def _wrong(view: View) -> bool:
    """Whether the output's data, or anything about a leaf, is wrong."""
    seen, want = view.seen, view.want
    assert seen is not None
    leaves = range(len(view.graph.program.leaves))
    return (
        seen.change is not None
        or not all(close(seen.data[i], want.data[i]) for i in (*leaves, view.graph.program.root))
        or not all(close(seen.grad[i], want.grad[i]) for i in leaves)
    )


def with_first_wrong(message: str, view: View) -> str:
    """A check's message, with the first wrong node as its last line."""
    if view.blame is None:
        return message
    lines = []
    if program_in(message) is None:
        lines.append(f"built     {view.graph.program}")
    found = textwrap.wrap(view.blame.words, WIDTH - 13, break_long_words=False)
    lines += [line for line in message.splitlines() if line.strip()]
    aligned = [_LABEL.sub(lambda match: f"{match[1]:<12} ", line) for line in lines]
    aligned += [
        f"{'' if number else 'first wrong':<12} {line}" for number, line in enumerate(found)
    ]
    return "\n".join(aligned)
