"""The processes of one worker as the system knows them: how they ended, how to end them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from io import FileIO
from typing import IO, Protocol

_REAP = 5.0  # seconds for the kernel to deliver SIGKILL

_File = IO[bytes] | FileIO
Files = tuple[_File, _File, _File]  # requests, replies, output: our ends


class SandboxUnavailable(Exception):
    """This machine can't give the level; one line: thing, place, remedy. Our fault, not theirs."""


class Child(Protocol):
    """A worker's processes, however a level made them."""

    @property
    def files(self) -> Files:
        """Our ends of its three pipes."""

    @property
    def pid(self) -> int:
        """Of the worker, or of what holds it."""

    def status(self) -> int | None:
        """The exit status (negative: a signal) once it has ended by itself."""

    def kill(self) -> None:
        """Kill all of it and wait until it is gone; some seconds at most."""

    def cleanup(self) -> None:
        """Tidy up what was its own; called once, when nothing of it runs."""

    def explain(self, output: str) -> str:
        """Why it did not start, in one line, from what it printed."""


def did_not_start(output: str) -> str:
    """The explanation of a level that has none of its own."""
    return f"sandbox: a worker did not start: {output.strip() or 'it said nothing'}"


class StartedChild:
    """A program that was started with three pipes, in a session of its own."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        cleanup: Callable[[], None],
        explain: Callable[[str], str] = did_not_start,
    ) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("started without three pipes")
        self.files: Files = (process.stdin, process.stdout, process.stderr)
        self.pid = process.pid
        self.cleanup = cleanup
        self.explain = explain
        self._process = process

    def status(self) -> int | None:
        if sys.platform == "win32" or self._process.returncode is not None:
            return self._process.poll()
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll()
        # The pid stays taken until kill(), so that killing the group can't hit a stranger.
        try:
            info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return self._process.poll()
        if info is None:
            return None
        status: int = info.si_status
        return status if info.si_code == os.CLD_EXITED else -status

    def kill(self) -> None:
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP)
