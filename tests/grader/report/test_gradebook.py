"""gradebook.csv: exact, and safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from types import ModuleType

import pytest

from grader.report.gradebook import gradebook, row
from grader.report.points import decimal, exact, percent
from grader.report.score_file import Late
from grader.result import Outcome


def read(text: str) -> list[dict[str, str]]:
    """The file as a spreadsheet reads it."""
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_a_row_holds_what_was_earned_and_what_lateness_leaves(made: ModuleType) -> None:
    """Exercises as earned, then their sum, the lateness, and the score."""
    graded = made.exercise("01_a", made.check("x", points=17))
    score = made.score_file("ada", (graded,), score=15.3, late=Late(1, 0.9))
    (line,) = read(gradebook([row(score)]))
    assert line == {
        "student": "ada", "01_a": "17", "earned": "17", "late_days": "1", "late_factor": "0.9",
        "score": "15.3", "max_score": "17", "ungraded": "",
    }  # fmt: skip


def test_points_are_exact(made: ModuleType) -> None:
    """Ten checks of a tenth are one point, not 0.9999999999999999."""
    graded = [made.exercise(f"0{n}_a", made.check("x", points=0.1)) for n in range(10)]
    (line,) = read(gradebook([row(made.score_file("ada", tuple(graded), score=1))]))
    assert line["earned"] == "1"
    assert line["00_a"] == "0.1"


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (Fraction(3), "3"), (Fraction(1, 8), "0.125"), (exact(0.1) * 9, "0.9"),
        (Fraction(1, 3), "0.3333333333333333"), (exact(1e-7), "0.0000001"),
        (exact(2.5e20), "250000000000000000000"),
    ],
)  # fmt: skip
def test_points_are_written_without_an_exponent(points: Fraction, text: str) -> None:
    """As every platform reads them."""
    assert decimal(points) == text


def test_only_what_is_complete_is_100_percent() -> None:
    """And only what is nothing is 0."""
    assert [percent(Fraction(n), Fraction(1000)) for n in (0, 1, 500, 999, 1000)] == [
        0,
        1,
        50,
        99,
        100,
    ]
    assert percent(Fraction(1), Fraction(0)) == 0


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", '=cmd|" /C calc"!A0']
)
def test_no_name_becomes_a_formula(made: ModuleType, name: str) -> None:
    """A name that a spreadsheet would compute is text."""
    (line,) = read(gradebook([row(made.score_file(name))]))
    assert line["student"].startswith("'")


def test_a_name_stays_in_its_field(made: ModuleType) -> None:
    """Whatever quotes, separators and line ends it holds."""
    rows = [row(made.score_file(name)) for name in ('a","b', "c;d", "e\nf\r\ng", "h")]
    assert [line["student"] for line in read(gradebook(rows))] == ['a","b', "c;d", "e f g", "h"]


def test_what_could_not_be_graded_is_empty_and_named(made: ModuleType) -> None:
    """A fault of the course takes no points: the field is empty, not 0."""
    broken = made.exercise("02_b", made.check("y", Outcome.GRADER_ERROR))
    score = made.score_file("ada", (made.exercise("01_a", made.check("x")), broken))
    (line,) = read(gradebook([row(score)]))
    assert (line["01_a"], line["02_b"], line["ungraded"]) == ("1", "", "02_b")


def test_students_with_other_exercises_have_empty_fields(made: ModuleType) -> None:
    """A batch with -e may be merged with another."""
    ada = made.score_file("ada", (made.exercise("01_a", made.check("x")),))
    bob = made.score_file("bob", (made.exercise("02_b", made.check("x")),))
    lines = read(gradebook([row(ada), row(bob)]))
    assert [(line["01_a"], line["02_b"]) for line in lines] == [("1", ""), ("", "1")]
