"""What a course's accepted variants are asked that its solution is not, by check: programs to try
with a submission that the solution's program does not fit. Found once, and then kept."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.cache import Cache
from grader.course import Course, Exercise, digest_files
from grader.recording import Program

MOST = 4  # programs for one check

Styles = Mapping[str, tuple[Program, ...]]


def files(course: Course, exercise: Exercise) -> list[Path]:
    """The accepted variants of an exercise."""
    return sorted((course.suite(exercise) / "accepted").glob("*.py"))


def key(course: Course, exercise: Exercise, recording_key: str) -> str:
    """The digest of everything that the programs depend on."""
    return f"styles-{recording_key}-{digest_files(course.root, files(course, exercise))}"


def load(cache: Cache, key: str) -> Styles | None:
    kept = cache.load(key)
    if kept is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(kept, type=dict[str, tuple[Program, ...]])
    return None


def save(cache: Cache, key: str, styles: Styles) -> None:
    cache.save(key, msgspec.msgpack.encode(styles))
