"""The graders that the benchmark compares: how each is installed, given the questions, and run.

Each is used as its own documentation says for a class, on as many cores as it uses by itself. Where
a grader cannot run hypothesis within reason, it asks the same number of plain random draws instead,
which is less work.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classes import FILE, SUITE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

_PYTEST_SUITE = """
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
import questions

POINTS = pytest.mark.points(1)
SETTINGS = settings(max_examples=questions.SEEDS, derandomize=True, database=None, deadline=None,
                    suppress_health_check=list(HealthCheck))

@POINTS
@pytest.mark.parametrize("question", questions.PLAIN, ids=lambda q: q.__name__)
def test_question(submission, question):
    question(submission)

@POINTS
@SETTINGS
@given(seed=st.integers(0, 2**32))
def test_random_sums(submission, seed):
    questions.random_sums(submission, seed)

@POINTS
@SETTINGS
@given(seed=st.integers(0, 2**32))
def test_random_mixtures(submission, seed):
    questions.random_mixtures(submission, seed)
"""

_CONFTEST = """
import importlib.util, os, pathlib, pytest, sys

def pytest_configure(config):
    config.addinivalue_line("markers", "points(n): what it is worth")

@pytest.fixture
def submission():
    path = pathlib.Path(os.environ["SUBMISSION"]) / "value.py"
    spec = importlib.util.spec_from_file_location("value", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["value"] = module  # some dataclasses look there
    spec.loader.exec_module(module)
    return module
"""

_UNITTEST = """
import importlib.util, json, os, pathlib, random, sys, unittest
import questions
{imports}

def load():
    path = pathlib.Path(os.environ["SUBMISSION"]) / "value.py"
    spec = importlib.util.spec_from_file_location("value", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["value"] = module  # some dataclasses look there
    spec.loader.exec_module(module)
    return module

class Questions(unittest.TestCase):
    pass

def plain(question):
    @weight(1)
    def test(self):
        question(load())
    return test

def drawn(question):
    @weight(1)
    def test(self):
        draw, m = random.Random(0), load()
        for _ in range(questions.SEEDS):
            question(m, draw.randrange(2**32))
    return test

for q in questions.PLAIN:
    setattr(Questions, "test_" + q.__name__, plain(q))
for q in questions.PROPERTIES:
    setattr(Questions, "test_" + q.__name__, drawn(q))

if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Questions)
    {run}
"""

_CHECK50 = '''
import importlib.util, pathlib, random, sys
import check50
import questions

def load():
    spec = importlib.util.spec_from_file_location("value", pathlib.Path("value.py").resolve())
    module = importlib.util.module_from_spec(spec)
    sys.modules["value"] = module  # some dataclasses look there
    spec.loader.exec_module(module)
    return module

@check50.check()
def exists():
    """value.py exists"""
    check50.exists("value.py")

def ask(question):
    try:
        question(load())
    except AssertionError as error:
        raise check50.Failure(str(error))
'''

_OTTER = f"""
import random, sys, types
from otter.test_files import test_case

sys.path.insert(0, "{HERE}")
import questions

OK_FORMAT = False
name = "q"
points = 12
"""


@dataclass(frozen=True)
class Peer:
    """One way to grade a class."""

    name: str
    isolation: str
    properties: str  # "hypothesis" or "draws"
    packages: tuple[str, ...]
    most: int  # submissions that it is given; slow ones get fewer, and the rate is what counts

    def prepare(self, work: Path) -> None:
        """Write what it needs into an empty folder."""

    def hand_in(self, work: Path, class_folder: Path, count: int) -> None:
        """Bring submissions into the form that it wants. Not timed: a class hands them in so."""

    def command(self, python: Path, work: Path, class_folder: Path, count: int) -> list[str]:
        """Grade the first `count` submissions of a class, one after the other."""
        raise NotImplementedError


@dataclass(frozen=True)
class EachByItself(Peer):
    """A peer that is started once for each submission, by a shell loop on every core."""

    script: str = ""
    setup: str = ""  # run once in its folder
    files: tuple[tuple[str, str], ...] = ()
    in_submission: bool = False  # whether it wants to be started in the student's own folder

    def prepare(self, work: Path) -> None:
        shutil.copy(HERE / "questions.py", work)
        for name, text in self.files:
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text, encoding="utf-8")

    def command(self, python: Path, work: Path, class_folder: Path, count: int) -> list[str]:
        folder = '"$SUBMISSION"' if self.in_submission else f"'{work}'"
        one = self.script.format(python=python, bin=python.parent, work=work)
        loop = textwrap.dedent(f"""
            ls -d '{class_folder}'/* | head -n {count} |
            xargs -P 2 -I @ sh -c 'export SUBMISSION=@ PYTHONPATH={work}; cd {folder}; {one} || true'
        """)
        return ["sh", "-c", loop]


@dataclass(frozen=True)
class ThisProject(Peer):
    """Its own batch command, in a course made of the same questions."""

    options: tuple[str, ...] = ()

    def prepare(self, work: Path) -> None:
        suite = work / "tests" / "suites" / "engine"
        for folder in ("exercises", "solutions"):
            (work / folder / "engine").mkdir(parents=True)
        suite.mkdir(parents=True)
        shutil.copy(ROOT / "exercises" / "12_engine" / "value.py", work / "exercises" / "engine")
        shutil.copy(ROOT / "solutions" / "12_engine" / "value.py", work / "solutions" / "engine")
        (suite / "test_hidden.py").write_text(_PYTEST_SUITE, encoding="utf-8")
        public = "import pytest, questions\n\n@pytest.mark.points(1)\ndef test_one(submission):\n"
        public += "    questions.addition(submission)\n"
        (suite / "test_public.py").write_text(public, encoding="utf-8")
        shutil.copy(HERE / "questions.py", work)
        # a course knows right engines in other styles: it asks them once, too
        shutil.copytree(SUITE / "accepted", suite / "accepted")
        text = (ROOT / "course.toml").read_text(encoding="utf-8")
        (real,) = (e for e in tomllib.loads(text)["exercise"] if e["id"] == "12_engine")
        head = text.partition("[[exercise]]")[0]
        (work / "course.toml").write_text(
            head + '[[exercise]]\nid = "engine"\ntitle = "Engine"\nfile = "value.py"\n'
            'points = 13\nminutes = 1\ndifficulty = 1\nhints = ["-"]\n'
            f"imports = {json.dumps(real['imports'])}\n",
            encoding="utf-8",
        )

    def command(self, python: Path, work: Path, class_folder: Path, count: int) -> list[str]:
        if count != len(list(class_folder.iterdir())):
            raise ValueError("this project is given whole classes")
        # a new folder each time: some file systems create files slowly after deleting many
        part = f"""
            cd '{work}' && rm -f .grader/memo* &&
            PYTHONPATH='{work}' '{python}' -m grader batch '{class_folder}' \\
                --out "$(mktemp -d ./outXXXXXX)" {" ".join(self.options)}
        """
        return ["sh", "-c", textwrap.dedent(part)]


@dataclass(frozen=True)
class Floor(Peer):
    """What no grader can do with less than: see floor.py."""

    def command(self, python: Path, work: Path, class_folder: Path, count: int) -> list[str]:
        return [str(python), str(HERE / "floor.py"), str(class_folder), str(count)]


@dataclass(frozen=True)
class NbGrader(Peer):
    """One `nbgrader autograde` for the class: a course folder, a notebook for each student.

    It grades one notebook after the other, each in a kernel of its own."""

    setup: str = "PATH={bin}:$PATH nbgrader generate_assignment engine --log-level=ERROR"

    def prepare(self, work: Path) -> None:
        source = work / "source" / "engine"
        source.mkdir(parents=True)
        shutil.copy(HERE / "questions.py", source)  # nbgrader copies it to what it grades
        config = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n'
        (work / "nbgrader_config.py").write_text(config, encoding="utf-8")
        stub = "### BEGIN SOLUTION\nclass Value: ...\n### END SOLUTION"
        start = 'import random, sys, questions\nsubmission = sys.modules["__main__"]'
        cells = [_cell("value", stub, solution=True), _cell("start", start)]
        cells += [_cell(q, f"questions.{q}(submission)", points=1) for q in _names("PLAIN")]
        for q in _names("PROPERTIES"):
            draws = "draw = random.Random(0)\nfor _ in range(questions.SEEDS):\n"
            draws += f"    questions.{q}(submission, draw.randrange(2**32))"
            cells.append(_cell(q, draws, points=1))
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"nbformat": 4, "nbformat_minor": 5, "cells": cells}
        _write_notebook(source, notebook | {"metadata": {"kernelspec": kernel}})

    def hand_in(self, work: Path, class_folder: Path, count: int) -> None:
        released = (work / "release" / "engine" / "engine.ipynb").read_text(encoding="utf-8")
        for student in sorted(class_folder.iterdir())[:count]:
            notebook = json.loads(released)
            (cell,) = (c for c in notebook["cells"] if c["metadata"]["nbgrader"]["solution"])
            cell["source"] = (student / FILE).read_text(encoding="utf-8")
            _write_notebook(work / "submitted" / student.name / "engine", notebook)

    def command(self, python: Path, work: Path, class_folder: Path, count: int) -> list[str]:
        # a new folder and gradebook each time, because it skips what it has graded
        part = f"""
            cd '{work}' && out=$(mktemp -d ./outXXXXXX) && cp gradebook.db "$out" &&
            PATH='{python.parent}':$PATH nbgrader autograde engine --db "sqlite:///{work}/$out/gradebook.db" \\
                --CourseDirectory.autograded_directory="$out/autograded"
        """
        return ["sh", "-c", textwrap.dedent(part)]


def peers() -> Sequence[Peer]:
    """All of them; first this project, and among the others the floor."""
    pytest_files = (("test_suite.py", _PYTEST_SUITE), ("conftest.py", _CONFTEST))
    gradescope_imports = (
        "from gradescope_utils.autograder_utils.decorators import weight\n"
        "from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner"
    )
    checks = "".join(
        f'\n@check50.check(exists)\ndef {q}():\n    """{q}"""\n    ask(questions.{q})\n'
        for q in _names("PLAIN")
    ) + "".join(
        f'\n@check50.check(exists)\ndef {q}():\n    """{q}"""\n    draw = random.Random(0)\n'
        f"    ask(lambda m: [questions.{q}(m, draw.randrange(2**32)) for _ in range(questions.SEEDS)])\n"
        for q in _names("PROPERTIES")
    )
    return (
        ThisProject(
            "this project, cold memo", "bwrap, rlimits", "hypothesis", (), 10**6, ("--jobs", "2")
        ),
        ThisProject(
            "this project, no memo", "bwrap, rlimits", "hypothesis", (), 10**6,
            ("--jobs", "2", "--no-memo"),
        ),
        Floor("the floor: fork, execute", "none", "draws", (), 10**6),
        EachByItself(
            "no framework", "none", "draws", (), 200,
            "{python} {work}/run.py >/dev/null 2>&1", "",
            (("run.py", _UNITTEST.format(
                imports="weight = lambda n: (lambda f: f)",
                run='unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)')),),
        ),
        EachByItself(
            "gradescope-utils", "none", "draws", ("gradescope-utils",), 200,
            "{python} {work}/run.py >/dev/null 2>&1", "",
            (("run.py", _UNITTEST.format(
                imports=gradescope_imports,
                run='JSONTestRunner(visibility="visible", stream=open(os.devnull, "w")).run(suite)')),),
        ),
        EachByItself(
            "check50", "none", "draws", ("check50",), 60,
            "{bin}/check50 --dev {work}/checks -o json --output-file /dev/null >/dev/null 2>&1", "",
            (("checks/__init__.py", _CHECK50 + checks),
             ("checks/.cs50.yaml", "check50:\n  files:\n    - !exclude \"*\"\n    - !require value.py\n"),
             ("checks/questions.py", (HERE / "questions.py").read_text(encoding="utf-8"))),
            in_submission=True,
        ),
        EachByItself(
            "pytest, json-report", "none", "hypothesis",
            ("pytest", "pytest-json-report", "hypothesis"), 40,
            "{python} -m pytest -q -p no:cacheprovider --json-report "
            "--json-report-file=/dev/null {work}/test_suite.py >/dev/null 2>&1", "",
            pytest_files,
        ),
        EachByItself(
            "otter run", "none", "draws", ("otter-grader", "ipykernel"), 8,
            "mkdir -p {work}/out$$ && PATH={bin}:$PATH {bin}/otter run -a {work}/autograder.zip "
            "-o {work}/out$$ --no-logo value.py >/dev/null 2>&1",
            "{bin}/otter generate -t tests -o autograder.zip --no-config --no-requirements "
            "--no-environment",
            (("tests/q.py", _OTTER + _otter_tests()),),
            in_submission=True,
        ),
        NbGrader("nbgrader autograde", "none", "draws", ("nbgrader", "ipykernel"), 8),
    )  # fmt: skip


def _otter_tests() -> str:
    plain = "".join(
        f"\n@test_case(points=1)\ndef {q}(env):\n    questions.{q}(types.SimpleNamespace(**env))\n"
        for q in _names("PLAIN")
    )
    return plain + "".join(
        f"\n@test_case(points=1)\ndef {q}(env):\n    draw = random.Random(0)\n"
        f"    for _ in range(questions.SEEDS):\n"
        f"        questions.{q}(types.SimpleNamespace(**env), draw.randrange(2**32))\n"
        for q in _names("PROPERTIES")
    )


def _cell(name: str, source: str, *, points: int = 0, solution: bool = False) -> dict[str, Any]:
    """A cell of a source notebook: a solution, a test worth points, or what students may not edit."""
    nbgrader = {
        "schema_version": 3, "grade_id": name, "grade": points > 0, "points": points,
        "solution": solution, "locked": not solution, "task": False,
    }  # fmt: skip
    return {
        "cell_type": "code", "id": name, "source": source, "outputs": [], "execution_count": None,
        "metadata": {"nbgrader": nbgrader},
    }  # fmt: skip


def _write_notebook(folder: Path, notebook: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "engine.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def _names(which: str) -> list[str]:
    sys.path.insert(0, str(HERE))
    import questions

    return [question.__name__ for question in getattr(questions, which)]
