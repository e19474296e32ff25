"""Grading processes that die, cannot begin, or outlive nobody."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.batch.local import LOST, LocalExecutor
from grader.batch.task import Graded, Settings
from grader.errors import GraderError
from grader.report.score_file import decode
from grader.submission import Submission, read_submission
from tests.grader.batch.conftest import FAULTS, KILLS, KILLS_ONCE, KINDS, WRONG
from tests.grader.conftest import SOLUTION, Folder

HandIn = Callable[..., list[str]]
Work = Callable[..., Iterator[tuple[str, Submission]]]


@pytest.fixture
def work(course: Folder, hand_in: HandIn) -> Work:
    """Submissions one after another, as a batch reads them."""

    def read(**sources: str) -> Iterator[tuple[str, Submission]]:
        for student in hand_in(sources):
            path = course.root / "handed_in" / student
            yield student, read_submission(path, course.read())

    return read


def grade(course: Folder, work: Iterator[tuple[str, Submission]], jobs: int) -> dict[str, Graded]:
    settings = Settings(str(course.root), "auto")
    return dict(LocalExecutor(settings, jobs).run(work))


def points(graded: Graded) -> float:
    return decode(graded.scores).score


def test_every_kind_comes_back_graded(course: Folder, work: Work) -> None:
    found = grade(course, work(**KINDS), 2)
    assert {name: points(item) for name, item in found.items()} == {
        "right": 3, "wrong": 1, "todo": 0, "syntax": 0, "raises": 0, "prints": 3, "hangs": 1,
        "crashes": 0,
    }  # fmt: skip
    assert not [item.fault for item in found.values() if item.fault]


def test_a_process_that_dies_once_costs_nothing(course: Folder, work: Work) -> None:
    found = grade(course, work(a=SOLUTION, b=KILLS_ONCE, c=WRONG, d=SOLUTION), 2)
    assert {name: points(item) for name, item in found.items()} == {"a": 3, "b": 1, "c": 1, "d": 3}
    assert found["b"].fault is None
    assert (course.root / "tests/suites/01_double/died_once").exists()


@pytest.mark.parametrize("jobs", [1, 3])
def test_one_that_always_kills_stops_no_other(course: Folder, work: Work, jobs: int) -> None:
    found = grade(course, work(a=KILLS, b=SOLUTION, c=KILLS, d=FAULTS, e=WRONG), jobs)
    assert found["a"] == found["c"] == Graded(b"", LOST)
    assert "the suite is at fault" in (found["d"].fault or "")
    assert (points(found["b"]), points(found["e"])) == (3, 1)


def test_a_process_killed_from_outside_is_replaced(course: Folder, work: Work) -> None:
    """As the system does when memory runs out."""
    before = set(multiprocessing.active_children())
    results = LocalExecutor(Settings(str(course.root), "auto"), 1).run(
        work(a=SOLUTION, b=WRONG, c=SOLUTION)
    )
    first = next(results)
    for process in set(multiprocessing.active_children()) - before:
        process.kill()
    found = dict([first, *results])
    assert {name: points(item) for name, item in found.items()} == {"a": 3, "b": 1, "c": 3}


def test_a_course_that_cannot_be_graded_is_told_once(course: Folder, work: Work) -> None:
    course.exercise(hidden="import nothing_of_this_name\n")
    with pytest.raises(GraderError, match="nothing_of_this_name"):
        grade(course, work(a=SOLUTION, b=SOLUTION, c=SOLUTION), 2)


def test_processes_that_do_not_even_begin_are_not_started_for_ever(
    course: Folder, work: Work
) -> None:
    course.exercise(hidden="import os\nos._exit(5)\n")
    with pytest.raises(GraderError, match="end as soon as they are started"):
        grade(course, work(**{f"s{n}": SOLUTION for n in range(20)}), 2)


def test_stopped_it_finishes_what_runs(course: Folder, work: Work) -> None:
    executor = LocalExecutor(Settings(str(course.root), "auto"), 2)
    results = executor.run(work(**{f"s{n}": SOLUTION for n in range(9)}))
    found = [next(results)]
    executor.stop()
    found += list(results)
    assert 1 <= len(found) <= 3
    assert all(points(item) == 3 for _, item in found)


@pytest.mark.parametrize("ending", ["close", "raise"])
def test_who_wants_no_more_waits_for_nobody(course: Folder, work: Work, ending: str) -> None:
    """A second Ctrl-C, or a full disk, while a submission runs in a loop."""
    course.limits["seconds"] = 30
    course.exercise()
    before = set(multiprocessing.active_children())
    executor = LocalExecutor(Settings(str(course.root), "auto"), 2)
    results = executor.run(work(a=SOLUTION, b=KINDS["hangs"], c=KINDS["hangs"]))
    next(results)
    time.sleep(0.3)
    started = time.monotonic()
    if ending == "close":
        results.close()  # type: ignore[attr-defined]
    else:
        with pytest.raises(KeyboardInterrupt):
            results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert time.monotonic() - started < 5
    assert set(multiprocessing.active_children()) <= before


def test_nothing_is_started_where_nothing_is_to_do(
    course: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.batch.local.Job", None)
    assert list(LocalExecutor(Settings(str(course.root), "auto"), 8).run([])) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_a_killed_batch_leaves_no_process_behind(course: Folder, hand_in: HandIn) -> None:
    """Neither a grading process nor the loop that a submission is in."""
    course.limits["seconds"] = 60
    course.exercise()
    hand_in({"a": KINDS["hangs"], "b": KINDS["hangs"]})
    command = [sys.executable, "-m", "grader", "batch", "handed_in", "--out", "out", "--jobs", "2"]
    process = subprocess.Popen(command, cwd=course.root, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while _busy(process.pid) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    below = _below(process.pid)
    assert len(below) > 3
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while left := [pid for pid in below if _alive(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def _below(parent: int) -> list[int]:
    """All descendants, as /proc knows them."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, todo = [], [parent]
    while todo:
        new = children.get(todo.pop(), [])
        found += new
        todo += new
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _busy(parent: int) -> int:
    """How many descendants have computed for long: those are the loops."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for pid in _below(parent):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) > 1.5 * ticks
    return total
