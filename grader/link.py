"""The trusted end of the pipe: one worker, asked one question at a time, against the clock."""

from __future__ import annotations

import marshal
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.protocol import (
    MAX_REPLY_BYTES,
    Plain,
    ProtocolError,
    Raised,
    Reply,
    decode_reply,
)
from grader.result import Outcome
from grader.sandbox import Sandbox, WorkerClosed, WorkerLimits, WorkerProcess, WorkerTimeout
from grader.submission import Source

_FLOOD = 256  # times the kept output: whoever prints more than that is stopped


class Stopped(BaseException):
    """The worker is gone, so the check cannot go on.

    Not an Exception: neither hypothesis nor a suite's own `except` may swallow it and ask again."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is told before anything else: the source, and what it may import."""

    source: Source
    file: str  # the exercise's file name: its stem is the module's name
    imports: tuple[str, ...]

    def encode(self) -> bytes:
        return marshal.dumps(
            {
                "module": self.file.removesuffix(".py"),
                "cells": [(cell.name, cell.text) for cell in self.source.cells],
                "siblings": list(self.source.siblings),
                "notebook": self.source.notebook,
                "imports": list(self.imports),
            },
            2,
        )


@dataclass
class Link:
    """The worker of one submission and one exercise; started when first asked, and again after
    a check has killed it. `total_seconds` bounds the waiting over all checks."""

    sandbox: Sandbox
    order: Order
    limits: WorkerLimits
    total_seconds: float
    packages: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    waited: float = 0.0  # seconds, over all checks
    _worker: WorkerProcess | None = field(default=None, repr=False)
    _unloadable: tuple[Outcome, str] | None = None
    _loaded: bool = False
    _printed: str = field(default="", repr=False)

    def begin(self, seconds: float) -> Deadline:
        """Execute the submission afresh for a check that may take `seconds`.

        Raises Stopped when it cannot even be executed, and does not try twice: an endless loop at
        import time costs one deadline, not one per check. Returns the check's clock. An
        exception of the submission at import is raised as SubmissionError by the caller."""
        if self._unloadable:
            raise Stopped(*self._unloadable)
        clock = Deadline(min(seconds, self.total_seconds - self.waited))
        if clock.left <= 0:
            raise Stopped(
                Outcome.TIMEOUT, f"the exercise ran past its {self.total_seconds:g} seconds"
            )
        try:
            reply = self.ask(0, b"", clock)
        except Stopped as stopped:
            if not self._loaded:
                self._unloadable = stopped.outcome, f"while the file was executed: {stopped.message}"
                raise Stopped(*self._unloadable) from None
            raise
        clock.loading = reply
        if isinstance(reply, Plain):
            self._loaded = True
            if isinstance(reply.value, list):
                self.notes = tuple(note[:300] for note in reply.value if type(note) is str)
        return clock

    def ask(self, number: int, request: bytes, clock: Deadline) -> Reply:
        """Put one request and wait for its reply. Raises Stopped."""
        worker = self._running()
        request_id = secrets.randbits(62)
        frame = marshal.dumps((request_id, number, request), 2)
        started = time.monotonic()
        deadline = started + clock.left
        try:
            if worker.pending():
                raise ProtocolError("it answered before it was asked")
            worker.send(len(frame).to_bytes(4, "big") + frame, deadline)
            size = int.from_bytes(worker.receive(4, deadline), "big")
            if size > MAX_REPLY_BYTES:
                raise ProtocolError("its answer was too large")
            reply = decode_reply(worker.receive(size, deadline), request_id, number)
        except WorkerTimeout:
            self.close()
            clock.left = 0.0
            raise Stopped(
                Outcome.TIMEOUT, f"no answer within {clock.seconds:g} seconds: an endless loop?"
            ) from None
        except WorkerClosed:
            how = self.close()
            raise Stopped(
                Outcome.CRASHED, f"the process ended ({how or 'it closed its pipe'})"
            ) from None
        except ProtocolError as error:
            self.close()
            raise Stopped(Outcome.CRASHED, f"the process broke the protocol: {error}") from None
        finally:
            spent = time.monotonic() - started
            clock.left -= spent
            self.waited += spent
        if worker.printed > _FLOOD * self.limits.output_kb * 1024:
            self.close()
            raise Stopped(
                Outcome.CRASHED,
                f"it printed more than {_FLOOD * self.limits.output_kb // 1024} megabytes",
            )
        if isinstance(reply, Raised) and "MemoryError" in reply.bases:
            self.close()
            raise Stopped(Outcome.CRASHED, f"it ran out of memory ({self.limits.memory_mb} MB)")
        return reply

    def take_output(self) -> str:
        """What the submission printed since the last call."""
        text = self._printed + (self._worker.take_output() if self._worker else "")
        self._printed = ""
        return text

    def close(self) -> str | None:
        """End the worker. Returns how it had ended if it did so by itself."""
        if self._worker is None:
            return None
        worker, self._worker = self._worker, None
        how = worker.close()
        self._printed += worker.take_output()
        return how

    def _running(self) -> WorkerProcess:
        if self._worker is None:
            self._worker = self.sandbox.start(self.limits, packages=self.packages)
            order = self.order.encode()
            frame = len(order).to_bytes(4, "big") + order
            try:
                self._worker.send(frame, time.monotonic() + 10.0)
            except (WorkerClosed, WorkerTimeout):
                pass  # the question that follows finds out, and says so
        return self._worker


@dataclass
class Deadline:
    """The clock of one check: only the time spent waiting for the worker counts."""

    seconds: float
    left: float = field(init=False)
    loading: Reply = field(default_factory=lambda: Plain(None))

    def __post_init__(self) -> None:
        self.left = self.seconds


def packages_for(imports: Sequence[str]) -> tuple[Path, ...]:
    """The folders of site-packages that these imports need, for a worker that sees no others.

    Only the packages that a course names: a worker must not find a finished engine to import."""
    import importlib.util
    import sys

    found: list[Path] = []
    for name in imports:
        if name in sys.stdlib_module_names:
            continue
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None or not spec.submodule_search_locations:
            continue
        package = Path(spec.origin).parent
        found.append(package)
        libraries = package.with_name(package.name + ".libs")  # where wheels keep shared objects
        if libraries.is_dir():
            found.append(libraries)
    return tuple(found)
