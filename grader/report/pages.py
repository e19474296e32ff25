"""Templates into text: every text is escaped, and shows what it holds."""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from grader.report.needs import need
from grader.report.points import decimal, exact, percent
from grader.report.score_file import CheckScore
from grader.report.text import plain
from grader.result import Outcome

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_TEMPLATES = Path(__file__).parent / "templates"
# For students and instructors alike. The mark says it without colour.
WORDS = {
    Outcome.PASSED: ("✓", "passed"),
    Outcome.FAILED: ("✗", "not right yet"),
    Outcome.ERROR: ("✗", "an error"),
    Outcome.TIMEOUT: ("!", "out of time"),
    Outcome.CRASHED: ("!", "crashed"),
    Outcome.TODO: ("·", "not started"),
    Outcome.MISSING: ("·", "missing"),
    Outcome.GRADER_ERROR: ("?", "not graded"),
}


@functools.cache
def environment() -> Environment:
    """The templates, with the filters that they use. Raises UsageError without jinja2."""
    need("jinja2")
    import jinja2
    from markupsafe import Markup

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES, encoding="utf-8"),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "visible": visible,
        "points": points,
        "moment": moment,
        "row": check_row,
        "of": lambda part, whole: percent(_fraction(part), _fraction(whole)),
        "middle": lambda seconds: f"{median(seconds):.2f}" if seconds else "",
        # only for what this package itself wrote: its style sheet, script and charts
        "ours": Markup,
    }
    made.globals |= {"words": WORDS, "Outcome": Outcome, "style": read("style.css")}
    return made


def moment(text: str) -> str:
    """A score file's moment, to the minute; anything else as it stands."""
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\+00:00|Z)", text)
    return f"{found[1]} {found[2]} UTC" if found else visible(text, 60)


def check_row(check: CheckScore) -> Markup:
    """A check's row on a student's page. Most students have most rows alike: each is made once."""
    return _row(msgspec.structs.replace(check, seconds=0.0) if check.seconds else check)


@functools.lru_cache(10_000)
def _row(check: CheckScore) -> Markup:
    from markupsafe import Markup

    # what comes out of an escaping template is safe to stand in another
    return Markup(environment().get_template("check.html").render(check=check))  # noqa: S704


@functools.lru_cache(10_000)
def points(number: int | float | Fraction) -> str:
    """Points as a page shows them."""
    return decimal(_fraction(number))


def _fraction(number: int | float | Fraction) -> Fraction:
    return number if isinstance(number, Fraction) else exact(number)


@functools.cache
def read(name: str) -> str:
    """A file of this package's own."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


# Controls but newline and tab, marks that turn the reading order around, lone surrogates.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str, limit: int = 20_000) -> str:
    """A page shows what a text holds: no control is obeyed, no character hides. Escaping for HTML
    comes after this, in the template."""
    if len(text) <= limit and not _SUSPECT.search(text):
        return text  # nearly always, and `plain` looks at every character
    return plain(text, limit)
