"""The handle on a worker: deadlines, output, and its end."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, WorkerClosed, WorkerProcess, WorkerTimeout, process
from grader.sandbox.none import remove_tree
from grader.sandbox.pipes import ThreadedPipes

from .conftest import Start, Worker

ECHO = """
while True:
    request = os.read(0, 65536)
    if not request:
        break
    os.write(1, request)
"""


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


@pytest.fixture(params=["polled", "threaded"], autouse=True)
def pipes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds for both kinds of pipes; Windows has threads only."""
    if request.param == "threaded":
        monkeypatch.setattr(process, "open_pipes", ThreadedPipes)


def test_receive_gives_exactly_the_bytes_asked_for(start: Start, unconfined: Sandbox) -> None:
    """However they were cut on the way."""
    worker = start(unconfined, ECHO).process
    data = os.urandom(300_000)
    worker.send(data[:100_000], soon())
    assert worker.receive(3, soon()) == data[:3]
    assert worker.receive(99_997, soon()) == data[3:100_000]
    assert not worker.pending()


def test_receive_stops_at_the_deadline(start: Start, unconfined: Sandbox) -> None:
    """A silent worker costs the time it was given and no more."""
    worker = start(unconfined, "say(1); os.read(0, 1)")
    worker.hear()
    began = time.monotonic()
    with pytest.raises(WorkerTimeout):
        worker.process.receive(1, soon(0.4))
    assert 0.3 < time.monotonic() - began < 1.0


def test_send_stops_at_the_deadline_when_nobody_reads(start: Start, unconfined: Sandbox) -> None:
    """A worker can't stop the grader by not reading."""
    worker = start(unconfined, "say(1)\nwhile True: pass")
    worker.hear()
    began = time.monotonic()
    with pytest.raises(WorkerTimeout):
        worker.process.send(bytes(10_000_000), soon(0.4))
    assert 0.3 < time.monotonic() - began < 1.0


def test_a_flood_of_output_neither_blocks_nor_fills_memory(
    start: Start, unconfined: Sandbox
) -> None:
    """All of it is read, and the first part kept."""
    worker = start(
        unconfined, "for _ in range(50): os.write(2, b'x' * 1_000_000)\nsay(1)", output_kb=8
    )
    assert worker.hear() == 1
    text = worker.process.take_output()
    assert text == "x" * 8192
    assert worker.process.printed >= 49_000_000
    assert worker.process.take_output() == ""


def test_output_that_is_not_text_is_shown_as_escapes(start: Start, unconfined: Sandbox) -> None:
    """Lone bytes must not stop a report."""
    worker = start(unconfined, "os.write(2, b'caf\\xc3\\xa9 \\xff')\nsay(1)")
    worker.hear()
    text, until = "", soon()
    while len(text) < 9 and time.monotonic() < until:  # threads may bring it after the answer
        text += worker.process.take_output()
    assert text == "café \\xff"


def test_an_answer_to_no_question_is_seen(start: Start, unconfined: Sandbox) -> None:
    """Whoever answers ahead is found out."""
    worker = start(unconfined, "say(1); os.write(1, b'more'); os.write(2, b'.'); os.read(0, 1)")
    worker.hear()
    until = soon()
    while not worker.process.take_output() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.05)
    assert worker.process.pending()


def test_a_worker_that_says_nothing_has_nothing_pending(start: Start, unconfined: Sandbox) -> None:
    """The launcher's own first byte is no answer."""
    worker = start(unconfined, ECHO).process
    time.sleep(0.2)
    assert not worker.pending()


def test_replies_that_never_end_are_not_taken_in(start: Start, unconfined: Sandbox) -> None:
    """What nobody asks for stays in the pipe: the grader's memory is not the worker's to fill."""
    worker = start(unconfined, "say(1)\nwhile True: os.write(1, b'x' * 65536)")
    worker.hear()
    time.sleep(0.2)
    worker.process.pending()
    worker.process.take_output()
    assert len(worker.process._replies) < 300_000


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("os._exit(3)", "exit status 3"),
        ("os._exit(0)", "exit status 0"),
        ("import ctypes; ctypes.string_at(0)", "killed by SIGSEGV"),
    ],
)
def test_close_tells_how_the_worker_ended(
    closed: Callable[..., Worker], any_level: Sandbox, code: str, ended: str
) -> None:
    """At every level alike, and as often as one asks."""
    worker = closed(any_level, code)
    assert worker.process.close() == ended
    assert worker.process.close() == ended


def test_close_of_a_running_worker_tells_nothing(start: Start, any_level: Sandbox) -> None:
    """It did not end by itself: we ended it."""
    worker = start(any_level, "say(1)\nwhile True: pass")
    worker.hear()
    began = time.monotonic()
    assert worker.process.close() is None
    assert time.monotonic() - began < 2
    assert worker.gone(0)


def test_close_before_the_worker_is_up(start: Start, any_level: Sandbox) -> None:
    """Nothing is left of it, though it was not finished."""
    worker = start(any_level, "say(1)\nwhile True: pass")
    worker.process.close()
    assert worker.gone()


def test_a_worker_that_closes_its_replies_counts_as_ended(
    start: Start, unconfined: Sandbox
) -> None:
    """It can never answer again; no deadline has to pass."""
    worker = start(unconfined, "say(1); os.close(1)\nwhile True: pass")
    worker.hear()
    with pytest.raises(WorkerClosed):
        worker.process.receive(1, soon())


def test_a_daemon_that_holds_the_pipes_does_not_hold_the_grader(
    start: Start, unconfined: Sandbox
) -> None:
    """The worker has ended even though its pipes are open."""
    worker = start(
        unconfined, "say(1)\nimport time\nif os.fork() == 0: time.sleep(60)\nos._exit(0)"
    )
    worker.hear()
    began = time.monotonic()
    with pytest.raises(WorkerClosed):
        worker.process.receive(1, soon())
    assert time.monotonic() - began < 2
    assert worker.process.close() == "exit status 0"
    assert worker.gone()


def test_a_folder_too_deep_to_walk_is_removed(tmp_path: Path) -> None:
    """Nothing a worker leaves behind can stay."""
    home = os.getcwd()
    try:
        os.chdir(tmp_path)
        os.mkdir("top")
        os.chdir("top")
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
        os.chmod(".", 0)
    finally:
        os.chdir(home)
    remove_tree(tmp_path / "top")
    assert not (tmp_path / "top").exists()


def test_closing_twice_is_the_same_as_once(start: Start, unconfined: Sandbox) -> None:
    """And a closed worker has nothing to say."""
    worker = start(unconfined, ECHO).process
    assert isinstance(worker, WorkerProcess)
    worker.close()
    worker.close()
    assert not worker.pending()
    with pytest.raises((WorkerClosed, WorkerTimeout)):
        worker.receive(1, soon(0.1))
