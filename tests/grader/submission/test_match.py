"""Which file answers which exercise; every guess is told, and nothing is guessed by a coin."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.submission import Rejected, Source, Submission, read_submission

VALUE = "class Value:\n    def __add__(self, other): ...\n"
TRACE = "def gradient_of_a():\n    return 3\n"


def hand_in(tmp_path: Path, course: Any, files: dict[str, str], *only: str) -> Submission:
    """The same files as a folder and as an archive: both are read alike."""
    folder = tmp_path / "ada"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            archive.writestr(name, text)
    submission = read_submission(folder, course, only)
    zipped = tmp_path / "ada.zip"
    zipped.write_bytes(file.getvalue())
    assert read_submission(zipped, course, only) == submission
    return submission


def stub(course: Any, exercise: str) -> str:
    return str((course.root / "exercises" / exercise / "value.py").read_text())


@pytest.mark.parametrize(
    "name",
    [
        "04_backward/value.py",
        "exercises/04_backward/value.py",
        "work/exercises/04_backward/value.py",
        "04_backward/VALUE.py",
        "04_backward/src/value.py",
        "04_backward/my_value.py",
        "04_backward/engine.py",
        "04_backward/lab.ipynb",
        "04_backward/value.txt",
        "04_backward.py",
        "04-Backward.py",
        "ada_04_backward.py",
        "04_backward_final.ipynb",
        "ada lovelace 04 backward v2.py",
        "Exercise 4/value.py",
        "ex04.py",
        "ex_4_ada.py",
        "lab4/value.py",
        "4.py",
        "backward.py",
        "backward/value.py",
    ],
)
def test_place_or_name_tells_the_exercise(tmp_path: Path, course: Any, name: str) -> None:
    text = VALUE
    if name.endswith(".ipynb"):
        text = '{"cells": [{"cell_type": "code", "source": "class Value: ..."}]}'
    submission = hand_in(tmp_path, course, {name: text})
    assert list(submission.answers) == ["04_backward"]
    assert isinstance(submission.answers["04_backward"], Source)


@pytest.mark.parametrize("name", ["value_4.py", "value-1.py", "step.py", "v2_04.py", "value.py"])
def test_a_bare_number_tells_nothing(tmp_path: Path, course: Any, name: str) -> None:
    submission = hand_in(tmp_path, course, {name: VALUE})
    assert list(submission.answers) == ["02_graph", "04_backward", "12_engine"]
    for exercise, answer in submission.answers.items():
        assert answer == Rejected(
            f"{name} could answer 02_graph, 04_backward, 12_engine; hand it in as "
            f"{exercise}/value.py"
        )


def test_file_made_from_a_stub_is_known_by_its_lines(tmp_path: Path, course: Any) -> None:
    done = stub(course, "04_backward").replace("raise NotImplementedError(", "return (")
    submission = hand_in(tmp_path, course, {"my work.py": done})
    assert list(submission.answers) == ["04_backward"]
    answer = submission.answers["04_backward"]
    assert isinstance(answer, Source)
    assert answer.notes == ("taken from my work.py", "a guess, because it defines Value")


def test_what_only_one_exercise_defines_tells_it(tmp_path: Path, course: Any) -> None:
    submission = hand_in(tmp_path, course, {"answers.py": TRACE})
    assert list(submission.answers) == ["01_by_hand"]


def test_each_file_finds_its_exercise(tmp_path: Path, course: Any) -> None:
    files = {
        "answers.py": TRACE,
        "02_graph.py": VALUE,
        "one.py": stub(course, "04_backward") + "x = 1\n",
        "two.py": stub(course, "12_engine") + "x = 1\n",
        "readme.md": "# Hello",
        "helper.py": "def f(): ...\n",
    }
    submission = hand_in(tmp_path, course, files)
    assert [type(answer) for answer in submission.answers.values()] == [Source] * 4
    assert submission.notes == ("not an answer to anything: helper.py",)


def test_when_one_exercise_is_asked_for_the_best_file_is_taken(tmp_path: Path, course: Any) -> None:
    files = {"main.py": "from engine import Value\n", "engine.py": VALUE, "plot.py": "x = 1\n"}
    answer = hand_in(tmp_path, course, files, "12_engine").answers["12_engine"]
    assert isinstance(answer, Source)
    assert answer.cells[0].name == "engine.py"


def test_when_nothing_fits_and_there_are_several_nothing_is_guessed(
    tmp_path: Path, course: Any
) -> None:
    files = {"a.py": "x = 1\n", "b.py": "y = 1\n"}
    assert hand_in(tmp_path, course, files, "12_engine").answers == {}


def test_a_file_of_another_exercise_is_not_the_answer(tmp_path: Path, course: Any) -> None:
    files = {"trace.py": TRACE, "04_backward/value.py": VALUE}
    assert hand_in(tmp_path, course, files, "12_engine").answers == {}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("04_backward/value.py", "04_backward/value_old.py"),
        ("04_backward/value.py", "04_backward.py"),
        ("04_backward/value.py", "old/04_backward/value.py"),
        ("04_backward/value.py", "more/04_backward/value.py"),
        ("exercises/04_backward/value.py", "solutions/04_backward/value.py"),
        ("04_backward/engine.py", "04_backward/engine copy.py"),
        ("04_backward/engine.py", "04_backward/engine.ipynb"),
        ("ex4.py", "backup/ex4.py"),
    ],
)
def test_of_two_files_the_better_one_is_taken_and_told(
    tmp_path: Path, course: Any, better: str, worse: str
) -> None:
    submission = hand_in(tmp_path, course, {better: VALUE, worse: VALUE + "worse = 1\n"})
    answer = submission.answers["04_backward"]
    assert isinstance(answer, Source)
    assert answer.cells[0].text == VALUE
    assert f"{worse} could answer this too, but {better} fits best" in answer.notes


def test_untouched_stub_gives_way_to_work_beside_it(tmp_path: Path, course: Any) -> None:
    files = {
        "exercises/04_backward/value.py": stub(course, "04_backward").replace("\n", "\r\n"),
        "exercises/04_backward/ada.py": VALUE,
        "exercises/12_engine/value.py": "",
        "exercises/12_engine/lab.py": VALUE,
    }
    submission = hand_in(tmp_path, course, files)
    names = [answer.cells[0].name for answer in submission.answers.values()]  # type: ignore[union-attr]
    assert names == ["ada.py", "lab.py"]


def test_untouched_stubs_give_way_to_a_file_made_from_one(tmp_path: Path, course: Any) -> None:
    files = {
        "exercises/04_backward/value.py": stub(course, "04_backward"),
        "exercises/12_engine/value.py": stub(course, "12_engine"),
        "final.py": stub(course, "04_backward") + "done = 1\n",
        "thoughts.py": VALUE,
    }
    answers = hand_in(tmp_path, course, files).answers
    names = [answers[name].cells[0].name for name in ("04_backward", "12_engine")]  # type: ignore[union-attr]
    assert names == ["final.py", "value.py"]


def test_suites_of_the_handout_are_never_the_answer(tmp_path: Path, course: Any) -> None:
    files = {
        "handout/tests/suites/04_backward/test_public.py": "def test_x(submission): ...\n",
        "handout/tests/suites/04_backward/mistakes/overwrites.py": VALUE,
        "handout/exercises/12_engine/value.py": VALUE,
    }
    assert list(hand_in(tmp_path, course, files).answers) == ["12_engine"]


def test_document_where_the_answer_should_be_is_named(tmp_path: Path, course: Any) -> None:
    files = {"04_backward/value.pdf": "%PDF-1.4", "04_backward/README.md": "# Lesson"}
    answers = hand_in(tmp_path, course, files).answers
    assert answers["04_backward"] == Rejected(
        "04_backward/value.pdf: this is a PDF; hand in the .py or .ipynb itself"
    )


def test_lesson_alone_is_nothing_handed_in(tmp_path: Path, course: Any) -> None:
    files = {"04_backward/README.md": "# class Value", "04_backward/notes.txt": "def f: no"}
    assert hand_in(tmp_path, course, files).answers == {}


def test_empty_folder_is_nothing_handed_in(tmp_path: Path, course: Any) -> None:
    (tmp_path / "ada").mkdir()
    assert read_submission(tmp_path / "ada", course).answers == {}


# ---- siblings -----------------------------------------------------------------------------------


def test_only_what_is_mentioned_comes_along(tmp_path: Path, course: Any) -> None:
    files = {
        "12_engine/value.py": "from topo import topo\n" + VALUE,
        "12_engine/topo.py": "import more\n",
        "12_engine/more.py": "x = 1\n",
        "12_engine/unused.py": "x = 1\n",
        "12_engine/lib/deep.py": "x = 1\n",
        "04_backward/value.py": VALUE,
    }
    answer = hand_in(tmp_path, course, files).answers["12_engine"]
    assert isinstance(answer, Source)
    assert [name for name, _ in answer.siblings] == ["more.py", "topo.py"]


def test_nearest_sibling_wins(tmp_path: Path, course: Any) -> None:
    files = {
        "12_engine/value.py": "from .lib import topo\n" + VALUE,
        "12_engine/lib/topo.py": "near = 1\n",
        "topo.py": "far = 1\n",
        "02_graph/value.py": VALUE + "import topo\n",
    }
    answers = hand_in(tmp_path, course, files).answers
    assert [answer.siblings for answer in answers.values()] == [  # type: ignore[union-attr]
        (("topo.py", "far = 1\n"),),
        (("topo.py", "near = 1\n"),),
    ]


def test_sibling_that_cannot_be_read_is_told(tmp_path: Path, course: Any) -> None:
    folder = tmp_path / "ada" / "12_engine"
    folder.mkdir(parents=True)
    (folder / "value.py").write_text("import topo\n" + VALUE)
    (folder / "topo.py").write_bytes(b"x = 1\0")
    answer = read_submission(tmp_path / "ada", course).answers["12_engine"]
    assert isinstance(answer, Source)
    assert answer.siblings == ()
    assert answer.notes[0].startswith("12_engine/topo.py was left out: there is a NUL character")


@pytest.mark.skipif(os.name == "nt", reason="no links to plant")
def test_linked_sibling_is_not_followed(tmp_path: Path, course: Any) -> None:
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    folder = tmp_path / "eve" / "12_engine"
    folder.mkdir(parents=True)
    (folder / "value.py").write_text("import topo\n" + VALUE)
    (folder / "topo.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "eve" / "04_backward").symlink_to(tmp_path)
    submission = read_submission(tmp_path / "eve", course)
    assert list(submission.answers) == ["12_engine"]
    assert "SECRET" not in repr(submission)


def test_lone_file_has_no_siblings(tmp_path: Path, course: Any) -> None:
    """In a folder with one file per student, nobody may import the neighbour's."""
    (tmp_path / "zed.py").write_text(VALUE)
    path = tmp_path / "eve.py"
    path.write_text("from zed import Value\n")
    answer = read_submission(path, course, ["12_engine"]).answers["12_engine"]
    assert isinstance(answer, Source)
    assert answer.siblings == ()


