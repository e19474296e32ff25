"""The folder of score files that a batch writes, and picks up again."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.cache import write_whole
from grader.errors import UsageError
from grader.report.score_file import ScoreFile, decode

STATE_FOLDER = ".batch"  # inside OUT: what a resumed batch needs to know
_ABANDONED = 3600  # seconds after which a temporary file belongs to no running batch any more
_FULL = (errno.ENOSPC, errno.EDQUOT)
# Windows keeps these names for devices, whatever their extension
_DEVICES = (
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(10)),
)
_MARKED = re.compile(r".*-[0-9a-f]{16}")


@dataclass(frozen=True)
class Store:
    """One JSON file for each student, written whole as it is finished."""

    folder: Path

    def prepare(self) -> None:
        """Make the folder, and tidy up what a killed batch left. Raises UsageError."""
        try:
            (self.folder / STATE_FOLDER).mkdir(parents=True, exist_ok=True)
            for folder in (self.folder, self.folder / STATE_FOLDER):
                _remove_abandoned(folder)
        except OSError as error:
            raise UsageError(
                f"{self.folder}: cannot be made: {error.strerror}; choose another --out"
            ) from error

    def path(self, student: str) -> Path:
        return self.folder / f"{file_name(student)}.json"

    def finished(self, student: str, stamp: str) -> ScoreFile | None:
        """The score file of a student, where it was made under this very stamp."""
        with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError):
            mark = self._stamp(student).read_text(encoding="ascii")
            raw = self.path(student).read_bytes()
            if mark == _seal(stamp, raw):
                return decode(raw)
        return None

    def write(self, student: str, raw: bytes, stamp: str) -> None:
        """Keep a finished score file. Killed between the two writes, it is graded again.

        Does not wait for the disk, which would cost more than grading: what a power cut takes or
        breaks does not match its seal, and is graded again.
        Raises UsageError when the disk is full or cannot be written."""
        with writing(self.folder):
            write_whole(self.path(student), raw, synced=False)
            write_whole(self._stamp(student), _seal(stamp, raw).encode("ascii"), synced=False)

    def scores(self) -> Iterator[tuple[Path, ScoreFile]]:
        """All score files, by name. Raises UsageError for one that is none."""
        for path in sorted(self.folder.glob("*.json")):
            try:
                yield path, decode(path.read_bytes())
            except (OSError, msgspec.MsgspecError) as error:
                raise UsageError(f"{path}: is not a score file: {error}") from error

    def _stamp(self, student: str) -> Path:
        return self.folder / STATE_FOLDER / file_name(student)


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turns what may go wrong with a disk into one line. Raises UsageError."""
    try:
        yield
    except OSError as error:
        what = (
            "the disk is full" if error.errno in _FULL else f"cannot be written: {error.strerror}"
        )
        raise UsageError(
            f"{folder}: {what}; what is finished is safe: make room and run the same command again"
        ) from error


def merge_into(target: Store, parts: Sequence[Store]) -> int:
    """Copy all score files, with their stamps; the number of files.

    Raises UsageError where two parts hold different results for one student, and then copies
    nothing."""
    origin: dict[str, Path] = {}
    for part in parts:
        if not part.folder.is_dir():
            raise UsageError(f"{part.folder}: there is no such folder; check the path")
        for path, _ in part.scores():
            other = origin.setdefault(path.name, path)
            if other is not path and other.read_bytes() != path.read_bytes():
                raise UsageError(f"{path} and {other} differ; keep one of them")
    with writing(target.folder):
        for name, path in origin.items():
            stamp = path.parent / STATE_FOLDER / path.stem
            write_whole(target.folder / name, path.read_bytes(), synced=False)
            if stamp.is_file():
                copy = target.folder / STATE_FOLDER / path.stem
                write_whole(copy, stamp.read_bytes(), synced=False)
    return len(origin)


def file_name(student: str) -> str:
    """A file name for a student's id: the id itself where it is a plain one, and never two ids
    with one name, not even on a disk that takes A for a, and not even where a student chose an
    id that looks like the name made for another's."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", student)[:80].lstrip(".-") or "student"
    device = plain.split(".")[0].lower() in _DEVICES
    if plain == student == plain.lower() and not device and not _MARKED.fullmatch(plain):
        return plain
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{'_' if device else ''}{plain}-{digest}"


def _remove_abandoned(folder: Path) -> None:
    """The temporary files of a batch that was killed as it wrote (see `write_whole`)."""
    for path in folder.glob(".*.????????"):
        with contextlib.suppress(OSError):
            if path.is_file() and time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()


def _seal(stamp: str, raw: bytes) -> str:
    """Of a score file and of all that it was made from."""
    return hashlib.sha256(stamp.encode("utf-8", "surrogatepass") + b"\0" + raw).hexdigest()
