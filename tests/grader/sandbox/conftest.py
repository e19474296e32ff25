"""Runs small programs as workers, and looks from outside at what came of them."""

import contextlib
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import (
    Sandbox,
    SandboxUnavailable,
    WorkerClosed,
    WorkerLimits,
    WorkerProcess,
    choose,
)
from grader.sandbox.start import compiled

PRELUDE = """
import json, os, sys

def say(value):
    os.write(1, json.dumps(value).encode() + b"\\n")

def tried(action, *arguments):
    "What it gave, or the name of the exception."
    try:
        return ["done", repr(action(*arguments))[:1000]]
    except BaseException as error:
        return ["refused", type(error).__name__]
"""


@dataclass
class Worker:
    """A worker that runs a test's program."""

    process: WorkerProcess
    limits: WorkerLimits
    namespace: int = -1  # inode of its pid namespace, where it has one of its own

    def hear(self, seconds: float = 20.0) -> Any:
        """The next thing it says. Raises WorkerClosed, WorkerTimeout."""
        deadline = time.monotonic() + seconds
        line = bytearray()
        while not line.endswith(b"\n"):
            line += self.process.receive(1, deadline)
            self._find_namespace()
        return json.loads(line)

    def living(self) -> list[int]:
        """Pids of everything that still runs of it, seen from outside."""
        return living(self.limits.memory_mb, self.namespace)

    def gone(self, seconds: float = 5.0) -> bool:
        """Whether nothing is left of it, now or soon."""
        until = time.monotonic() + seconds
        while self.living() and time.monotonic() < until:
            time.sleep(0.02)
        return not self.living()

    def _find_namespace(self) -> None:
        if self.namespace == -1:
            with contextlib.suppress(OSError):
                self.namespace = own_namespace(self.process.pid)


def own_namespace(pid: int) -> int:
    """Inode of a process's pid namespace, -1 if it is ours too."""
    found = os.stat(f"/proc/{pid}/ns/pid").st_ino
    return -1 if found == os.stat("/proc/self/ns/pid").st_ino else found


def living(megabytes: int, namespace: int) -> list[int]:
    """Pids of workers started with this limit on their command line, or in this namespace."""
    mark = f"AS={megabytes << 20}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            inside = False
            if namespace != -1:
                with contextlib.suppress(OSError):
                    inside = os.stat(entry / "ns/pid").st_ino == namespace
            if (mark in arguments or inside) and state != "Z":
                found.append(int(entry.name))
    return found


Start = Callable[..., Worker]


@pytest.fixture(params=["bwrap", "landlock", "none"])
def any_level(request: pytest.FixtureRequest) -> Sandbox:
    """Each level in turn."""
    return level(request.param)


@pytest.fixture(params=["bwrap", "landlock"])
def confined(request: pytest.FixtureRequest) -> Sandbox:
    """Each level that confines in turn."""
    return level(request.param)


@pytest.fixture(params=["bwrap", "bwrap without filter", "landlock"])
def each_wall(request: pytest.FixtureRequest) -> Sandbox:
    """The levels that confine, and namespaces by themselves: they hold without the other wall."""
    name, _, bare = request.param.partition(" ")
    sandbox = level(name)
    return replace(sandbox, filtered=False) if bare else sandbox  # type: ignore[type-var]


@pytest.fixture
def unconfined() -> Sandbox:
    """The level that doesn't: where an attack works, so that we know the test would see it."""
    return level("none")


def level(name: str) -> Sandbox:
    try:
        return choose(name)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program at a level; whatever is started ends with the test."""
    started: list[WorkerProcess] = []

    def begin(
        sandbox: Sandbox, code: str, *, packages: tuple[Path, ...] = (), **limits: int
    ) -> Worker:
        # an odd number of megabytes marks its processes, for `living`
        chosen = WorkerLimits(**{"memory_mb": 300 + secrets.randbelow(600), **limits})
        program = compiled(PRELUDE + code)
        process = replace(sandbox, program=program).start(chosen, packages=packages)  # type: ignore[type-var]
        started.append(process)
        return Worker(process, chosen)

    yield begin
    for process in started:
        process.close()


@pytest.fixture
def closed(start: Start) -> Callable[..., Worker]:
    """Run a program until it ends by itself."""

    def run(sandbox: Sandbox, code: str, **limits: int) -> Worker:
        worker = start(sandbox, code, **limits)
        with pytest.raises(WorkerClosed):
            worker.hear()
        return worker

    return run


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A host file that is not shut by its permissions."""
    open_up(tmp_path)
    path = tmp_path / "canary.txt"
    path.write_text("the hidden tests")
    path.chmod(0o666)
    tmp_path.chmod(0o777)
    return path


def open_up(folder: Path) -> None:
    """Let every user reach a folder of pytest's: what shuts it must be the sandbox."""
    for each in (folder, *folder.parents[:3]):
        if each.stat().st_uid == os.geteuid():
            each.chmod(each.stat().st_mode | 0o755)
