"""course.toml: every fault is one line that names the thing, the place and the remedy."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import find_course, read_course
from grader.errors import UsageError


def edit(old: str, new: str) -> Callable[[Any], None]:
    """A fault: some text of course.toml replaced."""

    def change(course: Any) -> None:
        path = course.root / "course.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def without(path: str) -> Callable[[Any], None]:
    """A fault: a file that is not there."""
    return lambda course: (course.root / path).unlink()


def as_bytes(content: bytes) -> Callable[[Any], None]:
    """A fault: a course.toml of these bytes."""

    def change(course: Any) -> None:
        (course.root / "course.toml").write_bytes(content)

    return change


TWICE = (
    '\n[[exercise]]\nid = "01_double"\ntitle = "t"\nfile = "value.py"\npoints = 1\nminutes = 1\n'
)
TWICE += 'difficulty = 1\nhints = ["h"]\n'

FAULTS = {
    "unknown key of an exercise": (edit("minutes = 5", "minuets = 5"), ["01_double", "minuets"]),
    "unknown key of the course": (edit('id = "small"', 'id = "small"\nname = "x"'), ["name"]),
    "unknown limit": (edit("memory_mb", "memory_gb"), ["limits", "memory_gb"]),
    "unknown table": (edit("[limits]", "[limit]"), ["limit"]),
    "missing key": (edit('title = "Twice a number"\n', ""), ["01_double", "title"]),
    "missing course table": (edit("[course]", "[other]"), ["other"]),
    "text for a number": (edit("minutes = 5", 'minutes = "5"'), ["01_double", "minutes", "int"]),
    "a number for text": (edit('"multiply by two"', "2"), ["01_double", "hints", "str"]),
    "true for a number": (edit("points = 3", "points = true"), ["01_double", "points"]),
    "fraction of minutes": (edit("minutes = 5", "minutes = 5.5"), ["01_double", "minutes"]),
    "no points": (edit("points = 3", "points = 0"), ["01_double", "points", "more than 0"]),
    "points that are no number": (edit("points = 3", "points = nan"), ["01_double", "points"]),
    "infinite points": (edit("points = 3", "points = inf"), ["01_double", "points"]),
    "no minutes": (edit("minutes = 5", "minutes = 0"), ["01_double", "minutes"]),
    "too difficult": (edit("difficulty = 1", "difficulty = 6"), ["01_double", "1 to 5"]),
    "no hints": (edit('hints = ["multiply by two"]', "hints = []"), ["01_double", "add hints"]),
    "an empty hint": (edit("multiply by two", " "), ["01_double", "hints"]),
    "an empty title": (edit("Twice a number", ""), ["01_double", "title"]),
    "duplicate id": (edit("\n[[exercise]]", TWICE + "\n[[exercise]]"), ["01_double", "twice"]),
    "id that is a path": (edit("01_double", "../01"), ["../01", "a-z"]),
    "file that is a path": (edit('"value.py"', '"../value.py"'), ["01_double", "../value.py"]),
    "file that is no module": (edit('"value.py"', '"value.txt"'), ["01_double", "value.txt"]),
    "no stub": (without("exercises/01_double/value.py"), ["exercises/01_double/value.py", "add"]),
    "no public suite": (
        without("tests/suites/01_double/test_public.py"),
        ["tests/suites/01_double/test_public.py", "add"],
    ),
    "no time": (edit("seconds = 5", "seconds = 0"), ["limits", "seconds", "above 0"]),
    "negative memory": (edit("memory_mb = 200", "memory_mb = -1"), ["limits", "memory_mb"]),
    "a limit that is no number": (edit("seconds = 5", "seconds = nan"), ["limits", "seconds"]),
    "endless time": (edit("seconds = 5", "seconds = inf"), ["limits", "seconds"]),
    "a bad limit of an exercise": (
        edit("minutes = 5", "minutes = 5\nseconds = -1"), ["01_double", "seconds"],
    ),
    "import of a submodule": (
        edit("minutes = 5", 'minutes = 5\nimports = ["os.path"]'), ["01_double", "os.path"],
    ),
    "due without a time zone": (
        edit("minutes = 5", "minutes = 5\ndue = 2027-02-01T23:59:00"), ["01_double", "time zone"],
    ),
    "due as text": (edit("minutes = 5", 'minutes = 5\ndue = "soon"'), ["01_double", "due"]),
    "lateness above the score": (
        edit("[limits]", "[late]\nper_day = 1.5\n[limits]"), ["late", "per_day"],
    ),
    "negative days": (edit("[limits]", "[late]\ndays = -1\n[limits]"), ["late", "0 or more"]),
    "no exercise": (as_bytes(b'[course]\nid = "a"\ntitle = "b"\n'), ["exercise"]),
    "an exercise that is no table": (
        as_bytes(b'exercise = [1]\n[course]\nid = "a"\ntitle = "b"\n'), ["exercise"],
    ),
    "exercises that are no array": (
        as_bytes(b'exercise = 1\n[course]\nid = "a"\ntitle = "b"\n'), ["exercise"],
    ),
    "not TOML": (as_bytes(b"[course\n"), ["not valid TOML", "line 1"]),
    "not UTF-8": (as_bytes(b'[course]\nid = "\xff"\n'), ["course.toml"]),
    "empty": (as_bytes(b""), ["course"]),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_course_toml_is_one_line_that_names_place_and_remedy(
    course: Any, fault: str
) -> None:
    """Each fault is a UsageError of one line with the file, the exercise or key, and what to do."""
    change, words = FAULTS[fault]
    change(course)
    with pytest.raises(UsageError) as caught:
        read_course(course.root)
    message = str(caught.value)
    assert "\n" not in message
    assert "course.toml" in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("fault", ["unknown key of an exercise", "no stub", "not TOML"])
def test_a_broken_course_ends_with_2_and_writes_nothing(course: Any, fault: str) -> None:
    """Exit 2, one line on standard error, none on standard output, and no file anywhere."""
    FAULTS[fault][0](course)
    before = sorted(course.root.rglob("*"))
    done = course.run("--json", "scores.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("grader: course.toml")
    assert len(done.err.splitlines()) == 1
    assert sorted(course.root.rglob("*")) == before


def test_a_course_is_read_whole(empty_course: Any) -> None:
    """Titles, points, limits, hints and due times arrive as written."""
    empty_course.limits = {"seconds": 2, "imports": ["math"]}
    empty_course.exercise(points=0.5, due=Path("2027-02-01T23:59:00+01:00"))
    empty_course.exercise("02_more", seconds=7, imports=["sys", "math"], file="more.py")
    course = read_course(empty_course.root)
    first, second = course.exercises
    assert (course.id, course.title) == ("small", "A small course")
    assert first.points == Fraction(1, 2)
    assert first.due is not None
    assert first.due.isoformat() == "2027-02-01T23:59:00+01:00"
    assert (first.limits.seconds, first.limits.imports) == (2, ("math",))
    assert (second.limits.seconds, second.limits.imports) == (7, ("sys", "math"))
    assert first.limits.total_seconds == 60


def test_points_are_exact(empty_course: Any) -> None:
    """Three tenths and seven tenths are one point, not 0.9999999999999999."""
    empty_course.exercise(points=0.1).exercise("02_more", points=0.2).exercise("03", points=0.7)
    assert sum(item.points for item in read_course(empty_course.root).exercises) == 1


def test_the_course_is_found_from_a_folder_inside_it(course: Any) -> None:
    """A student may run the grader inside exercises/01_double."""
    assert find_course(course.root / "exercises" / "01_double").root == course.root.resolve()


def test_outside_a_course_the_error_says_where_to_go(tmp_path: Path) -> None:
    """No course.toml here or above: say so and what to do."""
    if any((folder / "course.toml").exists() for folder in tmp_path.parents):
        pytest.skip("the temporary folder lies inside a course")
    with pytest.raises(UsageError, match=r"no course\.toml in .*; run this inside a course folder"):
        find_course(tmp_path)


@pytest.mark.parametrize("wanted", ["01_double", "01", "1"])
def test_an_exercise_is_found_by_id_or_number(course: Any, wanted: str) -> None:
    """`-e 1` is enough where the number is unambiguous."""
    assert course.read().exercise(wanted).id == "01_double"


@pytest.mark.parametrize("wanted", ["2", "double", "", "02_double"])
def test_an_unknown_exercise_is_an_error_that_lists_the_known_ones(
    course: Any, wanted: str
) -> None:
    """The error says what there is."""
    with pytest.raises(UsageError, match="01_double"):
        course.read().exercise(wanted)


def test_the_digest_changes_with_whatever_decides_a_score(course: Any) -> None:
    """A changed hidden check changes the course's digest, but not the one that students see."""
    before = course.read().digest, course.read().public_digest
    course.write("tests/suites/01_double/test_hidden.py", "x = 1\n")
    hidden_changed = course.read().digest, course.read().public_digest
    assert hidden_changed[0] != before[0]
    assert hidden_changed[1] == before[1]
    course.write("tests/suites/01_double/test_public.py", "x = 1\n")
    assert course.read().public_digest != before[1]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_course_toml_is_a_usage_error(course: Any) -> None:
    """No traceback where the file may not be read."""
    (course.root / "course.toml").chmod(0)
    with pytest.raises(UsageError, match=r"course\.toml"):
        read_course(course.root)


@given(st.binary(max_size=200))
def test_any_bytes_as_course_toml_are_a_course_or_a_usage_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    """Whatever the file holds, nothing but UsageError comes out."""
    root = tmp_path_factory.mktemp("bytes")
    (root / "course.toml").write_bytes(content)
    with pytest.raises(UsageError):
        read_course(root)
