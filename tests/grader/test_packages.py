"""Packages that an answer may import, and that are not installed here."""

from __future__ import annotations

from typing import Any

import pytest

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
