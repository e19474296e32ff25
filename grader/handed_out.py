"""What a handout carries in place of solutions and mistakes: what the public checks ask, and what
each mistake answers to them, as digests. Neither tells how anything is solved."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import msgspec

from grader.course import Course, Exercise, digest_files
from grader.result import CheckResult, Outcome

FILE = "handed_out.json"  # beside test_public.py, in a handout only


class KnownMistake(msgspec.Struct, frozen=True):
    """A mistake, and what its failing checks observe: signature by check id."""

    id: str
    hint: str
    signatures: dict[str, str]


class HandedOut(msgspec.Struct, frozen=True):
    """For one exercise; valid only for the very suite it was made from."""

    suite: str  # the digest of test_public.py
    programs: dict[str, tuple[bytes, ...]]  # the requests of each public check
    mistakes: tuple[KnownMistake, ...]


def read(course: Course, exercise: Exercise) -> HandedOut | None:
    """What this copy of the course was handed out with; None in the instructor's own."""
    path = course.suite(exercise) / FILE
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        made = msgspec.json.decode(path.read_bytes(), type=HandedOut)
        if made.suite == public_suite_digest(course, exercise):
            return made
    return None


def encode(
    course: Course,
    exercise: Exercise,
    programs: Mapping[str, tuple[bytes, ...]],
    known: tuple[KnownMistake, ...],
) -> bytes:
    """The file for a handout: nothing of it comes from a hidden check."""
    made = HandedOut(
        public_suite_digest(course, exercise),
        {key: value for key, value in programs.items() if _is_public(key)},
        tuple(
            KnownMistake(
                item.id,
                item.hint,
                {key: value for key, value in item.signatures.items() if _is_public(key)},
            )
            for item in known
            if any(map(_is_public, item.signatures))
        ),
    )
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def known_mistake(name: str, hint: str, checks: tuple[CheckResult, ...]) -> KnownMistake:
    """A mistake that has been graded like a submission."""
    signatures = {
        item.check.id: item.signature
        for item in checks
        if item.outcome is not Outcome.PASSED and item.signature
    }
    return KnownMistake(name, hint, signatures)


def public_suite_digest(course: Course, exercise: Exercise) -> str:
    return digest_files(course.root, [course.suite(exercise) / "test_public.py"])


def _is_public(check: str) -> bool:
    return check.startswith("test_public.py::")
