"""From a path to a `Submission`: the one entrance of this package."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.submission.archive import list_zip
from grader.submission.entries import Entry, Listing
from grader.submission.files import ZIP_BYTES, read_file
from grader.submission.folder import list_folder
from grader.submission.model import RefusedError, Rejected, Submission, make_submission
from grader.submission.names import listed, shown, stem_of
from grader.submission.reader import Reader
from grader.submission.sniff import is_zip
from grader.submission.stubs import Expected, expectations

if TYPE_CHECKING:
    from grader.course import Course


def read_submission(path: Path, course: Course, only: Sequence[str] = ()) -> Submission:
    """Read a folder, a zip archive or one file, for the exercises in `only` (all).

    Raises UsageError for a path that is not there, an id that is not in the course, and a lone
    file that could answer several exercises. Whatever is wrong *with* a file is a `Rejected`.
    """
    asked = select(course, only)
    expected = expectations(course)
    try:
        is_folder = path.is_dir()
        if not is_folder and not path.is_symlink() and not path.exists():
            raise UsageError(f"{path}: there is no such file or folder; check the path")
        place = path.resolve()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: this path cannot be used ({error}); check it") from error
    student = shown(place.name if is_folder else stem_of(path.name), 200)
    try:
        if is_folder:
            listing = list_folder(place)
        else:
            listing = list_file(path.name, read_file(path, ZIP_BYTES), (place.parent.name,))
    except RefusedError as refused:
        reason = str(refused) if is_folder else f"{shown(path.name)}: {refused}"
        return reject_all(student, asked, reason)
    reader = Reader(expected)
    submission = reader.read(listing, student, asked)
    if listing.single and len(reader.ambiguous) > 1:
        names = listed(sorted(reader.ambiguous))
        raise UsageError(f"{path}: this could answer {names}; say which with -e ID")
    if listing.single and not submission.answers:
        names = listed(sorted(asked))
        raise UsageError(f"{path}: cannot tell which of {names} this answers; say it with -e ID")
    return submission


def read_listing(
    listing: Listing,
    student: str,
    course: Course,
    only: Sequence[str] = (),
    expected: tuple[Expected, ...] = (),
) -> Submission:
    """The same for files that are already listed; a lone file that could answer several
    exercises is `Rejected` for each of them. `expected`: of the course, where it is at hand."""
    return Reader(expected or expectations(course)).read(listing, student, select(course, only))


def select(course: Course, only: Sequence[str]) -> frozenset[str]:
    """The ids in `only`, or all of the course's. Raises UsageError for one that it has not."""
    known = [exercise.id for exercise in course.exercises]
    for wanted in only:
        if wanted not in known:
            near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
            remedy = f"did you mean {near[0]}?" if near else f"there are {listed(known, 20)}"
            raise UsageError(f'exercise "{wanted}" is not in the course; {remedy}')
    return frozenset(only or known)


def list_file(name: str, data: bytes, context: tuple[str, ...]) -> Listing:
    """One file that stands alone, or the members of a zip archive. Raises RefusedError.

    `context`: names around it that may tell which exercise it answers."""
    if is_zip(data):
        return list_zip(data, (*context, stem_of(name)))
    entry = Entry((name,), len(data), lambda limit: data)
    return Listing((entry,), (), context, single=True)


def reject_all(student: str, asked: frozenset[str], reason: str) -> Submission:
    """A submission of which nothing can be read."""
    return make_submission(student, {name: Rejected(reason) for name in sorted(asked)})
