"""Grading inside a notebook, and exercises as notebooks."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner

import grader
from grader import notebook_magic
from grader.cli import cli
from grader.errors import UsageError
from grader.notebook_magic import Shown

ROOT = Path(__file__).parents[3]
MISTAKES = ROOT / "tests" / "suites" / "04_backward" / "mistakes"


@pytest.fixture(autouse=True)
def in_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


class Shell:
    """As much of an IPython shell as the magics use."""

    def __init__(self, *history: str) -> None:
        self.history_manager = SimpleNamespace(input_hist_raw=["", *history])
        self.magics: dict[str, Any] = {}
        self.ran: list[str] = []

    def register_magic_function(self, function: Any, kind: str, name: str) -> None:
        self.magics[f"{kind} {name}"] = function

    def run_cell(self, cell: str) -> None:
        self.ran.append(cell)


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The cells that are sent off to be graded."""
    seen: list[list[str]] = []

    def grade(line: str, cells: list[str]) -> Shown:
        seen.append(list(cells))
        return Shown("done")

    monkeypatch.setattr(notebook_magic, "grade", grade)
    return seen


def test_cell_magic_runs_the_cell_and_grades_it(graded: list[list[str]]) -> None:
    shell = Shell()
    grader.load_ipython_extension(shell)
    shell.magics["cell grade"]("04_backward", "x = 1\n")
    assert shell.ran == ["x = 1\n"]
    assert graded == [["x = 1\n"]]


def test_line_magic_grades_what_was_run_so_far_without_the_magics(graded: list[list[str]]) -> None:
    shell = Shell("x = 1", "%%grade 04_backward\ny = 2", "%load_ext grader\n%grade 04_backward")
    grader.load_ipython_extension(shell)
    shell.magics["line grade"]("04_backward")
    assert graded == [["x = 1", "y = 2", ""]]


def test_cell_is_graded_behind_the_boundary_and_shows_the_first_wrong_node() -> None:
    source = (MISTAKES / "pre_order.py").read_text(encoding="utf-8")
    shown = notebook_magic.grade("04_backward", [source], sandbox="none")
    assert "first wrong  a: passed on 16" in shown.text
    assert "\x1b" not in shown.text


def test_everything_that_is_shown_as_html_is_escaped() -> None:
    assert "<script>" not in Shown("<script>alert(1)</script>")._repr_html_()


@pytest.mark.parametrize("line", ["", "04_backward 05_zero_grad", "no_such_exercise"])
def test_wrong_line_is_answered_and_not_raised(line: str) -> None:
    assert notebook_magic.grade(line, ["x = 1"]).text.startswith("grader: ")


def test_exercise_becomes_a_notebook_with_lesson_stub_and_a_grading_cell(tmp_path: Path) -> None:
    target = tmp_path / "04.ipynb"
    CliRunner().invoke(cli, ["notebook", "04_backward", "--out", str(target)])
    book = json.loads(target.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(book))  # type: ignore[no-untyped-call]
    lesson, stub, last = ["".join(cell["source"]) for cell in book["cells"]]
    folder = ROOT / "exercises" / "04_backward"
    assert lesson == (folder / "README.md").read_text(encoding="utf-8")
    assert f"{stub}\n" == (folder / "value.py").read_text(encoding="utf-8")
    assert last == "%load_ext grader\n%grade 04_backward"


def test_notebook_that_is_there_already_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "04.ipynb"
    target.write_text("mine", encoding="utf-8")
    ran = CliRunner().invoke(cli, ["notebook", "04_backward", "--out", str(target)])
    assert isinstance(ran.exception, UsageError)
    assert target.read_text(encoding="utf-8") == "mine"
