"""For a grader that runs as root: an unprivileged user id for each worker, shared by no other.

Ids are taken by locking one byte each of a file that only root can open, so that graders that run
at the same time agree; a grader that dies gives its ids back.
"""

from __future__ import annotations

import errno
import fcntl
import functools
import os
import stat
import sys
import tempfile
import threading
from pathlib import Path

from grader.sandbox.child import SandboxUnavailable

assert sys.platform == "linux"

_COUNT = 1024
_PREFERRED = 400_000  # between the ids of real users and those of containers
_SMALL = 60_600  # where fewer ids are mapped

_taken: set[int] = set()
_guard = threading.Lock()
_file: tuple[int, int] | None = None  # process, descriptor


def take() -> int:
    """An id that no other worker has. Give it back with `release`, when nothing runs under it."""
    with _guard:
        number = _lock_file()
        first, count = _range()
        for uid in range(first, first + count):
            if uid in _taken:
                continue
            try:
                fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, uid - first)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    continue  # another grader's
                raise
            _taken.add(uid)
            return uid
    raise SandboxUnavailable(f"user ids: all {count} for workers are taken; grade with fewer jobs")


def release(uid: int) -> None:
    """Give an id back."""
    with _guard:
        if uid in _taken:
            _taken.discard(uid)
            fcntl.lockf(_lock_file(), fcntl.LOCK_UN, 1, uid - _range()[0])


def _lock_file() -> int:
    global _file
    if _file is None or _file[0] != os.getpid():  # locks are not inherited
        _taken.clear()
        folder = Path("/run") if os.access("/run", os.W_OK) else Path(tempfile.gettempdir())
        path = folder / "grader-worker-ids"
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        about = os.fstat(number)
        if about.st_uid != os.geteuid() or not stat.S_ISREG(about.st_mode):
            os.close(number)
            raise SandboxUnavailable(f"{path}: it belongs to somebody else; remove it")
        _file = os.getpid(), number
    return _file[1]


@functools.cache
def _range() -> tuple[int, int]:
    """First id and how many, among those that exist in our user namespace."""
    spans = []
    for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
        inside, _, length = map(int, line.split())
        spans.append((inside, inside + length))
    for first, count in ((_PREFERRED, _COUNT), (_SMALL, 100)):
        if any(low <= first and first + count <= high for low, high in spans):
            return first, count
    raise SandboxUnavailable(
        "user ids: this container maps too few of them for workers; run the grader without root"
    )
