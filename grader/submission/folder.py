"""The files below a folder, without following links and without opening anything."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from grader.submission.entries import Entry, Listing, make_listing
from grader.submission.files import MEMBERS, kind_of_mode, read_file, reason_of
from grader.submission.model import RefusedError
from grader.submission.names import ignored, shown

_WALK_DEPTH = 12  # folders: deeper than any wrapping that is taken off again
_SEEN = 20_000  # names looked at, ignored ones included: bounds the time


def list_folder(root: Path) -> Listing:
    """What lies below `root`. Raises RefusedError when it can't be listed or holds too much."""
    entries, notes = walk_folder(root)
    return make_listing(entries, notes[:5], (root.name,))


def walk_folder(root: Path) -> tuple[list[Entry], list[str]]:
    """Every file below `root` that may matter, and notes. Raises RefusedError."""
    entries: list[Entry] = []
    notes: list[str] = []
    left = [_SEEN]
    _walk(root, (), entries, notes, left)
    if left[0] <= 0:
        raise RefusedError(f"there are more than {_SEEN:,} files in it; hand in only your own")
    return entries, notes


def _walk(
    folder: Path, path: tuple[str, ...], entries: list[Entry], notes: list[str], left: list[int]
) -> None:
    try:
        with os.scandir(folder) as found:
            names = []
            for item in found:
                left[0] -= 1
                if left[0] <= 0:
                    return
                names.append(item)
    except OSError as error:
        if not path:
            raise RefusedError(f"the folder cannot be listed ({reason_of(error)})") from error
        notes.append(f"{shown('/'.join(path))} cannot be listed ({reason_of(error)})")
        return
    if path and any(item.name == "pyvenv.cfg" for item in names):  # a virtual environment
        return
    for item in sorted(names, key=lambda item: item.name):
        here = (*path, item.name)
        try:
            is_folder = item.is_dir(follow_symlinks=False)
            if ignored(item.name, folder=is_folder):
                continue
            found_stat = item.stat(follow_symlinks=False)
        except OSError as error:
            notes.append(f"{shown(item.name)} cannot be looked at ({reason_of(error)})")
            continue
        if is_folder:
            if len(here) < _WALK_DEPTH:
                _walk(Path(item.path), here, entries, notes, left)
            continue
        kind = kind_of_mode(found_stat.st_mode)
        trouble = f"this is {kind}; hand in the file itself" if kind else None
        read = partial(read_file, Path(item.path))
        entries.append(Entry(here, found_stat.st_size, read, trouble))
        if len(entries) > MEMBERS:
            left[0] = 0
            return
