"""Grading processes on other machines, through dask.distributed (extra `dask`).

Submissions travel as bytes and results come back as data. Each dask worker keeps one session; it
grades one submission at a time, so give every core a worker process of its own. The course folder
must be on every machine, at the same path and with the same content: that is checked, and so are
all versions. A machine that is lost takes nothing with it: dask runs its tasks elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from grader.batch.local import TRIES
from grader.batch.remote import grade_bytes, introduce, to_bytes
from grader.batch.task import Graded, Settings, fingerprint
from grader.errors import UsageError
from grader.submission import Submission

K = TypeVar("K")
_AHEAD = 3  # tasks in flight for each worker: enough that none waits for the network
_START = 10.0  # seconds to reach the scheduler


class DaskExecutor:
    """The workers of a dask cluster."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Raises UsageError where there is no cluster, or one that would grade differently."""
        distributed = _distributed()
        # what it has to say in many lines about a lost connection, we say in one
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address = address
        try:
            self._client = distributed.Client(address, timeout=_START, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(
                f"--dask {address}: no scheduler answers there; start one with: dask scheduler"
            ) from error
        self._settings = settings
        self._fingerprint = fingerprint(settings)
        self._stopped = False
        self._refused: set[str] = set()  # workers that joined later and would grade differently
        try:
            self.sandboxes = self._inspect()
        except BaseException:
            self.close()
            raise

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a scheduler that is gone is as good as closed
            self._client.close(timeout=2)

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        """Raises UsageError where the scheduler is lost, or no worker that grades alike is
        left."""
        source = iter(work)
        running = _distributed().as_completed(loop=self._client.loop)
        tasks: dict[str, tuple[K, bytes, int]] = {}

        def submit(key: K, payload: bytes, tries: int) -> None:
            future = self._client.submit(
                grade_bytes,
                self._settings,
                self._fingerprint,
                payload,
                workers=self._accepted(),
                pure=False,
            )
            tasks[future.key] = (key, payload, tries)
            running.add(future)

        try:
            while True:
                while not self._stopped and len(tasks) < len(self.sandboxes) * _AHEAD:
                    item = next(source, None)
                    if item is None:
                        break
                    submit(item[0], to_bytes(item[1]), 1)
                if not tasks:
                    return
                future = next(running)
                key, payload, tries = tasks.pop(future.key)
                graded, refused = self._result(future)
                future.release()
                if refused:
                    self._refused.add(refused)
                    submit(key, payload, tries)
                elif graded.fault and tries < TRIES and not self._stopped:
                    submit(key, payload, tries + 1)
                else:
                    yield key, graded
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(running.futures), force=True)

    def _result(self, future: Any) -> tuple[Graded, str]:
        """What came back, and the worker that refused, if one did."""
        if future.status == "finished":
            scores, fault, refused = future.result()
            return Graded(scores, fault), refused
        if future.status == "error":  # its workers died, again and again
            return Graded(b"", f"the cluster lost it: {future.exception()}"), ""
        raise UsageError(
            f"--dask {self._address}: the scheduler is gone; what is finished is safe: start it "
            "and run the same command again"
        )

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
