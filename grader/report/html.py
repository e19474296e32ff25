"""`report.html` for the instructor and a page for each student: one file each, that works from
disk without a network. Pure functions from score files to text."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from grader.report.figures import ClassFigures, ExerciseFigures, StudentFigures
from grader.report.pages import environment, read
from grader.report.points import decimal, percent
from grader.report.score_file import ScoreFile
from grader.report.student_view import student_view
from grader.result import Outcome

if TYPE_CHECKING:
    pass

_TEMPLATES = Path(__file__).parent / "templates"
# The groups of the chart: what they are called, their colour, and what is in them.
_GROUPS: tuple[tuple[str, str, tuple[Outcome, ...]], ...] = (
    ("passed", "good", (Outcome.PASSED,)),
    ("not right yet", "bad", (Outcome.FAILED,)),
    ("an error", "warn", (Outcome.ERROR,)),
    ("out of time or crashed", "stop", (Outcome.TIMEOUT, Outcome.CRASHED)),
    ("not started", "idle", (Outcome.TODO, Outcome.MISSING)),
    ("not graded", "ours", (Outcome.GRADER_ERROR,)),
)


def report_page(figures: ClassFigures, title: str, pages: Mapping[str, str] | None = None) -> str:
    """The report on a class. `pages` are the students' own, by student, as links from here.

    Raises UsageError where jinja2 or matplotlib is missing."""
    from grader.report import charts

    shares = [_share(student) for student in figures.students]
    exercises = list(figures.exercises.values())
    groups = [_grouped(item) for item in exercises]
    shown = [
        (word, colour, number)
        for number, (word, colour, _) in enumerate(_GROUPS)
        if any(counts[number] for counts in groups)
    ]
    rows = [
        (item.id, [counts[n] for *_, n in shown])
        for item, counts in zip(exercises, groups, strict=True)
    ]
    script = read("report.js")
    page: str = (
        environment()
        .get_template("report.html")
        .render(
            title=title,
            figures=figures,
            exercises=exercises,
            groups=dict(zip(figures.exercises, groups, strict=True)),
            shares=[percent(item.row.score, item.row.max_score) for item in figures.students],
            bands=_bands(shares),
            mean=sum(shares) / len(shares) if shares else 0,
            median=median(shares) if shares else 0,
            histogram=charts.histogram(shares, "scores"),
            outcomes=charts.stacked(rows, [colour for _, colour, _ in shown], "outcomes"),
            legend=[(word, colour) for word, colour, _ in shown],
            late=_late(figures),
            mistakes=figures.mistakes.most_common(30),
            pages=pages or {},
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )
    return page


def feedback_page(score: ScoreFile, title: str) -> str:
    """A student's own page, with only what that student may see, whatever view `score` is.

    Raises UsageError where jinja2 is missing."""
    page: str = (
        environment().get_template("feedback.html").render(score=student_view(score), title=title)
    )
    return page


def _share(student: StudentFigures) -> float:
    item = student.row
    return float(item.score / item.max_score * 100) if item.max_score else 0.0


def _grouped(item: ExerciseFigures) -> list[int]:
    return [sum(item.outcomes[outcome] for outcome in group) for _, _, group in _GROUPS]


def _bands(shares: list[float]) -> list[tuple[str, int]]:
    """The histogram in numbers, for those who can't see it."""
    counts = Counter(min(9, int(share / 10 + 1e-9)) for share in shares)
    return [(f"{10 * n} to {10 * n + 10}", counts[n]) for n in range(10)]


def _late(figures: ClassFigures) -> list[tuple[int, int, str]]:
    """Started days, students, points lost by them together."""
    days = Counter(item.row.days for item in figures.students if item.row.days)
    lost: dict[int, Fraction] = {}
    for item in figures.students:
        if item.row.days:
            before = lost.get(item.row.days, Fraction(0))
            lost[item.row.days] = before + item.row.earned - item.row.score
    return [(day, count, decimal(lost[day])) for day, count in sorted(days.items())]
