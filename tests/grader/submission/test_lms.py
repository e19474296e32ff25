"""Exports of learning platforms: who, which attempt, when, and what was handed in."""

from __future__ import annotations

import io
import os
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from grader.errors import UsageError
from grader.submission import Rejected, Source
from grader.submission.layouts import (
    blackboard,
    brightspace,
    canvas,
    layout_of,
    moodle,
    parse_time,
    plain,
    shared_slug,
)
from grader.submission.lms import Found, find_submissions
from grader.submission.typed import NOTE

VALUE = "class Value:\n    def __add__(self, other): ...\n"
Files = dict[str, str | bytes]
Find = Callable[..., dict[str, Found]]


def zipped(files: Files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.fixture(params=["folder", "zip", "wrapped folder", "wrapped zip"])
def find(request: pytest.FixtureRequest, tmp_path: Path, course: Any) -> Find:
    """Finds in the same files as a folder and as an archive, bare and inside one more folder."""

    def search(files: Files, *only: str, **options: Any) -> dict[str, Found]:
        wrapper = "assignment_77_export/" if "wrapped" in request.param else ""
        files = {wrapper + name: data for name, data in files.items()}
        if "zip" in request.param:
            path = tmp_path / "export.zip"
            path.write_bytes(zipped(files))
        else:
            path = tmp_path / "export"
            for name, data in files.items():
                target = path / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data.encode() if isinstance(data, str) else data)
        return {found.student: found for found in find_submissions(path, course, only, **options)}

    return search


def text_of(found: Found, exercise: str = "12_engine") -> str:
    answer = found.read().answers[exercise]
    assert isinstance(answer, Source), answer
    return answer.cells[0].text


# ---- names ----------------------------------------------------------------------------------


def test_canvas_names() -> None:
    label = canvas("lovelaceada_4711_90210_value.py")
    assert label is not None
    assert (label.student, label.name, label.file) == ("4711", "lovelaceada", "value.py")
    assert (label.late, label.attempt) == (False, 1)
    label = canvas("lovelaceada_LATE_4711_90210_my_value-2.py")
    assert label is not None
    assert (label.late, label.attempt, label.file) == (True, 3, "my_value.py")
    label = canvas("anonymous_anon_Ab3xZ_90210_value.py")
    assert label is not None
    assert label.student == "anon_Ab3xZ"
    label = canvas("lovelaceada_4711_text.html")
    assert label is not None
    assert label.is_text
    assert canvas("ada_value.py") is None
    assert canvas("04_backward.py") is None


def test_moodle_names() -> None:
    for name in (
        "Ada Lovelace_657693_assignsubmission_file_",
        "Ada Lovelace_657693_assignsubmission_file",
        "Group A-Ada Lovelace_657693_assignsubmission_file_",
        "Ada Lovelace_657693_assignsubmission_file_value.py",
    ):
        label = moodle(name)
        assert label is not None
        assert (label.student, label.name) == ("657693", "Ada Lovelace")
        assert label.file == ("value.py" if name.endswith(".py") else "")
    label = moodle("Ada_657693_assignsubmission_onlinetext_onlinetext.html")
    assert label is not None
    assert label.is_text


def test_blackboard_names() -> None:
    name = "Lab 4_ada1_attempt_2027-01-31-23-58-01_my value.py"
    label = blackboard(name, ZoneInfo("Europe/Berlin"))
    assert label is not None
    assert (label.student, label.file, label.assignment) == ("ada1", "my value.py", "Lab 4")
    assert label.submitted_at == datetime(2027, 1, 31, 22, 58, 1, tzinfo=UTC)
    bare = blackboard(name)
    assert bare is not None
    assert bare.submitted_at is None  # the server's zone is not known
    receipt = blackboard("Lab 4_ada1_attempt_2027-01-31-23-58-01.txt")
    assert receipt is not None
    assert receipt.is_text
    assert blackboard("Lab 4_ada1_attempt_2027-13-31-23-58-01.txt") is None


