"""list, hint, reveal, reset: a student's own desk."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.grader.conftest import SOLUTION, STUB, Folder

FILE = "exercises/01_double/value.py"
MINE = "def double(x):\n    return x + x  # mine\n"


@pytest.fixture
def desk(course: Folder) -> Folder:
    """Two exercises, one with three hints."""
    course.exercise(hints=["think", "multiply", "by two"])
    return course.exercise("02_more", points=2.5, minutes=25, difficulty=3, public=HALVES)


HALVES = """
    import pytest

    @pytest.mark.points(0.5)
    def test_doubles(submission):
        assert submission.double(2) == 4
"""


def backups(course: Folder) -> list[Path]:
    return sorted((course.root / "exercises/01_double").glob("*.bak"))


# ---- list ---------------------------------------------------------------------------------------


def test_list_says_what_is_known(desk: Folder) -> None:
    lines = desk.run("list").out.splitlines()
    assert [line.split() for line in lines] == [
        ["01_double", "5", "min", "*", "0/3", "not", "graded", "yet"],
        ["02_more", "25", "min", "***", "0/2.5", "not", "graded", "yet"],
    ]
    desk.write(FILE, SOLUTION)
    desk.write("exercises/02_more/value.py", "def double(x):\n    return 4\n")
    desk.run()
    lines = desk.run("list").out.splitlines()
    assert [line.split()[4:] for line in lines] == [["3/3", "passed"], ["0.5/2.5"]]
    desk.write(FILE, STUB)
    desk.run()
    assert desk.run("list").out.splitlines()[0].split()[4:] == ["0/3", "passed", "before"]
    assert max(map(len, lines)) <= 80


# ---- hint ---------------------------------------------------------------------------------------


def test_each_hint_goes_a_step_further_and_says_what_is_left(desk: Folder) -> None:
    said = [desk.run("hint", "1").out.splitlines() for _ in range(4)]
    assert [lines[0] for lines in said] == ["think", "multiply", "by two", "by two"]
    assert said[0][-1] == "Hint 1 of 3; run this again for the next (2 left)."
    assert said[2][-1] == "Hint 3 of 3; there are no more."
    assert said[3][-1] == "the solution: python -m grader reveal 01_double --give-up"


def test_hints_taken_can_be_read_again_and_are_not_counted(desk: Folder) -> None:
    assert desk.run("hint", "1", "--all").out.splitlines()[0].startswith("Hint 0 of 3")
    desk.run("hint", "1")
    for _ in range(2):
        again = desk.run("hint", "1", "--all").out
        assert "1. think" in again
        assert "multiply" not in again
    assert desk.run("hint", "1").out.startswith("multiply")


def test_hints_of_exercises_are_counted_apart(desk: Folder) -> None:
    desk.run("hint", "1")
    assert "Hint 1 of 1" in desk.run("hint", "02_more").out


# ---- reveal -------------------------------------------------------------------------------------


def test_the_solution_is_shown_once_it_is_passed(desk: Folder) -> None:
    early = desk.run("reveal", "1")
    assert (early.code, early.out) == (2, "")
    assert "01_double is not passed yet" in early.err
    assert "--give-up" in early.err
    desk.write(FILE, MINE)
    desk.run()
    assert desk.run("reveal", "1").out == SOLUTION


def test_or_when_a_student_gives_up(desk: Folder) -> None:
    assert desk.run("reveal", "1", "--give-up").out == SOLUTION


def test_a_handout_has_no_solutions(desk: Folder) -> None:
    (desk.root / "solutions/01_double/value.py").unlink()
    done = desk.run("reveal", "1", "--give-up")
    assert done.code == 2
    assert "this copy of the course has no solutions" in done.err


# ---- reset --------------------------------------------------------------------------------------


@pytest.fixture
def touched(desk: Folder) -> Folder:
    desk.run()  # which remembers the stubs
    desk.write(FILE, MINE)
    return desk


def test_reset_puts_the_stub_back_and_keeps_what_was_written(touched: Folder) -> None:
    done = touched.run("reset", "1")
    assert done.code == 0
    assert (touched.root / FILE).read_text() == STUB
    (backup,) = backups(touched)
    assert backup.read_text() == MINE
    assert f"What you had written is in exercises/01_double/{backup.name}." in done.out
    assert "untouched stub already" in touched.run("reset", "1").out
    assert len(backups(touched)) == 1
    assert "0 of 5.5 points" in touched.run().out  # the backup is nobody's answer


def test_no_backup_replaces_another(touched: Folder) -> None:
    """Also within the same second."""
    for number in range(4):
        touched.write(FILE, f"{MINE}# {number}\n")
        touched.run("reset", "1")
    assert sorted(path.read_text() for path in backups(touched)) == [
        f"{MINE}# {number}\n" for number in range(4)
    ]


@pytest.mark.parametrize("what", ["the file", "its folder"])
def test_a_file_that_is_gone_comes_back(touched: Folder, what: str) -> None:
    place = touched.root / FILE
    place.unlink()
    if what == "its folder":
        place.parent.rmdir()
    lost = touched.run()
    assert lost.code == 2
    assert "put it back with: python -m grader reset 01_double" in lost.err
    done = touched.run("reset", "1")
    assert (done.code, done.out) == (0, f"{FILE} is the stub again.\n")
    assert place.read_text() == STUB
    assert touched.run().code == 1


def test_without_a_stub_it_says_where_to_get_it(desk: Folder) -> None:
    desk.write(FILE, MINE)
    done = desk.run("reset", "1")
    assert done.code == 2
    assert "the stub as it was is not known here" in done.err
    assert (desk.root / FILE).read_text() == MINE


def test_in_a_clone_git_knows_the_stub(desk: Folder) -> None:
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "."],
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "course"],
    ):
        subprocess.run(command, cwd=desk.root, check=True)
    desk.write(FILE, MINE)
    assert desk.run("reset", "1").code == 0
    assert (desk.root / FILE).read_text() == STUB


@pytest.mark.parametrize("command", ["hint", "reveal", "reset"])
def test_an_unknown_exercise_is_one_line(desk: Folder, command: str) -> None:
    done = desk.run(command, "99")
    assert done.code == 2
    assert "it has 01_double, 02_more" in done.err
    assert len(done.err.splitlines()) == 1
