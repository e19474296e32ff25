"""The points that a learning platform's table gets: the whole course in one column, or a column
for each exercise. Either way they add up to the score after lateness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.report.gradebook import Row, exercise_ids
from grader.report.points import decimal


@dataclass(frozen=True, slots=True)
class Column:
    """One graded item: what it is called, its maximum, and each row's points as text."""

    name: str
    max_points: Fraction
    cells: tuple[str, ...]  # in the order of the rows; empty where there is nothing to say


def total(rows: Sequence[Row], title: str) -> list[Column]:
    """One column for the course. Empty for a student of whom something could not be graded: what
    is the grader's fault must not reach anybody's grade."""
    most = max((item.max_score for item in rows), default=Fraction(0))
    cells = tuple("" if item.ungraded else decimal(item.score) for item in rows)
    return [Column(title, most, cells)]


def each(
    rows: Sequence[Row], titles: Mapping[str, str], maxima: Mapping[str, Fraction]
) -> list[Column]:
    """A column for each exercise; lateness is shared out by points."""
    columns = []
    for name in exercise_ids(rows):
        points = [item.left(name) for item in rows]
        cells = tuple("" if item is None else decimal(item) for item in points)
        columns.append(Column(f"{name} {titles[name]}", maxima[name], cells))
    return columns
