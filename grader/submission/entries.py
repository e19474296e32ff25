"""The files of a submission before any is read: a folder, an archive or one file look the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grader.submission.files import MEMBERS
from grader.submission.model import RefusedError
from grader.submission.names import extension_of, shown

_VERSION = re.compile(r"version (\d{1,4})", re.IGNORECASE)
DEPTH = 4  # folders above a file, once those that hold nothing but one folder are taken off
CODE = frozenset({".py", ".pyw", ".ipynb"})
MAYBE_CODE = CODE | {".txt", ".json", ".html", ".htm", ".md", ""}  # what browsers and mailers make
DOCUMENTS = frozenset(
    {".pdf", ".doc", ".docx", ".odt", ".rtf", ".pages", ".png", ".jpg", ".jpeg", ".heic"}
)
ARCHIVES = frozenset({".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst"})


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One file, not read yet."""

    path: tuple[str, ...]  # below the root of the submission
    size: int  # bytes, as declared
    read: Callable[[int], bytes]  # at most so many bytes; raises RefusedError
    trouble: str | None = None  # why it can't be read at all
    where: str = ""  # its path in what was handed in, where that is longer

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def extension(self) -> str:
        return extension_of(self.name)

    @property
    def is_odd(self) -> bool:
        """Whether its extension tells nothing: "value.py~", "lab.ipynb.part"."""
        return self.extension not in MAYBE_CODE | DOCUMENTS | ARCHIVES | {".zip"}

    @property
    def label(self) -> str:
        """How messages call it."""
        return shown(self.where or "/".join(self.path))

    def moved(self, path: tuple[str, ...], where: str = "") -> Entry:
        """The same file under another path."""
        where = where or self.where or "/".join(self.path)
        return Entry(path, self.size, self.read, self.trouble, where)

    def data(self, limit: int) -> bytes:
        """Its bytes. Raises RefusedError."""
        if self.trouble is not None:
            raise RefusedError(self.trouble)
        return self.read(limit)


@dataclass(frozen=True, slots=True)
class Listing:
    """All files of a submission that may matter, and what was passed over."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()
    context: tuple[str, ...] = ()  # names around it, outermost first: may tell the exercise
    single: bool = False  # one file that stands alone


def make_listing(
    entries: Iterable[Entry], notes: Iterable[str] = (), context: tuple[str, ...] = ()
) -> Listing:
    """Take off folders that hold nothing but one folder, then drop what lies too deep.

    Raises RefusedError for too many files."""
    kept = list(entries)
    if len(kept) > MEMBERS:
        raise RefusedError(f"there are more than {MEMBERS:,} files in it; hand in only your own")
    told = list(notes)
    if kept:
        taken = _common(kept)
        context = (*context, *taken)
        kept = [entry.moved(entry.path[len(taken) :]) for entry in kept]
    kept = _latest_versions(kept, told)
    deep = [entry for entry in kept if len(entry.path) > DEPTH + 1]
    if deep:
        told.append(f"passed over what lies more than {DEPTH} folders deep ({deep[0].label})")
    kept = [entry for entry in kept if len(entry.path) <= DEPTH + 1]
    kept.sort(key=lambda entry: (len(entry.path), entry.path))
    return Listing(tuple(kept), tuple(told), context)


def _latest_versions(entries: list[Entry], told: list[str]) -> list[Entry]:
    """Of the same file in "Version 1" and "Version 2", as Teams keeps them, the latest."""
    newest: dict[tuple[str, ...], tuple[int, Entry]] = {}
    for entry in entries:
        numbers = [int(found[1]) for part in entry.path[:-1] if (found := _VERSION.fullmatch(part))]
        if numbers:
            same = tuple("" if _VERSION.fullmatch(part) else part for part in entry.path)
            if same not in newest or newest[same][0] < numbers[-1]:
                newest[same] = (numbers[-1], entry)
    if not newest:
        return entries
    latest = {id(entry) for _, entry in newest.values()}
    kept = [e for e in entries if id(e) in latest or not any(map(_VERSION.fullmatch, e.path[:-1]))]
    if len(kept) < len(entries):
        told.append("of several versions of a file, the latest counts")
    return kept


def _common(entries: list[Entry]) -> tuple[str, ...]:
    """The folders that every file lies in."""
    first = entries[0].path[:-1]
    for entry in entries[1:]:
        length = 0
        for mine, theirs in zip(first, entry.path[:-1], strict=False):
            if mine != theirs:
                break
            length += 1
        first = first[:length]
    return first
