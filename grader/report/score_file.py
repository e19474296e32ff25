"""The score file: one submission's result as JSON (design of the format:
`score_file.schema.json`)."""

from __future__ import annotations

import functools
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import msgspec

import grader
from grader.cache import write_whole
from grader.course import Course
from grader.errors import UsageError
from grader.late import Lateness
from grader.report.text import plain
from grader.result import CheckResult, ExerciseResult, Outcome, SubmissionResult, number

FORMAT = 1
Audience = Literal["student", "instructor"]


class CheckScore(msgspec.Struct, frozen=True):
    """One check, as the score file holds it."""

    id: str
    title: str
    visibility: str
    outcome: Outcome
    points: int | float
    max_points: int | float
    message: str
    output: str
    seconds: float


class MistakeNamed(msgspec.Struct, frozen=True):
    """The known mistake that explains the submission."""

    id: str
    hint: str


class ExerciseScore(msgspec.Struct, frozen=True):
    """One exercise, as the score file holds it."""

    id: str
    title: str
    score: int | float
    max_score: int | float
    outcome: Outcome
    mistake: MistakeNamed | None  # the most certain
    mistakes: tuple[MistakeNamed, ...]  # at most two, where several were made at once
    notes: tuple[str, ...]
    checks: tuple[CheckScore, ...]


class Late(msgspec.Struct, frozen=True):
    """Started days late, and the share of the score that is left."""

    days: int
    factor: float


class Digests(msgspec.Struct, frozen=True):
    """What was graded, and by which course."""

    submission: str
    course: str


class ScoreFile(msgspec.Struct, frozen=True):
    """Everything that one grading found out."""

    format: int
    course: str
    student: str
    score: int | float
    max_score: int | float
    sandbox: str
    graded_at: str
    versions: dict[str, str]
    digests: Digests
    late: Late
    notes: tuple[str, ...]
    exercises: tuple[ExerciseScore, ...]


def score_file(
    result: SubmissionResult, course: Course, audience: Audience, graded_at: datetime | None = None
) -> ScoreFile:
    """The score file for `audience`. A student's holds nothing that a hidden check knows: title
    and outcome of such a check only, and no digest over hidden suites."""
    at = graded_at or datetime.now(UTC)
    student = audience == "student"
    return ScoreFile(
        format=FORMAT,
        course=course.id,
        student=plain(result.student, 200),
        score=number(result.score),
        max_score=number(result.max_score),
        sandbox=result.sandbox,
        graded_at=at.isoformat(timespec="seconds"),
        versions=versions(),
        digests=Digests(
            result.submission_digest, course.public_digest if student else course.digest
        ),
        late=Late(0, 1.0),
        notes=tuple(plain(note) for note in result.notes),
        exercises=tuple(_exercise(item, student) for item in result.exercises),
    )


def with_lateness(score: ScoreFile, late: Mapping[str, Lateness]) -> ScoreFile:
    """The same result, handed in so late; by exercise id. Needs no grading.

    An exercise keeps the score that it earned; the total is what is left of it. `days` is the
    latest exercise's, `factor` the share that is left of the whole."""
    earned = left = Fraction(0)
    days = 0
    for exercise in score.exercises:
        points = Fraction(str(exercise.score))
        lateness = late.get(exercise.id)
        earned += points
        left += points * (lateness.factor if lateness else 1)
        days = max(days, lateness.days if lateness else 0)
    factors = [item.factor for item in late.values()] or [Fraction(1)]
    factor = left / earned if earned else min(factors)
    return msgspec.structs.replace(score, score=number(left), late=Late(days, float(factor)))


def _exercise(result: ExerciseResult, student: bool) -> ExerciseScore:
    named = tuple(MistakeNamed(item.id, item.hint) for item in result.mistakes)
    return ExerciseScore(
        id=result.id,
        title=result.title,
        score=number(result.score),
        max_score=number(result.max_score),
        outcome=result.outcome,
        mistake=named[0] if named else None,
        mistakes=named,
        notes=tuple(plain(note) for note in result.notes),
        checks=tuple(_check(item, student) for item in result.checks),
    )


def _check(result: CheckResult, student: bool) -> CheckScore:
    check = result.check
    secret = student and check.visibility == "hidden"
    return CheckScore(
        id=check.id,
        title=check.title,
        visibility=check.visibility,
        outcome=result.outcome,
        points=number(result.points),
        max_points=number(check.max_points),
        message=_hidden_message(result) if secret else plain(result.message),
        output="" if secret else plain(result.output, 100_000),
        seconds=0.0 if secret else round(result.seconds, 4),
    )


def _hidden_message(result: CheckResult) -> str:
    """What a student may know of a hidden check: its hint, and never a word of the submission,
    which could carry the check's own numbers out."""
    return "" if result.outcome is Outcome.PASSED else result.check.hint


@functools.cache  # looking a version up reads files
def versions() -> dict[str, str]:
    """What graded: the same versions ask the same questions."""
    return {
        "grader": grader.__version__,
        "python": platform.python_version(),
        "pytest": version("pytest"),
        "hypothesis": version("hypothesis"),
    }


def encode(score: ScoreFile) -> bytes:
    """As UTF-8 JSON, indented, with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(score), indent=2) + b"\n"


def decode(raw: bytes) -> ScoreFile:
    """Raises msgspec.MsgspecError for anything but a score file."""
    return msgspec.json.decode(raw, type=ScoreFile)


def write(score: ScoreFile, target: str) -> None:
    """To a file, whole or not at all, or to standard output for `-`. Raises UsageError."""
    if target == "-":
        sys.stdout.buffer.write(encode(score))
        sys.stdout.buffer.flush()
        return
    try:
        write_whole(Path(target), encode(score))
    except OSError as error:
        raise UsageError(
            f"{target}: cannot be written: {error.strerror}; check the path"
        ) from error


def schema() -> dict[str, Any]:
    """The JSON Schema of the score file, from the structs above."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The score file of one submission",
        **msgspec.json.schema(ScoreFile),
    }
