"""watch: grades what changed, and nothing else, whatever an editor does to the file."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.course import Course
from grader.errors import UsageError
from grader.result import Check, CheckResult, ExerciseResult, Outcome, SubmissionResult
from grader.watch import must_poll, saves, touched_exercises, watch
from tests.grader.conftest import SOLUTION, STUB, Folder

ONE, TWO = "exercises/01_double/value.py", "exercises/02_more/value.py"


@dataclass
class Pretender:
    """A session that grades at once: what is right passes."""

    course: Course
    graded: list[str] = field(default_factory=list)
    without: tuple[str, ...] = ()  # exercises that need a package which is not there
    sandbox: Any = field(default_factory=lambda: SimpleNamespace(name="none"))

    @property
    def plans(self) -> dict[str, Any]:
        items = [item for item in self.course.exercises if item.id not in self.without]
        return {item.id: SimpleNamespace(exercise=item) for item in items}

    def grade_exercise(self, exercise: Any, answer: Any) -> ExerciseResult:
        self.graded.append(exercise.id)
        right = answer is not None and "2 * x" in getattr(answer, "cells", [None])[0].text
        check = Check("test_public.py::test", "", "public", Fraction(3))
        outcome = Outcome.PASSED if right else Outcome.MISSING if answer is None else Outcome.TODO
        return ExerciseResult(exercise.id, "", (CheckResult(check, outcome, "why"),))


@dataclass
class Desk:
    """A watch over a course of two exercises, told of changes one by one."""

    folder: Folder
    without: tuple[str, ...] = ()
    shown: list[tuple[SubmissionResult, list[str]]] = field(default_factory=list)

    def watch(self, *steps: Callable[[], Any]) -> list[list[str]]:
        """Each step changes something and gives the paths that are told; the ids shown then."""
        self.session = Pretender(self.folder.read(), without=self.without)

        def changes() -> Iterator[set[Path]]:
            for step in steps:
                told = step()
                yield {self.folder.root / ONE} if told is None else told

        watch(
            self.session,  # type: ignore[arg-type]
            self.folder.root / "exercises",
            lambda result, ids: self.shown.append((result, ids)),
            changes(),
        )
        return [ids for _, ids in self.shown]

    def save(self, path: str, text: str) -> Callable[[], set[Path]]:
        return lambda: {self.folder.write(path, text)}


@pytest.fixture
def desk(course: Folder) -> Desk:
    return Desk(course.exercise("02_more"))


# ---- what is graded -----------------------------------------------------------------------------


def test_everything_once_and_then_what_changed(desk: Desk) -> None:
    shown = desk.watch(desk.save(TWO, SOLUTION), desk.save(ONE, SOLUTION))
    assert shown == [["01_double", "02_more"], ["02_more"], ["01_double"]]
    assert desk.session.graded == ["01_double", "02_more", "02_more", "01_double"]
    assert [result.score for result, _ in desk.shown] == [0, 3, 6]  # the whole, each time


def test_a_save_that_changes_nothing_grades_nothing(desk: Desk) -> None:
    assert len(desk.watch(desk.save(ONE, STUB), desk.save(ONE, STUB))) == 1


def test_what_is_no_answer_grades_nothing(desk: Desk) -> None:
    root = desk.folder.root
    assert len(desk.watch(
        lambda: {root / "exercises/01_double/README.md"},
        lambda: {desk.folder.write("exercises/01_double/.value.py.swp", "x")},
        lambda: {root / "course.toml", root / "exercises"},
        lambda: set(),
        lambda: {Path("/elsewhere/01_double/value.py")},
    )) == 1  # fmt: skip


def test_a_sibling_that_the_answer_imports_counts(desk: Desk) -> None:
    shown = desk.watch(
        desk.save(ONE, "import topo\n"),
        desk.save("exercises/01_double/topo.py", "order = []\n"),
    )
    assert shown[1:] == [["01_double"], ["01_double"]]


def test_an_exercise_whose_package_is_missing_is_left_alone(desk: Desk) -> None:
    desk.without = ("02_more",)
    shown = desk.watch(desk.save(TWO, SOLUTION), desk.save(ONE, SOLUTION))
    assert shown == [["01_double"], ["01_double"]]


# ---- whatever an editor does --------------------------------------------------------------------


def test_an_emptied_file_is_waited_for(desk: Desk) -> None:
    """Some editors empty a file, and write it a moment later."""
    path = desk.folder.root / ONE

    def empty_and_write_later() -> None:
        path.write_text("")
        threading.Timer(0.1, lambda: path.write_text(SOLUTION)).start()

    desk.watch(empty_and_write_later)
    assert [result.score for result, _ in desk.shown] == [0, 3]


def test_a_half_saved_file_is_graded_again_when_it_is_whole(desk: Desk) -> None:
    desk.watch(desk.save(ONE, "def double("), desk.save(ONE, SOLUTION))
    assert [result.score for result, _ in desk.shown] == [0, 0, 3]


def test_a_deleted_file_is_missing_until_it_is_back(desk: Desk) -> None:
    path = desk.folder.root / ONE
    desk.watch(lambda: path.unlink(), desk.save(ONE, SOLUTION))
    outcomes = [result.exercises[0].outcome for result, _ in desk.shown]
    assert outcomes == [Outcome.TODO, Outcome.MISSING, Outcome.PASSED]


def test_a_folder_that_is_away_for_a_moment(desk: Desk) -> None:
    """As it is while git changes branches."""
    folder, away = desk.folder.root / "exercises", desk.folder.root / "away"
    desk.watch(
        lambda: folder.rename(away) and None,
        lambda: away.rename(folder) and None,
        desk.save(ONE, SOLUTION),
    )
    assert desk.shown[-1][0].score == 3


def test_an_exercise_s_folder_that_is_replaced(desk: Desk) -> None:
    """Then only the folder itself is told of."""
    place = desk.folder.root / "exercises/01_double"

    def replace() -> set[Path]:
        shutil.rmtree(place)
        desk.folder.write(ONE, SOLUTION)
        return {place}

    assert desk.watch(replace)[1:] == [["01_double"]]


def test_a_folder_that_is_not_there_at_the_start(desk: Desk) -> None:
    session: Any = Pretender(desk.folder.read())
    with pytest.raises(UsageError):
        watch(session, desk.folder.root / "none", lambda *_: None, iter([]))


def test_a_link_is_the_exercise_it_lies_in(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOLUTION)
    course = desk.folder.read()
    folder = desk.folder.root / "exercises"
    link = folder / "02_more" / "value.py"
    link.unlink()
    link.symlink_to(tmp_path / "mine.py")
    assert [item.id for item in touched_exercises(course, folder, {link})] == ["02_more"]
    (tmp_path / "way").symlink_to(folder)
    told = {(folder / "01_double/value.py").resolve()}
    assert [item.id for item in touched_exercises(course, tmp_path / "way", told)] == ["01_double"]


# ---- how changes are noticed --------------------------------------------------------------------

MOUNTS = """
/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local ext4 rw 0 0
C: /mnt/c 9p rw,aname=drvfs 0 0
me@host: /home/local/my\\040files fuse.sshfs rw 0 0
tmpfs /tmp tmpfs rw 0 0
broken line
share /tmp/twice cifs rw 0 0
/dev/sdc1 /tmp/twice ext4 rw 0 0
host /shared fuse.grpcfuse rw 0 0
gv /run/gvfs fuse.gvfsd-fuse rw 0 0
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/course", None),
        ("/home/ada/course", "nfs4"),
        ("/home", "nfs4"),
        ("/home/local/course", None),
        ("/home/local/my files/course", "fuse.sshfs"),
        ("/home/localhost/course", "nfs4"),
        ("/mnt/c/Users/ada", "9p"),
        ("/tmp/twice/course", None),  # noqa: S108 — the second mount hides the first
        ("/shared/course", "fuse.grpcfuse"),
        ("/run/gvfs/x", None),
    ],
)
def test_network_disks_are_told_by_their_mounts(folder: str, kind: str | None) -> None:
    found = must_poll(Path(folder), MOUNTS, "6.1.0-generic")
    assert found == (f"this folder is on a network disk ({kind})" if kind else None)


