"""The simplest example that a property fails on, for a person who waits for the message.

Every submission is asked the examples that were recorded, and a message tells of the first that
fails, however large that is. Here hypothesis itself runs the check, against a worker that answers
live, and shrinks what fails. Batches never do: it takes as long as grading a hundred submissions.
"""

from __future__ import annotations

from grader.course import Course, Exercise
from grader.host import Answer, LiveHost
from grader.result import CheckResult, Outcome
from grader.sandbox import Sandbox
from grader.suite import SuiteRun, run_suites

_SECONDS = 2.0  # of waiting for the worker: then the example that was found first has to do


def simplest(
    course: Course, sandbox: Sandbox, exercise: Exercise, answer: Answer, failed: CheckResult
) -> str:
    """The message for a failed check, with the simplest example that was found."""
    if not failed.check.drawn:
        return failed.message
    host = LiveHost(course, sandbox, {exercise.id: answer}, seconds=_SECONDS)
    results: list[CheckResult] = []
    run = SuiteRun(
        lambda run: results.extend(run.run(exercise.id, [failed.check])), generating=True
    )
    try:
        run_suites(course, [exercise], host, run)
    finally:
        host.close()
    return next(
        (item.message for item in results if item.outcome is Outcome.FAILED), failed.message
    )
