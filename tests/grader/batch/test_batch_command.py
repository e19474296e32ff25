"""`python -m grader batch`, from outside: resumed, killed, spread over processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.batch.remote import from_bytes, to_bytes
from grader.submission import Cell, Rejected, Source, Submission
from tests.grader.conftest import Folder

RIGHT = "def double(x):\n    return 2 * x\n"
ANSWERS = [
    RIGHT,
    "def double(x):\n    return x + 2\n",
    "def double(x):\n    1 / 0\n",
    "def dou(\n",
    "",
]


@pytest.fixture
def a_class(course: Folder) -> Folder:
    """Twenty students of a small course."""
    course.exercise()
    for number in range(20):
        text = ANSWERS[number % len(ANSWERS)]
        course.write(f"class/s{number:02}/01_double/value.py", f"{text}# student {number}\n")
    return course


def scores(folder: Path) -> dict[str, Any]:
    """All score files of a batch, but for times."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        score = json.loads(path.read_bytes())
        score["graded_at"] = ""
        for exercise in score["exercises"]:
            for check in exercise["checks"]:
                check["seconds"] = 0
        found[path.name] = score
    return found


def test_a_second_run_grades_nothing_again(a_class: Folder) -> None:
    first = a_class.run("batch", "class", "--out", "out", "--jobs", "2")
    assert first.code == 0
    before = scores(a_class.root / "out")
    assert len(before) == 20
    again = a_class.run("batch", "class", "--out", "out", "--jobs", "2")
    assert "20 unchanged" in again.out
    assert scores(a_class.root / "out") == before


def test_a_changed_submission_is_graded_again(a_class: Folder) -> None:
    a_class.run("batch", "class", "--out", "out")
    a_class.write("class/s01/01_double/value.py", RIGHT)
    again = a_class.run("batch", "class", "--out", "out")
    assert "19 unchanged" in again.out
    assert scores(a_class.root / "out")["s01.json"]["score"] == 3


def test_without_the_memo_the_score_files_are_the_same(a_class: Folder) -> None:
    a_class.run("batch", "class", "--out", "with")
    a_class.run("batch", "class", "--out", "without", "--no-memo")
    assert scores(a_class.root / "with") == scores(a_class.root / "without")


def test_shards_merged_are_the_whole(a_class: Folder) -> None:
    a_class.run("batch", "class", "--out", "whole")
    for part in ("1/2", "2/2"):
        a_class.run("batch", "class", "--out", f"part{part[0]}", "--shard", part)
    a_class.run("merge", "part1", "part2", "--out", "together")
    assert scores(a_class.root / "together") == scores(a_class.root / "whole")


def test_killed_at_any_moment_and_started_again_it_comes_to_the_same(a_class: Folder) -> None:
    """kill -9 loses nothing that was finished and leaves nothing half-written."""
    a_class.run("batch", "class", "--out", "whole")
    command = [sys.executable, "-m", "grader", "batch", "class", "--out", "out", "--jobs", "2"]
    for moment in (0.4, 0.9, 1.2, 1.5):
        process = subprocess.Popen(command, cwd=a_class.root, stdout=subprocess.DEVNULL)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        scores(a_class.root / "out")  # each that is there can be read
    assert a_class.run("batch", "class", "--out", "out", "--jobs", "2").code == 0
    assert scores(a_class.root / "out") == scores(a_class.root / "whole")


def test_a_submission_comes_back_from_bytes_as_it_was() -> None:
    source = Source((Cell("value.py", "x = 1\n"),), False, (("a.py", "y"),), ("note",), "sha256:0")
    before = Submission("ada", {"one": source, "two": Rejected("empty")}, ("n",), "sha256:1")
    assert from_bytes(to_bytes(before)) == before


@pytest.fixture
def cluster() -> Iterator[str]:
    """A real scheduler with two worker processes, over TCP on loopback."""
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as running:
        yield running.scheduler_address


def test_a_cluster_comes_to_the_same(a_class: Folder, cluster: str) -> None:
    a_class.run("batch", "class", "--out", "here")
    done = a_class.run("batch", "class", "--out", "there", "--dask", cluster)
    assert done.code == 0, done.err
    assert scores(a_class.root / "there") == scores(a_class.root / "here")


def test_no_scheduler_is_one_clear_line(a_class: Folder) -> None:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    done = a_class.run("batch", "class", "--out", "out", "--dask", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1
