"""Score files of a class that never was: random, but the same every time."""

from __future__ import annotations

import random
from typing import Any

from grader.report.score_file import (
    CheckScore,
    Digests,
    ExerciseScore,
    Late,
    MistakeNamed,
    ScoreFile,
)
from grader.result import Outcome, worst

WRONG = [Outcome.FAILED] * 6 + [Outcome.ERROR] * 3 + [Outcome.TIMEOUT, Outcome.CRASHED]
TITLES = "chain diamond square tanh power twice_used negative_base reflected constant deep".split()


def score_file(
    student: str = "ada", exercises: tuple[ExerciseScore, ...] = (), **other: Any
) -> ScoreFile:
    """A score file whose sums are right."""
    earned = sum(item.score for item in exercises)
    values: dict[str, Any] = {
        "format": 1, "course": "small", "student": student, "score": earned,
        "max_score": sum(item.max_score for item in exercises), "sandbox": "bwrap",
        "graded_at": "2026-11-30T12:00:00+00:00", "versions": {"grader": "0.1.0", "python": "3.11"},
        "digests": Digests("sha256:0", "sha256:1"), "late": Late(0, 1.0), "notes": (),
        "exercises": exercises,
    }  # fmt: skip
    return ScoreFile(**{**values, **other})


def exercise(name: str = "01_double", *checks: CheckScore, **other: Any) -> ExerciseScore:
    """An exercise whose sums are right."""
    values: dict[str, Any] = {
        "id": name, "title": f"Title of {name}", "score": sum(item.points for item in checks),
        "max_score": sum(item.max_points for item in checks),
        "outcome": worst(item.outcome for item in checks), "mistake": None, "mistakes": (),
        "notes": (), "checks": checks,
    }  # fmt: skip
    if other.get("mistakes"):
        other["mistake"] = other["mistakes"][0]
    return ExerciseScore(**{**values, **other})


def check(
    name: str = "a",
    outcome: Outcome = Outcome.PASSED,
    points: float = 1,
    hidden: bool = False,
    **other: Any,
) -> CheckScore:
    """A check of `points`."""
    visibility = "hidden" if hidden else "public"
    passed = outcome is Outcome.PASSED
    values: dict[str, Any] = {
        "id": f"test_{visibility}.py::test_{name}", "title": name.replace("_", " "),
        "visibility": visibility, "outcome": outcome, "points": points if passed else 0,
        "max_points": points, "message": "" if passed else "expected 112, got 80", "output": "",
        "seconds": 0.01,
    }  # fmt: skip
    return CheckScore(**{**values, **other})


def classroom(count: int, exercises: int = 16, checks: int = 8, seed: int = 1) -> list[ScoreFile]:
    """A class with good and weak students, late ones, and every kind of trouble."""
    draw = random.Random(seed)
    return [_student(draw, number, exercises, checks) for number in range(count)]


def _student(draw: random.Random, number: int, exercises: int, checks: int) -> ScoreFile:
    skill, stop = draw.betavariate(4, 1.3), draw.choice([exercises] * 3 + list(range(exercises)))
    graded = tuple(
        _exercise(draw, at, checks, skill - 0.02 * at if at < stop else None)
        for at in range(exercises)
    )
    days = draw.choice([0] * 9 + [1, 2])
    factor = 1 - 0.1 * days
    whole = score_file(f"student{number:04}", graded)
    left = round(whole.score * factor, 10)
    notes = ("two files answer 04: the newer one counts",) if number % 97 == 0 else ()
    return score_file(
        f"student{number:04}",
        graded,
        score=left if days else whole.score,
        late=Late(days, factor),
        notes=notes,
    )


def _exercise(draw: random.Random, number: int, checks: int, skill: float | None) -> ExerciseScore:
    outcomes = [
        Outcome.TODO if skill is None
        else Outcome.PASSED if draw.random() < 0.5 + skill / 2 else draw.choice(WRONG)
        for _ in range(checks)
    ]  # fmt: skip
    mistakes = ()
    if Outcome.FAILED in outcomes and draw.random() < 0.5:
        name = draw.choice(["overwrites_grad", "pre_order", "visited_flag_stays"])
        mistakes = (MistakeNamed(name, f"Think of what {name} does to a node that is used twice."),)
    message = (
        "built     x = 2;  a = x*x;  b = a*x;  c = a+b;  y = c*a\ndy/dx     expected 112, got 80"
    )
    return exercise(
        f"{number + 1:02}_exercise",
        *(
            check(
                TITLES[at % len(TITLES)] + "_" * (at // len(TITLES)),
                outcome,
                1 + at % 3,
                at % 2 == 1,
                message="" if outcome is Outcome.PASSED else message,
                output="x = 2\n" * 3 if at == 0 else "",
                seconds=round(draw.expovariate(20), 4),
            )
            for at, outcome in enumerate(outcomes)
        ),
        mistakes=mistakes,
    )  # fmt: skip
