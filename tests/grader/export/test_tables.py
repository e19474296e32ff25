"""Canvas and Moodle: read back by the rules of their importers."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from grader.errors import UsageError
from grader.export.canvas import canvas, read_roster
from grader.export.columns import Column, each, total
from grader.export.moodle import identity, moodle
from grader.report.gradebook import Row, row
from grader.report.score_file import Late
from grader.result import Outcome

ROSTER = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section
    Points Possible,,,,
"Lovelace, Ada",4711,S-1,ada,Monday
"Turing, Alan",4712,S-2,alan@example.org,Monday
"""


def canvas_reads(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """What Canvas's importer takes: columns with their points, and rows. It looks at the header's
    places, drops what it computes itself, and reads a number in brackets as an assignment's id."""
    assert text.startswith('"Student"')  # a mark before a quote is malformed CSV there
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    head, possible, *students = lines
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    computed = "(Current|Final|Override) (Score|Points|Grade|Status)"
    names = [name for name in head[5:] if not re.search(computed, name)]
    assert len({len(line) for line in lines}) == 1
    assert len(set(head)) == len(head)
    assert not [name for name in names if re.search(r" \(\d+\)$", name)]
    assert "Points Possible" in possible[0]
    columns = {name: possible[head.index(name)] for name in names}
    return columns, [dict(zip(head, line, strict=True)) for line in students]


@pytest.fixture
def rows(made: ModuleType) -> list[Row]:
    """One in time, one late, one whose second exercise could not be graded."""
    both = [made.exercise(f"0{n}_a", made.check("x", points=n * 2)) for n in (1, 2)]
    broken = made.exercise("02_a", made.check("x", Outcome.GRADER_ERROR, points=4))
    return [
        row(made.score_file("ada", tuple(both))),
        row(made.score_file("4712", tuple(both), score=5.4, late=Late(1, 0.9))),
        row(made.score_file("eve", (both[0], broken))),
    ]


def test_canvas_takes_the_total(rows: list[Row]) -> None:
    """One assignment of the course's points; nothing for whom the grader failed."""
    columns, students = canvas_reads(canvas(rows, total(rows, "Autograd"), {}))
    assert columns == {"Autograd": "6"}
    assert [item["Autograd"] for item in students] == ["6", "5.4", ""]
    assert [(item["ID"], item["SIS Login ID"]) for item in students] == [
        ("", "ada"), ("4712", ""), ("", "eve"),
    ]  # fmt: skip


def test_exercises_add_up_to_the_score(rows: list[Row]) -> None:
    """A column each, lateness shared out, and no gain or loss by it."""
    maxima = {"01_a": Fraction(2), "02_a": Fraction(4)}
    columns = each(rows, {"01_a": "One", "02_a": "Two"}, maxima)
    read, students = canvas_reads(canvas(rows, columns, {}))
    assert read == {"01_a One": "2", "02_a Two": "4"}
    assert [tuple(item[name] for name in read) for item in students] == [
        ("2", "4"), ("1.8", "3.6"), ("2", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("title", ["Lab (12)", "Final Score", "Student", "=1+1", "a\nb", 'x";"y'])
def test_canvas_takes_no_title_for_something_else(rows: list[Row], title: str) -> None:
    """Not for an assignment's id, a column that it computes, or a student's."""
    columns = [Column(title, Fraction(1), ("1", "1", "1"))] * 2
    read, students = canvas_reads(canvas(rows, columns, {}))
    assert len(read) == 2
    assert all(item[name] == "1" for item in students for name in read)


def test_canvas_gets_its_own_ids_from_its_export(rows: list[Row], tmp_path: Path) -> None:
    """By any id, each student's own fields as Canvas wrote them."""
    path = tmp_path / "export.csv"
    path.write_text(ROSTER, encoding="utf-8")
    _, students = canvas_reads(canvas(rows, total(rows, "A"), read_roster(path)))
    assert [list(item.values())[:5] for item in students[:2]] == [
        ["Lovelace, Ada", "4711", "S-1", "ada", "Monday"],
        ["Turing, Alan", "4712", "S-2", "alan@example.org", "Monday"],
    ]


def test_a_roster_with_one_id_for_two_is_refused(tmp_path: Path) -> None:
    """Rather than give a grade to the wrong one."""
    path = tmp_path / "export.csv"
    path.write_text(ROSTER + "Eve,4711,S-3,eve,Monday\n", encoding="utf-8")
    with pytest.raises(UsageError, match="4711"):
        read_roster(path)


def test_moodle_takes_grade_and_feedback(rows: list[Row]) -> None:
    """A student column, numbers with a point, an empty grade where there is none."""
    text = moodle(rows, total(rows, "Autograd"), "Autograd")
    lines = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert [item["Autograd"] for item in lines] == ["6", "5.4", ""]
    assert lines[1]["Autograd (feedback)"] == "5.4 of 6 points; 1 day late; 01_a: 2, 02_a: 4"
    assert not text.startswith("\ufeff")


@pytest.mark.parametrize(
    ("students", "heading"),
    [
        (["a@x.org", "b@x.org"], "Email address"), (["12", "007"], "ID number"),
        (["a", "1"], "Username"), ([], "Username"),
    ],
)  # fmt: skip
def test_moodle_is_told_what_the_ids_are(
    made: ModuleType, students: list[str], heading: str
) -> None:
    """By their look."""
    assert identity([row(made.score_file(name)) for name in students]) == heading
