"""What a student sees: the ladder, then the one thing to do next. 80 columns, readable plain."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from fractions import Fraction

from rich.console import Console
from rich.text import Text

from grader.course import Course
from grader.report.text import one_line, plain
from grader.result import CheckResult, ExerciseResult, Outcome, SubmissionResult, number

WIDTH = 80

_WORDS = {
    Outcome.TODO: "not started",
    Outcome.FAILED: "not right yet",
    Outcome.ERROR: "an error",
    Outcome.TIMEOUT: "out of time",
    Outcome.CRASHED: "crashed",
    Outcome.MISSING: "missing",
    Outcome.GRADER_ERROR: "not graded",
}
_COLOURS = {Outcome.PASSED: "green", Outcome.TODO: "dim", Outcome.GRADER_ERROR: "magenta"}


class Marks:
    """The few symbols, with plain stand-ins for a terminal that cannot show them."""

    def __init__(self, encoding: str) -> None:
        try:
            "✓✗▶…·".encode(encoding)
            self.yes, self.no, self.here = "✓", "✗", "▶"
        except (UnicodeEncodeError, LookupError):
            self.yes, self.no, self.here = "+", "x", ">"


def show(
    console: Console,
    course: Course,
    result: SubmissionResult,
    *,
    verbose: bool = False,
    student: bool = True,
    gained: Fraction | None = None,
    focus: str | None = None,
) -> None:
    """Print a result. With `student`, hidden checks show title and outcome only.

    One exercise is shown in detail: the one in `focus`, or else the first that does not pass."""
    marks = Marks(console.encoding or "ascii")
    out = _Printer(console)
    out.sides(course.title, _total(result, gained), "bold")
    for note in result.notes:
        out.line("  note: " + one_line(note), "dim")
    out.line("")
    current = next((item for item in result.exercises if not _done(item)), None)
    focused = next((item for item in result.exercises if item.id == focus), current)
    for item in result.exercises:
        _ladder(out, marks, item, item is current)
    for item in result.exercises:
        if verbose or (item is focused and (item.outcome is not Outcome.TODO or item.notes)):
            _exercise(out, marks, item, student=student, verbose=verbose)
    out.line("")
    _next(out, course, current)


def _total(result: SubmissionResult, gained: Fraction | None) -> str:
    total = f"{number(result.score)} of {number(result.max_score)} points"
    if not gained:
        return total
    return f"{total}  {'+' if gained > 0 else ''}{number(gained)}"


def _done(item: ExerciseResult) -> bool:
    return item.outcome is Outcome.PASSED


def _ladder(out: _Printer, marks: Marks, item: ExerciseResult, current: bool) -> None:
    mark = marks.yes if _done(item) else marks.here if current else " "
    points = f"{number(item.score)}/{number(item.max_score)}"
    word = "" if _done(item) else _WORDS[item.outcome]
    style = _COLOURS.get(item.outcome, "yellow")
    # 4 + 19 + 1 + 40 + 2 + 13 ("not right yet") = 79: a longer id or number takes from the title
    room = 59 - max(19, len(item.id))
    title = one_line(item.title, room - len(points) - 1)
    both = title + points.rjust(room - len(title))
    out.line(f"  {mark} {item.id:<19} {both}  {word}", style)


def _exercise(
    out: _Printer, marks: Marks, item: ExerciseResult, *, student: bool, verbose: bool
) -> None:
    out.line("")
    out.line(f"{item.id}  {one_line(item.title, WIDTH - len(item.id) - 2)}", "bold")
    for note in item.notes:
        out.line("  note: " + one_line(note), "dim")
    for check in item.checks:
        mark = marks.yes if check.outcome is Outcome.PASSED else marks.no
        hidden = " (hidden)" if check.check.visibility == "hidden" else ""
        points = f"{number(check.points)}/{number(check.check.max_points)}"
        word = "" if check.outcome in (Outcome.PASSED, Outcome.FAILED) else f" [{check.outcome}]"
        room = WIDTH - 5 - len(hidden + word) - len(points)
        left = f"  {mark} {one_line(check.check.title, room)}{hidden}{word}"
        out.sides(left, points, _COLOURS.get(check.outcome, "yellow"))
    for check in _to_explain(item, student, verbose):
        out.line("")
        out.line(f"  {one_line(check.check.title, 76)}", "bold")
        for line in plain(check.message).splitlines():
            out.line(f"    {line}")
        if check.output.strip():
            out.line("    it printed:", "dim")
            for line in plain(check.output, 1_000).splitlines()[:8]:
                out.line(f"    | {line}", "dim")
    for mistake in item.mistakes:
        out.line("")
        for paragraph in plain(mistake.hint).split("\n\n"):
            for line in textwrap.wrap(" ".join(paragraph.split()), WIDTH - 5):
                out.line(f"    {line}", "cyan")


def _to_explain(item: ExerciseResult, student: bool, verbose: bool) -> list[CheckResult]:
    """The checks whose message is shown: the first that says something, or with verbose all."""
    wrong = [
        check
        for check in item.checks
        if check.outcome is not Outcome.PASSED
        and not (student and check.check.visibility == "hidden")
    ]
    if verbose:
        return wrong
    started = [check for check in wrong if check.outcome is not Outcome.TODO]
    return (started or wrong)[:1]


def _next(out: _Printer, course: Course, current: ExerciseResult | None) -> None:
    if current is None:
        out.line("Everything passes. Well done.", "green")
        return
    exercise = course.exercise(current.id)
    if current.outcome is Outcome.GRADER_ERROR:
        out.line(f"{current.id} could not be graded. This is a fault of the course, not of your")
        out.line("file; no points were taken. Tell your instructor.")
        return
    if current.outcome is Outcome.TODO:
        lesson = f"exercises/{exercise.id}/README.md"
        out.line(f"Next: read {lesson} ({exercise.minutes} minutes),")
        out.line(f"then fill in exercises/{exercise.id}/{exercise.file} and run this again.")
        out.line("Tip: `python -m grader watch` grades on every save.", "dim")
        return
    out.line(f"Read again: exercises/{exercise.id}/README.md")
    out.line(f"Stuck:      python -m grader hint {exercise.id}")
    out.line(f"All of it:  python -m grader -e {exercise.id} -v")


class _Printer:
    """Lines to a console, never as markup: a title or a message may hold brackets."""

    def __init__(self, console: Console) -> None:
        self._print: Callable[..., None] = console.print

    def line(self, text: str, style: str = "") -> None:
        self._print(Text(text.rstrip(), style=style), soft_wrap=True, highlight=False)

    def sides(self, left: str, right: str, style: str = "") -> None:
        self.line(f"{left:<{WIDTH - 1 - len(right)}} {right}", style)
