"""When a closer look is taken, and when not: it costs a worker."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from grader import closer
from grader.result import Check, CheckResult, ExerciseResult, Outcome, SubmissionResult


def check(outcome: Outcome, visibility: Any = "public") -> CheckResult:
    about = Check("test_public.py::test_it", "it", visibility, Fraction(1))
    return CheckResult(about, outcome, "" if outcome is Outcome.PASSED else "why")


def result(*checks: CheckResult) -> SubmissionResult:
    exercise = ExerciseResult("one", "One", checks)
    return SubmissionResult("ada", (exercise,), "none", "sha256:0")


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the checks that are looked at."""
    seen: list[str] = []

    def view_of(session: Any, exercise: Any, answer: Any, about: CheckResult) -> None:
        seen.append(about.check.id)

    monkeypatch.setattr(closer, "view_of", view_of)
    return seen


SESSION: Any = SimpleNamespace(course=SimpleNamespace(exercise=lambda name: name), sandbox=None)
SUBMISSION: Any = SimpleNamespace(answers={})


@pytest.mark.parametrize(
    "checks",
    [
        [check(Outcome.PASSED)],
        [check(Outcome.PASSED), check(Outcome.FAILED, "hidden")],
        [check(Outcome.TODO)],
        [check(Outcome.ERROR)],
        [check(Outcome.TIMEOUT)],
    ],
)
def test_no_worker_for_what_passes_is_hidden_or_raised(
    looks: list[str], checks: list[CheckResult]
) -> None:
    before = result(*checks)
    assert closer.explained(SESSION, SUBMISSION, before) is before
    assert looks == []


def test_one_worker_however_many_checks_fail(looks: list[str]) -> None:
    first = msgspec.structs.replace(
        check(Outcome.FAILED), check=Check("first", "it", "public", Fraction(1))
    )
    closer.explained(SESSION, SUBMISSION, result(first, check(Outcome.FAILED)))
    assert looks == ["first"]


def test_result_is_unchanged_where_nothing_can_be_said(looks: list[str]) -> None:
    before = result(check(Outcome.FAILED))
    assert closer.explained(SESSION, SUBMISSION, before) == before
