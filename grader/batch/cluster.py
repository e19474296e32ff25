"""Grading processes on other machines, through dask.distributed (extra `dask`).

Submissions travel as bytes and results come back as data. Each thread of a dask worker keeps a
grading process, as a batch on one machine does. The course folder must be on every machine, at the
same path and with the same content: that is checked, and so are all versions. A machine that is
lost takes nothing with it: dask runs its tasks elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import re
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any, TypeVar

from grader.batch.local import TRIES
from grader.batch.remote import Answer, grade_bytes, introduce, to_bytes
from grader.batch.task import Graded, Settings, fingerprint
from grader.errors import GraderError, UsageError
from grader.submission import Submission

K = TypeVar("K")
_Item = tuple[K, bytes, int]  # whose submission, the submission, and how often it was tried
_AHEAD = 3  # tasks in flight for each thread: enough that none waits for the network
_TASK = 0.2  # seconds that a task should take: much more than what it costs dask
_TOGETHER = 8  # submissions in a task, at most
_START = 10.0  # seconds to reach the scheduler
_LOOK = 2.0  # seconds between two looks at who is there
_ALONE = 60.0  # seconds without any worker
_KILLER = "several machines were lost while they graded it"


class DaskExecutor:
    """The workers of a dask cluster."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Raises UsageError where there is no cluster, or one that would grade differently."""
        distributed = _distributed()
        # what it has to say in many lines about a lost connection, we say in one
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address = address
        _insist_on_somebody(address)
        try:
            self._client = distributed.Client(address, timeout=_START, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise _nobody(address) from error
        self._settings = settings
        self._fingerprint = fingerprint(settings)
        self._stopped = False
        self._lost = "the scheduler is gone"
        self._refused: set[str] = set()  # workers that joined later and would grade differently
        self._futures: dict[str, Any] = {}
        self._pace = _TASK  # seconds for a submission, as it was of late
        try:
            self.sandboxes = self._inspect()
            self._threads = sum(self._client.nthreads().values())
        except BaseException:
            self.close()
            raise

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a scheduler that is gone is as good as closed
            self._client.close(timeout=2)

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """Raises UsageError where the scheduler or all workers are lost, and what a worker met
        that keeps it from grading anything."""
        source = iter(work)
        running = _distributed().as_completed(loop=self._client.loop)
        tasks: dict[str, list[_Item[K]]] = {}

        def submit(items: list[_Item[K]]) -> None:
            future = self._client.submit(
                grade_bytes,
                self._settings,
                self._fingerprint,
                [payload for _, payload, _ in items],
                workers=self._accepted(),
                pure=False,
            )
            tasks[future.key] = items
            self._futures[future.key] = future
            running.add(future)

        with self._watched():
            while True:
                while not self._stopped and len(tasks) < self._threads * _AHEAD:
                    some = islice(source, max(1, min(_TOGETHER, int(_TASK / self._pace))))
                    items = [(key, to_bytes(submission), 1) for key, submission in some]
                    if not items:
                        break
                    submit(items)
                if not tasks:
                    return
                future = next(running)
                if future.status in ("lost", "pending"):  # with its worker: dask does it again
                    running.add(future)
                    continue
                items = tasks.pop(future.key)
                answer = self._answer(future, len(items))
                del self._futures[future.key]
                if answer is None:  # not which of them it was
                    for item in items:
                        submit([item])
                    continue
                if answer.refused:
                    self._refused.add(answer.refused)
                    submit(items)
                    continue
                self._pace += (max(answer.seconds / len(items), 1e-3) - self._pace) / 4
                for (key, payload, tries), (scores, fault) in zip(
                    items, answer.graded, strict=True
                ):
                    if fault and fault != _KILLER and tries < TRIES:
                        submit([(key, payload, tries + 1)])
                    else:
                        yield key, Graded(scores, fault)

    def _answer(self, future: Any, count: int) -> Answer | None:
        """What came back; None for a task of several that failed as a whole."""
        if future.status == "finished":
            with contextlib.suppress(CancelledError, OSError):  # the scheduler is gone, just now
                answer: Answer = future.result()
                return answer
        if future.status == "error":
            error = future.exception()
            if isinstance(error, GraderError | UsageError):
                raise error
            if count > 1:
                return None
            killed = type(error).__name__ == "KilledWorker"
            fault = _KILLER if killed else f"{type(error).__name__}: {error}"
            return Answer(((b"", fault),), 0.0)
        raise UsageError(
            f"--dask {self._address}: {self._lost}; what is finished is safe: start it "
            "and run the same command again"
        )

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """While the cluster works, count its threads; where there are none for long, give up:
        dask would wait for ever."""
        ended = threading.Event()

        def watch() -> None:
            alone_since = None
            while not ended.wait(_LOOK):
                with contextlib.suppress(Exception):  # of a lost scheduler we hear anyway
                    self._threads = sum(self._client.nthreads().values()) or self._threads
                    alone = not self._client.nthreads()
                    alone_since = (alone_since or time.monotonic()) if alone else None
                    if alone_since is not None and time.monotonic() - alone_since > _ALONE:
                        self._lost = "there are no workers any more"
                        self._client.cancel(list(self._futures.values()), force=True)

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._futures.values()), force=True)
            self._futures.clear()

    def _accepted(self) -> list[str] | None:
        """The workers that may take a task; None for all of them."""
        if not self._refused:
            return None
        accepted = [name for name in self._client.nthreads() if name not in self._refused]
        if not accepted:
            raise UsageError(f"--dask {self._address}: {_DIFFERENT.format(*self._refused)}")
        return accepted

    def _inspect(self) -> dict[str, str]:
        """Each worker's sandbox. Raises UsageError where one would not grade as this machine."""
        place = f"--dask {self._address}"
        found: dict[str, Any] = self._client.run(introduce, self._settings, on_error="return")
        if not found:
            raise UsageError(f"{place}: the cluster has no workers; start some first")
        for worker, answer in found.items():
            if isinstance(answer, BaseException):
                raise UsageError(
                    f"{place}: worker {worker} cannot grade: {type(answer).__name__}: {answer}; "
                    "install the same grader there as here"
                )
            theirs, sandbox, problem = answer
            if problem:
                raise UsageError(f"{place}: worker {worker} cannot grade: {problem}")
            if theirs != self._fingerprint:
                raise UsageError(f"{place}: {_DIFFERENT.format(worker)}")
            if sandbox == "none" and self._settings.sandbox != "none":
                raise UsageError(
                    f"{place}: no sandbox works for worker {worker}, and a batch runs other "
                    "people's code; see python -m grader doctor there, or say --sandbox none"
                )
        return {worker: sandbox for worker, (_, sandbox, _) in found.items()}


def _insist_on_somebody(address: str) -> None:
    """dask tries an address for many seconds, also where nobody listens: that is known at once.
    Raises UsageError."""
    found = re.fullmatch(r"(?:tcp://|tls://)?([^/:]+|\[[^]]+\]):(\d{1,5})", address)
    if not found:
        raise UsageError(f"--dask {address}: is no address; write tcp://HOST:8786")
    try:
        socket.create_connection((found[1].strip("[]"), int(found[2])), _START).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _nobody(address) from error


def _nobody(address: str) -> UsageError:
    return UsageError(
        f"--dask {address}: no scheduler answers there; start one with: dask scheduler"
    )


def _distributed() -> Any:
    """dask.distributed, of whose types we need none. Raises UsageError."""
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError(
            "dask.distributed is not installed; run: python -m pip install distributed"
        ) from error


_DIFFERENT = (
    "worker {} has another course, grader, Python or package version; install the same everywhere"
)
