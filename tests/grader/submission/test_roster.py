"""The class list joins what a platform calls a student to what the school does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.submission.entries import Listing
from grader.submission.lms import Found
from grader.submission.roster import join, read_roster


def found(student: str, name: str = "", **more: Any) -> Found:
    return Found(student, name, "canvas", _list=lambda: Listing(()), _course=None, **more)  # type: ignore[arg-type]


def roster(tmp_path: Path, text: str | bytes) -> Any:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_roster(path)


@pytest.mark.parametrize(
    "text",
    [
        "student,name,email\nal1,Ada Lovelace,ada@example.org\n",
        "Student ID;First Name;Last Name\r\nal1;Ada;Lovelace\r\n",
        "login\tname\nal1\tLovelace, Ada\n",
        "\ufeffStudent,ID,SIS User ID,SIS Login ID\n"
        ' Points Possible,,,\n"Lovelace, Ada",4711,al1,x\n',
        "username,given name,surname\nal1,Ada,Lovelace\n",
    ],
)
def test_any_heading_that_makes_sense(tmp_path: Path, text: str) -> None:
    (person,) = roster(tmp_path, text)
    assert person.student == "al1"
    assert {"Ada", "Lovelace"} == set(person.name.replace(",", "").split())


def test_windows_encoding(tmp_path: Path) -> None:
    (person,) = roster(tmp_path, "id;name\nz1;Zoë Müller\n".encode("cp1252"))
    assert person.name == "Zoë Müller"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a,b\n1,2\n", "names no known column"),
        ("student,name\n", "there is nobody in it"),
        ("student\nada\nada\n", "ada is there twice"),
        (b"PK\3\4\0\0", "not text|NUL"),
    ],
)
def test_what_is_no_roster(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        roster(tmp_path, text)


def test_roster_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(tmp_path / "nowhere.csv")


PEOPLE = (
    "student,name,email,id,identifier\n"
    "al1,Ada Lovelace,ada@example.org,4711,Participant 657693\n"
    "at2,Alan Turing,alan@example.org,4712,Participant 657694\n"
    "gh3,Grace Hopper,grace@example.org,4713,\n"
    "zm4,Zoë Müller,zoe@example.org,4714,\n"
)


@pytest.mark.parametrize(
    "one",
    [
        found("4711"),
        found("ADA@example.org"),
        found("ada"),
        found("657693"),
        found("999", "lovelaceada"),
        found("999", "Lovelace, Ada"),
        found("Ada Lovelace"),
        found("submission_1", also=("ada@example.org",)),
    ],
)
def test_student_is_known_by_any_id_or_by_name(tmp_path: Path, one: Found) -> None:
    joined = join([one], roster(tmp_path, PEOPLE))
    assert [(f.student, f.name) for f in joined.found] == [("al1", "Ada Lovelace")]
    assert [person.student for person in joined.missing] == ["at2", "gh3", "zm4"]
    assert joined.unknown == ()


def test_accents_do_not_matter(tmp_path: Path) -> None:
    joined = join([found("9", "mullerzoe")], roster(tmp_path, PEOPLE))
    assert joined.found[0].student == "zm4"


def test_strangers_are_kept_and_told(tmp_path: Path) -> None:
    joined = join([found("4711"), found("eve")], roster(tmp_path, PEOPLE))
    assert [f.student for f in joined.found] == ["al1", "eve"]
    assert [f.student for f in joined.unknown] == ["eve"]


def test_name_that_two_share_tells_nothing(tmp_path: Path) -> None:
    people = roster(tmp_path, "student,name\na,Kim Lee\nb,Lee Kim\n")
    assert join([found("9", "leekim")], people).unknown[0].student == "9"


def test_of_two_submissions_the_later_counts(tmp_path: Path) -> None:
    early = found("4711", submitted_at=datetime(2027, 1, 1, tzinfo=UTC))
    late = found("ada@example.org", submitted_at=datetime(2027, 1, 2, tzinfo=UTC))
    joined = join([late, early], roster(tmp_path, PEOPLE))
    assert [f.submitted_at for f in joined.found] == [late.submitted_at]
    assert joined.notes == ("al1 has 2 submissions; the latest counts",)
