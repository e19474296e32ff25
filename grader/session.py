"""One submission, graded: a worker for each exercise, the suites' checks run against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.cache import FOLDER, Cache
from grader.course import Course, Exercise, find_course
from grader.errors import UsageError
from grader.link import Deadline, Link, Order, Stopped, packages_for
from grader.protocol import Raised, Reply
from grader.proxy import Conversation
from grader.raised import submission_error
from grader.result import Check, CheckResult, ExerciseResult, Outcome, SubmissionResult
from grader.sandbox import Sandbox, SandboxUnavailable, WorkerLimits, choose
from grader.submission import Rejected, Source, Submission, read_submission
from grader.suite import SuiteRun, read_manifest, run_suites

Progress = Callable[[ExerciseResult], None]


@dataclass
class LiveChannel:
    """A conversation's requests, each put to the worker as it is made."""

    link: Link
    clock: Deadline

    def exchange(self, number: int, request: bytes) -> Reply:
        return self.link.ask(number, request, self.clock)


@dataclass
class Bench:
    """The host of the checks: the submission's workers, one for each exercise (`plugin.Host`)."""

    course: Course
    sandbox: Sandbox
    answers: Mapping[str, Source | Rejected]
    links: dict[str, Link] = field(default_factory=dict)
    waited_before: float = 0.0

    def begin(self, exercise: str, check: Check) -> Conversation:
        """A conversation about a freshly executed submission (`plugin.Host.begin`)."""
        link = self._link(exercise)
        self.waited_before = link.waited
        limits = self.course.exercise(exercise).limits
        clock = link.begin(check.seconds or limits.seconds)
        if isinstance(clock.loading, Raised):
            raise submission_error(clock.loading)
        return Conversation(LiveChannel(link, clock))

    def end(self, exercise: str) -> tuple[float, str]:
        link = self.links.get(exercise)
        if link is None:
            return 0.0, ""
        return link.waited - self.waited_before, link.take_output()

    def close(self) -> None:
        for link in self.links.values():
            link.close()

    def _link(self, exercise: str) -> Link:
        if exercise not in self.links:
            answer = self.answers.get(exercise)
            item = self.course.exercise(exercise)
            if answer is None:
                raise Stopped(Outcome.MISSING, f"no {item.file} was handed in")
            if isinstance(answer, Rejected):
                raise Stopped(Outcome.MISSING, answer.reason)
            limits = item.limits
            self.links[exercise] = Link(
                self.sandbox,
                Order(answer, item.file, limits.imports),
                WorkerLimits(limits.memory_mb, limits.processes, limits.output_kb),
                limits.total_seconds,
                packages_for(limits.imports),
            )
        return self.links[exercise]


def grade(
    course: Course,
    submission: Submission,
    sandbox: Sandbox,
    *,
    only: Sequence[Exercise] | None = None,
    public_only: bool = False,
    progress: Progress = lambda result: None,
) -> SubmissionResult:
    """Grade one submission. `progress` is called as each exercise is done.

    Raises GraderError where the course cannot be collected at all."""
    exercises = tuple(only if only is not None else course.exercises)
    cache = Cache(course.root / FOLDER)
    manifest = {item.id: read_manifest(course, item, cache) for item in exercises}
    if public_only:
        manifest = {
            key: tuple(check for check in checks if check.visibility == "public")
            for key, checks in manifest.items()
        }
    results: list[ExerciseResult] = []

    def work(run: SuiteRun) -> None:
        for exercise in exercises:
            checks = run.run(exercise.id, manifest[exercise.id])
            result = _exercise_result(exercise, checks, submission, bench)
            results.append(result)
            progress(result)

    bench = Bench(course, sandbox, submission.answers)
    try:
        run_suites(course, exercises, bench, work)
    finally:
        bench.close()
    return SubmissionResult(
        student=submission.student,
        exercises=tuple(results),
        sandbox=sandbox.name,
        submission_digest=submission.digest,
        notes=submission.notes,
    )


def _exercise_result(
    exercise: Exercise, checks: tuple[CheckResult, ...], submission: Submission, bench: Bench
) -> ExerciseResult:
    answer = submission.answers.get(exercise.id)
    notes = answer.notes if isinstance(answer, Source) else ()
    link = bench.links.get(exercise.id)
    if link is not None:
        notes = (*notes, *link.notes)
        link.close()
    return ExerciseResult(exercise.id, exercise.title, checks, notes=notes)


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
