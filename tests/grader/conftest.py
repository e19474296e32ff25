"""A small course of its own for every test, and the ways to grade with it.

Nothing here knows the real exercises: what the grader promises must hold for any course.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.course import Course, read_course
from grader.host import LiveHost
from grader.plugin import Host
from grader.proxy import SubmissionProxy
from grader.result import Check
from grader.sandbox import choose
from grader.submission import Cell, Source

SCHEMA = Path(__file__).parents[2] / "grader" / "report" / "score_file.schema.json"

STUB = '''
def double(x):
    """Twice the number."""
    raise NotImplementedError("TODO: double")
'''
SOLUTION = '''
def double(x):
    """Twice the number."""
    return 2 * x
'''
PUBLIC = '''
import pytest

@pytest.mark.points(1)
def test_doubles_a_number(submission):
    """Twice 2 is 4."""
    assert submission.double(2) == 4
'''
HIDDEN = '''
import pytest

@pytest.mark.points(2)
@pytest.mark.hint("think of negative numbers")
def test_doubles_a_negative_number(submission):
    """Twice a negative number."""
    assert submission.double(-3) == -6
'''


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def score(self) -> dict[str, Any]:
        """Standard output as a score file; it must be one and nothing else."""
        score: dict[str, Any] = json.loads(self.out, parse_constant=_refuse)
        jsonschema.validate(score, json.loads(SCHEMA.read_text(encoding="utf-8")))
        return score

    def exercise(self, name: str) -> dict[str, Any]:
        """One exercise of the score file."""
        found: dict[str, Any] = next(item for item in self.score["exercises"] if item["id"] == name)
        return found

    def check(self, check: str, exercise: str = "") -> dict[str, Any]:
        """One check of the score file, by the name of its function."""
        found: dict[str, Any] = next(
            item
            for entry in self.score["exercises"]
            if exercise in ("", entry["id"])
            for item in entry["checks"]
            if item["id"].endswith(f"::{check}")
        )
        return found


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@dataclass
class Folder:
    """A course that is being written."""

    root: Path
    limits: dict[str, Any] = field(default_factory=lambda: {"seconds": 5, "memory_mb": 200})
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    head: str = '[course]\nid = "small"\ntitle = "A small course"\n'

    def exercise(
        self,
        name: str = "01_double",
        *,
        stub: str = STUB,
        solution: str | None = SOLUTION,
        public: str = PUBLIC,
        hidden: str | None = HIDDEN,
        mistakes: dict[str, str] | None = None,
        accepted: dict[str, str] | None = None,
        **keys: Any,
    ) -> Folder:
        """Add or replace an exercise with all its files; further keywords go to its table."""
        table = {
            "id": name, "title": "Twice a number", "file": "value.py", "points": 3,
            "minutes": 5, "difficulty": 1, "hints": ["multiply by two"],
        }  # fmt: skip
        self.tables[name] = {**table, **keys}
        file = str(self.tables[name]["file"])
        suite = f"tests/suites/{name}"
        self.write(f"exercises/{name}/{file}", stub)
        self.write(f"{suite}/test_public.py", public)
        if solution is not None:
            self.write(f"solutions/{name}/{file}", solution)
        if hidden is not None:
            self.write(f"{suite}/test_hidden.py", hidden)
        else:
            (self.root / suite / "test_hidden.py").unlink(missing_ok=True)
        for kind, files in (("mistakes", mistakes or {}), ("accepted", accepted or {})):
            for stem, text in files.items():
                self.write(f"{suite}/{kind}/{stem}.py", text)
        return self.save()

    def save(self) -> Folder:
        """Write course.toml."""
        lines = [self.head, "[limits]"]
        lines += [f"{key} = {toml(value)}" for key, value in self.limits.items()]
        for table in self.tables.values():
            lines += ["", "[[exercise]]"]
            lines += [f"{key} = {toml(value)}" for key, value in table.items()]
        self.write("course.toml", "\n".join(lines) + "\n")
        return self

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the course's root; text is dedented."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = text if isinstance(text, bytes) else textwrap.dedent(text).encode()
        target.write_bytes(content)
        return target

    def submit(self, source: str | bytes, name: str = "01_double", student: str = "ada") -> Path:
        """Hand in one file; gives the student's folder."""
        self.write(f"handed_in/{student}/{name}/{self.tables[name]['file']}", source)
        return self.root / "handed_in" / student

    def run(self, *arguments: str | Path, timeout: float = 100, **environment: str) -> Finished:
        """`python -m grader …` in the course's folder."""
        return command(
            ["-m", "grader", *map(str, arguments)], self.root, timeout=timeout, **environment
        )

    def grade(self, path: Path | str = "solutions", *options: str, **environment: str) -> Finished:
        """Grade and print the score file."""
        return self.run(path, "--json", "-", *options, **environment)

    def read(self) -> Course:
        """The course as the grader sees it."""
        return read_course(self.root)


def toml(value: Any) -> str:
    """A value as TOML; a Path stands for text that is TOML already."""
    return str(value) if isinstance(value, Path) else json.dumps(value, ensure_ascii=False)


def command(arguments: list[str], cwd: Path, timeout: float = 100, **environment: str) -> Finished:
    """Run this Python in an environment without anything that changes what is printed."""
    noise = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTEST_ADDOPTS", "TERM")
    base = {key: value for key, value in os.environ.items() if key not in noise}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**base, "PYTHONUTF8": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    return Finished(done.returncode, out.replace("\r\n", "\n"), err.replace("\r\n", "\n"))


@pytest.fixture
def course(tmp_path: Path) -> Folder:
    """A course of one exercise: one public check of 1 point, one hidden check of 2."""
    return Folder(tmp_path / "course").exercise()


@pytest.fixture
def empty_course(tmp_path: Path) -> Folder:
    """A course to which a test adds its exercises."""
    return Folder(tmp_path / "course")


@pytest.fixture(scope="module")
def shared_course(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A course to which a module adds its exercises, once for all its tests."""
    return Folder(tmp_path_factory.mktemp("shared") / "course")


@pytest.fixture(scope="session")
def run_python() -> Callable[..., Finished]:
    """Run this Python with arguments, in a folder."""
    return command


# ---- asking a worker directly --------------------------------------------------------------------


Ask = Callable[..., SubmissionProxy]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Give the `submission` of a check for this source, as a suite gets it."""
    folder = Folder(tmp_path_factory.mktemp("ask") / "course").exercise(imports=["math", "sys"])
    hosts: dict[str, Host] = {}
    started: list[LiveHost] = []
    check = Check(id="test_public.py::test", title="", visibility="public", max_points=1)  # type: ignore[arg-type]

    def begin(source: str) -> SubmissionProxy:
        text = textwrap.dedent(source)
        if text not in hosts:
            cell = Cell("value.py", text)
            answer = Source((cell,), notebook=False, siblings=(), notes=(), digest="sha256:0")
            host = LiveHost(folder.read(), choose("auto"), {"01_double": answer})
            hosts[text] = host
            started.append(host)
        return SubmissionProxy(hosts[text].begin("01_double", check))

    yield begin
    for host in started:
        host.close()
