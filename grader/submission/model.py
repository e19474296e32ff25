"""What a submission is once it has been read: frozen text, with notes on how it was taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of source that is executed as one unit; a .py file is one cell."""

    name: str  # how messages call it: "value.py" or "cell 7"
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """What answers one exercise."""

    cells: tuple[Cell, ...]
    notebook: bool  # a broken cell costs that cell only
    siblings: tuple[tuple[str, str], ...]  # ("topo.py", text): importable from the submission
    notes: tuple[str, ...]  # what was taken and why, in plain words
    digest: str  # "sha256:…" over exactly what is executed


@dataclass(frozen=True, slots=True)
class Rejected:
    """The file is there but cannot be graded."""

    reason: str  # one line for the student


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's files, read."""

    student: str  # name of the folder or file
    answers: Mapping[str, Source | Rejected]  # by exercise id; absent: nothing was handed in
    notes: tuple[str, ...]
    digest: str


class RefusedError(Exception):
    """Inside this package: a file cannot be taken. Its text is the reason, for the student; it
    always ends up as a `Rejected` or a note, never outside."""

    def __init__(self, reason: str, *, empty: bool = False) -> None:
        super().__init__(reason)
        self.empty = empty  # there is nothing in it


def make_source(
    cells: tuple[Cell, ...],
    *,
    notebook: bool = False,
    siblings: tuple[tuple[str, str], ...] = (),
    notes: tuple[str, ...] = (),
) -> Source:
    """A `Source` with its digest."""
    parts = ["notebook" if notebook else "file"]
    for cell in cells:
        parts += [cell.name, cell.text]
    parts.append("siblings")
    for name, text in siblings:
        parts += [name, text]
    return Source(cells, notebook, siblings, notes, digest_of(parts))


def make_submission(
    student: str, answers: Mapping[str, Source | Rejected], notes: tuple[str, ...] = ()
) -> Submission:
    """A `Submission` with its digest: a changed answer or reason changes it, a note does not."""
    parts: list[str] = []
    for exercise_id in sorted(answers):
        answer = answers[exercise_id]
        what = answer.digest if isinstance(answer, Source) else f"rejected: {answer.reason}"
        parts += [exercise_id, what]
    return Submission(student, answers, notes, digest_of(parts))


def digest_of(parts: Iterable[str]) -> str:
    """SHA-256 over strings, each with its length, so that no two lists look alike."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        whole.update(f"{len(data)}:".encode())
        whole.update(data)
    return f"sha256:{whole.hexdigest()}"
