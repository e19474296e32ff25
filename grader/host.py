"""The host of checks that are run live: each question goes to a worker as it is asked."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import Course, Exercise, find_course
from grader.errors import UsageError
from grader.link import Deadline, Link, Order, packages_for
from grader.observation import Stopped
from grader.protocol import Raised, Reply
from grader.proxy import Conversation
from grader.raised import submission_error
from grader.result import Check, Outcome
from grader.sandbox import Sandbox, SandboxUnavailable, WorkerLimits, choose
from grader.submission import Rejected, Source, read_submission

Answer = Source | Rejected | None
_IMPORTS = rb"(?m)^[ \t]*(?:import|from)[ \t][^#\n]*\b%s\b"


@dataclass
class LiveChannel:
    """A conversation's requests, each put to the worker as it is made, and all written down."""

    link: Link
    clock: Deadline
    requests: list[bytes] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def exchange(self, number: int, request: bytes) -> Reply:
        self.requests.append(request)
        reply = self.link.ask(number, request, self.clock)
        self.replies.append(reply)
        return reply


def live(link: Link, seconds: float) -> LiveChannel:
    """A channel to a freshly executed submission. Raises Stopped or SubmissionError."""
    clock, reply = link.begin(seconds)
    if isinstance(reply, Raised):
        raise submission_error(reply)
    return LiveChannel(link, clock)


@dataclass
class LiveHost:
    """One submission's workers, one for each exercise (`plugin.Host`)."""

    course: Course
    sandbox: Sandbox
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: dict[str, dict[str, list[bytes]]] = field(default_factory=dict)  # by exercise and check
    seconds: float | None = None  # for each check, in place of its own limit
    _links: dict[str, Link] = field(default_factory=dict)
    _waited: float = 0.0

    def begin(self, exercise: str, check: Check) -> Conversation:
        item = self.course.exercise(exercise)
        if exercise not in self._links:
            self._links[exercise] = link_for(item, self.sandbox, self.answers.get(exercise))
        link = self._links[exercise]
        self._waited = link.waited
        channel = live(link, self.seconds or check.seconds or item.limits.seconds)
        self.asked.setdefault(exercise, {})[check.id] = channel.requests
        return Conversation(channel)

    def end(self, exercise: str) -> tuple[float, str]:
        link = self._links.get(exercise)
        if link is None:
            return 0.0, ""
        return link.waited - self._waited, link.take_output()

    def close(self) -> None:
        """End all workers."""
        for link in self._links.values():
            link.close()


def link_for(exercise: Exercise, sandbox: Sandbox, answer: Answer, *, arrays: bool = True) -> Link:
    """The link to a worker for this answer. Raises Stopped where there is none to execute.

    `arrays` says that checks may send some. Where they do not and the answer never mentions a
    package, its worker gets none: forking one that has numpy loaded takes a third longer."""
    if answer is None:
        raise Stopped(Outcome.MISSING, f"no {exercise.file} was handed in")
    if isinstance(answer, Rejected):
        raise Stopped(Outcome.MISSING, answer.reason)
    limits = exercise.limits
    packages = packages_for(limits.imports)
    if not arrays and not any(path.name in text for path in packages for text in _texts(answer)):
        packages = ()
    return Link(
        sandbox,
        Order(answer, exercise.file, limits.imports, limits.output_kb * 1024),
        WorkerLimits(limits.memory_mb, limits.processes, limits.output_kb),
        limits.total_seconds,
        packages,
    )


def _texts(answer: Source) -> Iterator[str]:
    yield from (cell.text for cell in answer.cells)
    yield from (text for _, text in answer.siblings)


def missing_packages(exercise: Exercise) -> list[str]:
    """What an answer to this exercise may import and is not installed here."""
    return [
        name
        for name in exercise.limits.imports
        if name not in sys.stdlib_module_names and importlib.util.find_spec(name) is None
    ]


def insist_on_packages(exercises: Iterable[Exercise]) -> None:
    """Raises UsageError where anything is not installed that an answer may import."""
    for exercise in exercises:
        names = " ".join(missing_packages(exercise))
        if names:
            raise UsageError(
                f"{exercise.id} needs {names}, which is not installed; "
                f"run: python -m pip install {names}"
            )


def needed_packages(course: Course, exercise: Exercise) -> list[str]:
    """Those of `missing_packages` that the exercise itself imports: its file, solution or suite.

    What an answer may import, but none of these does, is a matter of taste: who has not installed
    it has not used it. The file in exercises/ is a student's: it is searched, never parsed."""
    missing = missing_packages(exercise)
    if not missing:
        return []
    files = [course.stub(exercise), course.solution(exercise)]
    files += sorted(course.suite(exercise).glob("test_*.py"))
    text = b"\n".join(path.read_bytes() for path in files if path.is_file())
    return [name for name in missing if re.search(_IMPORTS % name.encode(), text)]


def gradable(course: Course, wanted: Sequence[Exercise]) -> tuple[list[Exercise], str]:
    """The exercises to grade, and a remark on those that need a package which is not there.

    Raises UsageError where such an exercise was asked for by name."""
    lacking = {item.id: needed_packages(course, item) for item in wanted or course.exercises}
    lacking = {name: packages for name, packages in lacking.items() if packages}
    if not lacking:
        return list(wanted or course.exercises), ""
    packages = " ".join(sorted({name for names in lacking.values() for name in names}))
    remark = (
        f"{', '.join(lacking)}: not graded, {packages} is not installed; "
        f"run: python -m pip install {packages}"
    )
    if wanted:
        raise UsageError(remark)
    return [item for item in course.exercises if item.id not in lacking], remark


def own_answer(course: Course, exercise: Exercise, path: Path) -> Answer:
    """One of the course's own files (a solution, a mistake) as an answer to an exercise."""
    if not path.is_file():
        return None
    return read_submission(path, course, [exercise.id]).answers.get(exercise.id)


def host_for(path: Path, sandbox: str, start: Path) -> LiveHost:
    """The host for `pytest tests/suites --submission PATH`. Raises UsageError."""
    course = find_course(start)
    answers: Mapping[str, Answer] = read_submission(path, course).answers
    return LiveHost(course, choose_sandbox(sandbox), dict(answers))


def choose_sandbox(requested: str) -> Sandbox:
    """`sandbox.choose`, with its refusals as UsageError."""
    try:
        return choose(requested)
    except (SandboxUnavailable, ValueError) as error:
        raise UsageError(str(error)) from error
