"""The highest level: Linux namespaces, set up by bubblewrap.

A worker sees a file system that holds Python, read-only, and an empty folder of limited size; no
/proc, no network, no process but itself. Mounts of /usr or a home folder are never made whole.

bwrap starts slowly for what it holds, so it holds a nursery (`nursery.py`) that forks a worker for
each request. As an ordinary user, bwrap makes a user namespace in which it may do all this, and
forbids making further ones. As root (whose Python may lie below a folder closed to others) it
mounts as root, and each worker becomes a user id that only it has.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.files import PythonFiles, python_files
from grader.sandbox.process import WorkerProcess
from grader.sandbox.start import WorkerLimits, worker_program
from grader.sandbox.warm import Recipe, start_worker

assert sys.platform == "linux"

_PACKAGES = "/packages"
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
_SETTINGS = (  # under /proc/sys: what it is when namespaces are forbidden, and what it should be
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("user/max_user_namespaces", "0", "10000"),
)


@dataclass(frozen=True)
class BwrapSandbox:
    """Needs bubblewrap, and a kernel that lets it make namespaces."""

    name: ClassVar[str] = "bwrap"
    program: bytes | None = None  # instead of the worker program: for tests
    disable_userns: bool = True  # False where /proc/sys can't be written; the filter forbids it too
    filtered: bool = True  # False only in tests, to see that the namespaces hold by themselves

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker."""
        root = os.geteuid() == 0
        recipe = Recipe(
            command=_command(root, self.disable_userns and not root, packages),
            python=str(python_files().executable),
            program=self.program or worker_program(),
            packages=packages,
            shelf=_PACKAGES if packages else None,
            filtered=self.filtered,
        )
        return start_worker(recipe, limits, root, explain)


def explain(output: str) -> str:
    """Why bwrap did not start a worker, with the remedy that fits this machine; one line."""
    lines = [line for line in output.splitlines() if line.strip()] or ["it said nothing"]
    said = next((line for line in lines if line.startswith("bwrap:")), lines[-1])
    return f"sandbox bwrap: {said.removeprefix('bwrap: ')}; {_remedy(said)}"


def _remedy(said: str) -> str:
    if "nknown option" in said:
        return "it needs bubblewrap 0.6 or later (Debian 12, Ubuntu 22.04)"
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


@functools.cache
def _command(root: bool, disable_userns: bool, packages: tuple[Path, ...]) -> tuple[str, ...]:
    """bwrap and its arguments, up to the program that it starts."""
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxUnavailable("bwrap: not found; install it: sudo apt-get install bubblewrap")
    # for the nursery; a worker keeps none of it
    rights = ["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    if root:
        rights += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        rights += ["--unshare-user", *(["--disable-userns"] if disable_userns else [])]
    shelf = ["--perms", "0755", "--dir", _PACKAGES] if packages else []
    for path in packages:
        shelf += _show(path, f"{_PACKAGES}/{path.name}")
    return (
        program,
        *rights,
        *_NAMESPACES,
        *("--unshare-cgroup-try", "--new-session", "--as-pid-1"),
        *_mounts(python_files()),
        *shelf,
        *("--perms", "0755", "--dir", "/tmp", "--chdir", "/tmp"),  # noqa: S108
        *("--remount-ro", "/"),
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
        mounts += ["--perms", "0555", "--tmpfs", str(folder)]
        mounts += ["--remount-ro", str(folder)]
    return [*mounts, "--dev-bind", "/dev/null", "/dev/null"]


def _show(path: Path, at: str | None = None) -> list[str]:
    return ["--ro-bind", str(path), at or str(path)]
