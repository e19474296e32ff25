"""A real dask scheduler and worker processes over TCP: the same scores as on this machine alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.remote import from_bytes, to_bytes
from grader.batch.task import Settings
from grader.errors import UsageError
from grader.report.score_file import decode
from grader.submission import Cell, Rejected, Source, Submission, read_submission
from tests.grader.batch.conftest import FAULTS, KILLS, KILLS_ONCE, KINDS, Scores
from tests.grader.conftest import SOLUTION, Finished, Folder

HandIn = Callable[..., list[str]]

text = st.text(st.characters(codec=None), max_size=30)
answers = st.builds(Rejected, text) | st.builds(
    Source,
    st.lists(st.builds(Cell, text, text), max_size=3).map(tuple),
    st.booleans(),
    st.lists(st.tuples(text, text), max_size=2).map(tuple),
    st.lists(text, max_size=2).map(tuple),
    st.just("sha256:0"),
)


@given(
    st.builds(
        Submission,
        text,
        st.dictionaries(st.from_regex(r"[a-z0-9_]{1,9}", fullmatch=True), answers, max_size=3),
        st.lists(text, max_size=2).map(tuple),
        st.just("sha256:1"),
    )
)
def test_a_submission_comes_back_from_bytes_as_it_was(submission: Submission) -> None:
    """Also with the half characters that a notebook may hold."""
    assert from_bytes(to_bytes(submission)) == submission


# ---- with dask ----------------------------------------------------------------------------------


@dataclass
class Cluster:
    """`dask scheduler` and `dask worker` as an instructor starts them."""

    folder: Path
    address: str = ""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        self.address = self._said("scheduler", r"Scheduler at:\s+(tcp://[\d.:]+)")

    def work(self, count: int, *more: str, **environment: str) -> None:
        for _ in range(count):
            name = f"worker{len(self.workers)}"
            options = (self.address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
            chosen = (*options, *(more or ["--no-nanny"]))
            worker = self._start("worker", *chosen, name=name, **environment)
            self.workers.append(worker)
        for number in range(len(self.workers)):
            self._said(f"worker{number}", r"Registered to:\s+(\S+)")

    def close(self) -> None:
        processes = [*self.workers, *([self.scheduler] if self.scheduler else [])]
        for process in processes:
            process.kill()
            process.wait()

    def _start(self, kind: str, *more: str, name: str = "", **env: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name or kind}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + kind, *more],
                cwd=self.folder,
                env={**os.environ, **env},
                stdout=log,
                stderr=log,
            )

    def _said(self, name: str, pattern: str) -> str:
        deadline = time.monotonic() + 30
        while True:
            said = (self.folder / f"{name}.log").read_text(errors="replace")
            found = re.search(pattern, said)
            if found:
                return found[1]
            assert time.monotonic() < deadline, said
            time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    yield made
    made.close()


@pytest.fixture
def a_class(course: Folder, hand_in: HandIn) -> Folder:
    for number in range(5):
        hand_in({f"{kind}{number}": text + f"# {number}\n" for kind, text in KINDS.items()})
    return course


@pytest.fixture
def here(a_class: Folder, scores: Scores) -> dict[str, bytes]:
    """What this machine alone comes to."""
    assert a_class.run("batch", "handed_in", "--out", "here").code == 0
    return scores(a_class.root / "here")


def batch(course: Folder, cluster: Cluster, *more: str) -> Finished:
    return course.run("batch", "handed_in", "--out", "there", "--dask", cluster.address, *more)


def one_line(done: Finished, words: str) -> None:
    """A refusal: nothing graded, one line that says why."""
    assert done.code == 2
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_four_workers_come_to_the_same(
    a_class: Folder, here: dict[str, bytes], cluster: Cluster, scores: Scores
) -> None:
    cluster.work(4)
    done = batch(a_class, cluster)
    assert (done.code, done.err) == (0, "")
    assert re.match(r"Sandbox: \w+   4 dask workers   course", done.out)
    assert scores(a_class.root / "there") == here
    assert "(40 unchanged" in batch(a_class, cluster).out


def test_a_worker_killed_half_way_loses_nothing(
    a_class: Folder, here: dict[str, bytes], cluster: Cluster, scores: Scores
) -> None:
    cluster.work(4)
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "batch", "handed_in", "--out", "there", "--dask",
         cluster.address],
        cwd=a_class.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while len(scores(a_class.root / "there")) < 8:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    cluster.workers[0].kill()
    assert len(scores(a_class.root / "there")) < 40
    out, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (0, ""), out
    assert scores(a_class.root / "there") == here


@pytest.mark.parametrize("nanny", ["--no-nanny", "--nanny"])
def test_what_kills_a_grading_process_kills_no_worker(
    course: Folder, hand_in: HandIn, cluster: Cluster, nanny: str
) -> None:
    """And costs no other submission anything. (A nanny's workers are daemonic.)"""
    hand_in({"ada": SOLUTION, "bob": KILLS, "eve": FAULTS, "jo": KILLS_ONCE, "zoe": SOLUTION})
    cluster.work(1, nanny)
    done = batch(course, cluster)
    assert done.code == 3
    assert "2 could not be graded" in done.out
    assert "  bob: the grading process ended unexpectedly" in done.out
    assert "  eve: 01_double: " in done.out
    assert all(worker.poll() is None for worker in cluster.workers)


def test_several_submissions_travel_together_and_none_is_lost(
    course: Folder, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task costs dask milliseconds. Where a task of several fails, each is tried by itself."""
    from grader.batch import cluster as module

    def moody(settings: Settings, expected: str, payloads: list[bytes]) -> object:
        from grader.batch.remote import grade_bytes

        if len(payloads) > 2:
            raise ValueError("too much at once")
        return grade_bytes(settings, expected, payloads)

    cluster.work(2)
    course.submit(SOLUTION, student="ada")
    ada = read_submission(course.root / "handed_in" / "ada", course.read())
    work = [(number, replace(ada, student=str(number))) for number in range(40)]
    for grade in (module.grade_bytes, moody):
        monkeypatch.setattr(module, "grade_bytes", grade)
        executor = module.DaskExecutor(Settings(str(course.root), "auto"), cluster.address)
        executor._pace = 0.001  # it learns that itself, sooner or later
        sizes: list[int] = []
        submit = executor._client.submit

        def counted(function: object, *rest: Any, submit: Any = submit, **options: Any) -> object:
            sizes.append(len(rest[2]))  # noqa: B023
            return submit(function, *rest, **options)

        executor._client.submit = counted
        found = dict(executor.run(iter(work)))
        executor.close()
        assert {key: decode(graded.scores).student for key, graded in found.items()} == {
            number: str(number) for number in range(40)
        }
        assert max(sizes) == 8
        assert not [graded.fault for graded in found.values() if graded.fault]


def test_a_result_that_is_lost_with_its_worker_comes_again(
    course: Folder, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dask says that it is there, and then, before it is fetched, that it is not."""
    distributed = pytest.importorskip("distributed")
    from grader.batch import cluster as module

    lost: list[str] = []

    class Losing(distributed.as_completed):  # type: ignore[misc]
        def __next__(self) -> Any:
            future = super().__next__()
            if future.key not in lost:
                lost.append(future.key)
                future._state.lose()
                threading.Timer(0.2, self.loop.add_callback, [future._state.finish]).start()
            return future

    cluster.work(1)
    course.submit(SOLUTION, student="ada")
    ada = read_submission(course.root / "handed_in" / "ada", course.read())
    executor = module.DaskExecutor(Settings(str(course.root), "auto"), cluster.address)
    monkeypatch.setattr(distributed, "as_completed", Losing)
    found = dict(executor.run((number, ada) for number in range(10)))
    executor.close()
    assert sorted(found) == list(range(10))
    assert not [graded.fault for graded in found.values() if graded.fault]
    assert len(lost) > 3


def test_a_scheduler_lost_while_a_result_is_fetched_is_told_like_any_other(
    course: Folder, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    from grader.batch import cluster as module

    class Broken(distributed.as_completed):  # type: ignore[misc]
        def __next__(self) -> Any:
            def result() -> object:
                raise distributed.comm.CommClosedError("in gather: Connection reset by peer")

            future = super().__next__()
            return SimpleNamespace(key=future.key, status="finished", result=result)

    cluster.work(1)
    course.submit(SOLUTION, student="ada")
    ada = read_submission(course.root / "handed_in" / "ada", course.read())
    executor = module.DaskExecutor(Settings(str(course.root), "auto"), cluster.address)
    monkeypatch.setattr(distributed, "as_completed", Broken)
    with pytest.raises(UsageError, match="the scheduler is gone; what is finished is safe"):
        list(executor.run([("ada", ada)]))
    executor.close()


def test_a_course_that_cannot_be_graded_is_told_once(
    course: Folder, hand_in: HandIn, cluster: Cluster
) -> None:
    course.exercise(hidden="import nothing_of_this_name\n")
    hand_in()
    cluster.work(1)
    done = batch(course, cluster)
    assert done.code == 3
    assert "nothing_of_this_name" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_cluster_without_workers_is_given_up(
    course: Folder, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dask itself waits for ever."""
    from grader.batch import cluster as module

    monkeypatch.setattr(module, "_ALONE", 1.0)
    monkeypatch.setattr(module, "_LOOK", 0.2)
    cluster.work(1)
    executor = module.DaskExecutor(Settings(str(course.root), "auto"), cluster.address)
    cluster.workers[0].kill()
    submission = Submission("ada", {}, (), "sha256:0")
    with pytest.raises(UsageError, match="there are no workers any more; what is finished is safe"):
        list(executor.run([("ada", submission)]))
    executor.close()


def test_another_grader_or_other_versions_are_refused(
    a_class: Folder, cluster: Cluster, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sitecustomize.py").write_text(
        "import importlib.metadata as m\nreal = m.version\n"
        "m.version = lambda name: '99' if name == 'hypothesis' else real(name)\n"
    )
    cluster.work(1)
    cluster.work(1, PYTHONPATH=str(tmp_path / "other"))
    one_line(batch(a_class, cluster), "another course, grader, Python or package version")


def test_a_course_that_is_not_there_is_refused(
    a_class: Folder, cluster: Cluster, tmp_path: Path
) -> None:
    """The worker sees another disk: here, its Python finds no file below the course."""
    (tmp_path / "blind").mkdir()
    (tmp_path / "blind" / "sitecustomize.py").write_text(
        "import pathlib\nreal = pathlib.Path.read_text\n"
        "def blind(self, *a, **k):\n"
        "    if self.name == 'course.toml': raise FileNotFoundError(2, 'No such file', str(self))\n"
        "    return real(self, *a, **k)\n"
        "pathlib.Path.read_text = blind\n"
    )
    cluster.work(1, PYTHONPATH=str(tmp_path / "blind"))
    one_line(batch(a_class, cluster), "is this a course folder?")


def test_a_worker_that_joins_later_and_differs_gets_nothing_to_do(
    a_class: Folder, here: dict[str, bytes], cluster: Cluster, scores: Scores, tmp_path: Path
) -> None:
    """It would be the fastest of all, and take the whole class."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sitecustomize.py").write_text(
        "import importlib.metadata as m\nreal = m.version\n"
        "m.version = lambda name: '99' if name == 'hypothesis' else real(name)\n"
    )
    cluster.work(1)
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "batch", "handed_in", "--out", "there", "--dask",
         cluster.address],
        cwd=a_class.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(1.0)
    cluster.work(1, PYTHONPATH=str(tmp_path / "other"))
    out, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (0, ""), out
    assert scores(a_class.root / "there") == here


def test_a_course_that_changed_is_graded_as_it_is_now(
    course: Folder, hand_in: HandIn, cluster: Cluster
) -> None:
    """The workers' sessions are from before."""
    hand_in({"ada": SOLUTION})
    cluster.work(1)
    assert batch(course, cluster).code == 0
    course.exercise(points=9, hidden=(
        "import pytest\n@pytest.mark.points(8)\ndef test_new(submission):\n"
        "    assert submission.double(5) == 10\n"
    ))  # fmt: skip
    done = batch(course, cluster)
    assert done.code == 0
    assert b"test_new" in (course.root / "there/ada.json").read_bytes()


def test_no_scheduler_is_one_clear_line(course: Folder, hand_in: HandIn) -> None:
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    hand_in()
    for address, words in (
        ("tcp://127.0.0.1:9", "no scheduler answers there"),
        ("127.0.0.1:9", "no scheduler answers there"),
        ("tcp://no.such.host.invalid:8786", "no scheduler answers there"),
        ("localhost:99999", "no scheduler answers there"),
        ("nowhere", "is no address; write tcp://HOST:8786"),
        ("abc://1.2.3.4:5", "is no address; write tcp://HOST:8786"),
    ):
        done = course.run("batch", "handed_in", "--out", "out", "--dask", address)
        one_line(done, f"--dask {address}: {words}")


def test_no_workers_is_one_clear_line(course: Folder, hand_in: HandIn, cluster: Cluster) -> None:
    hand_in()
    one_line(batch(course, cluster), "the cluster has no workers")


def test_a_lost_scheduler_is_one_clear_line_and_nothing_is_lost(
    a_class: Folder, here: dict[str, bytes], cluster: Cluster, scores: Scores
) -> None:
    cluster.work(2)
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "batch", "handed_in", "--out", "there", "--dask",
         cluster.address],
        cwd=a_class.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while len(scores(a_class.root / "there")) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert cluster.scheduler is not None
    os.kill(cluster.scheduler.pid, signal.SIGKILL)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 2, (out, err)
    assert "the scheduler is gone; what is finished is safe" in err
    assert len(err.splitlines()) == 1
    again = a_class.run("batch", "handed_in", "--out", "there")
    assert "unchanged since last time" in again.out
    assert scores(a_class.root / "there") == here
