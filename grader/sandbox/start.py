"""What every level shares in starting a worker: interpreter, program, limits, environment."""

from __future__ import annotations

import contextlib
import functools
import marshal
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.sandbox.child import SandboxUnavailable, StartedChild, did_not_start
from grader.sandbox.process import (
    WorkerClosed,
    WorkerProcess,
    WorkerTimeout,
)

_HERE = Path(__file__).parent
_MB = 1 << 20
_CPU = 600  # seconds of computing after which a worker that nobody ends does so by itself
_SEND = 10.0  # seconds for the interpreter to take its program

# Not -I or -E: they would ignore the fixed hash seed. The environment is wholly ours, so nothing
# of it needs ignoring; -s -S -P leave out user site, site-packages and the current folder.
FLAGS = ("-s", "-S", "-P", "-B", "-X", "utf8")


@dataclass(frozen=True)
class WorkerLimits:
    """What one worker may use."""

    memory_mb: int = 512
    processes: int = 16
    output_kb: int = 64
    tmp_mb: int = 16


@dataclass(frozen=True)
class Finding:
    """One thing the probe tried."""

    claim: str
    holds: bool


class Sandbox(Protocol):
    """A level of confinement."""

    @property
    def name(self) -> str:
        """`bwrap`, `landlock` or `none`."""

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker; `packages` are folders of site-packages that it may import.

        A worker belongs to the thread that starts it, and may be killed when that ends. Raises
        SandboxUnavailable."""


def interpreter() -> str:
    """The Python itself, not a virtual environment's link to it."""
    base: str | None = getattr(sys, "_base_executable", None)
    return base or sys.executable


def environment(packages: bool) -> dict[str, str]:
    """All of a worker's environment variables."""
    variables = {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    if packages:  # a thread for each core would need more processes and memory than a worker has
        variables |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    if sys.platform == "win32":
        variables["SystemRoot"] = os.environ.get("SYSTEMROOT", r"C:\Windows")
    return variables


def resource_limits(limits: WorkerLimits, processes: int | None) -> list[str]:
    """Arguments for the launcher; `processes` is what RLIMIT_NPROC is set to, if at all."""
    if sys.platform == "win32":
        return []
    pairs = [
        f"AS={limits.memory_mb * _MB}",
        f"FSIZE={limits.tmp_mb * _MB}",
        f"CPU={_CPU}",
        "CORE=0",
        "NOFILE=64",
        "MEMLOCK=0",
        "MSGQUEUE=0",
        "SIGPENDING=256",
    ]
    if processes is not None:
        pairs.append(f"NPROC={processes}")
    return pairs


def python_command(python: str, program: bytes, limits: list[str], **options: object) -> list[str]:
    """The command line of a worker, without any sandbox around it.

    Options (`packages`, `uid`, …) go to the launcher; those that are None are left out."""
    pairs = [f"{name}={value}" for name, value in options.items() if value is not None]
    return [python, *FLAGS, "-c", _launcher(), f"size={len(program)}", *pairs, *limits]


def launch(
    command: list[str],
    program: bytes,
    limits: WorkerLimits,
    *,
    packages: bool,
    cwd: Path | str | None = None,
    cleanup: Callable[[], None],
    explain: Callable[[str], str] = did_not_start,
    pass_fds: tuple[int, ...] = (),
    uid: int | None = None,
    variables: dict[str, str] | None = None,
) -> WorkerProcess:
    """Start `command` with three pipes of its own, and hand it `program`."""
    try:
        process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment(packages) | (variables or {}),
            close_fds=True,
            pass_fds=pass_fds,
            start_new_session=True,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
        )
    except OSError as error:
        raise SandboxUnavailable(f"{command[0]}: could not be started: {error}") from error
    worker = WorkerProcess(StartedChild(process, cleanup, explain), limits.output_kb)
    # If that fails, the first question will say so, with the output that tells why.
    with contextlib.suppress(WorkerClosed, WorkerTimeout):
        worker.send(program, time.monotonic() + _SEND)
    return worker


@functools.cache
def worker_program() -> bytes:
    """The worker program, compiled here once, so that no worker has to read or compile it."""
    return compiled((_HERE.parent / "worker.py").read_text(encoding="utf-8"))


def compiled(source: str) -> bytes:
    """A program as the launcher takes it."""
    return marshal.dumps(compile(source, "<worker>", "exec", dont_inherit=True))


@functools.cache
def _launcher() -> str:
    return (_HERE / "launcher.py").read_text(encoding="utf-8")
