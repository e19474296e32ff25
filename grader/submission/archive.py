"""The members of a zip archive, read one by one in memory. Nothing is ever extracted."""

from __future__ import annotations

import io
import stat
import zipfile
from dataclasses import dataclass
from functools import partial
from typing import IO, BinaryIO, cast

from grader.submission.entries import Entry, Listing, make_listing
from grader.submission.files import UNPACKED_BYTES, megabytes, too_big
from grader.submission.model import RefusedError
from grader.submission.names import ignored, same_key, shown
from grader.submission.sniff import office_kind

DIRECTORY_BYTES = 8 << 20  # of the archive's table of contents: bounds what listing it takes
_CHUNK = 1 << 16
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others can't be unpacked in steps


class _Guarded:
    """A file that gives no more than so much at once: zipfile reads the table of contents in one
    piece and makes an object of each of its lines, however many the archive claims."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._most = most
        self.seek = file.seek
        self.tell = file.tell
        self.close = file.close
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > self._most:
            raise RefusedError("the archive holds far too many files; hand in only your own")
        return self._file.read(self._most if size < 0 else size)


@dataclass(slots=True)
class Budget:
    """What may still be unpacked out of one submission, nested archives included."""

    left: int = UNPACKED_BYTES  # bytes


def list_zip(data: bytes, context: tuple[str, ...] = (), budget: Budget | None = None) -> Listing:
    """What a zip archive holds. Raises RefusedError when it is damaged or holds too much."""
    archive = open_zip(io.BytesIO(data))
    infos = archive.infolist()
    kind = office_kind([info.filename for info in infos[:500]])
    if kind is not None:
        raise RefusedError(f"this is {kind}; hand in the .py or .ipynb itself")
    if not infos:
        raise RefusedError("the archive is empty")
    entries, notes = list_members(archive, infos, budget or Budget())
    if not entries:
        more = f" ({notes[0]})" if notes else ""
        raise RefusedError(f"the archive holds no file that could be an answer{more}")
    return make_listing(entries, notes[:5], context)


def open_zip(file: BinaryIO, directory_bytes: int = DIRECTORY_BYTES) -> zipfile.ZipFile:
    """Open an archive whose table of contents is of bounded size. Raises RefusedError."""
    guarded = _Guarded(file, directory_bytes)
    try:
        return zipfile.ZipFile(cast(IO[bytes], guarded))
    except RefusedError:
        raise
    except Exception as error:  # zipfile raises many kinds; none of them may stop a batch
        raise RefusedError(f"the archive is damaged ({_words(error)}); zip it again") from error


def read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, limit: int
) -> bytes:
    """A member's bytes, at most `limit`, whatever size it declares. Raises RefusedError."""
    if info.file_size > limit:
        raise too_big(info.file_size, limit)
    parts: list[bytes] = []
    size = 0
    try:
        with archive.open(info) as member:
            while part := member.read(_CHUNK):
                size += len(part)
                budget.left -= len(part)
                if size > min(limit, info.file_size):
                    raise RefusedError("the file unpacks to more than it declares; zip it again")
                if budget.left < 0:
                    raise RefusedError(
                        f"the archive unpacks to more than {megabytes(UNPACKED_BYTES)}"
                    )
                parts.append(part)
    except RefusedError:
        raise
    except Exception as error:  # as in open_zip
        raise RefusedError(f"the file is damaged in the archive ({_words(error)})") from error
    return b"".join(parts)


def trouble_of(info: zipfile.ZipInfo) -> str | None:
    """Why a member can't be read, or None."""
    mode = info.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind and not stat.S_ISREG(mode):
        what = "a symbolic link" if stat.S_ISLNK(mode) else "not a plain file"
        return f"this is {what}; hand in the file itself"
    if info.flag_bits & 0x1:
        return "this is encrypted; zip it again without a password"
    if info.compress_type not in _READABLE:
        return "this is packed in an unusual way; make an ordinary .zip"
    return None


def safe_path(name: str) -> tuple[str, ...] | None:
    """A member's path below the archive's root; None when it points elsewhere.

    Backslashes separate, as some Windows programs write them."""
    name = name.replace("\\", "/")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or not parts or ".." in parts or ":" in parts[0] or "\0" in name:
        return None
    return parts


def list_members(
    archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], budget: Budget
) -> tuple[list[Entry], list[str]]:
    """The files of an open archive that may matter, and notes on those that were passed over."""
    found: dict[tuple[str, ...], list[tuple[tuple[str, ...], zipfile.ZipInfo]]] = {}
    notes: list[str] = []
    environments = _environments(infos)
    for info in infos:
        parts = safe_path(info.orig_filename)
        if parts is None:
            notes.append(f"passed over {shown(info.orig_filename)}: it points out of the archive")
            continue
        if info.filename.endswith(("/", "\\")) or _passed_over(parts, environments):
            continue
        found.setdefault(same_key(parts), []).append((parts, info))
    entries: list[Entry] = []
    for twins in found.values():
        parts, info = twins[-1]
        trouble = trouble_of(info)
        if len(twins) > 1:
            names = sorted({shown("/".join(path)) for path, _ in twins})
            if len(names) == 1:
                trouble = f"the archive holds {names[0]} {len(twins)} times; keep one"
            else:
                trouble = f"{' and '.join(names[:3])} are one file on many systems; keep one"
            parts = min(path for path, _ in twins)
            notes.append(trouble)
        read = partial(read_member, archive, info, budget)
        entries.append(Entry(parts, info.file_size, read, trouble))
    return entries, notes


def _environments(infos: list[zipfile.ZipInfo]) -> tuple[tuple[str, ...], ...]:
    """The folders that are virtual environments, whatever they are called."""
    paths = (safe_path(i.filename) for i in infos if i.filename.endswith("pyvenv.cfg"))
    return tuple(path[:-1] for path in paths if path and len(path) > 1)[:20]


def _passed_over(parts: tuple[str, ...], environments: tuple[tuple[str, ...], ...]) -> bool:
    if any(ignored(part, folder=True) for part in parts[:-1]) or ignored(parts[-1], folder=False):
        return True
    return any(parts[: len(folder)] == folder for folder in environments)


def _words(error: Exception) -> str:
    return shown(str(error) or type(error).__name__, 60)
