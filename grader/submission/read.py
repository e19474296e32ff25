"""From a path to a `Submission`: the one entrance of this package."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.submission.files import CODE_BYTES, read_file
from grader.submission.model import (
    Cell,
    RefusedError,
    Rejected,
    Source,
    Submission,
    make_source,
    make_submission,
)

if TYPE_CHECKING:
    from grader.course import Course, Exercise


def read_submission(path: Path, course: Course, only: Sequence[str] = ()) -> Submission:
    """Read a folder laid out like `exercises/`, or one file, for the exercises in `only` (all).

    Raises UsageError for a path that is not there, an id that is not in the course, and a file
    that could answer several exercises. Whatever is wrong *with* a file is a `Rejected` answer.
    """
    asked = select(course, only)
    student = path.resolve().name
    if path.is_dir():
        return make_submission(student, _read_folder(path, asked))
    if not path.is_symlink() and not path.exists():
        raise UsageError(f"{path}: there is no such file or folder; check the path")
    exercise = _guess(path, course, asked)
    return make_submission(path.stem, {exercise.id: _read_python(path)})


def select(course: Course, only: Sequence[str]) -> tuple[Exercise, ...]:
    """The exercises whose ids are in `only`, in course order; all of them when it is empty."""
    known = [exercise.id for exercise in course.exercises]
    for wanted in only:
        if wanted not in known:
            near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
            remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise UsageError(f'exercise "{wanted}" is not in the course; {remedy}')
    return tuple(exercise for exercise in course.exercises if not only or exercise.id in only)


def _read_folder(folder: Path, asked: tuple[Exercise, ...]) -> dict[str, Source | Rejected]:
    answers: dict[str, Source | Rejected] = {}
    for exercise in asked:
        path = folder / exercise.id / exercise.file
        if path.is_symlink() or path.exists():
            answers[exercise.id] = _read_python(path)
    return answers


def _guess(path: Path, course: Course, asked: tuple[Exercise, ...]) -> Exercise:
    if len(asked) == 1:
        return asked[0]
    named = [e for e in asked if e.id in (path.resolve().parent.name, path.stem)]
    fitting = named or [e for e in asked if e.file == path.name]
    if len(fitting) == 1:
        return fitting[0]
    some = ", ".join(e.id for e in (fitting or asked))
    raise UsageError(f"{path}: this could answer {some}; say which with -e ID")


def _read_python(path: Path) -> Source | Rejected:
    try:
        data = read_file(path, CODE_BYTES)
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except RefusedError as refused:
        return Rejected(str(refused))
    except UnicodeDecodeError as error:
        return Rejected(f"{path.name}: byte {error.start} is not UTF-8 text")
    if not text.strip():
        return Rejected(f"{path.name}: the file is empty")
    if "\0" in text:
        return Rejected(f"{path.name}: there is a NUL character at position {text.index(chr(0))}")
    return make_source((Cell(path.name, text),))
