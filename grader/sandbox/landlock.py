"""The middle level: Landlock and seccomp, for Linux without bubblewrap or without namespaces.

The worker may open Python's own files for reading, and nothing else; it can make no socket and no
other process, and signal nobody. Its temporary folder is empty and stays so. What it can still do
is ask for a file's size and dates by name, where the user's rights allow. As root, each
worker gets an id of its own.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import functools
import os
import struct
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from grader.sandbox import seccomp, uids
from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.files import PythonFiles, python_files
from grader.sandbox.none import most_processes, remove_tree
from grader.sandbox.process import WorkerProcess
from grader.sandbox.start import (
    WorkerLimits,
    launch,
    python_command,
    resource_limits,
    worker_program,
)

assert sys.platform == "linux"

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # system calls, the same on all machines
_WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
_RIGHTS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 5: 1 << 16}  # ABI: first right it does not know
_CONNECT_AND_BIND, _SIGNALS_AND_ABSTRACT_SOCKETS = 3, 3


@dataclass(frozen=True)
class LandlockSandbox:
    """Needs Linux 5.13 with Landlock on, on x86-64 or aarch64; no root, no other program."""

    name: ClassVar[str] = "landlock"
    program: bytes | None = None  # instead of the worker program: for tests

    def start(self, limits: WorkerLimits, *, packages: tuple[Path, ...] = ()) -> WorkerProcess:
        """Start one worker. It is killed when the thread that starts it ends."""
        program = self.program or worker_program()
        walls = _walls(os.geteuid() == 0, packages)
        uid = uids.take() if os.geteuid() == 0 else None
        processes = limits.processes if uid is not None else most_processes(limits)
        command = python_command(
            walls.python,
            program,
            resource_limits(limits, processes),
            packages=walls.shelf,
            ruleset=walls.ruleset,
            restrict=_RESTRICT,
            filter=walls.filter.hex(),
            parent=os.getpid(),
            open="yes" if walls.held else None,
        )

        def cleanup() -> None:
            if uid is not None:
                uids.release(uid)

        try:
            return launch(
                command,
                program,
                limits,
                packages=bool(packages),
                cwd=walls.folder,
                cleanup=cleanup,
                explain=_explain,
                pass_fds=(walls.ruleset, *walls.held),
                uid=uid,
                variables=walls.variables,
            )
        except BaseException:
            cleanup()
            raise


@dataclass
class _Walls:
    """What all workers with the same packages share; lives as long as the grader."""

    ruleset: int
    filter: bytes
    python: str
    folder: Path  # empty, and nobody's to write to
    shelf: Path | None = None
    held: list[int] = field(default_factory=list)  # descriptors the worker reads files through
    variables: dict[str, str] = field(default_factory=dict)


@functools.cache
def _walls(root: bool, packages: tuple[Path, ...]) -> _Walls:
    abi = _abi()
    code = seccomp.build(
        os.uname().machine,
        confined=True,
        signals=root
        or abi >= 6,  # another user's processes can't be signalled; else Landlock's job
        truncate=abi >= 3,
    )
    if code is None:
        raise SandboxUnavailable(
            f"sandbox landlock: not known for {os.uname().machine}; use a machine with x86-64 or "
            "aarch64, or bwrap"
        )
    files = python_files()
    base = Path(tempfile.mkdtemp(prefix="worker-"))
    atexit.register(remove_tree, base)
    (base / "cwd").mkdir()
    ruleset = _ruleset(abi, files, (*packages, base))
    walls = _Walls(ruleset, code, str(files.executable), base / "cwd")
    if root:
        _open_closed_folders(walls, files)
    if packages:
        walls.shelf = base / "packages"
        walls.shelf.mkdir()
        for package in packages:
            target = str(package.resolve())
            if root and not _open_to_all(package):
                target = _hold(walls, package)
            (walls.shelf / package.name).symlink_to(target)
    for path in (base / "cwd", base):
        path.chmod(0o755)
    return walls


def _open_closed_folders(walls: _Walls, files: PythonFiles) -> None:
    """Let a worker without root's rights use a Python below, say, /root: through a descriptor.

    That reaches Python's folder and, above it, nothing that Landlock or its owner keeps shut."""
    if _open_to_all(files.executable):
        return
    prefix = Path(sys.base_prefix).resolve()
    door = _hold(walls, prefix)
    walls.python = f"{door}/{files.executable.relative_to(prefix)}"
    walls.variables = {"PYTHONHOME": door, "LD_LIBRARY_PATH": f"{door}/lib"}


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


def _hold(walls: _Walls, path: Path) -> str:
    number = os.open(path, os.O_PATH | os.O_CLOEXEC)
    walls.held.append(number)
    return f"/proc/self/fd/{number}"


def _abi() -> int:
    version = _syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    if version >= 1:
        return version
    if ctypes.get_errno() == errno.EOPNOTSUPP:
        why = "Landlock is switched off; add landlock to the kernel's lsm= parameter"
    else:
        why = "this kernel or container has no Landlock; use Linux 5.13 or later, or bwrap"
    raise SandboxUnavailable(f"sandbox landlock: {why}")


def _ruleset(abi: int, files: PythonFiles, also: tuple[Path, ...]) -> int:
    """A descriptor of the rules: everything is forbidden but to read these files."""
    every_right = next((end for last, end in _RIGHTS.items() if abi <= last), 1 << 16) - 1
    fields = [every_right]
    if abi >= 4:
        fields.append(_CONNECT_AND_BIND)
    if abi >= 6:
        fields.append(_SIGNALS_AND_ABSTRACT_SOCKETS)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for path, rights in _readable((*files.standard, *files.libraries, *also), files.hidden):
        _allow(ruleset, path, rights)
    _allow(ruleset, files.loader.resolve(), _READ_FILE)
    _allow(ruleset, Path("/dev/null"), (_READ_FILE | _WRITE_FILE | _TRUNCATE) & every_right)
    return ruleset


def _readable(places: tuple[Path, ...], hidden: tuple[Path, ...]) -> Iterator[tuple[Path, int]]:
    """Places and rights; Landlock only ever allows, so beside what is hidden each one by itself."""
    for place in places:
        if place in hidden:
            continue
        if not place.is_dir():
            yield place, _READ_FILE
        elif any(place in folder.parents for folder in hidden):
            yield place, _READ_DIR
            yield from _readable(tuple(sorted(place.iterdir())), hidden)
        else:
            yield place, _READ_FILE | _READ_DIR


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        number = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # a broken link, or closed to us as well
        return
    try:
        rule = struct.pack("=Qi", rights, number)
        if _syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0)) != 0:
            raise OSError(ctypes.get_errno(), "landlock_add_rule", str(path))
    finally:
        os.close(number)


def _syscall(number: int, *arguments: object) -> int:
    result: int = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments)
    return result


def _explain(output: str) -> str:
    said = output.strip().splitlines()[-1:] or ["it said nothing"]
    return f"sandbox landlock: a worker did not start: {said[0]}; see `python -m grader doctor`"