def test_brightspace_names() -> None:
    label = brightspace("271836-442356 - Ada Lovelace - Jan 31, 2027 932 AM - value.py", UTC)
    assert label is not None
    assert (label.student, label.name, label.file) == ("271836", "Ada Lovelace", "value.py")
    assert label.submitted_at == datetime(2027, 1, 31, 9, 32, tzinfo=UTC)
    folder = brightspace("271836-442356 - Ada Lovelace - December 1, 2027 1259 PM", UTC)
    assert folder is not None
    assert folder.submitted_at == datetime(2027, 12, 1, 12, 59, tzinfo=UTC)


def test_plain_names() -> None:
    assert plain("ada").student == "ada"
    assert (plain("ada_attempt_2").student, plain("ada_attempt_2").attempt) == ("ada", 2)
    assert plain("ada (attempt 11)").attempt == 11


def test_layout_needs_nearly_all_names() -> None:
    good = [f"student{i}_{i}_9{i}_value.py" for i in range(10)]
    assert layout_of(good) == "canvas"
    assert layout_of([*good, "notes.txt"]) == "canvas"
    assert layout_of(["ada", "bob", "s_1_2_value.py"]) is None
    assert layout_of([]) is None


def test_slug_of_a_classroom() -> None:
    assert shared_slug(["lab-4-ada", "lab-4-bob"]) == "lab-4-"
    assert shared_slug(["lab-4-ada-l", "lab-4-ada-m"]) == "lab-4-ada-"
    assert shared_slug(["ada", "adam"]) == ""
    assert shared_slug(["lab-4-ada"]) == ""


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2021-01-28 05:39:05.117370000 Z", datetime(2021, 1, 28, 5, 39, 5, tzinfo=UTC)),
        ("2027-02-01T23:59:00+01:00", datetime(2027, 2, 1, 22, 59, tzinfo=UTC)),
        ("2023-02-09 18:41:13 UTC", datetime(2023, 2, 9, 18, 41, 13, tzinfo=UTC)),
        ("2023-02-09 18:41:13 -0500", datetime(2023, 2, 9, 23, 41, 13, tzinfo=UTC)),
        ("'2023-02-09T18:41Z'", datetime(2023, 2, 9, 18, 41, tzinfo=UTC)),
        ("2023-02-09 18:41:13", None),
        ("2023-13-09 18:41:13 Z", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_times_have_a_zone_or_are_unknown(text: str, moment: datetime | None) -> None:
    assert parse_time(text) == moment


# ---- layouts --------------------------------------------------------------------------------


def test_canvas_export(find: Find) -> None:
    found = find(
        {
            "lovelaceada_4711_90210_value.py": "old = 1\n",
            "lovelaceada_4711_90215_value-1.py": "from topo import topo\n" + VALUE,
            "lovelaceada_4711_90216_topo.py": "topo = 1\n",
            "turingalan_LATE_4712_90300_lab.zip": zipped({"lab/value.py": VALUE}),
            "hoppergrace_4713_text.html": "<p>here it is</p>",
        },
        "12_engine",
    )
    assert list(found) == ["4711", "4712", "4713"]
    ada = found["4711"]
    assert (ada.name, ada.layout, ada.attempt, ada.late) == ("lovelaceada", "canvas", 2, False)
    assert text_of(ada).endswith(VALUE)
    answer = ada.read().answers["12_engine"]
    assert isinstance(answer, Source)
    assert answer.siblings == (("topo.py", "topo = 1\n"),)
    assert found["4712"].late
    assert text_of(found["4712"]) == VALUE
    typed = found["4713"].read().answers["12_engine"]
    assert isinstance(typed, Rejected)
    assert "no file was handed in, and no code was typed in" in typed.reason


@pytest.mark.parametrize("folders", [True, False])
def test_moodle_export(find: Find, folders: bool) -> None:
    end = "_/" if folders else "_"
    found = find(
        {
            f"Ada Lovelace_657693_assignsubmission_file{end}value.py": VALUE,
            f"Ada Lovelace_657693_assignsubmission_onlinetext{end}onlinetext.html": "<p>hi",
            f"Alan Turing_657694_assignsubmission_file{end}04_backward.ipynb": VALUE,
            f"Alan Turing_657694_assignsubmission_file{end}12_engine.py": VALUE,
        }
    )
    assert [one.name for one in found.values()] == ["Ada Lovelace", "Alan Turing"]
    assert list(found["657694"].read().answers) == ["04_backward", "12_engine"]
    assert found["657693"].submitted_at is None


def test_gradescope_export(find: Find) -> None:
    metadata = """---
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '301'
    :email: ada@example.org
  - :name: "Alan \\"T\\" Turing"
    :sid: 302
    :email: alan@example.org
  :created_at: 2027-01-28 05:39:05.117370000 Z
  :score: 5.0
  :results:
    tests:
    - name: ":sid: 'stolen'"
      :sid: 'stolen'
    output: |
      submission_102:
  :history:
  - :id: 99
    :created_at: 2026-01-01 00:00:00.000000000 Z
submission_102:
  :submitters:
  - :name: Grace Hopper
    :sid:
    :email: grace@example.org
  :created_at: 2027-01-29 05:39:05.000000000 -05:00
"""
    found = find(
        {
            "submission_metadata.yml": metadata,
            "submission_101/12_engine/value.py": VALUE,
            "submission_102/12_engine/value.py": VALUE + "x = 1\n",
            "submission_103/12_engine/value.py": VALUE,
        }
    )
    assert list(found) == ["301", "302", "grace@example.org", "submission_103"]
    assert found["302"].name == 'Alan "T" Turing'
    assert found["301"].also == ("ada@example.org", "Ada Lovelace")
    for student in ("301", "302"):
        assert found[student].submitted_at == datetime(2027, 1, 28, 5, 39, 5, tzinfo=UTC)
        assert text_of(found[student]) == VALUE
    assert found["grace@example.org"].submitted_at == datetime(2027, 1, 29, 10, 39, 5, tzinfo=UTC)


def test_blackboard_export(find: Find) -> None:
    first = "04_backward_ada1_attempt_2027-01-30-23-58-01"
    second = "04_backward_ada1_attempt_2027-01-31-23-58-01"
    receipt = (
        "Name: Ada Lovelace (ada1)\nAssignment: 04_backward\n"
        "Date Submitted: Sunday, January 31, 2027 11:58:01 PM EST\n"
    )
    found = find(
        {
            f"{first}_value.py": "old = 1\n",
            f"{first}.txt": receipt.replace("31", "30"),
            f"{second}_value.py": VALUE,
            f"{second}.txt": receipt,
        }
    )
    ada = found["ada1"]
    assert (ada.name, ada.attempt, ada.attempts) == ("Ada Lovelace", 2, 2)
    assert ada.submitted_at == datetime(
        2027, 1, 31, 23, 58, 1, tzinfo=timezone(timedelta(hours=-5))
    )
    assert text_of(ada, "04_backward") == VALUE  # known by the assignment's name
    assert ada.read().notes == ("attempt 2 counts, the latest of 2 in the export",)


def test_brightspace_export(find: Find) -> None:
    found = find(
        {
            "1-9 - Ada Lovelace - Jan 30, 2027 1158 PM/value.py": "old = 1\n",
            "1-9 - Ada Lovelace - Jan 31, 2027 932 AM/value.py": VALUE,
            "2-9 - Alan Turing - Jan 31, 2027 1201 AM/value.py": VALUE,
        },
        "12_engine",
        zone=ZoneInfo("America/New_York"),
    )
    assert text_of(found["1"]) == VALUE
    assert found["1"].attempts == 2
    assert found["2"].submitted_at == datetime(2027, 1, 31, 5, 1, tzinfo=UTC)


def test_github_classroom(find: Find) -> None:
    grades = (
        "assignment_name,github_username,roster_identifier,student_repository_name,"
        "submission_timestamp,points_awarded\n"
        "lab,ada-l,ada@example.org,lab-4-ada-l,2027-01-28 05:39:05 UTC,0\n"
    )
    files: Files = {
        "lab-4-ada-l/exercises/12_engine/value.py": VALUE,
        "lab-4-ada-l/README.md": "# Lab",
        "lab-4-bob/exercises/12_engine/value.py": VALUE,
        "lab-4-bob/README.md": "# Lab",
    }
    assert list(find(files)) == ["ada-l", "bob"]
    found = find({**files, "grades.csv": grades})
    assert found["ada-l"].submitted_at == datetime(2027, 1, 28, 5, 39, 5, tzinfo=UTC)
    assert found["ada-l"].also == ("ada@example.org",)
    assert text_of(found["bob"]) == VALUE


def test_folder_for_each_student(find: Find) -> None:
    found = find(
        {
            "ada/12_engine/value.py": VALUE,
            "bob_attempt_1/12_engine/value.py": "old = 1\n",
            "bob_attempt_2/12_engine/value.py": VALUE,
            "carol/work/exercises/12_engine/value.py": VALUE,
            "dan.zip": zipped({"12_engine/value.py": VALUE}),
            "erin/value.zip": zipped({"12_engine/value.py": VALUE}),
            "__MACOSX/ada/._x": "x",
            ".DS_Store": "x",
        }
    )
    assert list(found) == ["ada", "bob", "carol", "dan", "erin"]
    assert found["bob"].attempt == 2
    assert [text_of(one) for one in found.values()] == [VALUE] * 5


def test_archive_beside_the_folder_it_was_unpacked_into_is_passed_over(find: Find) -> None:
    files: Files = {"ada/12_engine/value.py": VALUE, "ada.zip": zipped({"x.py": "x"})}
    files["bob/12_engine/value.py"] = VALUE
    assert list(find(files)) == ["ada", "bob"]


def test_flat_folder_of_files(find: Find) -> None:
    found = find(
        {
            "ada.py": VALUE,
            "bob.ipynb": '{"cells": [{"cell_type": "code", "source": "class Value: ..."}]}',
            "carol.zip": zipped({"value.py": VALUE}),
            "dan.pdf": b"%PDF-1.4",
            "erin.py": "from ada import Value\n",
            "README.md": "# Submissions",
            "roster.csv": "student\nada\n",
        },
        "12_engine",
    )
    assert list(found) == ["ada", "bob", "carol", "dan", "erin"]
    dan = found["dan"].read().answers["12_engine"]
    assert isinstance(dan, Rejected)  # nobody is passed over who handed in something
    assert dan.reason == "dan.pdf: this is a PDF; hand in the .py or .ipynb itself"
    erin = found["erin"].read().answers["12_engine"]
    assert isinstance(erin, Source)
    assert erin.siblings == ()  # a neighbour's file can't be imported


def test_flat_files_with_the_exercise_in_their_names(find: Find) -> None:
    found = find(
        {
            "ada_02_graph.py": VALUE,
            "ada_04_backward.py": VALUE,
            "04-backward-bob.py": VALUE,
            "carol.12_engine.ipynb": VALUE,
        }
    )
    assert {name: list(one.read().answers) for name, one in found.items()} == {
        "ada": ["02_graph", "04_backward"],
        "bob": ["04_backward"],
        "carol": ["12_engine"],
    }


def test_file_that_could_answer_several_is_rejected_not_raised(find: Find) -> None:
    answers = find({"ada.py": VALUE, "bob.py": VALUE})["ada"].read().answers
    assert all(isinstance(answer, Rejected) for answer in answers.values())
    assert list(answers) == ["02_graph", "04_backward", "12_engine"]


def test_one_bad_submission_does_not_stop_the_rest(find: Find) -> None:
    found = find(
        {
            "ada/12_engine/value.py": VALUE,
            "bob.zip": b"PK\3\4 broken",
            "carol/empty.txt": "",
            "dan/12_engine/value.py": b"\0",
        },
        "12_engine",
    )
    kinds = {name: one.read().answers.get("12_engine") for name, one in found.items()}
    assert isinstance(kinds["ada"], Source)
    assert isinstance(kinds["bob"], Rejected)
    assert kinds["carol"] is None
    assert isinstance(kinds["dan"], Rejected)


# ---- what is not a batch ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        {"04_backward/value.py": VALUE, "12_engine/value.py": VALUE},
        {"exercises/04_backward/value.py": VALUE, "README.md": "#"},
        {"04_backward.py": VALUE, "12_engine.py": VALUE},
        {"value.py": VALUE},
    ],
)
def test_one_submission_is_not_a_batch(tmp_path: Path, course: Any, files: Files) -> None:
    path = tmp_path / "ada.zip"
    path.write_bytes(zipped(files))
    with pytest.raises(UsageError, match=r"looks like one submission .*; grade it with"):
        find_submissions(path, course)


