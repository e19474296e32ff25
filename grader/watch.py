"""Grades what changes, on every save."""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.course import Course, Exercise
from grader.errors import UsageError
from grader.host import Answer
from grader.result import ExerciseResult, SubmissionResult
from grader.session import Session
from grader.submission import Rejected, read_submission

_NETWORK_DISKS = (
    *("nfs", "cifs", "smb", "9p", "drvfs", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs"),
    *("vboxsf", "vmhgfs", "prl_fs", "virtiofs", "osxfs", "fakeowner"),  # a virtual machine's host
    *("fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.grpcfuse", "fuse.osxfs"),
    *("fuse.glusterfs", "fuse.vmhgfs", "fuse.ceph"),
)
_LOOK = 0.5  # seconds between two looks, where nothing tells of changes
_HALF_SAVED = 0.3  # seconds to wait for an editor that empties a file before it writes it

Show = Callable[[SubmissionResult, list[str]], None]


def watch(session: Session, folder: Path, show: Show, changes: Iterator[set[Path]]) -> None:
    """Grade the folder once, then whatever the changes touch, until there are no more.

    `show` gets the whole result and the ids that were graded just now. A save that changes
    nothing of what would be executed grades nothing. Raises UsageError for a folder that cannot be
    read at the start; one that is away for a moment later on is waited for."""
    course = session.course
    submission = read_submission(folder, course)
    results: dict[str, ExerciseResult] = {}
    seen: dict[str, str] = {}
    for name, plan in session.plans.items():
        answer = submission.answers.get(name)
        seen[name] = _identity(answer)
        results[name] = session.grade_exercise(plan.exercise, answer)
    show(_result(session, results, submission.digest), list(results))
    for paths in changes:
        touched = [item for item in touched_exercises(course, folder, paths) if item.id in seen]
        if not touched:
            continue
        _wait_until_saved(folder, touched)
        try:
            submission = read_submission(folder, course)
        except UsageError:
            continue
        changed = []
        for exercise in touched:
            answer = submission.answers.get(exercise.id)
            if _identity(answer) != seen[exercise.id]:
                seen[exercise.id] = _identity(answer)
                results[exercise.id] = session.grade_exercise(exercise, answer)
                changed.append(exercise.id)
        if changed:
            show(_result(session, results, submission.digest), changed)


def touched_exercises(course: Course, folder: Path, paths: set[Path]) -> list[Exercise]:
    """The exercises whose folders something has changed in, or which are new or gone."""
    names: set[str] = set()
    for path in paths:
        for root in (folder, folder.resolve()):
            with contextlib.suppress(ValueError):
                names.update(path.relative_to(root).parts[:1])
    return [exercise for exercise in course.exercises if exercise.id in names]


def _identity(answer: Answer) -> str:
    """The same for what is graded the same."""
    if answer is None:
        return ""
    return answer.reason if isinstance(answer, Rejected) else answer.digest


def must_poll(
    folder: Path, mounts: str | None = None, release: str = platform.release()
) -> str | None:
    """Why changes in this folder have to be looked for, not waited for; None where they do not.

    Network disks and the Windows side of WSL do not tell of changes made elsewhere. `mounts` is
    the text of /proc/mounts, `release` the system's own name."""
    folder = folder.resolve()
    if "microsoft" in release.lower() and folder.as_posix().startswith("/mnt/"):
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
        point = Path(re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[1]))
        above = point in (folder, *folder.parents)
        if above and len(point.parts) >= len(best.parts):
            best, kind = point, fields[2]
    if kind.startswith(_NETWORK_DISKS):
        return f"this folder is on a network disk ({kind})"
    return None


def saves(folder: Path, *, polling: bool) -> Iterator[set[Path]]:
    """Sets of changed paths, each a moment after a save, from now on; empty ones in between."""
    if polling:
        return _looked_for(folder, _stamps(folder))
    from watchfiles import watch as changes

    found = changes(
        folder,
        debounce=200,
        step=50,
        rust_timeout=200,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    # Watching begins with the first question, and it has to begin now: what is saved while the
    # first grading runs must not be missed.
    first = next(found, set())
    return ({Path(path) for _, path in change} for change in itertools.chain([first], found))


def _looked_for(folder: Path, before: dict[Path, tuple[int, ...]]) -> Iterator[set[Path]]:
    """Ours, because watchfiles' own counts in whole seconds: when an editor saves, and formats a
    moment later, it sees only the first."""
    while True:
        time.sleep(_LOOK)
        now = _stamps(folder)
        yield {path for path, _ in before.items() ^ now.items()}
        before = now


def _stamps(folder: Path) -> dict[Path, tuple[int, ...]]:
    """What a save changes of each file in the exercises' folders."""
    found: dict[Path, tuple[int, ...]] = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in files:
            path = Path(place, name)
            with contextlib.suppress(OSError):
                stat = path.stat()
                found[path] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    return found


def _wait_until_saved(folder: Path, touched: list[Exercise]) -> None:
    """Some editors empty a file before they write it: give them a moment."""
    deadline = time.monotonic() + _HALF_SAVED
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):  # gone between two looks
            if all((folder / item.id / item.file).stat().st_size > 0 for item in touched):
                return
        time.sleep(0.05)


def _result(session: Session, results: dict[str, ExerciseResult], digest: str) -> SubmissionResult:
    return SubmissionResult("exercises", tuple(results.values()), session.sandbox.name, digest)
