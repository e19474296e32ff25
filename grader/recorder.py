"""Makes recordings: runs a suite against the solution and writes down what it asks."""

from __future__ import annotations

from collections.abc import Sequence

from grader import handed_out, recording
from grader.cache import Cache
from grader.course import Course, Exercise
from grader.errors import GraderError
from grader.host import LiveHost, own_answer
from grader.plugin import check_of
from grader.recording import Program, Recording
from grader.result import Check, CheckResult, Outcome
from grader.sandbox import Sandbox
from grader.suite import SuiteRun, run_suites


def recordings(
    course: Course, exercises: Sequence[Exercise], sandbox: Sandbox, cache: Cache
) -> dict[str, Recording]:
    """The recording of each exercise, from the cache where nothing has changed.

    Raises GraderError where a suite does not collect or a check has no points."""
    keys = {item.id: recording.recording_key(course, item) for item in exercises}
    found = {name: recording.load(cache, key) for name, key in keys.items()}
    missing = [item for item in exercises if found[item.id] is None]
    if missing:
        for made in _record(course, missing, sandbox, keys):
            recording.save(cache, made[1])
            found[made[0]] = made[1]
    return {name: item for name, item in found.items() if item is not None}


def all_kept(course: Course, exercises: Sequence[Exercise], cache: Cache) -> bool:
    """Whether no suite has to be run to know what it asks."""
    keys = (recording.recording_key(course, item) for item in exercises)
    return all(recording.load(cache, key) is not None for key in keys)


def _record(
    course: Course, exercises: Sequence[Exercise], sandbox: Sandbox, keys: dict[str, str]
) -> list[tuple[str, Recording]]:
    host = LiveHost(course, sandbox)
    made: list[tuple[str, Recording]] = []

    def work(run: SuiteRun) -> None:
        for exercise in exercises:
            checks = _manifest(run, exercise)
            results: tuple[CheckResult, ...] = ()
            if course.solution(exercise).is_file():
                path = course.solution(exercise)
                host.answers[exercise.id] = own_answer(course, exercise, path)
                results = run.run(exercise.id, checks)
            # a check that fails on the solution itself is at fault: nothing of it is a measure
            sound = {item.check.id for item in results if item.outcome is not Outcome.GRADER_ERROR}
            asked = host.asked.get(exercise.id, {})
            requests = {name: tuple(asked[name]) for name in asked if name in sound}
            given = handed_out.read(course, exercise)
            if given is not None:
                requests = given.programs | requests
            programs = {name: Program.of(asked) for name, asked in requests.items()}
            made.append((exercise.id, Recording(checks, programs, keys[exercise.id])))

    try:
        run_suites(course, exercises, host, SuiteRun(work))
    finally:
        host.close()
    return made


def _manifest(run: SuiteRun, exercise: Exercise) -> tuple[Check, ...]:
    """The checks of an exercise in suite order, as collected; never what a run reported."""
    if exercise.id in run.broken:
        raise GraderError(run.broken[exercise.id])
    try:
        found = [check_of(item) for item in run.items if item.path.parent.name == exercise.id]
    except ValueError as error:
        raise GraderError(str(error)) from error
    if not found:
        raise GraderError(f"tests/suites/{exercise.id}/ has no check; add test functions to it")
    return tuple(found)
