"""A graph as a picture, drawn by Graphviz: left to right, leaves at the left.

Shape and text carry the meaning; colour only helps. A wrong number is struck, beside the right one.
The first wrong node has a thick double border, and the edges that carried the wrong amount are
dashed.
"""

from __future__ import annotations

import html
import importlib
import textwrap
from pathlib import Path

from grader.autograd.look import View
from grader.autograd.numbers import close, show
from grader.autograd.observe import refs
from grader.errors import UsageError

FORMATS = (".svg", ".png")
_FONT = 'fontname="Helvetica,Arial,sans-serif"'
_WRONG = "#b04a00"  # dark orange: apart from the blue for every kind of colour vision, dark in grey
_LEAF = "#e3eefa"
_STRONG = "#fdf0e0"


def draw(view: View, path: Path, title: str = "") -> None:
    """Write the picture to an .svg or .png file. Raises UsageError where that cannot be."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path.name}: a picture is written as .svg or .png")
    path.write_bytes(render(view, path.suffix.lower().removeprefix("."), title))


def render(view: View, kind: str, title: str = "") -> bytes:
    """The picture as `svg` or `png`. Raises UsageError where Graphviz is not installed."""
    try:
        graphviz = importlib.import_module("pygraphviz")
    except ImportError:
        raise UsageError(
            "pictures need Graphviz; run: python -m pip install pygraphviz "
            "(without it, graph draws in the terminal)"
        ) from None
    graph = graphviz.AGraph(string=dot(view, title))
    if kind == "png":
        graph.graph_attr["dpi"] = 144
    picture: bytes = graph.draw(format=kind, prog="dot")
    return picture


def dot(view: View, title: str = "") -> str:
    """The picture in Graphviz's language."""
    caption = _caption(view, title)
    lines = [
        "digraph {",
        f"rankdir=LR; nodesep=0.35; ranksep=0.55; bgcolor=white; labelloc=t; labeljust=l; {_FONT};",
        f"fontsize=13; label=<{caption}>;" if caption else "",
        f"node [shape=box, style=filled, fillcolor=white, fontsize=12, {_FONT}];",
        f'edge [fontsize=10, color="#444444", arrowsize=0.7, {_FONT}];',
    ]
    blame = view.blame
    wrong = set(blame.edges) if blame else set()
    graph = view.graph
    lines.append("{rank=min; " + " ".join(f"n{i};" for i in range(len(graph.program.leaves))) + "}")
    for register in range(len(graph.made)):
        lines.append(f"n{register} [label=<{_node(view, register)}>{_border(view, register)}];")
    for register in range(len(graph.made)):
        for _, operand in refs(graph.operands(register)):
            style = ""
            if (register, operand) in wrong:
                style = f' [style=dashed, penwidth=2.2, color="{_WRONG}"]'
            lines.append(f"n{operand} -> n{register}{style};")
    return "\n".join([*lines, "}"])


def _caption(view: View, title: str) -> str:
    parts = [f"<B>{_text(title)}</B>"] if title else []
    parts += [_text(line) for line in textwrap.wrap(str(view.graph.program), 90)]
    if view.blame:
        said = textwrap.wrap(f"first wrong: {view.blame.words}", 90)
        parts += [_text(line) for line in said]
    return "".join(f'{part}<BR ALIGN="LEFT"/>' for part in parts) + "<BR/>"


def _node(view: View, register: int) -> str:
    label, text = view.graph.label(register), view.graph.text(register)
    heading = label if label == text or not view.graph.op(register) else f"{label} = {text}"
    got = view.seen
    data = _number(got.data[register] if got else None, view.want.data[register], got is not None)
    grad = _number(got.grad[register] if got else None, view.want.grad[register], got is not None)
    rows = [
        f'<TR><TD COLSPAN="2"><B>{_text(heading)}</B></TD></TR>',
        f'<TR><TD ALIGN="LEFT">data</TD><TD ALIGN="RIGHT">{data}</TD></TR>',
        f'<TR><TD ALIGN="LEFT">grad</TD><TD ALIGN="RIGHT">{grad}</TD></TR>',
    ]
    if view.blame and view.blame.node == register:
        rows.insert(0, '<TR><TD COLSPAN="2"><FONT POINT-SIZE="10">first wrong</FONT></TD></TR>')
    table = 'TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2"'
    return f"<{table}>{''.join(rows)}</TABLE>"


def _number(got: float | None, want: float, known: bool) -> str:
    if not known or close(got, want):
        return show(want)
    digits = show(got, want)
    sign = "-&#8201;" if digits.startswith("-") else ""  # not struck: it would vanish in the line
    struck = f"{sign}<S>{digits.removeprefix('-')}</S>"
    return f'<FONT COLOR="{_WRONG}">{struck}</FONT> <B>{show(want, got)}</B>'


def _border(view: View, register: int) -> str:
    if view.blame and view.blame.node == register:
        return f', peripheries=2, penwidth=2.6, color="{_WRONG}", fillcolor="{_STRONG}"'
    return f', fillcolor="{_LEAF}", style="filled,rounded"' if not view.graph.op(register) else ""


def _text(text: str) -> str:
    return html.escape(text)
