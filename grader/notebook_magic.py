"""Grading inside a notebook: `%load_ext grader`, then `%%grade ID` or `%grade ID`.

The cell, or all that was run so far, becomes a notebook file that is graded as any other: read as
text, and executed in a worker behind the same boundary. The notebook's own process only shows what
came of it. IPython is not imported: it hands itself over, and shows what has a `_repr_html_`.
"""

from __future__ import annotations

import contextlib
import html
import importlib
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.autograd import picture
from grader.autograd.look import View
from grader.course import Course, find_course
from grader.errors import GraderError, UsageError

_STYLE = "line-height:1.35;font-size:13px;white-space:pre-wrap;max-width:84ch"


@dataclass(frozen=True)
class Shown:
    """A result as a notebook shows it: as HTML, or as the terminal's text."""

    text: str
    svg: str = ""

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<pre style="{_STYLE}">{html.escape(self.text)}</pre>{self.svg}'


def register(shell: Any) -> None:
    """Make the two magics known to an IPython shell."""

    def grade_cell(line: str, cell: str) -> Shown:
        """%%grade ID: run this cell, then grade it."""
        shell.run_cell(cell)
        return grade(line, [cell])

    def grade_line(line: str) -> Shown:
        """%grade ID: grade everything that was run in this notebook so far."""
        return grade(line, without_magics(shell.history_manager.input_hist_raw))

    shell.register_magic_function(grade_cell, "cell", "grade")
    shell.register_magic_function(grade_line, "line", "grade")


def without_magics(history: Sequence[str]) -> list[str]:
    """What was run, without our own magics: a graded cell counts as the code that it holds."""
    cells = []
    for text in history:
        first, _, rest = text.lstrip().partition("\n")
        if first.startswith("%%grade"):
            cells.append(rest)
        elif text.strip():
            lines = text.splitlines(keepends=True)
            own = ("%grade ", "%load_ext grader")
            cells.append("".join(line for line in lines if not line.startswith(own)))
    return cells


def grade(line: str, cells: Sequence[str], sandbox: str = "auto") -> Shown:
    """Grade these cells as an answer to the exercise that the magic's line names."""
    try:
        course = find_course()
        words = line.split()
        if len(words) != 1:
            raise UsageError("name one exercise: %%grade 04_backward")
        text, view = _graded(course, course.exercise(words[0]).id, cells, sandbox)
    except (UsageError, GraderError) as error:
        return Shown(f"grader: {error}")
    svg = ""
    if view is not None:
        with contextlib.suppress(UsageError):  # no Graphviz: the message says it in words
            drawing = picture.render(view, "svg").decode("utf-8")
            svg = drawing[drawing.index("<svg") :]
    return Shown(text, svg)


def _graded(
    course: Course, exercise: str, cells: Sequence[str], sandbox: str
) -> tuple[str, View | None]:
    from rich.console import Console

    from grader import closer
    from grader.host import choose_sandbox
    from grader.report import terminal
    from grader.result import SubmissionResult
    from grader.session import Session, with_session
    from grader.submission import read_submission

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notebook.ipynb"
        path.write_text(_as_notebook(cells), encoding="utf-8")
        submission = read_submission(path, course, [exercise])

    def work(session: Session) -> tuple[SubmissionResult, View | None]:
        return closer.with_view(session, submission, session.grade(submission))

    level = choose_sandbox(sandbox)
    result, view = with_session(course, level, work, only=[course.exercise(exercise)])
    page = io.StringIO()
    # not rich's own way of showing things in a notebook: one output for each line
    console = Console(file=page, width=terminal.WIDTH, force_jupyter=False, color_system=None)
    terminal.show(console, course, result)
    return page.getvalue(), view


def _as_notebook(cells: Sequence[str]) -> str:
    nbformat: Any = importlib.import_module("nbformat")  # it has no types
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    return str(nbformat.writes(book))
