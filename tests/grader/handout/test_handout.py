"""handout: what is in it, how it is used, and how it is brought up to date."""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.handout import hand_out
from grader.handout.contents import contents
from grader.handout.write import write_tree, write_zip
from tests.grader.conftest import Finished, Folder
from tests.grader.handout.conftest import MISTAKE, SOLUTION, write

Run = Callable[..., Finished]
STUB = "exercises/01_smooth/smooth.py"


@pytest.fixture
def at_home(copy: Path, run_python: Run) -> Run:
    """`python -m grader …` in a student's copy, with the copy's own grader."""

    def run(*arguments: str, code: int | None = None) -> Finished:
        done = run_python(["-m", "grader", *arguments], copy, PYTHONPATH=str(copy))
        assert code in (None, done.code), done.out + done.err
        return done

    return run


def files(folder: Path) -> set[str]:
    """The files below a folder, without the grader's."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if not path.startswith("grader/")}


def state(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Content, time and mode of every file and folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        info = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        key = path.relative_to(folder).as_posix()
        found[key] = hashlib.sha256(content).hexdigest(), int(info.st_mtime), info.st_mode
    return found


# ---- what is in it -------------------------------------------------------------------------------


def test_it_has_what_a_student_needs_and_nothing_else(cut: Path) -> None:
    """Stubs, lessons, data, public suites, the grader."""
    assert files(cut) == {
        ".handout.json",
        "LICENSE",
        "README.md",
        "course.toml",
        "exercises/01_smooth/README.md",
        "exercises/01_smooth/data/rain.csv",
        STUB,
        "pyproject.toml",
        "tests/suites/01_smooth/handed_out.json",
        "tests/suites/01_smooth/test_public.py",
    }
    assert (cut / "grader/__main__.py").is_file()
    assert (cut / "grader/report/score_file.schema.json").is_file()


def test_the_same_course_gives_the_same_bytes(made: Folder, cut: Path, tmp_path: Path) -> None:
    """Content, times and modes, as a folder and as an archive."""
    again = contents(made.read(), "auto")
    write_tree(again, tmp_path / "again")
    assert state(tmp_path / "again") == state(cut)
    write_zip(again, "small", tmp_path / "one.zip")
    write_zip(dict(again), "small", tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    assert files(tmp_path / "unpacked/small") == files(cut)


# ---- how it is used ------------------------------------------------------------------------------


def test_a_student_grades_and_gets_help(copy: Path, at_home: Run) -> None:
    """Stub, hint, list, solution, reset: on its own, with the copy's grader."""
    assert "not started" in at_home(code=1).out
    assert "weight" in at_home("hint", "1", code=0).out
    (copy / STUB).write_text(SOLUTION, encoding="utf-8")
    assert "1 of 1 points" in at_home(code=0).out
    assert "passed" in at_home("list", code=0).out
    assert "is the stub again" in at_home("reset", "1", code=0).out
    assert "not started" in at_home(code=1).out


def test_the_stub_can_be_put_back_before_the_first_run(copy: Path, at_home: Run) -> None:
    """The handout knows its own stubs."""
    (copy / STUB).write_text("print(1)\n", encoding="utf-8")
    at_home("reset", "1", code=0)
    assert "TODO: blended" in (copy / STUB).read_text(encoding="utf-8")


def test_a_known_mistake_is_named_without_its_source(copy: Path, at_home: Run) -> None:
    """From what its public checks observe."""
    (copy / STUB).write_text(MISTAKE, encoding="utf-8")
    done = at_home("--json", "-")
    assert done.exercise("01_smooth")["mistake"]["id"] == "weights_swapped"
    assert [item["visibility"] for item in done.exercise("01_smooth")["checks"]] == ["public"]


# ---- when it is refused --------------------------------------------------------------------------


def test_a_leak_in_the_course_stops_it(tmp_path: Path) -> None:
    """Nothing is written, and what is wrong is said."""
    folder = write(Folder(tmp_path / "course"))
    folder.write("exercises/01_smooth/helper.py", SOLUTION)
    done = folder.run("handout", tmp_path / "out", "--zip", tmp_path / "out.zip")
    assert done.code == 1
    assert "exercises/01_smooth/helper.py holds the body of" in done.out
    assert "Nothing was written" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course"]


