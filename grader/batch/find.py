"""The submissions of a batch: what `submission.lms` finds, joined to a roster."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.submission import Submission, read_submission


@dataclass(frozen=True)
class FolderEntry:
    """A folder or a file that is one student's submission."""

    student: str
    path: Path
    course: Course
    submitted_at: datetime | None = None

    def read(self) -> Submission:
        return read_submission(self.path, self.course)


@dataclass(frozen=True)
class Found:
    """What a batch will grade, and what to say of it."""

    entries: tuple[FolderEntry, ...]
    summary: str
    closing: tuple[str, ...] = ()


def find(path: Path, course: Course, roster: str | None) -> Found:
    """Everything in `path` that is a submission. Raises UsageError."""
    if not path.is_dir():
        raise UsageError(f"{path}: there is no such folder; check the path")
    entries = tuple(
        FolderEntry(item.stem if item.is_file() else item.name, item, course)
        for item in sorted(path.iterdir())
        if not item.name.startswith(".")
    )
    return Found(entries, f"{len(entries)} submissions")
