"""The lowest level: a process of its own with limits and deadlines, and nothing else."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from grader.sandbox.process import WorkerProcess
from grader.sandbox.start import (
    WorkerLimits,
    interpreter,
    launch,
    python_command,
    resource_limits,
    worker_program,
)


@dataclass(frozen=True)
class NoSandbox:
    """Fine for students who grade their own file; runs anywhere."""

    name: ClassVar[str] = "none"
    program: bytes | None = None  # instead of the worker program: for tests

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker in an empty temporary folder."""
        folder = Path(tempfile.mkdtemp(prefix="worker-"))
        cwd = folder / "cwd"
        cwd.mkdir()
        shelf = folder / "packages" if packages else None
        if shelf:
            shelve(packages, shelf)
        program = self.program or worker_program()
        rlimits = resource_limits(limits, most_processes(limits))
        command = python_command(interpreter(), program, rlimits, packages=shelf)
        return launch(
            command,
            program,
            limits,
            packages=bool(packages),
            cwd=cwd,
            cleanup=lambda: remove_tree(folder),
        )


def shelve(packages: tuple[Path, ...], shelf: Path) -> None:
    """Make a folder in which these packages, and nothing else, can be imported."""
    shelf.mkdir()
    for package in packages:
        target = shelf / package.name
        if sys.platform != "win32":
            target.symlink_to(package.resolve())
        elif package.is_dir():
            import _winapi

            _winapi.CreateJunction(str(package.resolve()), str(target))
        else:
            shutil.copyfile(package, target)


def remove_tree(folder: Path) -> None:
    """Remove a folder a worker could write to: however deep, whatever its permissions."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        for tool in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):  # these walk without recursion
            with contextlib.suppress(OSError):
                subprocess.run([*tool, "--", str(folder)], check=False, capture_output=True)


def most_processes(limits: WorkerLimits) -> int | None:
    """A bound for RLIMIT_NPROC, which counts all of the user's threads, not just the worker's."""
    if sys.platform != "linux":
        return None
    try:
        running = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")[1])
    except (OSError, ValueError, IndexError):
        return None
    return running + limits.processes
