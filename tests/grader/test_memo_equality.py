"""With a memo or without, cold or warm, whatever was graded before: every check ends the same, to
the letter of its message. Over all mistakes, variants, stubs and solutions of the course, over
submissions as they arrive, and over the attacks.

What a worker observes is kept from the first pass, because of an attack it need not be the same
twice; what the grader makes of it must be.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import nbformat
import pytest

from grader.course import Course, read_course
from grader.host import choose_sandbox, own_answer
from grader.link import Link
from grader.memo import Memo
from grader.observation import Observation
from grader.recording import Program
from grader.result import CheckResult
from grader.sandbox import SandboxUnavailable, choose
from grader.session import Session, with_session
from grader.submission import Rejected, Source, read_submission

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT / "tests" / "attacks"
Answers = Mapping[str, Source | Rejected | None]


@pytest.fixture(autouse=True)
def observed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each submission answers each list of programs once; after that it is only remembered."""
    seen: dict[tuple[str, ...], tuple[list[Observation], dict[str, Any]]] = {}
    real = Link.observe
    state = ("notes", "waited", "_unloadable", "_loaded")

    def observe(link: Link, programs: list[Program], seconds: list[float]) -> list[Observation]:
        key = (link.order.source.digest, *(program.digest for program in programs))
        if key not in seen:
            seen[key] = real(link, programs, seconds), {name: getattr(link, name) for name in state}
        observations, after = seen[key]
        for name, value in after.items():
            setattr(link, name, value)
        return observations

    monkeypatch.setattr(Link, "observe", observe)


def outcomes(
    session: Session, exercise: str, answers: Answers
) -> dict[str, dict[str, CheckResult]]:
    """How each check of each answer ends that was judged by what was observed: no memo has a part
    in those that are asked live."""
    found: dict[str, dict[str, CheckResult]] = {}
    for name, answer in answers.items():
        result = session.grade_exercise(session.course.exercise(exercise), answer)
        attempt = session._attempt
        observed = attempt.observations if attempt is not None else {}
        found[name] = {
            check.check.id: msgspec.structs.replace(check, seconds=0.0)
            for check in result.checks
            if check.check.id in observed
        }
    return found


def compare(course: Course, exercise: str, answers: Answers, path: Path, level: str) -> None:
    """Grade all answers three times, and compare."""

    def work(session: Session) -> None:
        @contextlib.contextmanager
        def remembering() -> Iterator[None]:
            session.memo = Memo(path)
            try:
                yield
            finally:
                session.memo.close()
                session.memo = None

        session.known_mistakes(course.exercise(exercise))  # made now, and not in between
        without = outcomes(session, exercise, answers)
        with remembering():
            cold = outcomes(session, exercise, dict(reversed(answers.items())))
        with remembering():
            warm = outcomes(session, exercise, answers)
        for name in answers:
            for found in (cold, warm):
                assert found[name].keys() == without[name].keys(), name
                for check, told in found[name].items():
                    assert told == without[name][check], name
        assert any(without.values())

    with_session(
        course,
        choose_sandbox(level),
        work,
        only=[course.exercise(exercise)],
        remember=False,
        many=True,
    )


COURSE = read_course(ROOT)


@pytest.mark.parametrize("exercise", [item.id for item in COURSE.exercises])
def test_of_every_file_that_the_course_keeps(exercise: str, tmp_path: Path) -> None:
    chosen = COURSE.exercise(exercise)
    suite = COURSE.suite(chosen)
    files = [COURSE.solution(chosen), COURSE.stub(chosen)]
    files += sorted(suite.glob("accepted/*.py")) + sorted(suite.glob("mistakes/*.py"))
    answers = {str(path.relative_to(ROOT)): own_answer(COURSE, chosen, path) for path in files}
    compare(COURSE, exercise, answers, tmp_path / "memo.sqlite", "auto")


def as_they_arrive(engine: str, stub: str) -> dict[str, tuple[str, bytes]]:
    """Name and content of a file, by what is odd about it."""
    definitions, _, rest = engine.partition("    def __mul__")
    cells = ["!pip install x", engine, "1 / 0", "while True print()", "x = Value(2.0)"]
    split = [definitions, f"class Value(Value):\n    def __mul__{rest}"]
    made: dict[str, tuple[str, bytes]] = {
        "crlf": ("value.py", engine.replace("\n", "\r\n").encode()),
        "a mark of bytes": ("value.py", engine.encode("utf-8-sig")),
        "utf-16": ("value.py", engine.encode("utf-16")),
        "cp1252": ("value.py", f"# M\u00fcller \u2013 \u20ac\n{engine}".encode("cp1252")),
        "another name": ("my engine (2).py", engine.encode()),
        "does not parse": ("value.py", engine.replace("self, other):", "self, other)").encode()),
        "empty": ("value.py", b""),
        "untouched": ("value.py", stub.encode()),
        "a zero byte": ("value.py", engine.encode() + b"\0"),
        "prints": ("value.py", f"print('hello' * 99)\n{engine}\nprint(Value(1.0) + 1)".encode()),
        "raises": ("value.py", f"{engine}\nraise ValueError('no')".encode()),
        "exits": ("value.py", f"{engine}\nraise SystemExit".encode()),
        "asks": ("value.py", f"name = input('? ')\n{engine}".encode()),
        "wrong sum": ("value.py", engine.replace("self.data + other.data", "self.data").encode()),
    }
    for name, sources in (("notebook", cells), ("class in two cells", split)):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in sources])
        made[name] = ("value.ipynb", nbformat.writes(notebook).encode())
    return made


def test_of_every_attack_and_of_submissions_as_they_arrive(tmp_path: Path) -> None:
    sys.path.insert(0, str(ATTACKS))
    try:
        import course as target
        import own
        import shared
    finally:
        sys.path.remove(str(ATTACKS))
    try:
        choose("bwrap")
    except SandboxUnavailable as error:
        pytest.skip(f"attacks want walls: {error}")
    target.write(tmp_path / "course")
    course = read_course(tmp_path / "course")
    answers: dict[str, Source | Rejected | None] = {}
    (exercise,) = (item.id for item in course.exercises)
    files = {name: item.files for name, item in shared.load().items()}
    files |= {f"own_{name}": {"value.py": item.source.encode()} for name, item in own.ALL.items()}
    files |= {
        name: dict([file]) for name, file in as_they_arrive(target.SOLUTION, target.STUB).items()
    }
    for name, parts in files.items():
        if not parts:
            continue  # made of links to this machine's files: nothing of it is ever executed
        for part, content in parts.items():
            path = tmp_path / "handed in" / name / part
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        answers[name] = read_submission(tmp_path / "handed in" / name, course).answers.get(exercise)
    compare(course, exercise, answers, tmp_path / "memo.sqlite", "bwrap")
