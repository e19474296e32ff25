"""Who waits for the message of a property reads the simplest example; a batch takes the first."""

from __future__ import annotations

import json

import pytest

from .conftest import HIDDEN, PUBLIC, Folder

PROPERTY = '''
import pytest
from hypothesis import given
from hypothesis import strategies as st

@pytest.mark.points(2)
@given(number=st.integers(0, 10_000))
def test_any_number(submission, number):
    """Twice any number."""
    got = submission.double(number)
    assert got == 2 * number, f"double({number}): expected {2 * number}, got {got}"
'''
WRONG = """
def double(x):
    return 2 * x if x < 1234 else 0
"""
SIMPLEST = "double(1234): expected 2468, got 0"


@pytest.mark.parametrize("recorded", [True, False])
def test_a_waiting_student_gets_the_simplest_example(course: Folder, recorded: bool) -> None:
    """In the first run of a course, too, in which the suite is recorded."""
    course.exercise(public=PROPERTY, hidden=HIDDEN)
    course.write("handed_in/value.py", WRONG)
    if recorded:
        course.run("solutions")
    done = course.run("handed_in/value.py")
    assert done.code == 1
    assert SIMPLEST in done.out


def test_an_instructor_gets_it_of_a_hidden_property_and_a_student_nothing(course: Folder) -> None:
    course.exercise(public=PUBLIC, hidden=PROPERTY)
    course.write("handed_in/value.py", WRONG)
    assert SIMPLEST in course.run("handed_in/value.py", "--for", "instructor").out
    assert "expected" not in course.run("handed_in/value.py", "--for", "student").out


def test_a_batch_does_not_shrink(course: Folder) -> None:
    """It takes the example that was recorded first among those that fail."""
    course.exercise(public=PROPERTY, hidden=HIDDEN)
    course.write("handed_in/ada/value.py", WRONG)
    assert course.run("batch", "handed_in", "--out", "out").code == 0
    score = json.loads((course.root / "out" / "ada.json").read_text(encoding="utf-8"))
    (message,) = (
        check["message"]
        for check in score["exercises"][0]["checks"]
        if check["id"].endswith("test_any_number")
    )
    assert "expected" in message
    assert SIMPLEST not in message


def test_one_that_hangs_keeps_its_first_message(course: Folder) -> None:
    """Shrinking has a time limit of its own, and what was found before stands."""
    hanging = """
    def double(x):
        while x == 1234:
            pass
        return 2 * x if x < 1234 else 0
    """
    course.exercise(public=PROPERTY, hidden=HIDDEN)
    course.write("handed_in/value.py", hanging)
    done = course.run("handed_in/value.py")
    assert done.code == 1
    assert "expected" in done.out
