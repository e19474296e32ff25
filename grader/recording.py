"""What a suite asks: its checks, and each check's requests, written down once for all submissions.

With fixed seeds a suite asks every submission the same questions, as long as the answers are
alike. So its checks are run once against the solution, and their requests kept: a `Recording`. A
submission's worker gets all of them in one message (`link.Link.observe`) and sends back what it
observed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import platform
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

import grader
from grader.cache import Cache
from grader.compiled import compile_program
from grader.course import Course, Exercise, digest_files
from grader.protocol import ARRAY_MARK
from grader.result import Check

FORMAT = 1


class Program(msgspec.Struct, frozen=True):
    """One check's requests, ready to be sent."""

    requests: tuple[bytes, ...]
    code: bytes  # the same, compiled; empty where that cannot be

    @classmethod
    def of(cls, requests: tuple[bytes, ...]) -> Program:
        return cls(requests, compile_program(requests))

    @property
    def blob(self) -> bytes:
        """All requests as one marshal value: a tuple is its mark, its length and its items."""
        return b"(" + len(self.requests).to_bytes(4, "little") + b"".join(self.requests)

    @property
    def sends_arrays(self) -> bool:
        """Whether a request holds an array; true as well for one that only looks so."""
        return any(ARRAY_MARK in request for request in self.requests)

    @property
    def digest(self) -> str:
        """Of what is asked."""
        return hashlib.sha256(b"".join(self.requests)).hexdigest()[:16]


class Recording(msgspec.Struct, frozen=True):
    """The checks of one exercise, in suite order, and what each of them asks.

    `programs` is by check id. It is empty where there is no solution to record from, as in a
    student's handout without recordings: then every check is run live."""

    checks: tuple[Check, ...]
    programs: dict[str, Program]
    key: str  # of everything that the questions depend on


def recording_key(course: Course, exercise: Exercise) -> str:
    """The digest of everything that a check's questions and judgement depend on."""
    solution = course.solution(exercise)
    parts = [
        str(FORMAT),
        exercise.id,
        repr(exercise.limits),
        course.suite_digest(exercise),
        digest_files(course.root, [solution] if solution.is_file() else []),
        own_digest(),
        platform.python_version(),
        *(f"{name} {version(name)}" for name in ("pytest", "hypothesis", "msgspec")),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def own_digest() -> str:
    """Of the grader's own code: a changed grader may judge otherwise."""
    root = Path(grader.__file__).parent
    return digest_files(root, sorted(root.rglob("*.py")))


def load(cache: Cache, key: str) -> Recording | None:
    """A recording kept under this key, if there is a whole one."""
    kept = cache.load(f"recording-{key}")
    if kept is None:
        return None
    with contextlib.suppress(msgspec.MsgspecError, ValueError):
        recording = msgspec.msgpack.decode(kept, type=Recording, dec_hook=_fraction)
        return recording if recording.key == key else None
    return None


def save(cache: Cache, recording: Recording) -> None:
    """Keep a recording for the next run."""
    cache.save(f"recording-{recording.key}", msgspec.msgpack.encode(recording, enc_hook=str))


def select(recording: Recording, *, public_only: bool) -> Recording:
    """The same without the hidden checks, where only public ones are wanted."""
    if not public_only:
        return recording
    checks = tuple(check for check in recording.checks if check.visibility == "public")
    return msgspec.structs.replace(recording, checks=checks)


def _fraction(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(kind)
