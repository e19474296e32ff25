"""The trusted end of the pipe: one worker, asked against the clock."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import marshal
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.observation import Observation, Stopped, broke_protocol
from grader.protocol import (
    MAX_REPLY_BYTES,
    Plain,
    ProtocolError,
    Raised,
    Reply,
    decode_body,
    decode_json,
    decode_reply,
)
from grader.recording import Program
from grader.result import Outcome
from grader.sandbox import (
    Sandbox,
    SandboxUnavailable,
    WorkerClosed,
    WorkerLimits,
    WorkerProcess,
    WorkerTimeout,
)
from grader.submission import Source

_FLOOD = 256  # times the kept output: whoever prints more than that is stopped
_KEPT = MAX_REPLY_BYTES  # weight of all observations that one message brings
_PATIENCE = 0.5  # seconds after the inner deadline, which may be swallowed by the submission


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is told before anything else: the source, and what it may import."""

    source: Source
    file: str  # the exercise's file name: its stem is the module's name
    imports: tuple[str, ...]
    output: int  # bytes of what is printed that are kept

    def encode(self) -> bytes:
        return marshal.dumps(
            {
                "module": self.file.removesuffix(".py"),
                "cells": [(cell.name, cell.text) for cell in self.source.cells],
                "siblings": list(self.source.siblings),
                "notebook": self.source.notebook,
                "imports": list(self.imports),
                "output": self.output,
            },
            2,
        )


@dataclass
class Deadline:
    """The clock of one check: only the time spent waiting for the worker counts."""

    seconds: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.seconds


