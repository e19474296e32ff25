"""What confines a worker. One seam: `choose()` a level, `start()` a worker in it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Protocol

from grader.sandbox.none import NoSandbox
from grader.sandbox.process import WorkerClosed, WorkerProcess, WorkerTimeout
from grader.sandbox.start import SandboxUnavailable, WorkerLimits

LEVELS = ("bwrap", "landlock", "none")  # from strongest to weakest


class Sandbox(Protocol):
    """A level of confinement that this machine has been seen to give."""

    @property
    def name(self) -> str:
        """`bwrap`, `landlock` or `none`."""

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker; `packages` are folders of site-packages that it may import."""


@functools.cache
def choose(requested: str = "auto") -> Sandbox:
    """The level asked for, or with "auto" the strongest that passes its self-test here.

    Raises SandboxUnavailable when a level asked for by name can't be had: it never steps down
    silently. ValueError for a name that is no level.
    """
    if requested == "auto" or requested == "none":
        return NoSandbox()
    if requested in LEVELS:
        raise SandboxUnavailable(f"sandbox {requested}: not there yet")
    raise ValueError(f"sandbox: {requested!r} is not one of auto, {', '.join(LEVELS)}")


__all__ = [
    "LEVELS",
    "Sandbox",
    "SandboxUnavailable",
    "WorkerClosed",
    "WorkerLimits",
    "WorkerProcess",
    "WorkerTimeout",
    "choose",
]