@pytest.mark.parametrize(
    "name",
    ["12_engine/value.py", "exercises/12_engine/value.py", "value.py", "12_engine.py", "engine.py"],
)
def test_batch_may_have_one_student(find: Find, name: str) -> None:
    found = find({f"ada/{name}": VALUE}, "12_engine")
    assert [text_of(one) for one in found.values()] == [VALUE]


def test_nothing_to_grade_is_a_usage_error(tmp_path: Path, course: Any) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        find_submissions(tmp_path / "nowhere", course)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="there are no submissions in it"):
        find_submissions(tmp_path / "empty", course)
    (tmp_path / "x.zip").write_bytes(b"no zip")
    with pytest.raises(UsageError, match="the archive is damaged"):
        find_submissions(tmp_path / "x.zip", course)
    with pytest.raises(UsageError, match='"13_x" is not in the course'):
        find_submissions(tmp_path / "empty", course, ["13_x"])


@pytest.mark.skipif(os.name == "nt", reason="no links to plant")
def test_links_are_never_followed(tmp_path: Path, course: Any) -> None:
    export = tmp_path / "export"
    (export / "ada").mkdir(parents=True)
    (export / "ada" / "value.py").write_text(VALUE)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "value.py").write_text("SECRET = 1\n")
    (export / "eve").symlink_to(secret)
    (export / "eve.py").symlink_to(secret / "value.py")
    found = find_submissions(export, course, ["12_engine"])
    assert "SECRET" not in repr([one.read() for one in found])


