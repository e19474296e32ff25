"""A running worker: two pipes with deadlines, its captured output, and a sure end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from grader.sandbox.pipes import Pipes, open_pipes

_DEATH_CHECK = 0.25  # seconds between looks at whether a silent worker is still alive
_LAST_BREATH = 0.5  # seconds a worker that closed its replies may take to die by itself
_START = 10.0  # seconds for the sandbox and the interpreter to come up
_REAP = 5.0  # seconds for the kernel to deliver SIGKILL
_DRAIN = 1 << 20  # bytes of output taken at most when asked for it
GREETING = b"\x06"  # the launcher's first and only reply: all limits and walls are up


class SandboxUnavailable(Exception):
    """This machine can't give the level; one line: thing, place, remedy. Our fault, not theirs."""


class WorkerTimeout(Exception):
    """The deadline passed before the worker took or gave the bytes."""


class WorkerClosed(Exception):
    """The worker ended, or closed its end of a pipe."""


def _did_not_start(output: str) -> str:
    return f"sandbox: a worker did not start: {output.strip() or 'it said nothing'}"


@dataclass(frozen=True)
class Wrapping:
    """What a sandbox level knows about the processes of its workers."""

    kill: Callable[[], None] = lambda: None  # first: kills what the process group does not hold
    cleanup: Callable[[], None] = lambda: None  # runs once, when nothing of the worker runs
    relayed: bool = False  # the status comes through bwrap, which turns signal N into 128 + N
    explain: Callable[[str], str] = _did_not_start  # from its output, when it did not start


class WorkerProcess:
    """One worker and everything it started. Not for use by several threads at once."""

    def __init__(
        self, process: subprocess.Popen[bytes], output_kb: int, wrapping: Wrapping | None = None
    ) -> None:
        self.pid = process.pid
        self._process = process
        self._pipes: Pipes = open_pipes(process)
        self._replies = bytearray()
        self._output = bytearray()
        self._output_limit = output_kb * 1024
        self._wrapping = wrapping or Wrapping()
        self.printed = 0  # bytes of output in all, kept or not
        self._greeted = False  # whether the launcher has said that all is set up
        self._start_deadline = time.monotonic() + _START
        self._closed = False
        self._ended: str | None = None

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
            self._ended = describe_status(status, relayed=self._wrapping.relayed)
        self._drain()
        self._closed = True
        self._kill()
        self._pipes.close()
        self._wrapping.cleanup()
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
            raise SandboxUnavailable(self._wrapping.explain(self.take_output())) from None

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
        """The exit status (negative: a signal) if it has ended, without giving its pid free."""
        until = time.monotonic() + patience
        while True:
            status = self._peek()
            if status is not None or time.monotonic() >= until:
                return status
            time.sleep(0.002)

    def _peek(self) -> int | None:
        if sys.platform == "win32" or self._process.returncode is not None:
            return self._process.poll()
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll()
        # The pid stays taken until close(), so that killing the group can't hit a stranger.
        try:
            info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return self._process.poll()
        if info is None:
            return None
        status: int = info.si_status
        return status if info.si_code == os.CLD_EXITED else -status

    def _kill(self) -> None:
        self._wrapping.kill()
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP)


def describe_status(status: int, *, relayed: bool = False) -> str:
    """An exit status in words: `exit status 3`, `killed by SIGSEGV`."""
    if relayed and status > 128:
        status = 128 - status
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
