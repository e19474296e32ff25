"""Pictures for the report: SVG to stand inside a page, in the page's own colours."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.report.needs import need
from grader.report.text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Stand-ins that matplotlib draws with, and the colours of the page that take their place: so one
# picture serves light, dark and print.
_COLOURS = {
    "#010101": "var(--fg)",
    "#020202": "var(--muted)",
    "#030303": "var(--line)",
    "#040404": "var(--accent)",
    "#050505": "var(--good)",
    "#060606": "var(--bad)",
    "#070707": "var(--warn)",
    "#080808": "var(--stop)",
    "#090909": "var(--idle)",
    "#0a0a0a": "var(--ours)",
    "#0b0b0b": "var(--bg)",
}
_STAND_IN = {name[6:-1]: colour for colour, name in _COLOURS.items()}


def histogram(shares: Sequence[float], prefix: str) -> str:
    """How many students have which share of the points, in steps of 10 percent."""
    need("matplotlib")
    from matplotlib.ticker import MaxNLocator

    counts = [0] * 10
    for share in shares:
        counts[min(9, int(share / 10 + 1e-9))] += 1
    figure, axes = _empty(2.9)
    bars = axes.bar(
        range(10), counts, width=0.9, color=_STAND_IN["accent"], edgecolor=_STAND_IN["accent"]
    )
    axes.bar_label(bars, [str(n) if n else "" for n in counts], padding=2, **_text("fg", 9))
    axes.set_xticks([n - 0.5 for n in range(11)], [f"{10 * n}" for n in range(11)])
    axes.set_xlim(-0.55, 9.55)
    axes.set_ylim(0, max(counts, default=0) * 1.15 or 1)
    axes.set_xlabel("score in percent of all points", **_text("muted", 9))
    axes.set_ylabel("students", **_text("muted", 9))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=_STAND_IN["line"], linewidth=0.8)
    axes.set_axisbelow(True)
    return _svg(figure, prefix)


def stacked(rows: Sequence[tuple[str, Sequence[int]]], colours: Sequence[str], prefix: str) -> str:
    """A bar for each row, made of its counts as shares of the row's sum."""
    figure, axes = _empty(0.75 + 0.28 * len(rows))
    left = [0.0] * len(rows)
    places = range(len(rows))
    for number, colour in enumerate(colours):
        widths = [100 * counts[number] / (sum(counts) or 1) for _, counts in rows]
        axes.barh(
            places, widths, left=left, height=0.72, linewidth=1,
            color=_STAND_IN[colour], edgecolor=_STAND_IN["bg"],
        )  # fmt: skip
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_yticks(places, [one_line(name, 28).replace("$", r"\$") for name, _ in rows])
    axes.set_xlim(0, 100)
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.set_xlabel("percent of students", **_text("muted", 9))
    return _svg(figure, prefix)


def _text(colour: str, size: int) -> dict[str, Any]:
    return {"color": _STAND_IN[colour], "fontsize": size}


def _empty(height: float) -> tuple[Figure, Axes]:
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_STAND_IN["muted"])
    axes.tick_params(colors=_STAND_IN["fg"], labelsize=9, length=0)
    return figure, axes


def _svg(figure: Figure, prefix: str) -> str:
    """The same bytes for the same numbers, and ids that are nobody else's on the page."""
    import matplotlib

    text = io.StringIO()
    settings: Any = {"svg.hashsalt": prefix, "svg.fonttype": "none", "font.family": "sans-serif"}
    with matplotlib.rc_context(settings):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"\bfont: ([\d.]+)px [^;\"]*", r"font-size: \1px", svg)
    svg = re.sub(
        r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', r'<svg \1 aria-hidden="true">', svg, count=1
    )
    for stand_in, colour in _COLOURS.items():
        svg = svg.replace(stand_in, colour)
    return svg.replace("xlink:href", "href").strip()