def test_a_thousand_students_in_one_archive_are_found_and_read_in_seconds(
    tmp_path: Path, course: Any
) -> None:
    files: Files = {
        f"student{i}_{5000 + i}_{90000 + i}_value.py": f"{VALUE}n = {i}\n" for i in range(1_000)
    }
    path = tmp_path / "submissions.zip"
    path.write_bytes(zipped(files))
    began = time.monotonic()
    found = find_submissions(path, course, ["12_engine"])
    assert len(found) == 1_000
    assert len({one.read().digest for one in found}) == 1_000
    assert time.monotonic() - began < 20


# ---- what is odd about real exports -------------------------------------------------------------

ENGINE = (Path(__file__).parent / "engine.txt").read_text(encoding="utf-8")
TYPED = "".join(f"<p>{line.replace(' ', '&nbsp;')}</p>\n" for line in ENGINE.split("\n"))
PREFORMATTED = f"<html><body><pre>{ENGINE}</pre></body></html>"
RECEIPT = (
    "Name: Ada Lovelace (ada1)\nAssignment: Lab 4\n"
    "Date Submitted: Sunday, January 31, 2027 11:58:01 PM GMT\n\n"
    "Submission Field:\n{field}\n\nComments:\nThere are no student comments.\n\n"
    "Files:\nNo files were attached to this submission.\n"
)


