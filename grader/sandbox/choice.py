"""Which level of sandbox a run uses: the one asked for, or the strongest that holds here.

A level counts only once its self-test has passed (about 0.1 s; a pass is remembered).
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Sequence
from dataclasses import replace

from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.none import NoSandbox
from grader.sandbox.start import Finding, Sandbox

LEVELS = ("bwrap", "landlock", "none")  # from strongest to weakest


@functools.cache
def choose(requested: str = "auto") -> Sandbox:
    """The level asked for, or with "auto" the strongest that passes its self-test here.

    Raises SandboxUnavailable when a level asked for by name can't be had: it never steps down
    silently. ValueError for a name that is no level.
    """
    if requested == "auto":
        for level in LEVELS[:-1]:
            with contextlib.suppress(SandboxUnavailable):
                return choose(level)
        return NoSandbox()
    if requested not in LEVELS:
        raise ValueError(f"sandbox: {requested!r} is not one of auto, {', '.join(LEVELS)}")
    if requested == "none":
        return NoSandbox()
    return _passing(requested)


def describe() -> list[str]:
    """What each level does on this machine, tried out anew, in lines for `doctor`."""
    lines = []
    for level in LEVELS[:-1]:
        try:
            findings = _findings(choose(level))
        except SandboxUnavailable as error:
            lines.append(f"{level}: not here: {error}")
            continue
        lines.append(f"{level}: works; a submission")
        lines += [f"    {finding.claim}" for finding in findings if finding.holds]
        lines += [f"    FAILS: {finding.claim}" for finding in findings if not finding.holds]
    return [*lines, "none: works; limits and deadlines only, for a file of one's own"]


if sys.platform == "linux":
    import os

    from grader.sandbox.bwrap import BwrapSandbox
    from grader.sandbox.landlock import LandlockSandbox
    from grader.sandbox.memory import Memory
    from grader.sandbox.selftest import examine, probe_program
    from grader.sandbox.warm import close_idle

    _Confined = BwrapSandbox | LandlockSandbox

    def _ways(level: str) -> Sequence[_Confined]:
        """The ways of setting a level up, best first."""
        if level == "bwrap":
            ways = [BwrapSandbox(disable_userns=True), BwrapSandbox(disable_userns=False)]
            return ways[os.geteuid() == 0 :]
        return [LandlockSandbox()]

    def _passing(level: str) -> Sandbox:
        refusals = []
        for way in _ways(level):
            memory = Memory(repr(way))
            if memory.passed():
                return way
            try:
                broken = [finding.claim for finding in _examine(way) if not finding.holds]
            except SandboxUnavailable as error:
                refusals.append(str(error))
                continue
            if not broken:
                memory.remember()
                return way
            refusals.append(f"sandbox {level}: here it fails that a submission {broken[0]}")
        raise SandboxUnavailable(refusals[0])

    def _findings(sandbox: Sandbox) -> tuple[Finding, ...]:
        assert isinstance(sandbox, BwrapSandbox | LandlockSandbox)
        return _examine(sandbox)

    def _examine(way: _Confined) -> tuple[Finding, ...]:
        try:
            return examine(replace(way, program=probe_program()))
        finally:
            close_idle()

else:

    def _passing(level: str) -> Sandbox:
        raise SandboxUnavailable(f"sandbox {level}: only Linux has it; use --sandbox none")

    def _findings(sandbox: Sandbox) -> tuple[Finding, ...]:
        raise NotImplementedError(sandbox.name)
