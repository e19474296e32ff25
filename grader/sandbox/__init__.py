"""What confines a worker. One seam: `choose()` a level, `start()` a worker in it."""

from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.choice import LEVELS, choose, describe
from grader.sandbox.process import (
    WorkerClosed,
    WorkerProcess,
    WorkerTimeout,
)
from grader.sandbox.start import Sandbox, WorkerLimits

__all__ = [
    "LEVELS",
    "Sandbox",
    "SandboxUnavailable",
    "WorkerClosed",
    "WorkerLimits",
    "WorkerProcess",
    "WorkerTimeout",
    "choose",
    "describe",
]
