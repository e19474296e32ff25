"""What an instructor should look at, read from score files: so that it is all there, whether a
submission was graded just now, in an earlier run, or on another machine."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable
from pathlib import Path

from grader.batch.store import Store, writing
from grader.cache import write_whole
from grader.report.score_file import ScoreFile
from grader.report.text import one_line
from grader.result import Outcome

FILE = "needs-a-look.txt"
_WORDS = (
    (Outcome.GRADER_ERROR, "could not be graded"),
    (Outcome.TIMEOUT, "ran out of time"),
    (Outcome.CRASHED, "crashed"),
)


def troubles(score: ScoreFile) -> list[str]:
    """One line each: what was taken of the submission and why, and what did not end by itself."""
    lines = list(score.notes)
    for exercise in score.exercises:
        lines += [f"{exercise.id}: {note}" for note in exercise.notes]
        if exercise.outcome is Outcome.GRADER_ERROR and not exercise.checks:
            lines.append(f"{exercise.id} could not be graded")
        for outcome, words in _WORDS:
            count = sum(check.outcome is outcome for check in exercise.checks)
            if count:
                checks = "1 check" if count == 1 else f"{count} checks"
                lines.append(f"{exercise.id} {words} in {checks}")
    return lines


def write_look(store: Store, known: dict[str, Iterable[str]], seen: Collection[Path] = ()) -> int:
    """Write the list for all score files in a folder; the number of students in it.

    `known` holds the lines of the students whose files, `seen`, need not be read again.
    Raises UsageError where it cannot be written."""
    lines = {who: list(rest) for who, rest in known.items()}
    covered = set(seen)
    for path, score in store.scores():
        if path not in covered:
            lines.setdefault(score.student, troubles(score))
    listed = {who: rest for who, rest in lines.items() if rest}
    text = "".join(
        f"{one_line(who, 100)}: {one_line(line, 400)}\n"
        for who, rest in sorted(listed.items())
        for line in rest
    )
    with writing(store.folder):
        if text:
            write_whole(store.folder / FILE, text.encode("utf-8", "backslashreplace"))
        else:
            with contextlib.suppress(FileNotFoundError):
                (store.folder / FILE).unlink()
    return len(listed)
