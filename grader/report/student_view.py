"""What a student may see of a score file that was made for the instructor."""

from __future__ import annotations

import msgspec

from grader.report.score_file import CheckScore, Digests, ScoreFile


def student_view(score: ScoreFile) -> ScoreFile:
    """Without anything that a hidden check knows: of such a check title and outcome stay, and of
    the mistakes their hints. Changing a hidden number without changing an outcome changes nothing
    here."""
    exercises = tuple(
        msgspec.structs.replace(item, checks=tuple(_check(check) for check in item.checks))
        for item in score.exercises
    )
    # the course's digest covers hidden suites
    return msgspec.structs.replace(
        score, exercises=exercises, digests=Digests(score.digests.submission, "")
    )


def _check(check: CheckScore) -> CheckScore:
    if check.visibility == "public":
        return check
    return msgspec.structs.replace(check, message="", output="", seconds=0.0)
