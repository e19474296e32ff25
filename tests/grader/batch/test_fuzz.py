"""A few of the files that tests/fuzz makes by the thousand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import fuzz_grading, fuzz_reading


def test_damaged_files_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz_reading.by_chance(500, seed=1) == 0
    assert capsys.readouterr().out.startswith("500 files")


def test_damaged_files_are_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = fuzz_grading.grade(tmp_path, 80, seed=1, jobs=2)
    said = capsys.readouterr().out
    assert code == 0, said
    assert said.endswith("\n0 without a definite outcome\n")
