"""A closer look at a failing check, for a person who waits: the first wrong node, and the simplest
example of a property.

Here the core and what is special about autograd meet: the command line calls this, batches never
do. It costs one more worker, for the one check that is shown in detail.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from grader.course import Exercise
from grader.host import Answer, link_for, live
from grader.observation import Stopped
from grader.raised import SubmissionError
from grader.result import CheckResult, Outcome, SubmissionResult
from grader.sandbox import Sandbox
from grader.session import Session
from grader.simplest import simplest
from grader.submission import Submission

if TYPE_CHECKING:  # loaded with the first check that is looked at: a run that passes needs none
    from grader.autograd.look import View


def view_of(
    session: Session,
    exercise: Exercise,
    answer: Answer,
    check: CheckResult,
    *,
    also_right: bool = False,
) -> View | None:
    """The graph that a public check built in this answer, graded just now; None where there is
    nothing to show. With `also_right`, its first graph where none is wrong."""
    requests = session.asked.get(exercise.id, {}).get(check.check.id, ())
    if not requests:
        return None
    seconds = check.check.seconds or exercise.limits.seconds
    return view_of_requests(
        exercise, session.sandbox, answer, requests, check.message, seconds, also_right=also_right
    )


def view_of_requests(
    exercise: Exercise,
    sandbox: Sandbox,
    answer: Answer,
    requests: Sequence[bytes],
    message: str,
    seconds: float | None = None,
    *,
    also_right: bool = True,
) -> View | None:
    """The graph that these requests build, in a fresh worker."""
    from grader.autograd.look import look

    with contextlib.suppress(Stopped, SubmissionError):
        link = link_for(exercise, sandbox, answer)
        try:
            channel = live(link, seconds or exercise.limits.seconds)
            return look(channel, requests, message, also_right=also_right)
        finally:
            link.close()
    return None


def explained(
    session: Session,
    submission: Submission,
    result: SubmissionResult,
    focus: str | None = None,
    *,
    hidden: bool = False,
) -> SubmissionResult:
    """The result with the first wrong node, or the simplest example, in the message that is shown
    in detail; with `hidden`, to somebody who sees the hidden checks."""
    return with_view(session, submission, result, focus, hidden=hidden)[0]


def with_view(
    session: Session,
    submission: Submission,
    result: SubmissionResult,
    focus: str | None = None,
    *,
    hidden: bool = False,
) -> tuple[SubmissionResult, View | None]:
    """The same, and what there is to draw."""
    index = shown(result, focus)
    if index is None:
        return result, None
    item = result.exercises[index]
    place = next((n for n, check in enumerate(item.checks) if _looked_at(check, hidden)), None)
    if place is None:
        return result, None
    view, check = None, item.checks[place]
    exercise = session.course.exercise(item.id)
    from grader.autograd.look import with_first_wrong

    with contextlib.suppress(Exception):  # an extra: no fault in it may cost anybody the result
        answer = submission.answers.get(item.id)
        message = simplest(session.course, session.sandbox, exercise, answer, check)
        check = msgspec.structs.replace(check, message=message)
        view = view_of(session, exercise, answer, check)
        if view is not None:
            message = with_first_wrong(check.message, view)
            if submission.student == "exercises":  # where `graph` looks by itself
                message += f"\nsee it: python -m grader graph {item.id}"
            check = msgspec.structs.replace(check, message=message)
    checks = (*item.checks[:place], check, *item.checks[place + 1 :])
    item = msgspec.structs.replace(item, checks=checks)
    exercises = (*result.exercises[:index], item, *result.exercises[index + 1 :])
    return msgspec.structs.replace(result, exercises=exercises), view


def shown(result: SubmissionResult, focus: str | None) -> int | None:
    """Which exercise is shown in detail: the one in `focus`, or the first that does not pass."""
    ids = [item.id for item in result.exercises]
    if focus in ids:
        return ids.index(focus or "")
    return next(
        (n for n, item in enumerate(result.exercises) if item.outcome is not Outcome.PASSED), None
    )


def _looked_at(check: CheckResult, hidden: bool) -> bool:
    return check.outcome is Outcome.FAILED and (hidden or check.check.visibility == "public")