def test_a_stub_that_asks_for_too_little_stops_it(tmp_path: Path) -> None:
    """Graded on its own, a fresh stub must be todo in every check."""
    folder = write(Folder(tmp_path / "course"))
    stub = (folder.root / STUB).read_text(encoding="utf-8")
    stub = stub.replace('raise NotImplementedError("TODO: blended goes a part of the way")', "pass")
    folder.write(STUB, stub)
    made = hand_out(folder.read(), tmp_path / "out")
    assert any("test_a_quarter_of_the_way of the stub is failed" in line for line in made.leaks)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_something_else_is_refused(made: Folder, tmp_path: Path) -> None:
    """Nothing of it is touched."""
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.txt").write_text("one", encoding="utf-8")
    with pytest.raises(UsageError, match="is no handout"):
        hand_out(made.read(), tmp_path / "thesis")
    assert files(tmp_path / "thesis") == {"chapter.txt"}


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights there")
def test_a_link_in_an_exercise_is_refused(tmp_path: Path) -> None:
    """A copy would follow it."""
    folder = write(Folder(tmp_path / "course"))
    (folder.root / "exercises/01_smooth/all").symlink_to(folder.root / "solutions")
    with pytest.raises(UsageError, match="no plain file"):
        hand_out(folder.read(), tmp_path / "out")


# ---- a new version -------------------------------------------------------------------------------


def test_an_update_keeps_what_a_student_did(made: Folder, copy: Path, tmp_path: Path) -> None:
    """Their files stay; a new version of one of them is put beside it; the rest is new."""
    (copy / STUB).write_text(SOLUTION, encoding="utf-8")
    (copy / "exercises/01_smooth/mine.txt").write_text("mine", encoding="utf-8")
    (copy / "course.toml").write_text("[course]\n", encoding="utf-8")
    (copy / "grader/__pycache__").mkdir()
    newer = Folder(Path(shutil.copytree(made.root, tmp_path / "newer")))
    newer.write(STUB, "# a better stub\n" + (made.root / STUB).read_text(encoding="utf-8"))
    solution = "solutions/01_smooth/smooth.py"
    newer.write(solution, (made.root / solution).read_text(encoding="utf-8"))
    newer.write("exercises/01_smooth/README.md", "# A better lesson\n")
    (newer.root / "exercises/01_smooth/data/rain.csv").unlink()
    done = hand_out(newer.read(), copy)
    assert done.leaks == []
    assert done.update is not None
    assert done.update.kept == [STUB]
    assert done.update.beside == [f"{STUB}.new"]
    assert done.update.put_aside == ["course.toml.bak"]
    assert (copy / STUB).read_text(encoding="utf-8") == SOLUTION
    assert "better stub" in (copy / done.update.beside[0]).read_text(encoding="utf-8")
    assert "better lesson" in (copy / "exercises/01_smooth/README.md").read_text(encoding="utf-8")
    assert (copy / "exercises/01_smooth/mine.txt").is_file()
    assert not (copy / "exercises/01_smooth/data/rain.csv").exists()
    assert not (copy / "grader/__pycache__").exists()
    assert hand_out(newer.read(), copy).update.kept == [STUB]  # type: ignore[union-attr]


def test_what_an_update_puts_beside_is_never_graded(
    made: Folder, copy: Path, at_home: Run, tmp_path: Path
) -> None:
    """The student's own file is the answer, whatever lies beside it."""
    (copy / STUB).write_text(SOLUTION, encoding="utf-8")
    newer = Folder(Path(shutil.copytree(made.root, tmp_path / "newer")))
    for path in (STUB, "solutions/01_smooth/smooth.py"):
        newer.write(path, "# newer\n" + (made.root / path).read_text(encoding="utf-8"))
    assert hand_out(newer.read(), copy).leaks == []
    assert (copy / f"{STUB}.new").is_file()
    assert "1 of 1 points" in at_home(code=0).out


def test_an_update_without_changes_changes_nothing(made: Folder, copy: Path) -> None:
    """Not even a time."""
    before = state(copy)
    update = hand_out(made.read(), copy).update
    assert update is not None
    assert (update.kept, update.beside, update.put_aside) == ([], [], [])
    after = state(copy)
    assert {key: value for key, value in after.items() if (copy / key).is_file()} == {
        key: value for key, value in before.items() if (copy / key).is_file()
    }
