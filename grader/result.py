"""Outcomes into points and scores. Values and arithmetic only."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

import msgspec


class Outcome(enum.StrEnum):
    """How a check, or an exercise, ended."""

    PASSED = "passed"
    FAILED = "failed"  # the check's assertion did not hold
    ERROR = "error"  # the submission raised
    TIMEOUT = "timeout"  # it ran past its limit
    CRASHED = "crashed"  # the worker died
    TODO = "todo"  # it raised NotImplementedError
    MISSING = "missing"  # the file or name is not there, or the check was never reported
    GRADER_ERROR = "grader_error"  # our fault, never the student's


# Which of several outcomes an exercise is said to have: the one a reader must know first.
_WORST_FIRST = (
    Outcome.GRADER_ERROR,
    Outcome.CRASHED,
    Outcome.TIMEOUT,
    Outcome.ERROR,
    Outcome.FAILED,
    Outcome.MISSING,
    Outcome.TODO,
    Outcome.PASSED,
)

Visibility = Literal["public", "hidden"]


class Check(msgspec.Struct, frozen=True):
    """One test function as the manifest knows it."""

    id: str  # "test_hidden.py::test_diamond"
    title: str
    visibility: Visibility
    max_points: Fraction
    seconds: float | None = None  # its own limit, where the exercise's does not apply
    hint: str = ""
    drawn: bool = False  # a property: hypothesis draws what it asks


class CheckResult(msgspec.Struct, frozen=True):
    """How one check ended for one submission."""

    check: Check
    outcome: Outcome
    message: str = ""  # why it did not pass, for the student; never empty unless it passed
    output: str = ""  # what the submission printed, cut
    seconds: float = 0.0  # waiting for the worker
    cause: str = ""  # of a grader_error: the type of the suite's exception
    signature: str = ""  # of what was observed, for the diagnosis; empty where nothing was

    @property
    def points(self) -> Fraction:
        """All or nothing: a check is the smallest thing that is worth points."""
        return self.check.max_points if self.outcome is Outcome.PASSED else Fraction(0)


class Mistake(msgspec.Struct, frozen=True):
    """A known misconception that explains what a submission did."""

    id: str
    hint: str


class ExerciseResult(msgspec.Struct, frozen=True):
    """How one exercise ended for one submission; checks in suite order."""

    id: str
    title: str
    checks: tuple[CheckResult, ...]
    mistakes: tuple[Mistake, ...] = ()  # what explains the failing checks, most certain first
    notes: tuple[str, ...] = ()  # what was taken of the submission, and why

    @property
    def score(self) -> Fraction:
        return sum((check.points for check in self.checks), Fraction(0))

    @property
    def max_score(self) -> Fraction:
        return sum((check.check.max_points for check in self.checks), Fraction(0))

    @property
    def outcome(self) -> Outcome:
        return worst(check.outcome for check in self.checks)


class SubmissionResult(msgspec.Struct, frozen=True):
    """How one submission ended: what a score file holds."""

    student: str
    exercises: tuple[ExerciseResult, ...]
    sandbox: str
    submission_digest: str
    notes: tuple[str, ...] = ()

    @property
    def score(self) -> Fraction:
        return sum((item.score for item in self.exercises), Fraction(0))

    @property
    def max_score(self) -> Fraction:
        return sum((item.max_score for item in self.exercises), Fraction(0))

    @property
    def outcome(self) -> Outcome:
        return worst(item.outcome for item in self.exercises)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that a reader must know first; `passed` for none at all."""
    present = set(outcomes)
    return next((item for item in _WORST_FIRST if item in present), Outcome.PASSED)


def number(points: Fraction) -> int | float:
    """Points as JSON shows them: a whole number where it is one."""
    return points.numerator if points.denominator == 1 else float(points)
