"""The side of a dask worker: a grading process that stays, and submissions as bytes."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from grader.batch.local import LOST, READY, Job
from grader.batch.task import Graded, Settings, fingerprint
from grader.errors import UsageError
from grader.host import choose_sandbox
from grader.submission import Cell, Rejected, Source, Submission


def introduce(settings: Settings) -> tuple[str, str, str]:
    """What this process would grade with: fingerprint and sandbox, or why it cannot."""
    try:
        return fingerprint(settings), choose_sandbox(settings.sandbox).name, ""
    except UsageError as error:
        return "", "", str(error)


class Answer(NamedTuple):
    """What comes back for a few submissions."""

    graded: tuple[tuple[bytes, str | None], ...]  # score file and fault of each
    seconds: float
    refused: str = ""  # this worker's address where it has not what grading as the others do takes


def grade_bytes(settings: Settings, expected: str, payloads: Sequence[bytes]) -> Answer:
    """Grade a few submissions: several, because a task costs dask some milliseconds."""
    grader = _grader(settings, expected)
    if grader is None:
        from distributed import get_worker

        return Answer((), 0.0, str(get_worker().address))
    began = time.monotonic()
    graded = [grader.grade(from_bytes(payload)) for payload in payloads]
    return Answer(tuple((one.scores, one.fault) for one in graded), time.monotonic() - began)


class _Grader:
    """A grading process of this machine's own, as a local batch has it: what ends it does not end
    dask's worker, and with it what that is trusted with."""

    def __init__(self, settings: Settings, expected: str) -> None:
        self.expected = expected
        self._settings = settings
        self._job: Job | None = None
        self._busy = threading.Lock()

    def grade(self, submission: Submission) -> Graded:
        """One after another. Where the process dies, the next one is another. Raises GraderError
        or UsageError where it cannot begin."""
        with self._busy:
            job = self._job = self._job or Job(self._settings)
            job.give(submission)
            while (message := job.receive()) == READY:
                pass
            if isinstance(message, Graded):
                return message
            job.kill()
            self._job = None
            if isinstance(message, Exception):  # it could not begin, and no other will
                raise message
            return Graded(b"", LOST)

    def end(self) -> None:
        with self._busy:
            if self._job is not None:
                self._job.close()
                self._job = None


# By the thread of dask that uses it; each for the course as it is now.
_graders: dict[tuple[int, Settings], _Grader] = {}
_lock = threading.Lock()


def _grader(settings: Settings, expected: str) -> _Grader | None:
    """This thread's grading process; None where it would grade differently."""
    place = (threading.get_ident(), settings)
    with _lock:
        grader = _graders.get(place)
        if grader is not None and grader.expected == expected:
            return grader
        try:
            if fingerprint(settings) != expected:
                return None
        except UsageError:  # no such course here
            return None
        # dask's own workers are "daemonic", which only says that they may not have children
        multiprocessing.current_process().daemon = False
        for old in [key for key in _graders if key[0] == place[0]]:
            _graders.pop(old).end()  # of another batch, or of the course as it was
        grader = _graders[place] = _Grader(settings, expected)
        return grader


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
