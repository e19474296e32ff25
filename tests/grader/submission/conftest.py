"""A small course, a right engine, and ways to hand it in."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.submission import Rejected, Source, read_submission

STUB = '''"""Exercise {number}: {title}.

Fill in the TODO of exercise {number}.
"""


class Value:
    """A number that remembers how it was made."""

    def __init__(self, data):
        self.data = data

    def {method}(self, other):
        raise NotImplementedError("TODO: {method} of exercise {number}")
'''


@dataclass(frozen=True)
class Exercise:
    id: str
    file: str = "value.py"


@dataclass(frozen=True)
class Course:
    root: Path
    exercises: tuple[Exercise, ...]


EXERCISES = (
    Exercise("01_by_hand", "trace.py"),
    Exercise("02_graph"),
    Exercise("04_backward"),
    Exercise("12_engine"),
)


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("course")
    for exercise in EXERCISES:
        stub = root / "exercises" / exercise.id / exercise.file
        stub.parent.mkdir(parents=True)
        number, _, title = exercise.id.partition("_")
        if exercise.file == "trace.py":
            stub.write_text("def gradient_of_a():\n    raise NotImplementedError('TODO')\n")
        else:
            method = "backward" if number == "04" else "__add__"
            stub.write_text(STUB.format(number=number, title=title, method=method))
    return Course(root, EXERCISES)


Answer = Callable[..., Source | Rejected]


@pytest.fixture
def answer(course: Any, tmp_path: Path) -> Answer:
    """Writes bytes under a name and reads them as the answer to one exercise."""

    def read(name: str, data: bytes | str, exercise: str = "12_engine") -> Source | Rejected:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        answers = read_submission(path, course, [exercise]).answers
        assert list(answers) == [exercise]
        return answers[exercise]

    return read


@pytest.fixture(scope="session")
def engine() -> str:
    return (Path(__file__).parent / "engine.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def run() -> Callable[[Source], dict[str, Any]]:
    """Executes a source that a test wrote itself, cell by cell as a worker would."""

    def execute(source: Source) -> dict[str, Any]:
        namespace: dict[str, Any] = {}
        for cell in source.cells:
            try:
                exec(compile(cell.text, cell.name, "exec", dont_inherit=True), namespace)  # noqa: S102
            except Exception:
                if not source.notebook:
                    raise
        return namespace

    return execute


@pytest.fixture(scope="session")
def notebook() -> Callable[..., str]:
    """The JSON of a notebook with these code cells; keywords go to its top level."""

    def build(*cells: str | dict[str, Any], **top: Any) -> str:
        whole = {
            "cells": [
                cell
                if isinstance(cell, dict)
                else {
                    "cell_type": "code",
                    "execution_count": None,
                    "metadata": {},
                    "outputs": [],
                    "source": cell.splitlines(keepends=True),
                }
                for cell in cells
            ],
            "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return json.dumps(whole | top, indent=1)

    return build
