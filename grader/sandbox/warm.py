"""The grader's side of the nursery: keeps one running, and has workers forked in it.

One nursery serves all workers that may import the same packages. It is started when first needed,
again should it ever die, and ends when the grader does.
"""

from __future__ import annotations

import atexit
import contextlib
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from grader.sandbox import seccomp, uids
from grader.sandbox.child import Files, SandboxUnavailable
from grader.sandbox.process import WorkerProcess
from grader.sandbox.start import FLAGS, WorkerLimits, environment, resource_limits

assert sys.platform == "linux"

_KEPT = 3  # nurseries without workers
_BEGUN = 2.0  # seconds for the first sign of a worker, when it is to be killed before it gave one
_GONE = 5.0  # seconds for the kernel to end a namespace
_ASK = 10.0  # seconds for a nursery to take a request
_FILES = 256  # in a worker's temporary folder: each costs the kernel memory, however empty
# What submissions commonly import, and what the worker itself needs
_IMPORTS = (
    "abc collections contextlib copy dataclasses enum functools heapq itertools math numbers "
    "operator random re string time types typing"
).split()


@dataclass(frozen=True)
class Recipe:
    """All that a nursery is made from."""

    command: tuple[str, ...]  # bwrap and its arguments, up to the program it runs
    python: str
    program: bytes
    packages: tuple[Path, ...]
    shelf: str | None  # where packages are to be found inside
    filtered: bool


