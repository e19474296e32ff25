"""A course whose suite can be told to fail in every way in which a machine fails, and a class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.grader.conftest import SOLUTION, STUB, Folder

HIDDEN = '''
import os
import pathlib
import pytest

@pytest.mark.points(2)
def test_doubles_a_negative_number(submission):
    """Twice a negative number."""
    value = submission.double(-3)
    if value == 666:  # the grading process dies whenever it meets this
        os._exit(9)
    flag = pathlib.Path(__file__).with_name("died_once")
    if value == 667 and not flag.exists():
        flag.touch()
        os._exit(9)
    if value == 668:
        raise RuntimeError("the suite is at fault")
    assert value == -6
'''
WRONG = "def double(x):\n    return x + 2\n"


def answering(value: int) -> str:
    """A submission that makes the suite do what it does for this value."""
    return f"def double(x):\n    return 4 if x == 2 else {value}\n"


KILLS, KILLS_ONCE, FAULTS = answering(666), answering(667), answering(668)
KINDS: Mapping[str, str] = {
    "right": SOLUTION,
    "wrong": WRONG,
    "todo": STUB,
    "syntax": "def double(x:\n    return 2 * x\n",
    "raises": "def double(x):\n    raise KeyError(x)\n",
    "prints": "def double(x):\n    print('x is', x)\n    return 2 * x\n",
    "hangs": "def double(x):\n    while x < 0:\n        pass\n    return 2 * x\n",
    "crashes": "import os\ndef double(x):\n    os._exit(7)\n",
}

Scores = Callable[[Path], dict[str, bytes]]


@pytest.fixture
def course(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "course", limits={"seconds": 0.5, "memory_mb": 200})
    return folder.exercise(hidden=HIDDEN, imports=["math", "os"])


@pytest.fixture
def hand_in(course: Folder) -> Callable[..., list[str]]:
    """Hands in sources by student; without any, one of each kind."""

    def hand_in(sources: Mapping[str, str] | None = None, **more: str) -> list[str]:
        chosen = {**(KINDS if sources is None else sources), **more}
        for student, source in chosen.items():
            course.submit(source, student=student)
        return sorted(chosen)

    return hand_in


@pytest.fixture(scope="session")
def scores() -> Scores:
    """All score files of a folder, without the times that are in them."""

    def read(out: Path) -> dict[str, bytes]:
        times = rb'"(graded_at|seconds)": ("[^"]*"|[0-9.e-]+)'
        return {
            path.name: re.sub(times, rb'"\1": 0', path.read_bytes())
            for path in sorted(out.glob("*.json"))
        }

    return read