# ---- one file -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "exercise"),
    [
        ("04_backward/value.py", VALUE, "04_backward"),
        ("04_backward/anything.py", VALUE, "04_backward"),
        ("04_backward.ipynb", "class Value: ...", "04_backward"),
        ("trace.py", TRACE, "01_by_hand"),
        ("answers.py", TRACE, "01_by_hand"),
    ],
)
def test_lone_file_is_known_by_name_or_content(
    tmp_path: Path, course: Any, name: str, text: str, exercise: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert list(read_submission(path, course).answers) == [exercise]


def test_lone_file_that_fits_several_asks(tmp_path: Path, course: Any) -> None:
    path = tmp_path / "ada.py"
    path.write_text(VALUE)
    with pytest.raises(
        UsageError, match="could answer 02_graph, 04_backward, 12_engine; say which"
    ):
        read_submission(path, course)
    with pytest.raises(UsageError, match="could answer 02_graph, 04_backward; say which"):
        read_submission(path, course, ["02_graph", "04_backward"])


def test_lone_file_that_fits_nothing_asks(tmp_path: Path, course: Any) -> None:
    path = tmp_path / "ada.py"
    path.write_text("x = 1\n")
    with pytest.raises(UsageError, match="cannot tell which of 01_by_hand, 02_graph"):
        read_submission(path, course)


def test_lone_file_that_is_no_code_says_so(tmp_path: Path, course: Any) -> None:
    path = tmp_path / "ada.py"
    path.write_bytes(b"%PDF-1.4")
    answers = read_submission(path, course).answers
    assert set(answers.values()) == {
        Rejected("ada.py: this is a PDF; hand in the .py or .ipynb itself")
    }


# ---- digests ------------------------------------------------------------------------------------


def test_digest_is_of_what_is_executed(tmp_path: Path, course: Any) -> None:
    first = hand_in(tmp_path, course, {"04_backward/value.py": VALUE, "notes.txt": "a"})
    again = hand_in(tmp_path, course, {"04_backward/value.py": VALUE, "notes.txt": "b"})
    other = hand_in(tmp_path, course, {"04_backward/value.py": VALUE + "#\n"})
    assert first.digest == again.digest != other.digest