class Nursery:
    """A running one. May be used by several threads."""

    def __init__(self, recipe: Recipe, explain: Callable[[str], str]) -> None:
        code = seccomp.build(os.uname().machine)
        if code is None:
            raise SandboxUnavailable(
                f"sandbox bwrap: no system call filter for {os.uname().machine}; use a machine "
                "with x86-64 or aarch64"
            )
        self._explain = explain
        self._lock = threading.Lock()
        self.active = 0
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(_ASK)
        order = marshal.dumps(
            {
                "program": recipe.program,
                "filter": code if recipe.filtered else b"",
                "control": theirs.fileno(),
                "packages": recipe.shelf,
                "imports": [*_IMPORTS, *(p.name for p in recipe.packages if p.name.isidentifier())],
            }
        )
        self._failed = False
        self._said = FileIO(os.memfd_create("nursery-output", os.MFD_CLOEXEC), "r+")
        source = (Path(__file__).parent / "nursery.py").read_text(encoding="utf-8")
        with theirs, open(os.memfd_create("nursery-order", os.MFD_CLOEXEC), "w+b") as stdin:
            stdin.write(order)
            stdin.seek(0)
            try:
                self._process = subprocess.Popen(
                    [*recipe.command, "--", recipe.python, *FLAGS, "-c", source],
                    stdin=stdin,
                    stdout=self._said,
                    stderr=self._said,
                    env=environment(bool(recipe.packages)),
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            except OSError as error:
                self._control.close()
                raise SandboxUnavailable(
                    f"{recipe.command[0]}: could not be started: {error}"
                ) from error

    @property
    def alive(self) -> bool:
        """Whether it can be asked for workers."""
        return not self._failed and self._process.poll() is None

    def start(self, limits: WorkerLimits, root: bool) -> WorkerProcess:
        """Have a worker forked. Raises OSError when the nursery is dead, also for the next time."""
        uid = uids.take() if root else None
        with self._lock:
            self.active += 1
            # without an id of its own, a worker shares the count with its siblings' processes
            processes = limits.processes + (0 if root else self.active + 1)
        pairs = (pair.split("=") for pair in resource_limits(limits, processes))
        request = {
            "uid": uid,
            "limits": {name: int(value) for name, value in pairs},
            "bytes": limits.tmp_mb << 20,
            "files": _FILES,
        }

        def cleanup() -> None:
            with self._lock:
                self.active -= 1
            if uid is not None:
                uids.release(uid)

        try:
            child = self._fork(marshal.dumps(request), cleanup)
        except BaseException as error:
            # its socket closes some time before bwrap has noticed its end
            self._failed = self._failed or isinstance(error, OSError)
            cleanup()
            raise
        return WorkerProcess(child, limits.output_kb)

    def close(self) -> None:
        """End it, and every worker in it."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GONE)
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """In a fork of the grader: it is the parent's."""
        self._control.close()

    def explain(self, output: str) -> str:
        """Why a worker did not start."""
        said = os.pread(self._said.fileno(), 4096, 0).decode("utf-8", "replace")
        return self._explain(output or said)

    def _fork(self, request: bytes, cleanup: Callable[[], None]) -> ForkedChild:
        pipes = [os.pipe() for _ in range(3)]
        report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        files = (FileIO(pipes[0][1], "w"), FileIO(pipes[1][0]), FileIO(pipes[2][0]))
        passed = [pipes[0][0], pipes[1][1], pipes[2][1], theirs.fileno()]
        child = ForkedChild(files, report, cleanup, self.explain)
        try:
            with self._lock:
                socket.send_fds(self._control, [request], passed)
        except BaseException:
            child.close()
            raise
        finally:
            for number in passed[:3]:
                os.close(number)
            theirs.close()
        return child


class ForkedChild:
    """A worker that a nursery forked: the first process of a pid namespace of its own."""

    def __init__(
        self,
        files: Files,
        report: socket.socket,
        cleanup: Callable[[], None],
        explain: Callable[[str], str],
    ) -> None:
        self.files = files
        self.cleanup = cleanup
        self.explain = explain
        self._report = report
        self._report_ended = False
        self._handle: int | None = None  # a descriptor of the process, once told
        self._status: int | None = None

    @property
    def pid(self) -> int:
        """0 while it has not been told."""
        self._listen(0.0)
        if self._handle is None:
            return 0
        about = Path(f"/proc/self/fdinfo/{self._handle}").read_text(encoding="ascii")
        return int(about.partition("Pid:")[2].split()[0])

    def status(self) -> int | None:
        self._listen(0.0)
        if self._status is None and self._report_ended:
            return -signal.SIGKILL  # the nursery was killed, and with it all in it
        return self._status

    def kill(self) -> None:
        if self._handle is None:
            self._listen(_BEGUN)
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            poller = select.poll()
            poller.register(self._handle, select.POLLIN)
            poller.poll(1000 * _GONE)  # until all of its namespace has been reaped
            os.close(self._handle)
            self._handle = None
        self._report.close()
        self._report_ended = True

    def close(self) -> None:
        """Of one that was never asked for."""
        self._report.close()
        for file in self.files:
            file.close()

    def _listen(self, seconds: float) -> None:
        """Take what the nursery has told of it; wait for the first word only."""
        while not self._report_ended:
            self._report.settimeout(seconds)
            try:
                word, descriptors, _, _ = socket.recv_fds(self._report, 64, 1)
            except (BlockingIOError, TimeoutError):
                return
            seconds = 0.0
            if descriptors:
                self._handle = descriptors[0]
            elif word.removeprefix(b"-").isdigit():
                self._status = int(word)
            elif not word:
                self._report_ended = True


_nurseries: dict[Recipe, Nursery] = {}  # least recently used first
_guard = threading.Lock()


def start_worker(
    recipe: Recipe, limits: WorkerLimits, root: bool, explain: Callable[[str], str]
) -> WorkerProcess:
    """Have a worker forked in the recipe's nursery. Raises SandboxUnavailable."""
    for _ in range(2):
        nursery = _nursery(recipe, explain)
        with contextlib.suppress(OSError):  # it died, for want of memory perhaps: once more
            return nursery.start(limits, root)
    raise SandboxUnavailable(nursery.explain(""))


def _nursery(recipe: Recipe, explain: Callable[[str], str]) -> Nursery:
    with _guard:
        nursery = _nurseries.pop(recipe, None)
        if nursery is not None and not nursery.alive:
            nursery.close()
            nursery = None
        idle = [old for old, its in _nurseries.items() if not its.active]
        for old in idle[: len(idle) - _KEPT]:
            _nurseries.pop(old).close()
        nursery = nursery or Nursery(recipe, explain)
        _nurseries[recipe] = nursery
        return nursery


def close_idle() -> None:
    """End the nurseries that have no workers."""
    with _guard:
        for recipe in [old for old, its in _nurseries.items() if not its.active]:
            _nurseries.pop(recipe).close()


def _forget() -> None:
    global _guard
    _guard = threading.Lock()
    for nursery in _nurseries.values():
        nursery.forget()
    _nurseries.clear()


@atexit.register
def close_all() -> None:
    """End every nursery."""
    with _guard:
        while _nurseries:
            _nurseries.popitem()[1].close()


os.register_at_fork(after_in_child=_forget)
