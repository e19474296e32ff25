"""A folder or a zip archive of many submissions, one level at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.errors import UsageError
from grader.submission.archive import Budget, list_members, open_zip
from grader.submission.entries import Entry
from grader.submission.files import kind_of_mode, read_file, reason_of
from grader.submission.folder import walk_folder
from grader.submission.model import RefusedError
from grader.submission.names import ignored, shown

_EXPORT_DIRECTORY_BYTES = 512 << 20  # table of contents of an instructor's archive: 5 million files
_MOST = 1_000_000  # names in one folder


@dataclass(frozen=True, slots=True)
class Node:
    """A file or a folder at the top of a batch."""

    name: str
    file: Entry | None  # None for a folder
    look: Callable[[], list[Node]]  # what lies directly in a folder
    walk: Callable[[], list[Entry]]  # every file below a folder; raises RefusedError

    @property
    def is_folder(self) -> bool:
        return self.file is None


def top_of(path: Path) -> list[Node]:
    """What lies at the top of a folder or zip archive. Raises UsageError."""
    try:
        if path.is_dir():
            return list(_nodes_of_folder(path))
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder; check the path")
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be opened ({error}); check the path") from error
    try:
        archive = open_zip(file, _EXPORT_DIRECTORY_BYTES)
        # what one student may unpack is bounded where their submission is read
        entries, _ = list_members(archive, archive.infolist(), Budget(1 << 62))
    except RefusedError as refused:
        file.close()
        raise UsageError(
            f"{path}: {refused}; give a folder of submissions, or a zip archive of one"
        ) from refused
    return _nodes_of_entries(entries)


def _nodes_of_folder(folder: Path) -> Iterator[Node]:
    """Links are passed over: a folder of submissions is made of what was handed in."""
    try:
        with os.scandir(folder) as found:
            items = sorted((item for item, _ in zip(found, range(_MOST))), key=lambda i: i.name)  # noqa: B905
    except OSError as error:
        raise UsageError(f"{folder}: cannot be listed ({reason_of(error)})") from error
    for item in items:
        try:
            is_folder = item.is_dir(follow_symlinks=False)
            status = item.stat(follow_symlinks=False)
        except OSError:
            continue
        if ignored(item.name, folder=is_folder):
            continue
        place = Path(item.path)
        if is_folder:
            look = partial(_list_nodes, place)
            yield Node(item.name, None, look, partial(_walk, place))
            continue
        kind = kind_of_mode(status.st_mode)
        trouble = f"this is {kind}; hand in the file itself" if kind else None
        entry = Entry((item.name,), status.st_size, partial(read_file, place), trouble)
        yield Node(item.name, entry, _nothing, list)


def _list_nodes(folder: Path) -> list[Node]:
    return list(_nodes_of_folder(folder))


def _walk(folder: Path) -> list[Entry]:
    return walk_folder(folder)[0]


def _nodes_of_entries(entries: Iterable[Entry]) -> list[Node]:
    """The files of an archive, by their first folder."""
    files: list[Node] = []
    folders: dict[str, list[Entry]] = {}
    for entry in entries:
        if len(entry.path) == 1:
            files.append(Node(entry.path[0], entry, _nothing, list))
        else:
            inner = entry.moved(entry.path[1:], "/".join(entry.path[1:]))
            folders.setdefault(entry.path[0], []).append(inner)
    nodes = [
        Node(name, None, partial(_nodes_of_entries, inside), partial(list, inside))
        for name, inside in folders.items()
    ]
    return sorted([*files, *nodes], key=lambda node: node.name)


def _nothing() -> list[Node]:
    return []


def describe(nodes: list[Node]) -> str:
    """The first few names, for a message."""
    names = [shown(node.name, 40) for node in nodes[:3]]
    return ", ".join(names) + (", …" if len(nodes) > 3 else "")
