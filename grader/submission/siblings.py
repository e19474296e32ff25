"""The other Python files of a submission that its answer may import."""

from __future__ import annotations

from collections.abc import Callable

from grader.submission.content import Content
from grader.submission.entries import Entry, Listing
from grader.submission.files import CODE_BYTES, megabytes
from grader.submission.model import RefusedError
from grader.submission.names import stem_of
from grader.submission.outline import words

MOST = 50  # files


def modules_beside(listing: Listing, main: Entry, taken: frozenset[str]) -> dict[str, Entry]:
    """By module name: the Python files in the folder of `main`, below it, and in the one above,
    nearest first. `taken` names can't be imported from the submission."""
    folder = main.path[:-1]
    near: list[tuple[int, tuple[str, ...], Entry]] = []
    for entry in listing.entries:
        stem = stem_of(entry.name)
        if entry is main or entry.extension != ".py" or not stem.isidentifier() or stem in taken:
            continue
        if stem.startswith("__"):  # __init__.py: what is imported from a package are its files
            continue
        if entry.path[: len(folder)] == folder:
            near.append((len(entry.path) - len(folder), entry.path, entry))
        elif folder and entry.path[: len(folder) - 1] == folder[:-1]:
            near.append((len(entry.path) - len(folder) + 100, entry.path, entry))
    found: dict[str, Entry] = {}
    for _, _, entry in sorted(near, key=lambda item: item[:2]):
        found.setdefault(stem_of(entry.name), entry)
    return found


def needed(
    text: str, modules: dict[str, Entry], read: Callable[[Entry], Content | RefusedError]
) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """The modules whose names occur in `text`, or in one that is needed: as (file name, text),
    sorted, with notes on those that can't be taken."""
    taken: dict[str, str] = {}
    notes: list[str] = []
    if not modules:
        return (), notes
    room = CODE_BYTES
    waiting = [text]
    seen: set[str] = set()
    while waiting:
        mentioned = words(waiting.pop())
        for stem in sorted((mentioned & modules.keys()) - seen):
            seen.add(stem)
            entry = modules[stem]
            content = read(entry)
            if isinstance(content, RefusedError):
                if content.empty:
                    taken[f"{stem}.py"] = ""
                    continue
                notes.append(f"{entry.label} was left out: {content}")
                continue
            room -= len(content.text)
            if room < 0 or len(taken) == MOST:
                notes.append(
                    f"{entry.label} was left out: at most {MOST} files and "
                    f"{megabytes(CODE_BYTES)} of code beside the answer"
                )
                continue
            taken[f"{stem}.py"] = content.text
            waiting.append(content.text)
    return tuple(sorted(taken.items())), notes
