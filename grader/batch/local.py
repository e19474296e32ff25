"""Grading processes on this machine. The same seam as any other executor: `run`."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Protocol, TypeVar

from grader.batch.task import Graded, Settings, serve
from grader.submission import Submission

K = TypeVar("K")
LOST = "the grading process ended unexpectedly"
_TRIES = 2  # an infrastructure error may be the machine's mood


class Executor(Protocol):
    """Grades submissions somewhere; in any order."""

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """Take submissions as there is room, and give results as they come."""

    def stop(self) -> None:
        """Take no more; what runs is finished."""


class LocalExecutor:
    """`jobs` processes, each with a session of its own."""

    def __init__(self, settings: Settings, jobs: int) -> None:
        self._settings = settings
        self._jobs = jobs
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """Raises nothing for a submission: one whose process dies twice is a fault of ours."""
        source = iter(work)
        retry: list[tuple[K, Submission, int]] = []
        busy: dict[_Job, tuple[K, Submission, int]] = {}
        jobs = [_Job(self._settings) for _ in range(self._jobs)]
        try:
            idle = list(jobs)
            while True:
                while idle and not self._stopped:
                    item = retry.pop() if retry else next(((*w, 1) for w in source), None)
                    if item is None:
                        break
                    job = idle.pop()
                    job.send(item[1])
                    busy[job] = item
                if not busy:
                    return
                for job in _ready(busy):
                    key, submission, tries = busy.pop(job)
                    graded = job.receive()
                    if graded is None:
                        job.close()
                        jobs.remove(job)
                        job = _Job(self._settings)
                        jobs.append(job)
                    idle.append(job)
                    if (graded is None or graded.fault) and tries < _TRIES:
                        retry.append((key, submission, tries + 1))
                        continue
                    yield key, graded or Graded(b"", (), LOST)
        finally:
            for job in jobs:
                job.close()


class _Job:
    """One grading process. Spawned, not forked: it must not inherit anybody's pipes."""

    def __init__(self, settings: Settings) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, settings), daemon=False)
        self._process.start()
        theirs.close()

    def send(self, submission: Submission) -> None:
        with contextlib.suppress(OSError):  # found out when it is asked for the result
            self.connection.send(submission)

    def receive(self) -> Graded | None:
        """The result, or None where the process has died."""
        try:
            graded = self.connection.recv()
        except (EOFError, OSError):
            return None
        return graded if isinstance(graded, Graded) else None

    def close(self) -> None:
        self.connection.close()  # the process reads this as the end
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _ready(busy: dict[_Job, tuple[K, Submission, int]]) -> list[_Job]:
    ready = set(wait([job.connection for job in busy]))
    return [job for job in busy if job.connection in ready]


def _work(connection: Connection, settings: Settings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer

    def loop(grade: object) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                connection.send(grade(connection.recv()))  # type: ignore[operator]

    serve(settings, loop)
