"""Grades mutants with the hidden suite of their exercise, several at a time."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from grader.course import Course, Exercise, read_course
from grader.errors import GraderError
from grader.host import choose_sandbox
from grader.memo import Memo
from grader.result import Outcome
from grader.session import Plan, Session, with_session
from grader.submission.model import Cell, make_source
from tests.mutation.mutants import Mutant, mutants

_CHUNK = 60  # mutants for one process at a time
_PATIENCE = 3.0  # seconds for a mutant, on top of several times what the solution takes


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant."""

    name: str
    killers: tuple[str, ...]  # the ids of the hidden checks that it does not pass
    by_time: bool = False  # nothing but deadlines killed it
    fault: str = ""  # of the suite, while it looked at the mutant
    seconds: float = 0.0  # all checks together


def all_mutants(course: Course, exercise: Exercise) -> list[Mutant]:
    stub, solution = (path(exercise).read_text("utf-8") for path in (course.stub, course.solution))
    return mutants(stub, solution)


def sample(found: Sequence[Mutant], size: int, seed: int, always: Sequence[str]) -> list[Mutant]:
    """At most `size` of the mutants (0: all of them), and those in `always`, in their order."""
    if not size or len(found) <= size:
        return list(found)
    chosen = {item.name for item in random.Random(seed).sample(found, size)} | set(always)
    return [item for item in found if item.name in chosen]


def run(
    course: Course,
    chosen: dict[str, list[Mutant]],
    sandbox: str,
    processes: int,
    advance: Callable[[str, list[Verdict]], None],
) -> None:
    """Grade these mutants, by exercise; `advance` gets the verdicts as they come."""
    tasks = [
        (name, items[start : start + _CHUNK])
        for name, items in chosen.items()
        for start in range(0, len(items), _CHUNK)
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = {
            pool.submit(grade, str(course.root), sandbox, name, items): name
            for name, items in tasks
        }
        for future in as_completed(futures):
            advance(futures[future], future.result())


def grade(root: str, sandbox: str, name: str, chosen: list[Mutant]) -> list[Verdict]:
    """The verdicts on some mutants of one exercise.

    Raises GraderError where the solution itself does not pass all hidden checks."""
    course = read_course(Path(root))
    exercise = course.exercise(name)
    return with_session(
        course,
        choose_sandbox(sandbox),
        lambda session: list(_verdicts(session, exercise, chosen)),
        only=[exercise],
        remember=False,
        many=True,
        diagnosing=False,
    )


def _verdicts(session: Session, exercise: Exercise, chosen: Sequence[Mutant]) -> Iterator[Verdict]:
    session.memo = Memo(None)  # many mutants behave alike; nothing is kept beyond this run
    hidden = _only_hidden(session.plans[exercise.id])
    session.plans = {exercise.id: hidden}
    solution = session.course.solution(exercise).read_text("utf-8")
    first = _grade(session, exercise, Mutant("the solution", solution))
    if first.killers:
        raise GraderError(f"{exercise.id}: the solution fails {', '.join(first.killers)}")
    limit = min(_PATIENCE + 5 * first.seconds, exercise.limits.total_seconds)
    limits = msgspec.structs.replace(exercise.limits, total_seconds=limit)
    shorter = msgspec.structs.replace(exercise, limits=limits)
    session.plans = {exercise.id: replace(hidden, exercise=shorter)}
    for mutant in chosen:
        yield _grade(session, shorter, mutant)


def _only_hidden(plan: Plan) -> Plan:
    return replace(plan, checks=tuple(c for c in plan.checks if c.visibility == "hidden"))


def _grade(session: Session, exercise: Exercise, mutant: Mutant) -> Verdict:
    answer = make_source((Cell(exercise.file, mutant.source),))
    result = session.grade_exercise(exercise, answer)
    failed = [item for item in result.checks if item.outcome is not Outcome.PASSED]
    faults = [item.message for item in failed if item.outcome is Outcome.GRADER_ERROR]
    return Verdict(
        mutant.name,
        tuple(item.check.id for item in failed),
        bool(failed) and all(item.outcome is Outcome.TIMEOUT for item in failed),
        faults[0] if faults else "",
        sum(item.seconds for item in result.checks),
    )
