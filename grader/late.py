"""What lateness costs: a pure function of two moments and a policy."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

from grader.course import LatePolicy
from grader.errors import UsageError


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
    if due is None or submitted is None or policy is None or submitted <= due:
        return Lateness()
    late = submitted - due
    if late <= timedelta(minutes=policy.grace_minutes):
        return Lateness()
    days = math.ceil(late / timedelta(days=1))
    if days > policy.days:
        return Lateness(days, Fraction(0))
    lost = Fraction(str(policy.per_day)) * days
    return Lateness(days, max(Fraction(0), 1 - lost))


def read_extensions(path: Path) -> Mapping[str, datetime]:
    """`student,due` with a time zone in each due time. Raises UsageError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    extended: dict[str, datetime] = {}
    for number, row in enumerate(rows, 2):
        student, due = (row.get("student") or "").strip(), (row.get("due") or "").strip()
        try:
            moment = datetime.fromisoformat(due)
        except ValueError as error:
            raise UsageError(
                f"{path}, line {number}: {due!r} is no time; write 2027-02-01T23:59:00+01:00"
            ) from error
        if not student or moment.tzinfo is None:
            raise UsageError(
                f"{path}, line {number}: needs a student and a due time with a time zone"
            )
        extended[student] = moment
    return extended
