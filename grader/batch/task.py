"""One submission graded for a batch, as data in and data out: what travels between processes."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader import diagnosis, recording
from grader.course import Course, read_course
from grader.report import score_file
from grader.result import Outcome, SubmissionResult
from grader.submission import Submission

if TYPE_CHECKING:
    from grader.session import Session


class Settings(msgspec.Struct, frozen=True):
    """What every process of a batch must agree on."""

    root: str  # the course's folder
    sandbox: str
    remember: bool = True
    only: tuple[str, ...] = ()  # exercise ids; all of them when empty


@dataclasses.dataclass(frozen=True, slots=True)
class Graded:
    """What comes back for one submission."""

    scores: bytes  # the score file; empty where there is none
    fault: str | None = None  # an infrastructure error: to be tried again, then told


def serve(settings: Settings, work: Callable[[Callable[[Submission], Graded]], None]) -> None:
    """Open a session and do `work` with a function that grades one submission in it.

    That function raises nothing: what goes wrong in it is the fault of its result."""
    # only here: the process that hands out the work runs no suite, and needs no pytest
    from grader.host import choose_sandbox
    from grader.session import with_session

    course = read_course(Path(settings.root))
    only = [course.exercise(name) for name in settings.only] or None

    def loop(session: Session) -> None:
        def grade(submission: Submission) -> Graded:
            try:
                return as_graded(session.grade(submission), course)
            except Exception as error:
                return Graded(b"", f"{type(error).__name__}: {error}")
            finally:
                if session.memo is not None:  # at once: other processes need not find it again
                    session.memo.save()

        work(grade)

    with_session(
        course,
        choose_sandbox(settings.sandbox),
        loop,
        only=only,
        remember=settings.remember,
        many=True,
    )


def as_graded(result: SubmissionResult, course: Course) -> Graded:
    scores = score_file.encode(score_file.score_file(result, course, "instructor"))
    return Graded(scores, fault(result))


def fault(result: SubmissionResult) -> str | None:
    """The first thing that was our fault, if any."""
    for exercise in result.exercises:
        for check in exercise.checks:
            if check.outcome is Outcome.GRADER_ERROR:
                return f"{exercise.id}: {check.check.id}: {check.message}"
    return None


def fingerprint(settings: Settings) -> str:
    """What must be the same for two score files to be comparable: all that they are made from but
    the submission and the time. What lateness costs is no part of it: that needs no grading."""
    course = read_course(Path(settings.root))
    exercises = [course.exercise(name) for name in settings.only] or course.exercises
    parts = [course.id]
    for item in exercises:
        key = recording.recording_key(course, item)
        parts += [item.title, str(item.points), diagnosis.mistake_key(course, item, key)]
    if settings.sandbox == "none":  # what nothing confined is not believed later
        parts.append("none")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
