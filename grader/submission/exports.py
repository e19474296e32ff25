"""What lies at the top of an export into pieces with labels, whichever platform made it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from grader.errors import UsageError
from grader.submission.claims import without_id
from grader.submission.entries import ARCHIVES, DOCUMENTS, MAYBE_CODE, Entry
from grader.submission.gradescope import METADATA, Handed, read_metadata
from grader.submission.layouts import (
    LAYOUTS,
    Label,
    layout_of,
    parse_time,
    plain,
    shared_slug,
    tidy,
)
from grader.submission.model import RefusedError
from grader.submission.names import extension_of, stem_of
from grader.submission.stubs import Expected
from grader.submission.tree import Node

_METADATA_BYTES = 256 << 20  # of Gradescope's, which carries all results as well
_NOT_HANDED_IN = ("readme", "license", "roster", "grades")
_CODE = re.compile(r"\.(?:py|ipynb)[^A-Za-z0-9]*\w{0,12}$")  # value.py~, lab.ipynb.part
_GRADES_BYTES = 20 << 20  # of a GitHub Classroom's list of grades


@dataclass(frozen=True, slots=True)
class Piece:
    """One file or folder of an export, and what its name says."""

    node: Node
    label: Label
    also: tuple[str, ...] = ()


def pieces_of(
    nodes: list[Node], expected: tuple[Expected, ...], zone: tzinfo | None
) -> tuple[str, list[Piece]]:
    """The layout's name and its pieces. Raises UsageError for metadata that can't be read."""
    for node in nodes:
        if node.name == METADATA and node.file is not None:
            return "gradescope", _gradescope(nodes, node.file)
    ours = [node for node in nodes if node.is_folder or extension_of(node.name) != ".csv"]
    layout = layout_of([node.name for node in ours])
    if layout is not None:
        read = LAYOUTS[layout]
        labelled = [(node, read(node.name, zone)) for node in ours]
        pieces = [Piece(node, label) for node, label in labelled if label is not None]
        # what the platform did not name is somebody's all the same
        rest = [node for node, label in labelled if label is None]
        return layout, [*pieces, *_by_name(rest, expected)[1]]
    folders = [node for node in nodes if node.is_folder]
    times = _github_times(nodes, zone)
    slug = shared_slug([node.name for node in folders])
    if folders and (times or (slug and any(_is_repository(node) for node in folders[:3]))):
        return "github", _github(folders, slug, times)
    return _by_name(ours, expected)


def is_handed_in(node: Node) -> bool:
    """Whether a file could be what somebody handed in, also where it can't be graded."""
    if node.is_folder or stem_of(node.name).lower() in _NOT_HANDED_IN:
        return False
    extension = extension_of(node.name)
    return is_gradable(node) or extension in DOCUMENTS | ARCHIVES or bool(_CODE.search(node.name))


def is_gradable(node: Node) -> bool:
    """Whether a file could be somebody's submission, and not a note to the instructor."""
    if node.is_folder or extension_of(node.name) not in MAYBE_CODE | {".zip"}:
        return False
    return stem_of(node.name).lower() not in _NOT_HANDED_IN


def _by_name(nodes: list[Node], expected: tuple[Expected, ...]) -> tuple[str, list[Piece]]:
    """A folder for each student, or files that are called after the student."""
    folders = [Piece(node, plain(node.name)) for node in nodes if node.is_folder]
    known = {piece.label.student for piece in folders}
    files = []
    for node in nodes:
        if not is_handed_in(node):
            continue
        stem = stem_of(node.name)
        label = plain(without_id(stem, expected) or stem)
        if label.student in known:  # ada.zip beside ada/, into which it was unpacked
            continue
        files.append(Piece(node, replace(label, file=node.name)))
    return ("folders" if folders else "files"), [*folders, *files]


def _gradescope(nodes: list[Node], metadata: Entry) -> list[Piece]:
    handed = read_metadata(_lines(metadata, _METADATA_BYTES))
    pieces = []
    for node in nodes:
        about = handed.get(node.name) or handed.get(stem_of(node.name))
        if node.name == METADATA or (about is None and not node.name.startswith("submission_")):
            continue
        pieces += _gradescope_pieces(node, about or Handed())
    return pieces


def _gradescope_pieces(node: Node, about: Handed) -> list[Piece]:
    """One for each person of a group: all of them handed in the same."""
    file = "" if node.is_folder else node.name
    pieces = []
    for person in about.people:
        ids = [person[key] for key in ("sid", "email", "name") if person.get(key)]
        if ids:
            label = Label(ids[0], person.get("name", ""), file, submitted_at=about.created_at)
            pieces.append(Piece(node, label, tuple(ids[1:])))
    return pieces or [Piece(node, Label(stem_of(node.name), "", file))]


def _github(
    folders: list[Node], slug: str, times: dict[str, tuple[str, str, datetime | None]]
) -> list[Piece]:
    pieces = []
    for node in folders:
        user, identifier, moment = times.get(
            node.name.lower(), (node.name.removeprefix(slug), "", None)
        )
        label = Label(user, identifier, "", submitted_at=moment)
        pieces.append(Piece(node, label, (identifier,) if identifier else ()))
    return pieces


def _github_times(
    nodes: list[Node], zone: tzinfo | None
) -> dict[str, tuple[str, str, datetime | None]]:
    """From the Classroom's own list of grades, if it lies there: by repository, the user, their
    name in the Classroom's roster and the time of the last commit."""
    found: dict[str, tuple[str, str, datetime | None]] = {}
    for node in nodes:
        if node.file is None or extension_of(node.name) != ".csv":
            continue
        try:
            for row in csv.DictReader(_lines(node.file, _GRADES_BYTES)):
                repository = (row.get("student_repository_name") or "").rpartition("/")[2]
                user = tidy(row.get("github_username") or "")
                if repository and user:
                    moment = parse_time(row.get("submission_timestamp") or "", zone)
                    identifier = tidy(row.get("roster_identifier") or "")
                    found[repository.lower()] = (user, identifier, moment)
        except csv.Error:
            continue
    return found


def _is_repository(node: Node) -> bool:
    """Whether a cloned folder has something that only a repository of an exercise has."""
    names = {inner.name.lower() for inner in node.look()}
    return bool(names & {"readme.md", "exercises", "pyproject.toml", "course.toml"})


def _lines(entry: Entry, limit: int) -> Iterable[str]:
    try:
        return io.StringIO(entry.data(limit).decode("utf-8-sig", "replace"))
    except RefusedError as refused:
        raise UsageError(f"{entry.label}: {refused}") from refused