@pytest.mark.parametrize(
    "files",
    [
        {"Ada L_1_assignsubmission_onlinetext_/onlinetext.html": TYPED},
        {"Ada L_1_assignsubmission_onlinetext_/onlinetext.html": PREFORMATTED},
        {"Ada L_1_assignsubmission_onlinetext_onlinetext.html": TYPED},
        {"lovelaceada_LATE_1_text.html": TYPED.replace("</p>", "<br/>").replace("<p>", "")},
        {
            "Lab_1_attempt_2027-01-31-23-58-01.txt": RECEIPT.format(field=ENGINE),
            "Lab_2_attempt_2027-01-31-23-58-01.txt": RECEIPT.format(field=PREFORMATTED),
        },
    ],
)
def test_code_typed_into_a_form_is_taken(find: Find, files: Files) -> None:
    for one in find(files, "12_engine").values():
        submission = one.read()
        assert submission.notes[-1:] == (NOTE,)
        answer = submission.answers["12_engine"]
        assert isinstance(answer, Source), answer
        lines = [line for line in answer.cells[0].text.split("\n") if line.strip()]
        assert lines == [line for line in ENGINE.split("\n") if line.strip()]


def test_words_typed_into_a_form_are_no_answer(find: Find) -> None:
    found = find(
        {
            "Lab_1_attempt_2027-01-31-23-58-01.txt": RECEIPT.format(field="<p>I could not</p>"),
            "Lab_2_attempt_2027-01-31-23-58-01.txt": RECEIPT.format(field=""),
        },
        "12_engine",
    )
    for one in found.values():
        answer = one.read().answers["12_engine"]
        assert isinstance(answer, Rejected)
        assert answer.reason.startswith("no file was handed in, and no code was typed in; hand in")


