"""Workers that a nursery forks: as separate as if each had been started by itself."""

import errno
import marshal
import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, WorkerClosed, nursery, warm

from .conftest import Start, level


@pytest.fixture
def bwrap() -> Sandbox:
    """The level that has a nursery."""
    return level("bwrap")


SHARED = """
import math, time
request = os.read(0, 1)
if request == b"w":
    math.pi = 3
    open("left-behind", "w").close()
say([math.pi, os.listdir(".")])
os.read(0, 1)
"""


def test_workers_of_a_nursery_share_nothing(start: Start, bwrap: Sandbox) -> None:
    """Neither modules nor files, one after the other or at the same time."""
    workers = [start(bwrap, SHARED) for _ in range(3)]
    for worker, letter in zip(workers, (b"w", b"r", b"w"), strict=True):
        worker.process.send(letter, time.monotonic() + 10)
    assert [worker.hear() for worker in workers] == [
        [3, ["left-behind"]],
        [pytest.approx(3.14159265), []],
        [3, ["left-behind"]],
    ]


def test_objects_lie_alike_in_every_worker(start: Start, bwrap: Sandbox) -> None:
    """So that even the order of a set of objects is the same each time."""
    code = "say([id(object()), [id(o) for o in {object() for _ in range(20)}]])\nos.read(0, 1)"
    assert start(bwrap, code).hear() == start(bwrap, code).hear()


def test_a_worker_is_alone_in_its_namespace(start: Start, bwrap: Sandbox) -> None:
    """It has no parent there, and nobody to signal."""
    code = "say([os.getpid(), os.getppid(), tried(os.kill, -1, 9)[1], tried(os.kill, 2, 0)[1]])"
    alone = [1, 0, "ProcessLookupError", "ProcessLookupError"]
    assert [start(bwrap, code).hear() for _ in range(2)] == [alone, alone]


def test_many_workers_at_once(start: Start, bwrap: Sandbox) -> None:
    """All answer, and nothing of any is left."""
    workers = [start(bwrap, "say(os.read(0, 9).decode())\nos.read(0, 1)") for _ in range(20)]
    for number, worker in enumerate(workers):
        worker.process.send(b"%d" % number, time.monotonic() + 10)
    assert [worker.hear() for worker in workers] == [str(number) for number in range(20)]
    for worker in workers:
        worker.process.close()
        assert worker.gone(0)


def test_workers_can_be_started_by_several_threads(start: Start, bwrap: Sandbox) -> None:
    """And outlive the thread that did."""
    workers = []
    code = "say(1)\nos.read(0, 1)\nsay(2)"
    threads = [
        threading.Thread(target=lambda: workers.append(start(bwrap, code))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [worker.hear() for worker in workers] == [1] * 6
    for worker in workers:
        worker.process.send(b"x", time.monotonic() + 10)
    assert [worker.hear() for worker in workers] == [2] * 6


def _only_nursery() -> warm.Nursery:
    return list(warm._nurseries.values())[-1]


def test_a_nursery_that_dies_takes_its_workers_and_is_replaced(
    start: Start, bwrap: Sandbox
) -> None:
    """The machine may run out of memory; the next worker gets a new nursery."""
    code = "say(1)\nwhile True: pass"
    worker = start(bwrap, code)
    worker.hear()
    nursery = _only_nursery()
    for pid in _children(nursery._process.pid):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerClosed):
        worker.process.receive(1, time.monotonic() + 10)
    assert worker.process.close() == "killed by SIGKILL"
    assert worker.gone()
    assert start(bwrap, code).hear() == 1
    assert _only_nursery() is not nursery


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if int(parent) == pid:
                found.append(int(entry.name))
    return found


def test_a_fork_of_the_grader_has_its_own_nursery(start: Start, bwrap: Sandbox) -> None:
    """And leaves its parent's alone."""
    code = "say(1)\nos.read(0, 1)\nsay(2)"
    worker = start(bwrap, code)
    worker.hear()
    ours = _only_nursery()
    child = os.fork()
    if child == 0:
        try:
            assert not warm._nurseries
            other = start(bwrap, code)
            assert other.hear() == 1
            other.process.close()
            warm.close_all()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    worker.process.send(b"x", time.monotonic() + 10)
    assert worker.hear() == 2
    assert ours.alive


def test_idle_nurseries_are_closed(start: Start, bwrap: Sandbox) -> None:
    """A long run over many courses does not gather them."""
    for number in range(8):
        worker = start(bwrap, f"say({number})")
        worker.hear()
        worker.process.close()
    assert len(warm._nurseries) <= 5
    warm.close_idle()
    assert not warm._nurseries
    assert not [pid for pid in _children(os.getpid()) if _is_bwrap(pid)]


def _is_bwrap(pid: int) -> bool:
    return Path(f"/proc/{pid}/comm").read_text().strip() == "bwrap"


def test_starting_does_not_wait(start: Start, bwrap: Sandbox) -> None:
    """The grader can do other things while a worker comes up."""
    start(bwrap, "say(1)").hear()
    began = time.monotonic()
    worker = start(bwrap, "say(1)")
    assert time.monotonic() - began < 0.1
    assert worker.hear() == 1


def test_where_no_worker_can_be_forked_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grader reads why where a worker's output would be."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    room = nursery.Nursery(theirs, lambda: None, b"")

    def no_room(*_: object) -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(room, "fork", no_room)
    output, its_output = os.pipe()
    report, its_report = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    nothing = os.open(os.devnull, os.O_RDWR)
    socket.send_fds(ours, [marshal.dumps({})], [nothing, nothing, its_output, its_report.fileno()])
    its_report.close()
    os.close(its_output)
    before = len(os.listdir("/proc/self/fd"))
    room.begin()
    assert b"Resource temporarily unavailable" in os.read(output, 1000)
    assert os.read(output, 1) == b"" == report.recv(1)  # it has let go of both
    assert len(os.listdir("/proc/self/fd")) == before
    assert not room.workers
    for number in (output, nothing, room.me):
        os.close(number)
    for end in (ours, theirs, report):
        end.close()
