"""Submissions, graded.

For each exercise one message runs all recorded programs in a worker, and one reply brings what they
observed. What an observation means is looked up, or found by running the suite's own check
against it. Only a check that then asks something else than was recorded is run live.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from grader import diagnosis, handed_out, styles
from grader.attempt import Attempt, Plan
from grader.cache import FOLDER, Cache
from grader.course import Course, Exercise
from grader.handed_out import KnownMistake
from grader.host import Answer, link_for, own_answer
from grader.memo import Judgement, Memo
from grader.observation import Observation, Stopped
from grader.plugin import explain
from grader.proxy import Conversation
from grader.raised import submission_error
from grader.recorder import all_kept, recordings
from grader.recording import Program, select
from grader.result import (
    Check,
    CheckResult,
    ExerciseResult,
    Mistake,
    Outcome,
    SubmissionResult,
)
from grader.sandbox import Sandbox
from grader.styles import Styles
from grader.submission import Source, Submission
from grader.suite import SuiteRun, run_suites

T = TypeVar("T")
MEMO_FILE = "memo.sqlite"


@dataclass
class Session:
    """A course's suites, ready to grade one submission after another."""

    course: Course
    sandbox: Sandbox
    plans: Mapping[str, Plan]
    cache: Cache
    memo: Memo | None = None  # None: every observation is judged anew
    run: SuiteRun | None = None  # suites that stay collected; without, collected when needed
    diagnosing: bool = True
    # what the public checks of the latest answer to an exercise asked, by exercise and check id:
    # for whoever wants to look closer at one that fails
    asked: dict[str, dict[str, tuple[bytes, ...]]] = field(default_factory=dict)
    _attempt: Attempt | None = None
    _known: dict[str, tuple[KnownMistake, ...]] = field(default_factory=dict)
    _others: dict[str, Styles] = field(default_factory=dict)
    _learning: bool = False

    def grade(
        self, submission: Submission, progress: Callable[[ExerciseResult], None] = lambda _: None
    ) -> SubmissionResult:
        """All exercises of the session. `progress` is called as each is done."""
        results = []
        for name, plan in self.plans.items():
            results.append(self.grade_exercise(plan.exercise, submission.answers.get(name)))
            progress(results[-1])
        return SubmissionResult(
            student=submission.student,
            exercises=tuple(results),
            sandbox=self.sandbox.name,
            submission_digest=submission.digest,
            notes=submission.notes,
        )

    def grade_exercise(self, exercise: Exercise, answer: Answer) -> ExerciseResult:
        """All checks of one exercise, against one answer to it."""
        plan = self.plans[exercise.id]
        notes = answer.notes if isinstance(answer, Source) else ()
        try:
            link = link_for(exercise, self.sandbox, answer, arrays=plan.arrays)
        except Stopped as stopped:
            results = [CheckResult(item, stopped.outcome, stopped.message) for item in plan.checks]
            return ExerciseResult(exercise.id, exercise.title, tuple(results), notes=notes)
        attempt = self._attempt = Attempt(plan, link)
        try:
            # Public checks first, and to their end: what a student reads of them, and the notes,
            # come from a worker that has not been told yet what the hidden checks ask.
            public, hidden = _by_visibility(plan.checks)
            self._grade_checks(attempt, public)
            remarks = link.notes if public else ()
            self._grade_checks(attempt, hidden)
        finally:
            link.close()
        checks = tuple(attempt.results[check.id] for check in plan.checks)
        mistakes = self._diagnose(plan, checks)
        self.asked[exercise.id] = {check.id: attempt.asked(check) for check in public}
        return ExerciseResult(
            exercise.id,
            exercise.title,
            checks,
            mistakes=mistakes,
            notes=(*notes, *remarks),
        )

    def _grade_checks(self, attempt: Attempt, checks: Sequence[Check]) -> None:
        """Find a result for each of these checks."""
        if checks:
            recorded = [check for check in checks if check.id in attempt.plan.programs]
            if recorded:
                self._observe(attempt, recorded)
                self._judge(attempt, recorded)
                self._retry(attempt, recorded)
            self._run_live(attempt, checks)

    def _diagnose(self, plan: Plan, checks: tuple[CheckResult, ...]) -> tuple[Mistake, ...]:
        if not self.diagnosing or not any(item.signature for item in checks):
            return ()
        return diagnosis.diagnose(self.known_mistakes(plan.exercise), checks)

    def known_mistakes(self, exercise: Exercise) -> tuple[KnownMistake, ...]:
        """The mistakes of an exercise with their signatures, found once and then kept."""
        if exercise.id not in self._known:
            self._known[exercise.id] = self._find_mistakes(exercise)
        return self._known[exercise.id]

    def _find_mistakes(self, exercise: Exercise) -> tuple[KnownMistake, ...]:
        files = diagnosis.mistake_files(self.course, exercise)
        if not files:
            made = handed_out.read(self.course, exercise)
            return made.mistakes if made else ()
        key = diagnosis.mistake_key(self.course, exercise, self.plans[exercise.id].key)
        known = diagnosis.load(self.cache, key)
        if known is None:
            self.diagnosing = False
            try:
                known = tuple(self._grade_mistake(exercise, path) for path in files)
            finally:
                self.diagnosing = True
            diagnosis.save(self.cache, key, known)
        return known

    def _grade_mistake(self, exercise: Exercise, path: Path) -> KnownMistake:
        result = self.grade_exercise(exercise, own_answer(self.course, exercise, path))
        return handed_out.known_mistake(
            path.stem, diagnosis.hint_of(path.read_bytes()), result.checks
        )

    def _observe(self, attempt: Attempt, checks: Sequence[Check]) -> None:
        """Run recorded programs, and settle what needs no suite to be judged."""
        plan = attempt.plan
        observed = attempt.link.observe(
            [attempt.program(check) for check in checks],
            [plan.seconds(check) for check in checks],
        )
        for check, observation in zip(checks, observed, strict=True):
            attempt.observations[check.id] = observation
            judgement = _without_suite(observation)
            if judgement is None and self.memo is not None:
                judgement = self.memo.get(self._key(attempt, check))
            if judgement is not None:
                attempt.take(check, judgement)

    def _judge(self, attempt: Attempt, checks: Sequence[Check]) -> None:
        """Run the suite's checks against what was observed."""
        observed = [check for check in attempt.open(checks) if check.id in attempt.observations]
        for result in self._run_checks(attempt, observed):
            check = result.check
            judgement = Judgement(result.outcome, result.message, attempt.signature(result))
            if check.id in attempt.diverged:
                judgement = Judgement(None)
            if self.memo is not None:
                self.memo.put(self._key(attempt, check), judgement)
            attempt.take(check, judgement)

    def _retry(self, attempt: Attempt, checks: Sequence[Check]) -> None:
        """Where the solution's program did not fit, try what the accepted variants were asked.

        Only a pass counts: what a check observes of a wrong engine is asked for live, so that
        the diagnosis compares like with like."""
        if self.run is None or self._learning or not attempt.diverged:
            return
        others = self._other_programs(attempt.plan)
        for number in range(styles.MOST):
            left = [
                check
                for check in attempt.open(checks)
                if check.id in attempt.diverged and len(others.get(check.id, ())) > number
            ]
            if not left:
                return
            attempt.retried = {check.id: others[check.id][number] for check in left}
            attempt.diverged.clear()
            self._observe(attempt, left)
            self._judge(attempt, left)
            attempt.diverged |= {check.id for check in attempt.open(left)}

    def _other_programs(self, plan: Plan) -> Styles:
        """By check: what the course's own accepted variants were asked beyond the solution."""
        exercise = plan.exercise
        if exercise.id not in self._others:
            key = styles.key(self.course, exercise, plan.key)
            found = styles.load(self.cache, key)
            if found is None:
                found = self._ask_variants(exercise)
                styles.save(self.cache, key, found)
            self._others[exercise.id] = found
        return self._others[exercise.id]

    def _ask_variants(self, exercise: Exercise) -> Styles:
        found: dict[str, list[Program]] = {}
        before, self._learning = self._attempt, True
        try:
            for path in styles.files(self.course, exercise):
                self.grade_exercise(exercise, own_answer(self.course, exercise, path))
                assert self._attempt is not None
                for name, channel in self._attempt.live.items():
                    program = Program.of(tuple(channel.requests))
                    known = found.setdefault(name, [])
                    passed = self._attempt.results[name].outcome is Outcome.PASSED
                    if passed and len(known) < styles.MOST and program not in known:
                        known.append(program)
        finally:
            self._attempt, self._learning = before, False
        return {name: tuple(known) for name, known in found.items()}

    def _run_live(self, attempt: Attempt, checks: Sequence[Check]) -> None:
        """Run what is left with a worker that answers as it is asked."""
        left = attempt.open(checks)
        if left:
            attempt.link.close()  # a fresh worker: nothing of the recorded programs is in it
            for result in self._run_checks(attempt, left):
                attempt.results[result.check.id] = msgspec.structs.replace(
                    result, signature=attempt.signature(result)
                )

    def _run_checks(self, attempt: Attempt, checks: Sequence[Check]) -> tuple[CheckResult, ...]:
        if not checks:
            return ()
        exercise = attempt.plan.exercise
        results: list[CheckResult] = []
        if self.run is not None:
            results.extend(self.run.run(exercise.id, checks))
        else:
            suite = SuiteRun(lambda run: results.extend(run.run(exercise.id, checks)))
            run_suites(self.course, [exercise], self, suite)
        return tuple(_answered_oddly(result, attempt.plan) for result in results)

    def _key(self, attempt: Attempt, check: Check) -> str:
        observation = attempt.observations[check.id]
        program = attempt.retried.get(check.id)
        asked = f" {program.digest}" if program else ""
        return Memo.key(attempt.plan.key, check.id + asked, observation.digest)

    # the host that pytest sees: the attempt of the moment

    def begin(self, exercise: str, check: Check) -> Conversation:
        assert self._attempt is not None
        return self._attempt.begin(check)

    def end(self, exercise: str) -> tuple[float, str]:
        assert self._attempt is not None
        return self._attempt.end()


