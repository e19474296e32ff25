"""Cuts the student's copy of a course, and proves that it gives nothing away before it is there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.handout import alone, manifest
from grader.handout.contents import contents
from grader.handout.leaks import leaks
from grader.handout.secrets import secrets
from grader.handout.write import Update, update, write_tree, write_zip


@dataclass(frozen=True)
class Handout:
    """What became of it. With `leaks`, nothing was written."""

    files: int
    leaks: list[str] = field(default_factory=list)
    update: Update | None = None  # where there was an earlier one


def hand_out(
    course: Course,
    target: Path,
    archive: Path | None = None,
    *,
    sandbox: str = "auto",
    install: bool = False,
    advance: Callable[[str], None] = lambda what: None,
) -> Handout:
    """Build a handout beside `target`, prove it, then put it there.

    Raises UsageError for a target that is something else, GraderError for a faulty suite."""
    target = target.absolute()
    before = _earlier(course, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    advance("what the public checks ask, and what mistakes answer")
    files = contents(course, sandbox)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        built = work / "built"
        write_tree(files, built)
        advance("looking for what it may not hold")
        found = leaks(built, secrets(course), course)
        if not found:
            advance("running it on its own")
            found = alone.problems(built, course, sandbox)
        if not found and install:
            advance("installing it in a fresh environment")
            found = alone.installation_problems(built, course, sandbox)
        if found:
            return Handout(len(files), found)
        if archive is not None:
            write_zip(files, course.id, archive.absolute())
        if before is not None:
            return Handout(len(files), update=update(files, target, before))
        if target.is_dir():
            target.rmdir()  # an empty one
        os.rename(built, target)
        return Handout(len(files))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _earlier(course: Course, target: Path) -> manifest.Manifest | None:
    """The handout that is there already, if one is. Raises UsageError for anything else."""
    if not target.exists() and not target.is_symlink():
        return None
    if not target.is_dir():
        raise UsageError(f"{target} is not a folder; name one that is not there yet")
    made = manifest.read(target)
    if made is None:
        if any(target.iterdir()):
            raise UsageError(
                f"{target} is there and is no handout; name a folder that is not there yet"
            )
        return None
    if made.course != course.id:
        raise UsageError(
            f"{target} is a handout of the course {made.course!r}; name another folder"
        )
    return made
