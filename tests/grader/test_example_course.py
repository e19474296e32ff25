"""The course in examples/: another subject, proved and handed out by a grader that knows nothing
of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked_list"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of it: runs leave a memory behind."""
    leave = shutil.ignore_patterns(".grader", "__pycache__", ".hypothesis")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "linked_list", ignore=leave))


def test_the_course_holds(example: Path, run_python: Callable[..., Any]) -> None:
    """verify proves both exercises."""
    done = run_python(["-m", "grader", "verify"], example)
    assert done.code == 0, done.out + done.err
    assert "6 mistakes: each loses a hidden check and is named right" in done.out


def test_the_course_can_be_handed_out(
    example: Path, tmp_path: Path, run_python: Callable[..., Any]
) -> None:
    """Nothing of its solutions stands in the handout."""
    done = run_python(["-m", "grader", "handout", str(tmp_path / "out")], example)
    assert done.code == 0, done.out + done.err
    assert "2 exercises" in done.out


def test_it_needs_nothing_of_autograd() -> None:
    """Neither its suites nor its files name it."""
    named = [path for path in EXAMPLE.rglob("*.py") if "autograd" in path.read_text("utf-8")]
    assert named == []
