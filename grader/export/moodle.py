"""The CSV that Moodle's grade import reads (Grades, Import, CSV file).

Moodle asks which column names the student (username, ID number or e-mail address) and which
grade item each other column is. A row whose student it doesn't know ends the whole import, an
empty grade is no grade, and feedback is only safe beside its grade."""

from __future__ import annotations

from collections.abc import Sequence

from grader.export.columns import Column
from grader.report.gradebook import Row, table
from grader.report.points import days_late, decimal
from grader.report.text import cell, one_line


def moodle(rows: Sequence[Row], columns: Sequence[Column], title: str) -> str:
    """The whole file."""
    heads = [cell(one_line(column.name)) for column in columns]
    lines = [[identity(rows), *heads, f"{cell(one_line(title))} (feedback)"]]
    for number, item in enumerate(rows):
        grades = [column.cells[number] for column in columns]
        lines.append([cell(one_line(item.student)), *grades, _feedback(item)])
    return table(lines)


def identity(rows: Sequence[Row]) -> str:
    """What the students' ids are, by their look: it is the heading, and so what Moodle proposes."""
    if rows and all("@" in item.student for item in rows):
        return "Email address"
    if rows and all(item.student.isascii() and item.student.isdigit() for item in rows):
        return "ID number"
    return "Username"


def _feedback(item: Row) -> str:
    """Only words of ours: Moodle shows feedback as HTML."""
    scores = (
        f"{name}: {'not graded' if points is None else decimal(points)}"
        for name, points in item.scores.items()
    )
    late = f"; {days_late(item.days)}" if item.days else ""
    return f"{decimal(item.score)} of {decimal(item.max_score)} points{late}; {', '.join(scores)}"