@dataclass
class Link:
    """The worker of one submission and one exercise; started when first asked, and again after
    a check has killed it. `total_seconds` bounds the waiting over all checks."""

    sandbox: Sandbox
    order: Order
    limits: WorkerLimits
    total_seconds: float
    packages: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()  # of the worker, on what it made of the source
    waited: float = 0.0  # seconds, over all checks
    _worker: WorkerProcess | None = field(default=None, repr=False)
    _unloadable: tuple[Outcome, str] | None = None
    _loaded: bool = False
    _printed: str = field(default="", repr=False)

    # ---- one question at a time ----------------------------------------------------------------

    def begin(self, seconds: float) -> tuple[Deadline, Reply]:
        """Execute the submission afresh for a check that may take `seconds`: the check's clock,
        and Raised where the submission's file raised.

        Raises Stopped when it cannot even be executed, and does not try twice: an endless loop at
        import time costs one deadline, not one per check."""
        clock = self._clock(seconds)
        try:
            reply = self.ask(0, b"", clock)
        except Stopped as stopped:
            raise self._at_import(stopped) from None
        if isinstance(reply, Plain) and isinstance(reply.value, list):
            self._loaded = True
            self._take_notes(reply.value)
        return clock, reply

    def ask(self, number: int, request: bytes, clock: Deadline) -> Reply:
        """Put one request and wait for its reply. Raises Stopped."""
        request_id = secrets.randbits(62)
        with self._asking(clock, (request_id, number, request)) as receive:
            payload = receive()
            started = time.monotonic()
            reply = decode_reply(payload, request_id, number)
            self._spend(clock, started)  # what it costs to read is the submission's time, too
        worker = self._worker
        if worker is not None and worker.printed > _FLOOD * self.order.output:
            self.close()
            raise Stopped(*_flooded())
        if isinstance(reply, Raised) and "MemoryError" in reply.bases:
            self.close()
        return reply

    # ---- whole programs ------------------------------------------------------------------------

    def observe(self, programs: Sequence[Program], seconds: Sequence[float]) -> list[Observation]:
        """Run recorded programs, each against a freshly executed submission and its own clock.

        One message brings all of them to the worker. Where a program kills it, the next ones go
        on in another worker."""
        seen: list[Observation] = []
        while len(seen) < len(programs):
            before, waited = len(seen), self.waited
            try:
                self._observe_from(programs, seconds, seen)
            except Stopped as stopped:
                ending = self._at_import(stopped)
                spent = self.waited - waited - sum(item.seconds for item in seen[before:])
                seen.append(
                    Observation(
                        stopped=(ending.outcome, ending.message),
                        output=self.take_output(),
                        seconds=spent,
                    )
                )
        return seen

    def _observe_from(
        self, programs: Sequence[Program], seconds: Sequence[float], seen: list[Observation]
    ) -> None:
        """Run the programs from number len(seen) on. Raises Stopped at the first that fails."""
        start = len(seen)
        limits = tuple(seconds[start:])
        clock = self._clock(limits[0])
        request_id = secrets.randbits(62)
        request = tuple((item.code, b"" if item.code else item.blob) for item in programs[start:])
        weight = sum(_weight(earlier.replies) for earlier in seen)
        with self._asking(clock, (request_id, None, (request, limits))) as receive:
            for index, limit in enumerate(limits):
                clock.seconds = limit
                clock.left = min(limit + _PATIENCE, self.total_seconds - self.waited)
                waited = self.waited
                heading = decode_json(receive())
                if index == 0 and heading == [request_id, "loaded"]:
                    self._loaded = True
                    heading = decode_json(receive())
                program = programs[start + index]
                if program.code and heading == [request_id, index, "again"]:
                    self._send(program.blob, clock)
                    heading = decode_json(receive())
                replies = receive()
                weight += _weight(replies)
                if weight > _KEPT:
                    raise ProtocolError("its answers were too large, taken together")
                observation = self._observation(heading, request_id, index, replies, limit)
                seen.append(
                    Observation(
                        observation.replies,
                        observation.stopped,
                        observation.unloadable,
                        observation.output,
                        self.waited - waited,
                    )
                )

    def _observation(
        self, heading: list[Any], request_id: int, index: int, replies: bytes, limit: float
    ) -> Observation:
        match heading:
            case [int(found), int(position), str(status), list(notes), str(output)] if (
                found == request_id and position == index
            ):
                self._take_notes(notes)
                output = output[: self.order.output]
            case _:
                raise ProtocolError("a heading of an unknown form")
        if status == "done":
            return Observation(replies, output=output)
        if status in ("time", "flood") and not self._loaded:
            # the file itself does not come to its end: no other check is tried
            self.close()
            self._printed = output
            raise Stopped(*(_timed_out(limit) if status == "time" else _flooded()))
        if status == "time":
            return Observation(replies, _timed_out(limit), output=output)
        if status == "flood":
            return Observation(replies, _flooded(), output=output)
        if status == "unloadable":
            body = decode_json(replies)
            raised = decode_body(body[0], 0) if len(body) == 1 and type(body[0]) is list else None
            if isinstance(raised, Raised):
                return Observation(unloadable=raised, output=output)
        raise ProtocolError("a heading of an unknown form")

    # ---- the worker ----------------------------------------------------------------------------

    @contextlib.contextmanager
    def _asking(self, clock: Deadline, message: tuple[Any, ...]) -> Iterator[Any]:
        """Send a message; gives a function that receives one frame at a time, on the clock.

        Whatever goes wrong ends the worker and is raised as Stopped."""
        worker = self._running()

        def receive() -> bytes:
            started = time.monotonic()
            try:
                size = int.from_bytes(worker.receive(4, started + clock.left), "big")
                if size > MAX_REPLY_BYTES:
                    raise ProtocolError("its answer was too large")
                return worker.receive(size, started + clock.left)
            finally:
                self._spend(clock, started)

        try:
            if worker.pending():
                raise ProtocolError("it answered before it was asked")
            self._send(marshal.dumps(message, 2), clock)
            yield receive
        except WorkerTimeout:
            self.close()
            raise Stopped(*_timed_out(clock.seconds)) from None
        except WorkerClosed:
            how = self.close()
            raise Stopped(
                Outcome.CRASHED, f"the process ended ({how or 'it closed its pipe'})"
            ) from None
        except ProtocolError as error:
            self.close()
            raise Stopped(*broke_protocol(error)) from None
        except SandboxUnavailable as error:  # it worked when it was chosen: the machine's fault
            self.close()
            raise GraderError(f"the sandbox does not start any more: {error}") from error

    def _send(self, payload: bytes, clock: Deadline) -> None:
        started = time.monotonic()
        frame = len(payload).to_bytes(4, "big") + payload
        self._running().send(frame, started + clock.left)
        self._spend(clock, started)

    def _spend(self, clock: Deadline, since: float) -> None:
        spent = time.monotonic() - since
        clock.left -= spent
        self.waited += spent

    def _clock(self, seconds: float) -> Deadline:
        """A check's clock. Raises Stopped where no check can run any more."""
        if self._unloadable:
            raise Stopped(*self._unloadable)
        left = self.total_seconds - self.waited
        if left <= 0:
            raise Stopped(
                Outcome.TIMEOUT, f"the exercise ran past its {self.total_seconds:g} seconds"
            )
        return Deadline(min(seconds, left))

    def _at_import(self, stopped: Stopped) -> Stopped:
        """The same, with a remark where the file could not even be executed, now or before."""
        if self._loaded or self._unloadable:
            return stopped
        self._unloadable = stopped.outcome, f"while the file was executed: {stopped.message}"
        return Stopped(*self._unloadable)

    def _take_notes(self, notes: list[Any]) -> None:
        if notes:
            self.notes = tuple(note[:300] for note in notes[:50] if type(note) is str)

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
            # a worker that is gone already: the question that follows finds out, and says so
            with contextlib.suppress(WorkerClosed, WorkerTimeout):
                self._worker.send(frame, time.monotonic() + 10.0)
        return self._worker


def _weight(replies: bytes) -> int:
    """What it will cost to look at them, which no deadline covers: their parts, above all."""
    return len(replies) + 40 * replies.count(b",")


def _timed_out(seconds: float) -> tuple[Outcome, str]:
    return Outcome.TIMEOUT, f"no answer within {seconds:g} s: an endless loop?"


def _flooded() -> tuple[Outcome, str]:
    return Outcome.CRASHED, "it printed far more than anybody could read"


@functools.cache
def packages_for(imports: tuple[str, ...]) -> tuple[Path, ...]:
    """The folders of site-packages that these imports need, for a worker that sees no others.

    Only the packages that a course names: a worker must not find a finished engine to import."""
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
