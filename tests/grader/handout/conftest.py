"""A course whose handout is cut once; every test gets a copy of it to spoil."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import Course
from grader.handout import hand_out
from grader.handout.leaks import leaks
from grader.handout.secrets import Secrets, secrets
from tests.grader.conftest import Folder

STUB = '''
"""Running totals. README.md is the lesson."""


def blended(old, new, weight):
    """A step of the way from old to new."""
    raise NotImplementedError("TODO: blended goes a part of the way")


def smooth(numbers, weight):
    """Every number, blended with what came before."""
    raise NotImplementedError("TODO: smooth keeps the last result")
'''
SOLUTION = '''
"""Running totals, done."""


def blended(old, new, weight):
    """A step of the way from old to new."""
    return (1 - weight) * old + weight * new


def smooth(numbers, weight):
    """Every number, blended with what came before."""
    results = [numbers[0]]
    for number in numbers[1:]:
        results.append(blended(results[-1], number, weight))
    return results
'''
MISTAKE = '''
"""What is new and what is old have changed places. Which of the two should the weight belong to?"""


def blended(old, new, weight):
    return weight * old + (1 - weight) * new


def smooth(numbers, weight):
    results = numbers[:1]
    for number in numbers[1:]:
        results.append(blended(results[-1], number, weight))
    return results
'''
ACCEPTED = """
def blended(old, new, weight):
    return old + weight * (new - old)


def smooth(numbers, weight):
    last, results = numbers[0], []
    for number in numbers:
        last = blended(last, number, weight)
        results.append(last)
    return results
"""
PUBLIC = '''
import pytest


@pytest.mark.points(1)
def test_a_quarter_of_the_way(submission):
    """A quarter of the way from 0 to 8 is 2."""
    assert submission.blended(0.0, 8.0, 0.25) == 2.0
'''
HIDDEN = '''
import pytest


@pytest.mark.points(2)
def test_a_long_row_settles_down(submission):
    """What is smoothed for long enough comes near to the last number."""
    # the third is the telling one
    got = submission.smooth([3.0, 17.28125, -4.0], 0.5)
    assert got == pytest.approx([3.0, 10.140625, 3.0703125])
'''
LESSON = """
# Smoothing

Go a part of the way towards each new number. From 0 to 8 by a quarter that is 2.
"""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The course of the instructor."""
    folder = Folder(tmp_path_factory.mktemp("made") / "course")
    return write(folder)


def write(folder: Folder) -> Folder:
    """Write the course into a folder."""
    folder.write("LICENSE", "Anybody may do anything.\n")
    folder.write("exercises/01_smooth/README.md", LESSON)
    folder.write("exercises/01_smooth/data/rain.csv", "day,mm\n1,4\n2,0\n")
    return folder.exercise(
        "01_smooth",
        stub=STUB,
        solution=SOLUTION,
        public=PUBLIC,
        hidden=HIDDEN,
        mistakes={"weights_swapped": MISTAKE},
        accepted={"by_difference": ACCEPTED},
        title="Smooth a row of numbers",
        file="smooth.py",
        hints=["return (1 - weight) * old + weight * new"],
    )


@pytest.fixture(scope="session")
def cut(made: Folder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its handout; not to be changed."""
    target = tmp_path_factory.mktemp("cut") / "handout"
    assert hand_out(made.read(), target).leaks == []
    return target


@pytest.fixture
def copy(cut: Path, tmp_path: Path) -> Path:
    """A copy of the handout, to be spoiled."""
    return Path(shutil.copytree(cut, tmp_path / "copy"))


@pytest.fixture(scope="session")
def secret(made: Folder) -> Secrets:
    return secrets(made.read())


@pytest.fixture
def look(made: Folder, secret: Secrets, copy: Path) -> Callable[[], list[str]]:
    """Look through the copy."""
    original: Course = made.read()
    return lambda: leaks(copy, secret, original)
