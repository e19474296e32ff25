"""Grading processes on other machines, through dask.distributed (extra `dask`).

Submissions travel as bytes and results come back as data. Each dask worker keeps one session; it
grades one submission at a time, so give every core a worker process of its own. The course folder
must be on every machine, at the same path and with the same content: that is checked, and so are
all versions. A machine that is lost takes nothing with it: dask runs its tasks elsewhere.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

import msgspec

from grader.batch.task import Graded, Settings, fingerprint, serve
from grader.errors import UsageError
from grader.host import choose_sandbox
from grader.submission import Cell, Rejected, Source, Submission

K = TypeVar("K")
_AHEAD = 3  # tasks in flight for each worker: enough that none waits for the network
_START = 30.0  # seconds to reach the scheduler


class DaskExecutor:
    """The workers of a dask cluster."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Raises UsageError where there is no cluster, or one that would grade differently."""
        try:
            from distributed import Client
        except ImportError as error:
            raise UsageError(
                "dask.distributed is not installed; run: python -m pip install distributed"
            ) from error
        try:
            self._client = Client(address, timeout=_START, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(f"--dask {address}: no scheduler answers there") from error
        self._settings = settings
        self._fingerprint = fingerprint(settings)
        self._stopped = False
        self.sandboxes = self._inspect(address)

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        self._client.close()

    def run(self, work: Iterable[tuple[K, Submission]]) -> Iterator[tuple[K, Graded]]:
        from distributed import as_completed

        source = iter(work)
        keys: dict[str, K] = {}
        running = as_completed()
        room = max(1, len(self.sandboxes)) * _AHEAD

        def fill() -> None:
            while not self._stopped and len(keys) < room:
                item = next(source, None)
                if item is None:
                    return
                future = self._client.submit(
                    grade_bytes, self._settings, self._fingerprint, to_bytes(item[1]), pure=False
                )
                keys[future.key] = item[0]
                running.add(future)

        fill()
        while keys:
            future = next(running)
            key = keys.pop(future.key)
            if future.status == "finished":
                scores, troubles, fault = future.result()
                yield key, Graded(scores, tuple(troubles), fault)
            else:
                yield key, Graded(b"", (), f"the cluster lost it: {future.exception()}")
            future.release()
            fill()

    def _inspect(self, address: str) -> dict[str, str]:
        """What each worker would grade with. Raises UsageError where they differ from here."""
        found: dict[str, tuple[str, str]] = self._client.run(_introduce, self._settings)
        if not found:
            raise UsageError(f"--dask {address}: the cluster has no workers; start some first")
        for worker, (theirs, _) in found.items():
            if theirs != self._fingerprint:
                raise UsageError(
                    f"--dask: worker {worker} has another course, grader or package version; "
                    "install the same everywhere"
                )
        return {worker: sandbox for worker, (_, sandbox) in found.items()}


# ---- on the worker's side ----------------------------------------------------------------------


def _introduce(settings: Settings) -> tuple[str, str]:
    try:
        return fingerprint(settings), choose_sandbox(settings.sandbox).name
    except UsageError as error:
        return f"none: {error}", ""


def grade_bytes(
    settings: Settings, expected: str, payload: bytes
) -> tuple[bytes, list[str], str | None]:
    """Grade one submission in this process's session."""
    if fingerprint(settings) != expected:  # a worker that joined later
        return b"", [], "a machine has another course, grader or package version"
    graded = _session(settings).grade(from_bytes(payload))
    return graded.scores, list(graded.troubles), graded.fault


class _SessionThread:
    """A session that stays open, in a thread of its own: pytest's session is a call."""

    def __init__(self, settings: Settings) -> None:
        self._tasks: queue.Queue[tuple[Submission, Future[Graded]]] = queue.Queue()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(settings,), daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def grade(self, submission: Submission) -> Graded:
        answer: Future[Graded] = Future()
        self._tasks.put((submission, answer))
        while True:
            try:
                return answer.result(timeout=1.0)
            except TimeoutError:
                if not self.alive and not answer.done():
                    return Graded(b"", (), f"the session ended: {self._failure}")

    def _run(self, settings: Settings) -> None:
        def loop(grade: Any) -> None:
            while True:
                submission, answer = self._tasks.get()
                answer.set_result(grade(submission))

        try:
            serve(settings, loop)
        except BaseException as error:
            self._failure = error


_sessions: dict[Settings, _SessionThread] = {}
_sessions_lock = threading.Lock()


def _session(settings: Settings) -> _SessionThread:
    with _sessions_lock:
        session = _sessions.get(settings)
        if session is None or not session.alive:
            session = _sessions[settings] = _SessionThread(settings)
        return session


# ---- submissions as bytes ----------------------------------------------------------------------


def to_bytes(submission: Submission) -> bytes:
    """A submission as msgpack: plain data, which the other side checks as it reads it."""
    answers = {
        name: [answer.reason]
        if isinstance(answer, Rejected)
        else [
            [[cell.name, cell.text] for cell in answer.cells],
            answer.notebook,
            list(answer.siblings),
            list(answer.notes),
            answer.digest,
        ]
        for name, answer in submission.answers.items()
    }
    return msgspec.msgpack.encode(
        [submission.student, answers, list(submission.notes), submission.digest]
    )


def from_bytes(payload: bytes) -> Submission:
    """The inverse of `to_bytes`. Raises msgspec.MsgspecError for anything else."""
    student, answers, notes, digest = msgspec.msgpack.decode(
        payload, type=tuple[str, dict[str, list[Any]], list[str], str]
    )
    read: dict[str, Source | Rejected] = {}
    for name, parts in answers.items():
        if len(parts) == 1:
            read[name] = Rejected(str(parts[0]))
            continue
        cells, notebook, siblings, own_notes, own_digest = parts
        read[name] = Source(
            tuple(Cell(str(cell), str(text)) for cell, text in cells),
            bool(notebook),
            tuple((str(file), str(text)) for file, text in siblings),
            tuple(str(note) for note in own_notes),
            str(own_digest),
        )
    return Submission(student, read, tuple(notes), digest)
