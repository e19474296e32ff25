"""A small store of bytes by name, in the course's `.grader` folder. Deleting it harms nothing."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = ".grader"


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries are written whole or not at all; one that cannot be read or written is just not
    there, because everything in here can be made again."""

    folder: Path

    def load(self, key: str) -> bytes | None:
        try:
            return self._path(key).read_bytes()
        except OSError:
            return None

    def save(self, key: str, content: bytes) -> None:
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(key), content)

    def _path(self, key: str) -> Path:
        return self.folder / hashlib.sha256(key.encode()).hexdigest()[:32]


def write_whole(path: Path, content: bytes, *, synced: bool = True) -> None:
    """Write a file whole or not at all: a temporary file beside it, then a rename.

    `synced` waits until the disk has it, so that not even a power cut leaves an empty file.
    Raises OSError, and then leaves the old file as it was."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
