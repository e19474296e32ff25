"""Proves a course: the rules that make a suite good, as code (`python -m grader verify`)."""

from __future__ import annotations

import ast
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.course import Course, Exercise, read_course
from grader.host import choose_sandbox, own_answer
from grader.pairs import pair_difference
from grader.result import ExerciseResult, Outcome, number
from grader.session import Session, with_session

Advance = Callable[[str], None]

# The rules, in the order in which they are told; each is said as it reads when it holds.
PAIRS = "stubs and solutions differ only in TODO bodies"
POINTS = "exercises whose checks add up to their points"
SOLUTIONS = "solutions: full points, twice the same"
STUBS = "stubs: all todo"
ACCEPTED = "accepted variants: full points, and no mistake seen in them"
MISTAKES = "mistakes: each loses a hidden check and is named right"
RULES = (PAIRS, POINTS, SOLUTIONS, STUBS, ACCEPTED, MISTAKES)


@dataclass
class Findings:
    """What was looked at under each rule, and what does not hold."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RULES, 0))
    problems: dict[str, list[str]] = field(default_factory=lambda: {rule: [] for rule in RULES})
    # by exercise, then by mistake: the ids of the checks that it fails, and of all checks
    kills: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    checks: dict[str, list[str]] = field(default_factory=dict)

    @property
    def hold(self) -> bool:
        return not any(self.problems.values())

    def count(self, rule: str) -> None:
        self.counts[rule] += 1

    def add(self, rule: str, problem: str) -> None:
        self.problems[rule].append(problem)

    def merge(self, other: Findings) -> None:
        for rule in RULES:
            self.counts[rule] += other.counts[rule]
            self.problems[rule] += other.problems[rule]
        self.kills |= other.kills
        self.checks |= other.checks


def verify(
    course: Course,
    sandbox: str,
    exercises: Sequence[Exercise],
    advance: Advance = lambda what: None,
) -> Findings:
    """Check every rule for these exercises, several at a time.

    Raises GraderError where a suite cannot be collected."""
    found: dict[str, Findings] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        futures = {
            pool.submit(verify_exercise, str(course.root), sandbox, item.id): item.id
            for item in exercises
        }
        for future in as_completed(futures):
            found[futures[future]] = future.result()
            advance(f"{len(found)} of {len(exercises)} exercises")
    total = Findings()
    for item in exercises:
        total.merge(found[item.id])
    return total


def verify_exercise(root: str, sandbox: str, name: str) -> Findings:
    """Check every rule for one exercise."""
    course = read_course(Path(root))
    exercise = course.exercise(name)
    return with_session(
        course,
        choose_sandbox(sandbox),
        lambda session: _Verification(session, exercise).run(),
        only=[exercise],
        remember=False,  # everything is judged anew: a proof does not look things up
        many=True,
    )


def lines(findings: Findings, encoding: str) -> Iterator[str]:
    """The findings as text."""
    from grader.report.terminal import Marks

    marks = Marks(encoding)
    for rule in RULES:
        problems = findings.problems[rule]
        count = f"{findings.counts[rule]} " if rule != PAIRS else ""
        yield f"{marks.no if problems else marks.yes} {count}{rule}"
        for problem in problems:
            yield f"    {problem}"


@dataclass
class _Verification:
    session: Session
    exercise: Exercise
    found: Findings = field(default_factory=Findings)

    def run(self) -> Findings:
        self.pair()
        self.points()
        self.solution()
        self.stub()
        self.accepted()
        self.mistakes()
        return self.found

    @property
    def course(self) -> Course:
        return self.session.course

    def pair(self) -> None:
        self.found.count(PAIRS)
        difference = pair_difference(self.course, self.exercise)
        if difference:
            self.found.add(PAIRS, f"{self.exercise.id}: {difference}")

    def points(self) -> None:
        self.found.count(POINTS)
        checks = self.session.plans[self.exercise.id].checks
        self.found.checks[self.exercise.id] = [check.id for check in checks]
        total = sum((check.max_points for check in checks), Fraction(0))
        if total != self.exercise.points:
            self.found.add(
                POINTS,
                f"{self.exercise.id}: the checks add up to {number(total)} points, "
                f"course.toml says {number(self.exercise.points)}",
            )

    def solution(self) -> None:
        self.found.count(SOLUTIONS)
        path = self.course.solution(self.exercise)
        first, again = (self.grade(path) for _ in range(2))
        for what in _not_full(first):
            self.found.add(SOLUTIONS, f"{self.exercise.id}: {what}")
        if _outcomes(first) != _outcomes(again):
            self.found.add(SOLUTIONS, f"{self.exercise.id}: two runs of the solution differ")

    def stub(self) -> None:
        self.found.count(STUBS)
        for check in self.grade(self.course.stub(self.exercise)).checks:
            if check.outcome is not Outcome.TODO:
                self.found.add(
                    STUBS,
                    f"{self.exercise.id}: {check.check.id} of the fresh stub is "
                    f"{check.outcome}, not todo",
                )

    def accepted(self) -> None:
        for path in self.variants("accepted"):
            self.found.count(ACCEPTED)
            for what in _not_full(self.grade(path)):
                self.found.add(ACCEPTED, f"{self.exercise.id}/accepted/{path.name}: {what}")

    def mistakes(self) -> None:
        kills = self.found.kills.setdefault(self.exercise.id, {})
        for path in self.variants("mistakes"):
            self.found.count(MISTAKES)
            result = self.grade(path)
            failing = [item for item in result.checks if item.outcome is not Outcome.PASSED]
            kills[path.stem] = [item.check.id for item in failing]
            problem = _mistake_problem(path, result)
            if problem:
                self.found.add(MISTAKES, f"{self.exercise.id}/mistakes/{path.name}: {problem}")

    def variants(self, kind: str) -> list[Path]:
        return sorted((self.course.suite(self.exercise) / kind).glob("*.py"))

    def grade(self, path: Path) -> ExerciseResult:
        return self.session.grade_exercise(
            self.exercise, own_answer(self.course, self.exercise, path)
        )


def _mistake_problem(path: Path, result: ExerciseResult) -> str | None:
    """What is wrong with how a mistake was graded, if anything."""
    for item in result.checks:
        if item.outcome is Outcome.GRADER_ERROR:
            return f"{item.check.id}: {item.message}"
    hidden = [item for item in result.checks if item.check.visibility == "hidden"]
    if all(item.outcome is Outcome.PASSED for item in hidden):
        return "gets every hidden point; which check should see it?"
    if not ast.get_docstring(ast.parse(path.read_bytes())):
        return "has no docstring; it is the hint for the student"
    if [item.id for item in result.mistakes] != [path.stem]:
        names = " and ".join(item.id for item in result.mistakes) or "nothing"
        return f"is named {names}; which check tells it apart?"
    return None


def _outcomes(result: ExerciseResult) -> list[tuple[str, Outcome]]:
    return [(item.check.id, item.outcome) for item in result.checks]


def _not_full(result: ExerciseResult) -> list[str]:
    named = [f"is taken for the mistake {item.id}" for item in result.mistakes]
    return named + [
        f"{item.check.id} is {item.outcome}: {' '.join(item.message.split())[:300]}"
        for item in result.checks
        if item.outcome is not Outcome.PASSED
    ]