@pytest.mark.parametrize("release", ["4.4.0-19041-Microsoft", "5.15.90.1-microsoft-standard-WSL2"])
def test_the_windows_side_of_wsl_is_told_by_its_path(release: str) -> None:
    mounts = "/dev/sda1 / ext4 rw 0 0\n"
    assert must_poll(Path("/mnt/d/course"), mounts, release) == (
        "this folder is on the Windows side of WSL"
    )
    assert must_poll(Path("/home/ada"), mounts, release) is None


def test_without_mounts_nothing_is_said() -> None:
    assert must_poll(Path("/home/ada"), "", "24.0.0") is None


@pytest.mark.parametrize("polling", [False, True])
def test_a_save_before_the_first_question_is_not_missed(course: Folder, polling: bool) -> None:
    """As happens while the first grading runs."""
    folder = course.root / "exercises"
    changes = saves(folder, polling=polling)
    if polling:
        time.sleep(0.5)
    path = course.write(ONE, SOLUTION)
    deadline = time.monotonic() + 10
    for paths in changes:
        if path in paths or path.resolve() in paths:
            break
        assert time.monotonic() < deadline


# ---- the command, in a terminal -----------------------------------------------------------------


class Terminal:
    """`python -m grader watch` in a terminal of 80 columns."""

    def __init__(self, course: Folder, *more: str) -> None:
        self._master, slave = os.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", *more],
            cwd=course.root,
            env={key: value for key, value in environment.items() if key != "NO_COLOR"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._said = b""

    def wait_for(self, words: str) -> str:
        """What was printed since the last time, up to where these words stand."""
        deadline = time.monotonic() + 30
        while True:
            plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self._said).decode("utf-8", "replace")
            if words in plain:
                self._said = b""
                return plain
            assert time.monotonic() < deadline, plain
            if select.select([self._master], [], [], 0.2)[0]:
                try:
                    self._said += os.read(self._master, 65536)
                except OSError:
                    raise AssertionError(f"it ended: {plain}") from None

    def ctrl_c(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(timeout=20)

    def rest(self) -> str:
        said = b""
        while select.select([self._master], [], [], 0.2)[0]:
            try:
                said += os.read(self._master, 65536)
            except OSError:
                break
        return said.decode("utf-8", "replace")


WAITING = "Waiting for the next save"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals here")
@pytest.mark.parametrize("more", [[], ["--poll"]])
def test_success_is_shown_before_it_moves_on(desk: Desk, more: list[str]) -> None:
    """Save, wrong; save, right: what passed is shown whole, with the next one named below."""
    course = desk.folder
    terminal = Terminal(course, *more)
    try:
        assert "0 of 6 points" in terminal.wait_for(WAITING)
        course.write(ONE, "def double(x):\n    return x + 2\n")
        wrong = terminal.wait_for(WAITING)
        assert "1 of 6 points  +1" in wrong
        assert "✗ Twice a negative number." in wrong
        course.write(ONE, SOLUTION)
        right = terminal.wait_for(WAITING)
        assert "3 of 6 points  +2" in right
        assert "✓ Twice a negative number." in right
        assert "▶ 02_more" in right
        (course.root / ONE).unlink()
        assert "no value.py was handed in" in terminal.wait_for(WAITING)
        course.write(ONE, "def dou")
        assert "SyntaxError" in terminal.wait_for(WAITING)
        assert terminal.ctrl_c() == 0
        assert "Traceback" not in terminal.rest()
    finally:
        terminal.process.kill()
        terminal.process.wait()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals here")
def test_ctrl_c_ends_it_also_while_a_loop_is_graded(course: Folder) -> None:
    course.exercise(seconds=60)
    terminal = Terminal(course)
    try:
        terminal.wait_for(WAITING)
        course.write(ONE, "while True:\n    pass\n")
        time.sleep(1.5)
        started = time.monotonic()
        assert terminal.ctrl_c() == 0
        assert time.monotonic() - started < 5
        assert "Traceback" not in terminal.rest()
    finally:
        terminal.process.kill()
        terminal.process.wait()
