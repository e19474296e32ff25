"""new-exercise: what it writes holds at once, and it writes over nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course import read_course
from grader.errors import UsageError
from grader.scaffold import new_exercise
from tests.grader.conftest import Folder


def test_a_new_exercise_holds_at_once(course: Folder) -> None:
    """verify finds nothing to say about it."""
    done = course.run("new-exercise", "02_moving_average", "--title", 'The "moving" average')
    assert done.code == 0, done.err
    assert "exercises/02_moving_average/moving_average.py" in done.out
    assert course.read().exercise("2").title == 'The "moving" average'
    proved = course.run("verify", "-e", "02_moving_average")
    assert proved.code == 0, proved.out + proved.err
    assert "1 mistakes" in proved.out


def test_the_first_exercise_of_a_course(tmp_path: Path) -> None:
    """A course may begin as three lines."""
    (tmp_path / "course.toml").write_text('[course]\nid = "x"\ntitle = "X"\n', encoding="utf-8")
    new_exercise(tmp_path, "42")
    made = read_course(tmp_path).exercise("42")
    assert (made.file, made.title) == ("exercise.py", "42")


@pytest.mark.parametrize("name", ["../out", "Big", "", "with space"])
def test_an_id_that_is_no_folder_name_is_refused(course: Folder, name: str) -> None:
    """It would become a path."""
    with pytest.raises(UsageError, match="cannot be the id"):
        new_exercise(course.root, name)


def test_what_is_there_is_not_written_over(course: Folder) -> None:
    """Neither a table of course.toml nor a folder."""
    before = (course.root / "course.toml").read_bytes()
    with pytest.raises(UsageError, match="is there already"):
        new_exercise(course.root, "01_double")
    course.write("solutions/02_more/kept.py", "kept = True\n")
    with pytest.raises(UsageError, match="solutions/02_more is there already"):
        new_exercise(course.root, "02_more")
    assert (course.root / "course.toml").read_bytes() == before
    assert not (course.root / "exercises/02_more").exists()
