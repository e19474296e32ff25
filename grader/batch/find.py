"""The submissions of a batch, joined to a roster; and what to say of who is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from grader.course import Course
from grader.errors import UsageError
from grader.report.text import one_line
from grader.submission.lms import Found, find_submissions
from grader.submission.roster import join, read_roster

_LISTED = 10  # names that a line gives before it ends in "…"


@dataclass(frozen=True)
class Batched:
    """What a batch will grade, and what to say of it before and after."""

    entries: tuple[Found, ...]
    summary: str
    closing: tuple[str, ...] = ()


def find(
    path: Path, course: Course, only: Sequence[str], roster: str | None, zone: str | None
) -> Batched:
    """Every submission in a folder or an export, the latest attempt of each student.

    Raises UsageError."""
    found = find_submissions(path, course, only, _zone(zone))
    again = sum(item.attempts > 1 for item in found)
    total = sum(item.attempts for item in found)
    summary = f"{total:,} submissions from {len(found):,} students"
    if again:
        summary += f" ({again:,} resubmitted; the latest counts)"
    if roster is None:
        return Batched(found, summary)
    joined = join(found, read_roster(Path(roster)))
    closing = [*joined.notes]
    if joined.unknown:
        names = [item.student for item in joined.unknown]
        closing.append(f"Not in the roster: {_listed(names)}")
    if joined.missing:
        names = [f"{item.student} {item.name}".strip() for item in joined.missing]
        closing.append(f"Handed in nothing: {_listed(names)}")
    return Batched(joined.found, summary, tuple(closing))


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise UsageError(f"--zone {name}: no such time zone; write Europe/Berlin") from error


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:_LISTED])
    return f"{len(names):,} ({shown}{', …' if len(names) > _LISTED else ''})"
