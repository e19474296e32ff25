"""Grades what changes, on every save."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.course import Course, Exercise
from grader.result import ExerciseResult, SubmissionResult
from grader.session import Session
from grader.submission import read_submission

_NETWORK_DISKS = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "drvfs", "afs", "vboxsf", "virtiofs")
_HALF_SAVED = 0.3  # seconds to wait for an editor that empties a file before it writes it

Show = Callable[[SubmissionResult, list[str]], None]


def watch(session: Session, folder: Path, show: Show, changes: Iterator[set[Path]]) -> None:
    """Grade the folder once, then whatever the changes touch, until there are no more.

    `show` gets the whole result and the ids that were graded just now."""
    course = session.course
    submission = read_submission(folder, course)
    results: dict[str, ExerciseResult] = {}
    for name, plan in session.plans.items():
        results[name] = session.grade_exercise(plan.exercise, submission.answers.get(name))
    show(_result(session, results, submission.digest), list(results))
    for paths in changes:
        touched = touched_exercises(course, folder, paths)
        if not touched:
            continue
        _wait_until_saved(folder, touched)
        submission = read_submission(folder, course)
        for exercise in touched:
            answer = submission.answers.get(exercise.id)
            results[exercise.id] = session.grade_exercise(exercise, answer)
        ids = [exercise.id for exercise in touched]
        show(_result(session, results, submission.digest), ids)


def touched_exercises(course: Course, folder: Path, paths: set[Path]) -> list[Exercise]:
    """The exercises in whose folders a Python file or notebook has changed."""
    root = folder.resolve()
    names = set()
    for path in paths:
        if path.suffix in (".py", ".ipynb") and root in path.resolve().parents:
            names.add(path.resolve().relative_to(root).parts[0])
    return [exercise for exercise in course.exercises if exercise.id in names]


def must_poll(folder: Path, mounts: str | None = None) -> str | None:
    """Why changes in this folder have to be looked for, not waited for; None where they do not.

    Network disks and the Windows side of WSL do not tell of changes made elsewhere."""
    if "microsoft" in platform.release().lower() and str(folder.resolve()).startswith("/mnt/"):
        return "this folder is on the Windows side of WSL"
    if mounts is None:
        try:
            mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
    best, kind = Path("/"), ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        above = point == folder or point in folder.resolve().parents
        if above and len(point.parts) >= len(best.parts):
            best, kind = point, fields[2]
    if kind.startswith(_NETWORK_DISKS):
        return f"this folder is on a network disk ({kind})"
    return None


def saves(folder: Path, *, polling: bool) -> Iterator[set[Path]]:
    """Sets of changed paths, each a moment after a save; ends on Ctrl-C."""
    from watchfiles import watch as changes

    for change in changes(
        folder, force_polling=polling, debounce=200, step=50, raise_interrupt=False
    ):
        yield {Path(path) for _, path in change}


def _wait_until_saved(folder: Path, touched: list[Exercise]) -> None:
    """Some editors empty a file before they write it: give them a moment."""
    deadline = time.monotonic() + _HALF_SAVED
    while time.monotonic() < deadline:
        paths = [folder / exercise.id / exercise.file for exercise in touched]
        if all(path.is_file() and path.stat().st_size > 0 for path in paths):
            return
        time.sleep(0.05)


def _result(session: Session, results: dict[str, ExerciseResult], digest: str) -> SubmissionResult:
    return SubmissionResult("exercises", tuple(results.values()), session.sandbox.name, digest)
