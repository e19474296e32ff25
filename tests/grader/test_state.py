"""What a student's runs leave behind: useful, and never in the way."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import state
from grader.result import Check, CheckResult, ExerciseResult, Outcome, SubmissionResult
from grader.state import State
from tests.grader.conftest import SOLUTION, STUB, Folder


def result(outcome: Outcome, points: str = "3", name: str = "01_double") -> SubmissionResult:
    check = Check("test_public.py::test", "", "public", Fraction(points))
    exercise = ExerciseResult(name, "", (CheckResult(check, outcome, "why"),))
    return SubmissionResult("exercises", (exercise,), "none", "sha256:0")


def test_points_are_kept_exactly_and_compared(course: Folder) -> None:
    kept = State()
    assert kept.gained(result(Outcome.PASSED)) is None  # a first run gains nothing
    kept.remember(course.read(), result(Outcome.FAILED))
    assert kept.gained(result(Outcome.PASSED, "5/2")) == Fraction(5, 2)
    kept.remember(course.read(), result(Outcome.PASSED, "5/2"))
    assert kept.gained(result(Outcome.FAILED)) == Fraction(-5, 2)
    state.save(course.root, kept)
    assert state.load(course.root) == kept


def test_a_fault_of_the_course_takes_nothing(course: Folder) -> None:
    kept = State()
    kept.remember(course.read(), result(Outcome.PASSED))
    assert kept.gained(result(Outcome.GRADER_ERROR)) is None
    kept.remember(course.read(), result(Outcome.GRADER_ERROR))
    assert kept.scores == {"01_double": "3"}


def test_what_was_passed_once_stays_passed(course: Folder) -> None:
    kept = State()
    kept.remember(course.read(), result(Outcome.PASSED))
    kept.remember(course.read(), result(Outcome.FAILED))
    assert kept.passed == ["01_double"]


def test_the_stub_is_kept_while_it_is_untouched(course: Folder) -> None:
    kept = State()
    kept.remember(course.read(), result(Outcome.TODO))
    course.write("exercises/01_double/value.py", SOLUTION)
    kept.remember(course.read(), result(Outcome.PASSED))
    kept.remember(course.read(), result(Outcome.TODO))
    assert kept.stubs["01_double"].strip() == STUB.strip()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"\xff", b'{"scores": {"01_double": "many"}}', b'{"hints": 3}',
        b'{"scores": {"01_double": "1/0"}}', b'{"scores": {"01_double": 3}}',
    ],
)  # fmt: skip
def test_a_broken_file_is_no_file(course: Folder, content: bytes) -> None:
    course.write(".grader/state.json", content)
    assert state.load(course.root) == State()
    done = course.run()
    assert "0 of 3 points" in done.out
    assert done.err == ""
    assert state.load(course.root).scores == {"01_double": "0"}


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_no_content_is_an_error(content: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".grader").mkdir()
        (Path(folder) / ".grader" / "state.json").write_bytes(content)
        assert isinstance(state.load(Path(folder)), State)


def test_deleting_it_harms_nothing(course: Folder) -> None:
    course.write("exercises/01_double/value.py", SOLUTION)
    course.run()
    (course.root / ".grader" / "state.json").unlink()
    assert "3 of 3 points" in course.run().out


def test_hint_counts_that_make_no_sense_begin_anew(course: Folder) -> None:
    course.exercise(hints=["one", "two"])
    for count, words in (("-5", "Hint 1 of 2"), ("99", "That was the last hint")):
        course.write(".grader/state.json", f'{{"hints": {{"01_double": {count}}}}}')
        assert words in course.run("hint", "1").out


def test_it_is_written_whole_or_not_at_all(course: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = State(hints={"01_double": 1})
    assert state.save(course.root, kept)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    assert not state.save(course.root, State())
    monkeypatch.undo()
    assert state.load(course.root) == kept
    assert [path.name for path in (course.root / ".grader").iterdir()] == ["state.json"]


def test_a_file_in_place_of_the_folder_is_lived_with(course: Folder) -> None:
    course.write(".grader", "")
    assert not state.save(course.root, State())
    done = course.run()
    assert (done.code, done.err) == (1, "")


@pytest.fixture
def read_only(course: Folder) -> Iterator[Folder]:
    """A folder that cannot be written even by root: mounted so, or with its rights taken."""
    course.exercise(hints=["one", "two", "three"])
    course.run()
    root = str(course.root)
    if os.geteuid() == 0:
        for command in (["mount", "--bind", root, root], ["mount", "-o", "remount,ro,bind", root]):
            done = subprocess.run(command, capture_output=True, check=False)
            if done.returncode != 0:
                pytest.skip("no folder can be made read-only here")
        yield course
        subprocess.run(["umount", "-l", root], check=True)  # noqa: S607
    else:
        for folder in (course.root, *course.root.rglob("*/")):
            folder.chmod(0o555)
        yield course
        for folder in (course.root, *course.root.rglob("*/")):
            folder.chmod(0o755)


def test_in_a_folder_that_cannot_be_written_everything_but_memory_works(read_only: Folder) -> None:
    assert "0 of 3 points" in read_only.run().out
    first = read_only.run("hint", "1")
    assert (first.code, "one" in first.out) == (0, True)
    assert "cannot be counted" in first.err
    assert "Hint 1 of 3" in read_only.run("hint", "1").out
    assert read_only.run("list").code == 0
