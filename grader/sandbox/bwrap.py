"""The highest level: Linux namespaces, set up by bubblewrap.

The worker sees a file system that holds Python, read-only, and an empty folder of limited size; no
/proc, no network, no process but its own. Mounts of /usr or a home folder are never made whole.

Two ways in. As an ordinary user, bwrap makes a user namespace in which it may do all this, and then
forbids making further ones. As root (whose Python may lie below a folder closed to others) it
mounts as root; then our launcher, with nothing but the right to change its user, becomes an id that
only this worker has. A seccomp filter goes on top in both.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import select
import shutil
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from grader.sandbox import seccomp, uids
from grader.sandbox.files import PythonFiles, python_files
from grader.sandbox.process import SandboxUnavailable, WorkerProcess, Wrapping
from grader.sandbox.start import (
    WorkerLimits,
    launch,
    python_command,
    resource_limits,
    worker_program,
)

assert sys.platform == "linux"

_BEGUN = 1.0  # seconds for bwrap to have told its first process
_GONE = 5.0  # seconds for the kernel to end a namespace
_PACKAGES = "/packages"
_SETTINGS = (  # under /proc/sys: what it is when namespaces are forbidden, and what it should be
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("user/max_user_namespaces", "0", "10000"),
)
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")


@dataclass(frozen=True)
class BwrapSandbox:
    """Needs bubblewrap 0.8 or later, and a kernel that lets it make namespaces."""

    name: ClassVar[str] = "bwrap"
    program: bytes | None = None  # instead of the worker program: for tests
    disable_userns: bool = True  # False where /proc/sys can't be written; the filter forbids it too

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker. It is killed when the thread that starts it ends."""
        program = self.program or worker_program()
        uid = uids.take() if os.geteuid() == 0 else None
        # bwrap's own process inside counts against the limit when it has the worker's user
        processes = limits.processes + (uid is None)
        inner = python_command(
            str(python_files().executable),
            program,
            resource_limits(limits, processes),
            packages=_PACKAGES if packages else None,
            uid=uid,
        )
        inside = Inside()
        filter_pipe = _filter_pipe()
        command = [
            *_base_command(uid is not None, self.disable_userns),
            *(("--perms", "0755", "--dir", _PACKAGES) if packages else ()),
            *(item for path in packages for item in _show(path, f"{_PACKAGES}/{path.name}")),
            *("--perms", "1777", "--size", str(limits.tmp_mb << 20), "--tmpfs", "/tmp"),  # noqa: S108
            *("--remount-ro", "/", "--chdir", "/tmp"),  # noqa: S108
            *("--info-fd", str(inside.writing)),
            *(("--seccomp", str(filter_pipe)) if filter_pipe is not None else ()),
            "--",
            *inner,
        ]

        def cleanup() -> None:
            inside.close()
            if uid is not None:
                uids.release(uid)

        passed = (inside.writing,) if filter_pipe is None else (inside.writing, filter_pipe)
        try:
            return launch(
                command,
                program,
                limits,
                packages=bool(packages),
                wrapping=Wrapping(inside.kill, cleanup, relayed=True, explain=explain),
                pass_fds=passed,
            )
        except BaseException:
            cleanup()
            raise
        finally:
            for number in passed:
                os.close(number)


def explain(output: str) -> str:
    """Why bwrap did not start a worker, with the remedy that fits this machine; one line."""
    said = next((line for line in output.splitlines() if line.strip()), "it said nothing")
    return f"sandbox bwrap: {said.removeprefix('bwrap: ')}; {_remedy(said)}"


def _remedy(said: str) -> str:
    if "nknown option" in said:
        return "it needs bubblewrap 0.8 or later (Debian 12, Ubuntu 24.04)"
    for setting, wrong, right in _SETTINGS:
        with contextlib.suppress(OSError):
            if Path("/proc/sys", setting).read_text(encoding="ascii").strip() == wrong:
                return f"allow namespaces: sudo sysctl -w {setting.replace('/', '.')}={right}"
    if os.geteuid() == 0:
        return (
            "in a container, start that with --cap-add SYS_ADMIN "
            "--security-opt seccomp=unconfined --security-opt apparmor=unconfined"
        )
    return "see whether `bwrap --ro-bind / / --unshare-all true` works for this user"


class Inside:
    """The first process of the new pid namespace: when it is dead, so is everything in there.

    bwrap's death kills it as well, but some time later, and we wait until it is done."""

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()

    def kill(self) -> None:
        """Kill it and wait until nothing is left of the namespace; seconds at most."""
        poller = select.poll()
        poller.register(self._reading, select.POLLIN)
        if not poller.poll(1000 * _BEGUN):  # bwrap tells it in its first milliseconds
            return
        found = re.search(rb'"child-pid": (\d+)', report := os.read(self._reading, 4096))
        space = re.search(rb'"pid-namespace": (\d+)', report)
        if not found or not space:  # bwrap failed before there was one
            return
        try:
            handle = os.pidfd_open(int(found[1]))
        except OSError:
            return
        try:
            # Not its pid alone: that could by now be a stranger's.
            if os.stat(f"/proc/{int(found[1])}/ns/pid").st_ino == int(space[1]):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                poller = select.poll()
                poller.register(handle, select.POLLIN)
                poller.poll(1000 * _GONE)
        except OSError:
            pass  # it was gone already
        finally:
            os.close(handle)

    def close(self) -> None:
        """Close our end."""
        os.close(self._reading)


@functools.cache
def _base_command(root: bool, disable_userns: bool) -> tuple[str, ...]:
    """bwrap's arguments that are the same for every worker."""
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxUnavailable("bwrap: not found; install it: sudo apt-get install bubblewrap")
    files = python_files()
    rights: tuple[str, ...]
    if root:
        rights = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        rights = ("--unshare-user", "--cap-drop", "ALL")
        if disable_userns:
            rights += ("--disable-userns",)
    return (
        program,
        *rights,
        *_NAMESPACES,
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session"),
        *_mounts(files),
    )


def _mounts(files: PythonFiles) -> list[str]:
    shown = (files.executable, files.loader, *files.standard, *files.libraries)
    parents = {folder for path in (*shown, Path("/dev/null")) for folder in path.parents}
    mounts: list[str] = []
    for folder in sorted(parents - {Path("/")}):  # left to itself, bwrap may close them to others
        mounts += ["--perms", "0755", "--dir", str(folder)]
    for path in shown:
        mounts += _show(path)
    for folder in files.hidden:
        mounts += ["--perms", "0555", "--size", "4096", "--tmpfs", str(folder)]
        mounts += ["--remount-ro", str(folder)]
    return [*mounts, "--dev-bind", "/dev/null", "/dev/null"]


def _show(path: Path, at: str | None = None) -> tuple[str, str, str]:
    return "--ro-bind", str(path), at or str(path)


def _filter_pipe() -> int | None:
    """The filter, in a pipe of its own: bwrap reads it to the end."""
    code = seccomp.build(os.uname().machine)
    if code is None:
        return None
    reading, writing = os.pipe()
    os.write(writing, code)  # smaller than any pipe's buffer
    os.close(writing)
    return reading