# What an answer of another kind makes a suite raise, which the solution's answers do not.
_ODD_ANSWERS = {"TypeError", "AttributeError", "ValueError", "IndexError", "KeyError"}


def _answered_oddly(result: CheckResult, plan: Plan) -> CheckResult:
    """A suite that works with the solution, and stumbles over a submission's answer, such as a
    plain number where an object was made: that is the answer's fault, not the suite's."""
    if result.cause not in _ODD_ANSWERS or result.check.id not in plan.programs:
        return result
    said = result.message.partition(" raised ")[2]
    message = f"an answer is of another kind than expected: {said}"
    return msgspec.structs.replace(result, outcome=Outcome.FAILED, message=message, cause="")


def _by_visibility(checks: Sequence[Check]) -> tuple[list[Check], list[Check]]:
    public = [check for check in checks if check.visibility == "public"]
    return public, [check for check in checks if check.visibility != "public"]


def _without_suite(observation: Observation) -> Judgement | None:
    """The judgement on an observation in which nothing was answered."""
    if observation.unloadable is not None:
        error = submission_error(observation.unloadable)
        return Judgement(error.outcome, explain(error))
    if observation.stopped is not None and observation.replies == b"[]":
        return Judgement(*observation.stopped)
    return None


def with_session(
    course: Course,
    sandbox: Sandbox,
    work: Callable[[Session], T],
    *,
    only: Sequence[Exercise] | None = None,
    public_only: bool = False,
    remember: bool = True,
    many: bool = False,
    diagnosing: bool = True,
) -> T:
    """Do `work` with a session; its result.

    With `many`, the suites are collected at once and stay so, for many submissions; without,
    only where an observation is new (in a course that was never recorded, all of them are).
    `remember` uses the memo. Raises GraderError where a suite cannot be collected."""
    exercises = tuple(course.exercises if only is None else only)
    cache = Cache(course.root / FOLDER)
    _ = course.digest  # before anything runs: what is edited meanwhile is another course
    many = many or not all_kept(course, exercises, cache)
    made = recordings(course, exercises, sandbox, cache)
    plans = {
        item.id: Plan.of(item, select(made[item.id], public_only=public_only)) for item in exercises
    }
    memo = Memo(cache.folder / MEMO_FILE) if remember else None
    session = Session(course, sandbox, plans, cache, memo, diagnosing=diagnosing)
    try:
        if not many:
            return work(session)
        results: list[T] = []

        def keep(run: SuiteRun) -> None:
            session.run = run
            results.append(work(session))

        run_suites(course, exercises, session, SuiteRun(keep))
        return results[0]
    finally:
        if memo is not None:
            memo.save()