def test_a_file_counts_before_what_was_typed_beside_it(find: Find) -> None:
    found = find(
        {
            "Ada L_1_assignsubmission_onlinetext_/onlinetext.html": TYPED,
            "Ada L_1_assignsubmission_file_/value.py": VALUE,
        },
        "12_engine",
    )
    assert text_of(found["1"]) == VALUE
    assert found["1"].read().notes == ()


def test_nobody_is_passed_over_whose_file_is_called_otherwise(find: Find) -> None:
    """In an export whose other names fit, one was put by hand, or renamed."""
    files: Files = {f"student{n}_{n}_{n}_value.py": VALUE for n in range(10, 20)}
    files |= {"late one.py": VALUE, "by mail.zip": zipped({"value.py": VALUE}), "eve.docx": b"?"}
    found = find(files, "12_engine")
    assert {"late one", "by mail", "eve"} < set(found)
    assert len(found) == 13
    assert text_of(found["by mail"]) == VALUE


@pytest.mark.parametrize(
    "file",
    [
        "\u0420\u0435\u0448\u0435\u043d\u0438\u0435 (1).py",
        "\u0420\u0435\u0448\u0435\u043d\u0438\u0435-2.py",
        "\u4f5c\u4e1a4.py",
        "\u0645\u062c\u0644\u062f.ipynb",
        "e\u0301tude (2).py",
        "value (1).py",
        "value-1 (1).py",
        "value.new.py",
        "value - Kopie.py",
    ],
)
def test_names_in_any_script_claim_no_other_exercise(find: Find, file: str) -> None:
    """Of a name whose letters were thrown away, the number of the copy would be left."""
    found = find({f"Ada L_1_assignsubmission_file_/{file}": ENGINE}, "12_engine")
    assert text_of(found["1"]) == ENGINE


def test_other_platforms(find: Find) -> None:
    sakai = find(
        {
            "Lovelace, Ada(ada1)/Submission attachment(s)/value.py": VALUE,
            "Lovelace, Ada(ada1)/timestamp.txt": "20270131235801000",
            "Hopper, Grace(gh@uni.edu)/Submission attachment(s)/value.py": VALUE,
            "grades.csv": "Lab 4\n",
        },
        "12_engine",
    )
    assert {one.student: one.name for one in sakai.values()} == {
        "ada1": "Lovelace, Ada",
        "gh@uni.edu": "Hopper, Grace",
    }
    assert text_of(sakai["ada1"]) == VALUE


def test_of_several_versions_the_latest_counts(find: Find) -> None:
    """Microsoft Teams keeps them all."""
    found = find(
        {
            "Ada Lovelace/Lab 12/Version 2/value.py": "old = 2\n",
            "Ada Lovelace/Lab 12/Version 10/value.py": VALUE,
            "Bob X/Lab 12/Version 1/value.py": VALUE,
        },
        "12_engine",
    )
    assert text_of(found["Ada Lovelace"]) == text_of(found["Bob X"]) == VALUE
    assert "of several versions of a file, the latest counts" in found["Ada Lovelace"].read().notes
