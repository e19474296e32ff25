"""Grading processes on this machine. The same seam as any other executor: `run`."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Protocol, TypeVar

from grader.batch.task import Graded, Settings, serve
from grader.errors import GraderError, UsageError
from grader.submission import Submission

K = TypeVar("K")
Task = tuple[K, Submission, int]  # and how often it was tried, this time included
LOST = "the grading process ended unexpectedly"
TRIES = 2  # an infrastructure error may be the machine's mood
_STARTS = 3  # processes in a row that did not even begin: then none will
READY = "ready"


class Executor(Protocol):
    """Grades submissions somewhere; in any order."""

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """Take submissions as there is room, and give results as they come."""

    def stop(self) -> None:
        """Take no more; what runs is finished."""

    def close(self) -> None:
        """Give back what the executor holds."""


class LocalExecutor:
    """At most `jobs` processes, each with a session of its own."""

    def __init__(self, settings: Settings, jobs: int) -> None:
        self._settings = settings
        self._jobs = jobs
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        """Nothing: the processes end with `run`."""

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """A submission whose process dies twice is a fault of ours, and never ends the others.
        Raises GraderError, or the UsageError that they met, where no process can begin."""
        source = iter(work)
        retry: list[Task[K]] = []
        busy: dict[Job, Task[K]] = {}
        idle: list[Job] = []
        finished: list[tuple[K, Graded]] = []
        failed = 0
        try:
            while True:
                while not self._stopped and (idle or len(busy) < self._jobs):
                    task = retry.pop() if retry else next(((*item, 1) for item in source), None)
                    if task is None:
                        break
                    job = idle.pop() if idle else Job(self._settings)
                    busy[job] = task  # first of all: whatever happens now, it is not forgotten
                    job.give(task[1])
                while finished:  # only now: while a result is written, its job works on the next
                    yield finished.pop(0)
                if not busy:
                    return
                for job in _ready(busy):
                    message = job.receive()
                    if message == READY:
                        failed = 0
                        continue
                    key, submission, tries = busy.pop(job)
                    graded = Graded(b"", LOST)
                    if isinstance(message, Graded):
                        graded = message
                        idle.append(job)
                    else:
                        job.kill()
                        if not job.began:
                            failed += 1
                            if isinstance(message, Exception) or failed == _STARTS:
                                raise _cause(message)
                            tries -= 1  # no process has seen it
                    if graded.fault and tries < TRIES:
                        retry.append((key, submission, tries + 1))
                    else:
                        finished.append((key, graded))
        except BaseException:  # also Ctrl-C, and a caller that wants no more
            for job in busy:
                job.kill()
            raise
        finally:
            _end([*idle, *busy])


class Job:
    """One grading process. Spawned, not forked: it must not inherit anybody's pipes."""

    def __init__(self, settings: Settings) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, settings), daemon=True)
        self.began = False
        self._waiting: Submission | None = None
        with _no_interrupt():
            self._process.start()
        theirs.close()

    def give(self, submission: Submission) -> None:
        """Send it, or as soon as the process can read it: a full pipe would block all others."""
        if not self.began:
            self._waiting = submission
            return
        with contextlib.suppress(OSError):  # found out when it is asked for the result
            self.connection.send(submission)

    def receive(self) -> Graded | Exception | str | None:
        """The result; that the process has begun, or why it could not; None where it has died."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return None
        if message == READY:
            self.began = True
            if self._waiting is not None:
                self.give(self._waiting)
                self._waiting = None
        return message  # type: ignore[no-any-return]

    def kill(self) -> None:
        self.connection.close()
        self._process.kill()

    def close(self) -> None:
        self.connection.close()  # the process reads this as the end

    def join(self, seconds: float) -> None:
        self._process.join(seconds)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _end(jobs: list[Job]) -> None:
    for job in jobs:
        job.close()
    for job in jobs:
        job.join(10)


def _ready(busy: dict[Job, Task[K]]) -> list[Job]:
    ready = set(wait([job.connection for job in busy]))
    return [job for job in busy if job.connection in ready]


def _cause(message: object) -> Exception:
    if isinstance(message, Exception):
        return message
    return GraderError("the grading processes end as soon as they are started")


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C goes to every process of a terminal. Until a new one can say that it is not meant,
    it is held back, here and there; here it comes through a moment later."""
    if os.name != "posix":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # first: starting it lets all signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in the grading process --------------------------------------------------------------------


def _work(connection: Connection, settings: Settings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    began = False

    def loop(grade: Callable[[Submission], Graded]) -> None:
        nonlocal began
        connection.send(READY)
        began = True
        with contextlib.suppress(EOFError, OSError):
            while True:
                connection.send(grade(connection.recv()))

    try:
        serve(settings, loop)
    except (UsageError, GraderError) as error:
        if began:
            raise
        with contextlib.suppress(OSError):
            connection.send(error)
    os._exit(0)  # all is written; taking an interpreter apart would take as long as grading ten


def _end_with_parent() -> None:
    """A batch that was killed leaves no process behind that still grades."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
