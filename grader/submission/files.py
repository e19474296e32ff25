"""Opening a file that somebody else made: never through a link, never waiting, never too much."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from grader.submission.model import RefusedError

CODE_BYTES = 1 << 20  # a source file, or all the code of a notebook
NOTEBOOK_BYTES = 20 << 20  # a notebook with its outputs
ZIP_BYTES = 50 << 20  # an archive as it lies on the disk
UNPACKED_BYTES = 100 << 20  # what is read out of one archive, in all
MEMBERS = 2_000  # files in one submission, not counting what is ignored anyway

# absent on Windows, where there is nothing to protect against by them
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of a regular file, at most `limit`. Raises RefusedError; its reason does not name
    the file: whoever calls this knows how messages call it."""
    kind = kind_of_path(path)
    if kind is not None:  # said before opening: opening a device can have effects
        raise RefusedError(f"this is {kind}; hand in the file itself")
    try:
        number = os.open(path, _FLAGS)
    except OSError as error:
        raise RefusedError(f"the file cannot be opened ({reason_of(error)})") from error
    try:
        found = os.fstat(number)  # of what is open now: the name may have changed hands since
        kind = kind_of_mode(found.st_mode)
        if kind is not None:
            raise RefusedError(f"this is {kind}; hand in the file itself")
        if found.st_size > limit:
            raise too_big(found.st_size, limit)
        with os.fdopen(number, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise RefusedError(f"the file cannot be read ({reason_of(error)})") from error
    finally:
        os.close(number)
    if len(data) > limit:
        raise too_big(len(data), limit)
    return data


def kind_of_path(path: Path) -> str | None:
    """None for a regular file (or one that is not there), else what it is: "a folder"."""
    try:
        return kind_of_mode(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return None


def kind_of_mode(mode: int) -> str | None:
    """None for a regular file, else what it is, with its article."""
    if stat.S_ISREG(mode):
        return None
    for test, kind in (
        (stat.S_ISLNK, "a symbolic link"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if test(mode):
            return kind
    return "a special file"


def too_big(size: int, limit: int) -> RefusedError:
    """The refusal of a file above its limit; sizes in bytes."""
    return RefusedError(f"the file is too big ({megabytes(size)}; at most {megabytes(limit)})")


def megabytes(size: int) -> str:
    """ "1 MB", "1.4 MB": a size as people say it."""
    return f"{size / (1 << 20):.1f}".removesuffix(".0") + " MB"


def reason_of(error: OSError) -> str:
    """The system's words for an error, without path or number."""
    return (error.strerror or type(error).__name__).lower()
