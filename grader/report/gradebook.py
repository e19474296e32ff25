"""`gradebook.csv`: a row a student, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.report.points import decimal, exact
from grader.report.score_file import ScoreFile
from grader.report.text import cell, one_line
from grader.result import Outcome

BOM = "\ufeff"  # without it, Excel takes UTF-8 for the machine's own old encoding


@dataclass(frozen=True, slots=True)
class Row:
    """What the gradebook and the platforms' tables need to know of one student."""

    student: str
    scores: dict[str, Fraction | None]  # by exercise id; None where the grader was at fault
    earned: Fraction  # before lateness
    score: Fraction  # what is left of it
    max_score: Fraction
    days: int
    factor: float

    @property
    def ungraded(self) -> tuple[str, ...]:
        """The exercises that could not be graded, through no fault of the student's."""
        return tuple(name for name, score in self.scores.items() if score is None)

    def left(self, exercise: str) -> Fraction | None:
        """An exercise's score after lateness. The score file knows what is left of the whole, so
        the loss is shared out by points: these add up to `score`."""
        points = self.scores.get(exercise)
        if points is None:
            return None
        return points * self.score / self.earned if self.earned else points


def row(score: ScoreFile) -> Row:
    """The part of a score file that gradebooks are made of."""
    return Row(
        student=score.student,
        scores={
            item.id: None if item.outcome is Outcome.GRADER_ERROR else exact(item.score)
            for item in score.exercises
        },
        earned=sum((exact(item.score) for item in score.exercises), Fraction(0)),
        score=exact(score.score),
        max_score=exact(score.max_score),
        days=score.late.days,
        factor=score.late.factor,
    )


def exercise_ids(rows: Iterable[Row]) -> list[str]:
    """Every exercise that somebody was graded on, in the course's order as far as it is seen."""
    return list(dict.fromkeys(name for item in rows for name in item.scores))


def gradebook(rows: Sequence[Row]) -> str:
    """The whole file, with its byte-order mark.

    An exercise's column holds what was earned in it; `score` is what lateness leaves of their
    sum. A field stays empty where an exercise was not graded; `ungraded` then names it."""
    exercises = exercise_ids(rows)
    head = ["student", *exercises, "earned", "late_days", "late_factor", "score", "max_score"]
    lines: list[list[str]] = [[*head, "ungraded"]]
    for item in rows:
        scores = [item.scores.get(name) for name in exercises]
        factor = decimal(exact(item.factor))
        late = [str(item.days), factor, decimal(item.score), decimal(item.max_score)]
        points = ["" if points is None else decimal(points) for points in scores]
        name = cell(one_line(item.student))
        lines.append([name, *points, decimal(item.earned), *late, " ".join(item.ungraded)])
    return BOM + table(lines)


def table(lines: Iterable[Sequence[str]]) -> str:
    """CSV as RFC 4180 has it, every field quoted."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(lines)
    return text.getvalue()
