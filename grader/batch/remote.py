"""The side of a dask worker: sessions that stay open, and submissions as bytes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import msgspec

from grader.batch.task import Graded, Settings, fingerprint, serve
from grader.errors import UsageError
from grader.host import choose_sandbox
from grader.submission import Cell, Rejected, Source, Submission


def introduce(settings: Settings) -> tuple[str, str, str]:
    """What this process would grade with: fingerprint and sandbox, or why it cannot."""
    try:
        return fingerprint(settings), choose_sandbox(settings.sandbox).name, ""
    except UsageError as error:
        return "", "", str(error)


def grade_bytes(settings: Settings, expected: str, payload: bytes) -> tuple[bytes, str | None, str]:
    """Grade one submission in this process's session: the score file, a fault, and this worker's
    address where it has not what it needs to grade as the others do."""
    session = _session(settings, expected)
    if session is None:
        from distributed import get_worker

        return b"", None, str(get_worker().address)
    graded = session.grade(from_bytes(payload))
    return graded.scores, graded.fault, ""


class _SessionThread:
    """A session that stays open, in a thread of its own: pytest's session is a call, and the
    sandbox's processes must not end with one of dask's threads."""

    def __init__(self, settings: Settings) -> None:
        self._tasks: queue.Queue[tuple[Submission, Future[Graded]] | None] = queue.Queue()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(settings,), daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> None:
        """After what is waiting already."""
        self._tasks.put(None)

    def grade(self, submission: Submission) -> Graded:
        answer: Future[Graded] = Future()
        self._tasks.put((submission, answer))
        while True:
            try:
                return answer.result(timeout=1.0)
            except TimeoutError:
                if not self.alive and not answer.done():
                    return Graded(b"", f"the session ended: {self._failure}")

    def _run(self, settings: Settings) -> None:
        def loop(grade: Callable[[Submission], Graded]) -> None:
            while (task := self._tasks.get()) is not None:
                submission, answer = task
                answer.set_result(grade(submission))

        try:
            serve(settings, loop)
        except BaseException as error:
            self._failure = error


# One, for the course as it is now: a course that has changed on the disk needs a new session.
_sessions: dict[tuple[Settings, str], _SessionThread] = {}
_sessions_lock = threading.Lock()


def _session(settings: Settings, expected: str) -> _SessionThread | None:
    """The session for this fingerprint; None where this process would grade differently."""
    with _sessions_lock:
        session = _sessions.get((settings, expected))
        if session is not None and session.alive:
            return session
        try:
            if fingerprint(settings) != expected:
                return None
        except UsageError:  # no such course here
            return None
        for old in _sessions.values():
            old.end()
        _sessions.clear()
        session = _sessions[settings, expected] = _SessionThread(settings)
        return session


# ---- submissions as bytes ----------------------------------------------------------------------


def to_bytes(submission: Submission) -> bytes:
    """A submission as msgpack: plain data, which the other side checks as it reads it."""
    answers = {
        name: [_raw(answer.reason)]
        if isinstance(answer, Rejected)
        else [
            [[_raw(cell.name), _raw(cell.text)] for cell in answer.cells],
            answer.notebook,
            [[_raw(file), _raw(text)] for file, text in answer.siblings],
            [_raw(note) for note in answer.notes],
            answer.digest,
        ]
        for name, answer in submission.answers.items()
    }
    notes = [_raw(note) for note in submission.notes]
    return msgspec.msgpack.encode([_raw(submission.student), answers, notes, submission.digest])


def from_bytes(payload: bytes) -> Submission:
    """The inverse of `to_bytes`. Raises msgspec.MsgspecError or ValueError for anything else."""
    student, answers, notes, digest = msgspec.msgpack.decode(
        payload, type=tuple[bytes, dict[str, list[Any]], list[bytes], str]
    )
    read: dict[str, Source | Rejected] = {}
    for name, parts in answers.items():
        if len(parts) == 1:
            read[name] = Rejected(_text(parts[0]))
            continue
        cells, notebook, siblings, own_notes, own_digest = parts
        read[name] = Source(
            tuple(Cell(_text(cell), _text(text)) for cell, text in cells),
            bool(notebook),
            tuple((_text(file), _text(text)) for file, text in siblings),
            tuple(_text(note) for note in own_notes),
            str(own_digest),
        )
    return Submission(_text(student), read, tuple(map(_text, notes)), digest)


def _raw(text: str) -> bytes:
    """A notebook may hold half a character, which no encoding but this one has."""
    return text.encode("utf-8", "surrogatepass")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")
