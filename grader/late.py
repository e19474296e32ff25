"""What lateness costs: a pure function of two moments and a policy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

from grader.course import Exercise, LatePolicy
from grader.errors import UsageError

_DAY = timedelta(days=1)  # 24 hours, also when the clocks are changed
_EVERY = ""  # an extension that names no exercise


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late a submission was, and the share of the score that is left."""

    days: int = 0
    factor: Fraction = Fraction(1)


def lateness(
    due: datetime | None, submitted: datetime | None, policy: LatePolicy | None
) -> Lateness:
    """Started days after `due`, and the share of the score that is left.

    Both moments carry a time zone, so that neither daylight saving nor the machine's own zone
    matters. The grace period forgives lateness up to its length and does not shorten more."""
    if due is None or submitted is None or policy is None:
        return Lateness()
    late = _between(due, submitted)
    if late <= timedelta(minutes=policy.grace_minutes):
        return Lateness()
    days = -(-late // _DAY)  # in whole numbers: a float loses a microsecond in a year
    if days > policy.days:
        return Lateness(days, Fraction(0))
    lost = Fraction(str(policy.per_day)) * days
    return Lateness(days, max(Fraction(0), 1 - lost))


def _between(earlier: datetime, later: datetime) -> timedelta:
    """The time that really passed. Python's own `-` looks at the clocks on the wall when both
    moments are in one zone, and is an hour wrong across a change of the clocks."""
    there, here = later.utcoffset(), earlier.utcoffset()
    assert there is not None
    assert here is not None
    return (later.replace(tzinfo=None) - earlier.replace(tzinfo=None)) - (there - here)


# ---- extensions --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Extensions:
    """Later due times, by student and exercise id."""

    times: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)

    def due(self, names: Iterable[str], exercise: Exercise) -> datetime | None:
        """When an exercise is due for the student with these ids: never earlier than for all."""
        due = exercise.due
        if due is None:
            return None
        for name in names:
            own = self.times.get(name.casefold(), {})
            for moment in (own.get(_EVERY), own.get(exercise.id)):
                if moment is not None and _between(due, moment) > timedelta(0):
                    due = moment
        return due

    def unused(self, names: Iterable[str]) -> list[str]:
        """The students of the list who are none of these."""
        return sorted(self.times.keys() - {name.casefold() for name in names})


def read_extensions(path: Path, exercises: Sequence[Exercise]) -> Extensions:
    """CSV with the headings `student,due` and, where it is for one exercise only, `exercise`;
    a time zone in each due time. Raises UsageError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        heading = text.partition("\n")[0]
        delimiter = max(",;\t", key=heading.count)  # a spreadsheet writes what its country writes
        rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    columns = {cell.strip().lower() for cell in heading.split(delimiter)}
    if not {"student", "due"} <= columns:
        raise UsageError(f"{path}: its first line must name the columns: student,due")
    known = {item.id for item in exercises}
    times: dict[str, dict[str, datetime]] = {}
    for number, row in enumerate(rows, 2):
        cells = {(key or "").strip().lower(): value for key, value in row.items() if key}
        student, due, exercise = (
            (cells.get(name) or "").strip() for name in ("student", "due", "exercise")
        )
        if not student and not due:
            continue
        place = f"{path}, line {number}"
        moment = _moment(due, place)
        if not student:
            raise UsageError(f"{place}: names no student")
        if exercise and exercise not in known:
            raise UsageError(f"{place}: exercise {exercise!r} is not in the course")
        own = times.setdefault(student.casefold(), {})
        if exercise in own:
            raise UsageError(f"{place}: {student} is there twice; keep one line")
        own[exercise] = moment
    return Extensions(times)


def _moment(text: str, place: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{place}: {text!r} is no time; write 2027-02-01T23:59:00+01:00"
        ) from error
    if moment.tzinfo is None:
        raise UsageError(f"{place}: {text} has no time zone; write {text}+01:00 or {text}Z")
    return moment
