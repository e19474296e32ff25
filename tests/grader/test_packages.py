"""Packages that an answer may import, and that are not installed here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import choose
from grader.session import Session, with_session
from grader.submission import read_submission
from tests.grader.conftest import HIDDEN, PUBLIC, SOLUTION, Folder

LACKING = "no_such_package_at_all"


def test_a_package_that_is_only_allowed_is_not_asked_for(course: Folder) -> None:
    """Who has not installed it gets no remark, and is graded in full."""
    course.exercise(imports=["math", LACKING])
    done = course.run("solutions")
    assert (done.code, done.err) == (0, "")
    assert LACKING not in done.out


@pytest.mark.parametrize("where", ["stub", "solution", "public", "hidden"])
def test_a_package_that_the_exercise_itself_imports_is_asked_for(
    course: Folder, where: str
) -> None:
    """The other exercises are graded; by name it is refused, with what to install."""
    line = f"import math, {LACKING} as lacking\n"
    texts = {"solution": SOLUTION, "public": PUBLIC, "hidden": HIDDEN}
    texts["stub"] = "def double(x:\n"  # a student's file, at any moment: searched, never parsed
    files: dict[str, Any] = {where: line + texts[where]}
    course.exercise("02_more", imports=["math", LACKING], **files)
    done = course.run("solutions")
    assert f"02_more: not graded, {LACKING} is not installed" in done.out + done.err
    assert "01_double" in done.out
    done = course.run("solutions", "-e", "02_more")
    assert done.code == 2
    assert f"python -m pip install {LACKING}" in done.err


USES_NUMPY = "import numpy\n\ndef double(x):\n    return float(numpy.multiply(2, x))\n"
AN_ARRAY = """
import numpy
import pytest

@pytest.mark.points(1)
def test_doubles_an_array(submission):
    assert list(submission.double(numpy.array([1.0, 2.0]))) == [2.0, 4.0]
"""


@pytest.mark.parametrize(
    ("answer", "public", "given"),
    [(SOLUTION, PUBLIC, False), (USES_NUMPY, PUBLIC, True), (SOLUTION, AN_ARRAY, True)],
    ids=["mentions none", "mentions it", "is sent an array"],
)
def test_a_worker_has_a_package_only_where_it_can_be_used(
    course: Folder, monkeypatch: pytest.MonkeyPatch, answer: str, public: str, given: bool
) -> None:
    """Either way the answer earns its points."""
    pytest.importorskip("numpy")
    course.exercise(imports=["numpy"], public=public)
    course.write("handed_in/value.py", answer)
    read = course.read()
    sandbox = choose("none")
    started: list[tuple[Path, ...]] = []
    start = type(sandbox).start

    def watched(self: Any, limits: Any, *, packages: tuple[Path, ...] = ()) -> Any:
        started.append(packages)
        return start(self, limits, packages=packages)

    def work(session: Session) -> float:
        started.clear()
        submission = read_submission(course.root / "handed_in" / "value.py", read)
        return float(session.grade(submission).score)

    monkeypatch.setattr(type(sandbox), "start", watched)
    assert with_session(read, sandbox, work, many=True) == 3
    assert started
    assert all(bool(packages) is given for packages in started)
