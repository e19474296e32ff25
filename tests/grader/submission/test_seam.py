"""What the rest of the grader relies on: a folder or one file in, a `Submission` out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.submission import Rejected, Source, read_submission


@dataclass(frozen=True)
class Exercise:
    id: str
    file: str = "value.py"


@dataclass(frozen=True)
class Course:
    root: Path
    exercises: tuple[Exercise, ...]


@pytest.fixture
def course(tmp_path: Path) -> Any:
    exercises = (Exercise("01_trace", "trace.py"), Exercise("02_graph"), Exercise("04_backward"))
    root = tmp_path / "course"
    for exercise in exercises:
        stub = root / "exercises" / exercise.id / exercise.file
        stub.parent.mkdir(parents=True)
        stub.write_text(
            "class Value:\n    pass\n" if stub.name == "value.py" else "def trace(): ...\n"
        )
    return Course(root, exercises)


def put(path: Path, text: str = "class Value: ...\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_folder_answers_the_exercises_it_holds(tmp_path: Path, course: Any) -> None:
    put(tmp_path / "ada/04_backward/value.py", "x = 1\r\n")
    submission = read_submission(tmp_path / "ada", course)
    assert submission.student == "ada"
    assert list(submission.answers) == ["04_backward"]
    source = submission.answers["04_backward"]
    assert isinstance(source, Source)
    assert [(cell.name, cell.text) for cell in source.cells] == [("value.py", "x = 1\n")]
    assert not source.notebook
    assert source.digest.startswith("sha256:")


def test_only_limits_what_is_read(tmp_path: Path, course: Any) -> None:
    put(tmp_path / "ada/04_backward/value.py")
    put(tmp_path / "ada/02_graph/value.py")
    assert list(read_submission(tmp_path / "ada", course, ["02_graph"]).answers) == ["02_graph"]


def test_file_answers_the_exercise_that_is_named(tmp_path: Path, course: Any) -> None:
    submission = read_submission(put(tmp_path / "ada.py"), course, ["02_graph"])
    assert submission.student == "ada"
    assert list(submission.answers) == ["02_graph"]


def test_file_is_known_by_its_folder(tmp_path: Path, course: Any) -> None:
    submission = read_submission(put(tmp_path / "04_backward/value.py"), course)
    assert list(submission.answers) == ["04_backward"]


def test_file_that_fits_two_exercises_asks_for_one(tmp_path: Path, course: Any) -> None:
    with pytest.raises(UsageError, match="could answer 02_graph, 04_backward; say which with -e"):
        read_submission(put(tmp_path / "value.py"), course)


def test_unknown_exercise_is_a_usage_error(tmp_path: Path, course: Any) -> None:
    with pytest.raises(UsageError, match='"04_bakward" is not in the course; did you mean'):
        read_submission(tmp_path, course, ["04_bakward"])


def test_path_that_is_not_there_is_a_usage_error(tmp_path: Path, course: Any) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        read_submission(tmp_path / "nowhere", course)


@pytest.mark.skipif(os.name == "nt", reason="no links or pipes to plant")
@pytest.mark.parametrize("kind", ["a symbolic link", "a named pipe"])
def test_what_is_not_a_plain_file_is_rejected(tmp_path: Path, course: Any, kind: str) -> None:
    secret = put(tmp_path / "secret.py", "SECRET = 1\n")
    folder = tmp_path / "eve" / "02_graph"
    folder.mkdir(parents=True)
    path = folder / "value.py"
    if kind == "a symbolic link":
        path.symlink_to(secret)
    else:
        os.mkfifo(path)
    answer = read_submission(tmp_path / "eve", course).answers["02_graph"]
    assert isinstance(answer, Rejected)
    assert kind in answer.reason


def test_empty_file_is_named(tmp_path: Path, course: Any) -> None:
    answer = read_submission(put(tmp_path / "v.py", ""), course, ["02_graph"]).answers["02_graph"]
    assert answer == Rejected("v.py: the file is empty")
