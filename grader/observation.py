"""What a submission answered, as data; and a conversation held with such data instead of a
worker."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grader.protocol import (
    Array,
    Plain,
    ProtocolError,
    Raised,
    Reply,
    decode_body,
    decode_json,
    numbers,
)
from grader.recording import Program
from grader.result import Outcome


class Stopped(BaseException):
    """The worker is gone, so the check cannot go on.

    Not an Exception: neither hypothesis nor a suite's own `except` may swallow it and ask again."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message


class Diverged(BaseException):
    """A check asks something else than was recorded, because an earlier answer differed.

    It says nothing about the submission: the check has to be run live."""


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one check's program brought back from a worker.

    `replies` is the JSON array of reply bodies, undecoded: most observations have been seen before,
    and then their digest is all that is needed. `stopped` says why there are no more replies.
    `unloadable` is the exception that executing the submission ended with."""

    replies: bytes = b"[]"
    stopped: tuple[Outcome, str] | None = None
    unloadable: Raised | None = None
    output: str = ""
    seconds: float = 0.0

    def signature(self) -> str:
        """The signature of the replies; "" for replies that cannot be decoded."""
        try:
            bodies = enumerate(decode_json(self.replies), 1)
            # most of them are references, which no signature holds
            return signature(decode_body(body, n) for n, body in bodies if body[:1] != ["o"])
        except (ProtocolError, TypeError):
            return ""

    @property
    def digest(self) -> str:
        """Of what a check can know about the submission."""
        total = hashlib.sha256(self.replies)
        total.update(repr(self.stopped).encode())
        return total.hexdigest()


def signature(replies: Iterable[Reply]) -> str:
    """A digest of every plain value that was read, in order; "" for none at all.

    Numbers count to seven digits: two engines with the same mistake may round differently. Of an
    exception only its type counts: messages and line numbers are the student's own."""
    total = hashlib.sha256()
    empty = True
    for reply in replies:
        if isinstance(reply, Plain) and reply.value is not None:
            total.update(f"{_canonical(reply.value)}\0".encode("utf-8", "backslashreplace"))
            empty = False
        elif isinstance(reply, Raised):
            total.update(f"!{reply.type}\0".encode("utf-8", "backslashreplace"))
            empty = False
    return "" if empty else total.hexdigest()[:16]


def _canonical(value: Any) -> str:
    kind = type(value)
    if kind in (bool, int, float):
        try:
            return f"{float(value) + 0.0:.7g}"
        except OverflowError:
            return "huge"
    if kind in (list, tuple):
        return f"[{','.join(_canonical(item) for item in value)}]"
    if kind in (set, frozenset):
        return f"{{{','.join(sorted(_canonical(item) for item in value))}}}"
    if kind is dict:
        return f"{{{','.join(f'{_canonical(k)}:{_canonical(v)}' for k, v in value.items())}}}"
    if kind is Array:
        return f"{value.shape}{','.join(_canonical(item) for item in numbers(value))}"
    return repr(value)


class ReplayChannel:
    """Answers a check's requests from an observation, as long as they are those recorded."""

    def __init__(self, program: Program, observation: Observation) -> None:
        self._requests = program.requests
        self._stopped = observation.stopped
        self._bodies: list[Any] = []
        try:
            self._bodies = decode_json(observation.replies)
        except ProtocolError as error:
            self._stopped = broke_protocol(error)

    def exchange(self, number: int, request: bytes) -> Reply:
        """The recorded request's reply. Raises Diverged or Stopped."""
        index = number - 1
        if index >= len(self._requests) or self._requests[index] != request:
            raise Diverged
        if index >= len(self._bodies):
            if self._stopped is not None:
                raise Stopped(*self._stopped)
            raise Diverged
        body = self._bodies[index]
        try:
            if type(body) is not list:
                raise ProtocolError("a reply of an unknown form")
            return decode_body(body, number)
        except ProtocolError as error:
            raise Stopped(*broke_protocol(error)) from None


def broke_protocol(error: ProtocolError) -> tuple[Outcome, str]:
    """How a check ends whose worker sends what it must not."""
    return Outcome.CRASHED, f"the process broke the protocol: {error}"
