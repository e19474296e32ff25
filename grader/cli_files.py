"""What the desk's commands share: score files in, written files out, and each error in one line."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.batch.store import Store
from grader.cache import write_whole
from grader.course import Course, find_course
from grader.errors import UsageError
from grader.report.score_file import ScoreFile, decode


def scores(source: Path) -> Iterator[tuple[Path, ScoreFile]]:
    """Of a batch's folder, or of one score file. Raises UsageError, also where there is none."""
    if source.is_dir():
        found = False
        for item in Store(source).scores():
            found = True
            yield item
        if not found:
            raise UsageError(
                f"{source}: holds no score files; first run: python -m grader batch DIR "
                f"--out {source}"
            )
        return
    try:
        yield source, decode(source.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{source}: {error.strerror}; name the folder given to batch --out, or a score file"
        ) from error
    except msgspec.MsgspecError as error:
        raise UsageError(f"{source}: is not a score file: {error}") from error


def course_of(score: ScoreFile) -> Course | None:
    """The course in this folder or above, where it is the one that was graded."""
    with contextlib.suppress(UsageError):
        course = find_course()
        if course.id == score.course:
            return course
    return None


def title_of(score: ScoreFile) -> str:
    """The course's title, or its id where the course is not at hand."""
    course = course_of(score)
    return course.title if course else score.course


def write(path: Path, content: str | bytes, *, wait: bool = True) -> None:
    """Write a file, making the folder that it is in. With `wait` whole or not at all, and safely on
    the disk; without, quickly, for what can be made again. Raises UsageError."""
    raw = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if wait:
            write_whole(path, raw)
        else:
            path.write_bytes(raw)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}; check the path") from error


def write_or_print(target: str, content: str | bytes) -> None:
    """To a file, or to standard output for `-`. Raises UsageError."""
    if target != "-":
        write(Path(target), content)
        return
    raw = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()
