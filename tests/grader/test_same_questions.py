"""Questions: every student is asked the same, whatever else the grading process has imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ASK = """
from hypothesis import given, strategies as st
from grader.plugin import same_questions_for_all
same_questions_for_all()

@given(st.lists(st.floats(-1e6, 1e6) | st.integers(-10**6, 10**6), min_size=5))
def asked(numbers):
    print(numbers)

asked()
"""


def questions(folder: Path, before: str = "") -> str:
    path = os.pathsep.join([str(folder), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", before + ASK],
        env=os.environ | {"PYTHONPATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_what_is_imported_changes_no_question(tmp_path: Path) -> None:
    """A module full of numbers, imported beforehand, leaves hypothesis's examples as they are."""
    numbers = ", ".join(f"{1000 + n}, {n}.0625" for n in range(100, 400))
    (tmp_path / "numbers_of_a_course.py").write_text(f"NUMBERS = [{numbers}]\n")
    assert questions(tmp_path) == questions(tmp_path, "import numbers_of_a_course")
