"""Whether a sandbox holds on this machine: tried out, not looked up.

A probe inside tries to read, write, connect, signal, fork and allocate beyond what it may. That a
level is installed, or that a kernel has a feature, says little: containers, AppArmor and sysctls
decide what works.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.process import (
    WorkerClosed,
    WorkerProcess,
    WorkerTimeout,
)
from grader.sandbox.start import Finding, Sandbox, WorkerLimits, compiled, interpreter

assert sys.platform == "linux"

_LIMITS = WorkerLimits(memory_mb=128, processes=4)
_SECONDS = 20.0  # for the whole test, on a busy machine
_MAX_ANSWER = 100_000


def probe_program() -> bytes:
    """The probe, to be started in place of the worker."""
    return compiled((Path(__file__).parent / "probe.py").read_text(encoding="utf-8"))


def examine(sandbox: Sandbox) -> tuple[Finding, ...]:
    """Try out a sandbox whose program is `probe_program()`. Raises SandboxUnavailable."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="canary-")))
        folder.chmod(0o755)  # it must be the sandbox that keeps it shut
        canary = folder / "canary"
        canary.write_text("alive", encoding="ascii")
        before = sorted(os.listdir(folder))
        doors = [stack.enter_context(door) for door in _listen(folder)]
        victim = stack.enter_context(_victim())
        stack.callback(victim.kill)
        order = {
            "canary": str(canary),
            "port": doors[0].getsockname()[1],
            "abstract": os.fsdecode(doors[1].getsockname()),
            "unix": doors[2].getsockname(),
            "victim": victim.pid,
            "root": os.geteuid() == 0,
            "forks": 4 * _LIMITS.processes,
            "megabytes": 2 * _LIMITS.memory_mb,
        }
        worker = stack.enter_context(sandbox.start(_LIMITS))
        answer = _ask(worker, order, sandbox.name)
        worker.close()
        return (
            Finding("reads no file of the host", not answer["read"] and not answer["list"]),
            Finding(
                "writes no file of the host",
                not (answer["write"] or answer["create"] or answer["library"])
                and canary.read_text(encoding="ascii") == "alive"
                and sorted(os.listdir(folder)) == sorted([*before, "door"]),
            ),
            Finding(
                "reaches no network and no socket",
                not (answer["tcp"] or answer["abstract"] or answer["unix"])
                and not any(_somebody_came(door) for door in doors),
            ),
            Finding("signals no process outside", victim.poll() is None),
            Finding("is not root, and can't become it", answer["uid"] != 0 and not answer["root"]),
            Finding("starts no more processes than it may", answer["fork"] < _LIMITS.processes),
            Finding("gets no more memory than it may", not answer["memory"]),
        )


def _ask(worker: WorkerProcess, order: dict[str, Any], name: str) -> dict[str, Any]:
    deadline = time.monotonic() + _SECONDS
    line = bytearray()
    try:
        worker.send(json.dumps(order).encode() + b"\n", deadline)
        while not line.endswith(b"\n") and len(line) < _MAX_ANSWER:
            line += worker.receive(1, deadline)
    except (WorkerClosed, WorkerTimeout) as error:
        raise SandboxUnavailable(f"sandbox {name}: its self-test ended early: {error}") from error
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise SandboxUnavailable(f"sandbox {name}: its self-test gave no answer")
    return answer


def _listen(folder: Path) -> list[socket.socket]:
    doors = [
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX),
    ]
    doors[1].bind(f"\0grader-{secrets.token_hex(8)}")
    doors[2].bind(str(folder / "door"))
    (folder / "door").chmod(0o777)
    for door in doors[1:]:
        door.listen()
    return doors


def _somebody_came(door: socket.socket) -> bool:
    door.setblocking(False)
    try:
        door.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _victim() -> subprocess.Popen[bytes]:
    """A process of ours to shoot at."""
    return subprocess.Popen(
        [interpreter(), "-I", "-S", "-c", "import time; time.sleep(60)"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
