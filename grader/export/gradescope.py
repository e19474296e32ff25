"""Gradescope's `results.json`: one for each submission."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from grader.report.points import days_late
from grader.report.score_file import CheckScore, ExerciseScore, ScoreFile
from grader.report.student_view import student_view
from grader.report.text import plain
from grader.result import Outcome

# When a student sees a hidden check's title and outcome. While any test is not visible,
# Gradescope shows no total either, which would give it away.
Visibility = Literal["visible", "after_due_date", "after_published", "hidden"]
VISIBILITIES: tuple[Visibility, ...] = ("visible", "after_due_date", "after_published", "hidden")


def results(score: ScoreFile, hidden: Visibility = "after_published") -> dict[str, Any]:
    """The file's content. Nothing that a hidden check knows is in it, whenever it is shown."""
    score = student_view(score)
    return {
        "score": score.score,  # after lateness; without it, Gradescope would add up the tests
        "output": _output(score),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            _test(exercise, check, f"{place}.{number}", hidden)
            for place, exercise in enumerate(score.exercises, 1)
            for number, check in enumerate(exercise.checks, 1)
        ],
    }


def refused(reason: str) -> dict[str, Any]:
    """For a submission of which nothing could be graded."""
    return {"score": 0, "output": plain(reason), "output_format": "text", "visibility": "visible"}


def _output(score: ScoreFile) -> str:
    lines = [plain(note) for note in score.notes]
    for exercise in score.exercises:
        lines += [f"{exercise.id}: {plain(note)}" for note in exercise.notes]
        if exercise.outcome is Outcome.GRADER_ERROR:
            lines.append(
                f"{exercise.id} could not be graded. This is a fault of the course, not of your "
                "file. Tell your instructor."
            )
        lines += [f"{exercise.id}: {plain(mistake.hint)}" for mistake in exercise.mistakes]
    if score.late.days:
        lines.append(
            f"{days_late(score.late.days)}: {score.late.factor:.0%} of the points are left."
        )
    return "\n".join(lines)


def _test(
    exercise: ExerciseScore, check: CheckScore, number: str, hidden: Visibility
) -> dict[str, Any]:
    output = plain(check.message, 10_000)
    if check.output and check.outcome is not Outcome.PASSED:
        output += f"\n\nYour code printed:\n{plain(check.output, 10_000)}"
    test: dict[str, Any] = {
        "number": number,
        "name": f"{exercise.id}: {plain(check.title)}",
        "name_format": "text",
        "score": check.points,
        "max_score": check.max_points,
        "output": output or str(check.outcome).replace("_", " "),
        "output_format": "text",
        "tags": [exercise.id, check.visibility],
        "visibility": hidden if check.visibility == "hidden" else "visible",
    }
    if check.outcome is not Outcome.GRADER_ERROR:  # which is neither
        test["status"] = "passed" if check.outcome is Outcome.PASSED else "failed"
    return test


def main(errors: str, target: str) -> None:
    """Write the results of a submission that could not be graded, with what the grader said."""
    reason = Path(errors).read_text(encoding="utf-8", errors="replace").strip()
    Path(target).write_text(json.dumps(refused(reason)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
