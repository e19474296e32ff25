"""Submissions, graded: a worker for each exercise, the suite's checks run against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from grader.cache import FOLDER, Cache
from grader.course import Course, Exercise, find_course
from grader.errors import UsageError
from grader.link import Deadline, Link, Order, Stopped, packages_for
from grader.protocol import Raised, Reply
from grader.proxy import Conversation
from grader.raised import submission_error
from grader.result import Check, ExerciseResult, Outcome, SubmissionResult
from grader.sandbox import Sandbox, SandboxUnavailable, WorkerLimits, choose
from grader.submission import Rejected, Source, Submission, read_submission
from grader.suite import SuiteRun, read_manifest, run_suites

T = TypeVar("T")
Answer = Source | Rejected | None


# ---- where the checks' questions go ------------------------------------------------------------


@dataclass
class LiveChannel:
    """A conversation's requests, each put to the worker as it is made."""

    link: Link
    clock: Deadline

    def exchange(self, number: int, request: bytes) -> Reply:
        return self.link.ask(number, request, self.clock)


@dataclass
class Bench:
    """One submission's workers, one for each exercise; the host of its checks (`plugin.Host`)."""

    course: Course
    sandbox: Sandbox
    answers: Mapping[str, Answer] = field(default_factory=dict)
    _links: dict[str, Link] = field(default_factory=dict)
    _waited: float = 0.0

    def begin(self, exercise: str, check: Check) -> Conversation:
        """A conversation about a freshly executed submission (`plugin.Host.begin`)."""
        link = self._link(exercise)
        self._waited = link.waited
        clock = link.begin(check.seconds or self.course.exercise(exercise).limits.seconds)
        if isinstance(clock.loading, Raised):
            raise submission_error(clock.loading)
        return Conversation(LiveChannel(link, clock))

    def end(self, exercise: str) -> tuple[float, str]:
        link = self._links.get(exercise)
        if link is None:
            return 0.0, ""
        return link.waited - self._waited, link.take_output()

    def notes(self, exercise: str) -> tuple[str, ...]:
        """What was taken of the submission, and why."""
        answer = self.answers.get(exercise)
        link = self._links.get(exercise)
        return (*(answer.notes if isinstance(answer, Source) else ()), *(link.notes if link else ()))

    def close(self) -> None:
        """End all workers."""
        for link in self._links.values():
            link.close()

    def _link(self, exercise: str) -> Link:
        if exercise not in self._links:
            answer = self.answers.get(exercise)
            item = self.course.exercise(exercise)
            if answer is None:
                raise Stopped(Outcome.MISSING, f"no {item.file} was handed in")
            if isinstance(answer, Rejected):
                raise Stopped(Outcome.MISSING, answer.reason)
            limits = item.limits
            self._links[exercise] = Link(
                self.sandbox,
                Order(answer, item.file, limits.imports),
                WorkerLimits(limits.memory_mb, limits.processes, limits.output_kb),
                limits.total_seconds,
                packages_for(limits.imports),
            )
        return self._links[exercise]


# ---- grading -----------------------------------------------------------------------------------


@dataclass
class Session:
    """Suites that are collected once and run for one submission after another."""

    course: Course
    sandbox: Sandbox
    manifest: Mapping[str, tuple[Check, ...]]
    _run: SuiteRun
    _bench: Bench

    def grade_exercise(self, exercise: Exercise, answer: Answer) -> ExerciseResult:
        """All checks of one exercise, against one answer to it."""
        bench = self._bench = Bench(self.course, self.sandbox, {exercise.id: answer})
        try:
            checks = self._run.run(exercise.id, self.manifest[exercise.id])
            return ExerciseResult(
                exercise.id, exercise.title, checks, notes=bench.notes(exercise.id)
            )
        finally:
            bench.close()

    def grade(
        self, submission: Submission, progress: Callable[[ExerciseResult], None] = lambda _: None
    ) -> SubmissionResult:
        """All exercises of the session. `progress` is called as each is done."""
        results = []
        for exercise_id in self.manifest:
            exercise = self.course.exercise(exercise_id)
            results.append(self.grade_exercise(exercise, submission.answers.get(exercise_id)))
            progress(results[-1])
        return SubmissionResult(
            student=submission.student,
            exercises=tuple(results),
            sandbox=self.sandbox.name,
            submission_digest=submission.digest,
            notes=submission.notes,
        )

    # the host that pytest sees is the bench of the moment

    def begin(self, exercise: str, check: Check) -> Conversation:
        return self._bench.begin(exercise, check)

    def end(self, exercise: str) -> tuple[float, str]:
        return self._bench.end(exercise)


def with_session(
    course: Course,
    sandbox: Sandbox,
    work: Callable[[Session], T],
    *,
    only: Sequence[Exercise] | None = None,
    public_only: bool = False,
) -> T:
    """Collect the suites and do `work` with them; its result.

    Raises GraderError where a suite cannot be collected."""
    exercises = tuple(course.exercises if only is None else only)
    cache = Cache(course.root / FOLDER)
    manifest = {
        item.id: tuple(
            check
            for check in read_manifest(course, item, cache)
            if check.visibility == "public" or not public_only
        )
        for item in exercises
    }
    results: list[T] = []
    run = SuiteRun(lambda run: results.append(work(session)))
    session = Session(course, sandbox, manifest, run, Bench(course, sandbox))
    run_suites(course, exercises, session, run)
    return results[0]


def host_for(path: Path, sandbox: str, start: Path) -> Bench:
    """The host for `pytest tests/suites --submission PATH`. Raises UsageError."""
    course = find_course(start)
    return Bench(course, choose_sandbox(sandbox), read_submission(path, course).answers)


def choose_sandbox(requested: str) -> Sandbox:
    """`sandbox.choose`, with its refusals as UsageError."""
    try:
        return choose(requested)
    except (SandboxUnavailable, ValueError) as error:
        raise UsageError(str(error)) from error
