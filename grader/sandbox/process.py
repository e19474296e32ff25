"""A running worker: two pipes with deadlines, its captured output, and a sure end."""

from __future__ import annotations

import signal
import time
from typing import Self

from grader.sandbox.child import Child, SandboxUnavailable
from grader.sandbox.pipes import Pipes, open_pipes

_DEATH_CHECK = 0.25  # seconds between looks at whether a silent worker is still alive
_LAST_BREATH = 0.5  # seconds a worker that closed its replies may take to die by itself
_START = 10.0  # seconds for the sandbox and the interpreter to come up
_DRAIN = 1 << 20  # bytes of output taken at most when asked for it
GREETING = b"\x06"  # the launcher's first and only reply: all limits and walls are up


class WorkerTimeout(Exception):
    """The deadline passed before the worker took or gave the bytes."""


class WorkerClosed(Exception):
    """The worker ended, or closed its end of a pipe."""


class WorkerProcess:
    """One worker and everything it started. Not for use by several threads at once."""

    def __init__(self, child: Child, output_kb: int) -> None:
        self._child = child
        self._pipes: Pipes = open_pipes(child.files)
        self._replies = bytearray()
        self._output = bytearray()
        self._output_limit = output_kb * 1024
        self.printed = 0  # bytes of output in all, kept or not
        self._greeted = False  # whether the launcher has said that all is set up
        self._start_deadline = time.monotonic() + _START
        self._closed = False
        self._ended: str | None = None

    @property
    def pid(self) -> int:
        """Of the worker or of what holds it; for looking at only, it may by now be another's."""
        return self._child.pid

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of `data` before `deadline` (time.monotonic()).

        Raises WorkerTimeout or WorkerClosed; part of the data may have been taken by then.
        """
        self._must_be_open()
        rest = memoryview(data)
        while rest:
            taken = self._pipes.write(rest)
            if taken is None:
                raise WorkerClosed("the worker no longer reads requests")
            rest = rest[taken:]
            if rest:
                self._wait(deadline, to_write=True)

    def receive(self, size: int, deadline: float) -> bytes:
        """Read exactly `size` bytes of reply before `deadline` (time.monotonic()).

        The caller bounds `size`. Raises WorkerTimeout or WorkerClosed; SandboxUnavailable when
        the sandbox came up short, before anything of the submission ran.
        """
        self._must_be_open()
        buffer = self._replies
        if not self._greeted:
            self._greet()
        while len(buffer) < size:
            if self._pipes.replies_ended:
                raise WorkerClosed("the worker closed its replies")
            self._wait(deadline, to_write=False)
        taken = bytes(memoryview(buffer)[:size])
        del buffer[:size]
        return taken

    def pending(self) -> bool:
        """Whether bytes nobody asked for have arrived."""
        if not self._replies and not self._closed:
            self._take_in()
        return bool(self._replies)

    def take_output(self) -> str:
        """What the worker printed since the last call, cut at its limit; odd bytes as `\\xNN`."""
        self._drain()
        text = self._output.decode("utf-8", errors="backslashreplace")
        self._output.clear()
        return text

    def _drain(self) -> None:
        taken = 0
        while not self._closed and taken < _DRAIN:
            chunk = self._pipes.read_output()
            if not chunk:
                break
            taken += len(chunk)
            self._keep(chunk)

    def close(self) -> str | None:
        """Kill the worker and all it started. Returns how it had ended if it did so by itself.

        May be called again, and then returns the same. Takes a few seconds at the very most.
        """
        if self._closed:
            return self._ended
        status = self._own_end(_LAST_BREATH if self._pipes.replies_ended else 0.0)
        if status is not None:
            self._ended = describe_status(status)
        self._drain()
        self._closed = True
        self._child.kill()
        self._pipes.close()
        self._child.cleanup()
        return self._ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, deadline: float, *, to_write: bool) -> None:
        """Take in what arrives; return once there was something, or room to write."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise WorkerTimeout("the worker did not answer in time")
            writable, readable = self._pipes.wait(min(left, _DEATH_CHECK), to_write=to_write)
            if readable:
                self._keep(self._pipes.read_output())
                # Replies are taken only when asked for: so they stay bounded.
                if not to_write and (self._take_in() or self._pipes.replies_ended):
                    return
            if writable:
                return
            # A daemon it left behind may hold the pipes open for ever.
            if not readable and self._own_end(0.0) is not None:
                self._take_in()
                self._pipes.replies_ended = True
                if to_write:
                    raise WorkerClosed("the worker has ended")
                return

    def _must_be_open(self) -> None:
        if self._closed:  # its descriptors may by now be another worker's
            raise WorkerClosed("the worker was closed")

    def _greet(self) -> None:
        """Wait for the launcher's word; the time this takes is not the submission's."""
        try:
            while not self._greeted:
                if self._pipes.replies_ended:
                    raise WorkerClosed
                self._wait(self._start_deadline, to_write=False)
        except (WorkerClosed, WorkerTimeout):
            self.close()
            raise SandboxUnavailable(self._child.explain(self.take_output())) from None

    def _take_in(self) -> bool:
        chunk = self._pipes.read_replies()
        if chunk and not self._greeted:
            self._greeted = chunk[:1] == GREETING
            chunk = chunk[1:]
            self._replies += chunk
            return True
        self._replies += chunk
        return bool(chunk)

    def _keep(self, chunk: bytes) -> None:
        self.printed += len(chunk)
        room = self._output_limit - len(self._output)
        if room > 0:
            self._output += chunk[:room]

    def _own_end(self, patience: float) -> int | None:
        """The exit status (negative: a signal) if it has ended, if it has ended."""
        until = time.monotonic() + patience
        while True:
            status = self._child.status()
            if status is not None or time.monotonic() >= until:
                return status
            time.sleep(0.002)


def describe_status(status: int) -> str:
    """An exit status in words: `exit status 3`, `killed by SIGSEGV`."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
