"""Many submissions as a learning platform exports them: who handed in what, and which counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.submission.claims import without_id
from grader.submission.entries import Entry, Listing, make_listing
from grader.submission.exports import Piece, is_gradable, pieces_of
from grader.submission.files import ZIP_BYTES
from grader.submission.gradescope import METADATA
from grader.submission.layouts import LAYOUTS, blackboard_receipt, tidy
from grader.submission.model import RefusedError, Submission
from grader.submission.names import listed, shown, stem_of
from grader.submission.read import list_file, read_listing, reject_all, select
from grader.submission.stubs import Expected, expectations
from grader.submission.tree import Node, describe, top_of
from grader.submission.typed import NOTE, list_typed

if TYPE_CHECKING:
    from grader.course import Course

_WRAPPED = 4  # folders that hold nothing but one folder


@dataclass(frozen=True)
class Found:
    """One student's submission, found but not read yet."""

    student: str  # unique in a batch: the platform's id, else the folder's or file's name
    name: str  # as the platform writes it; "" where it does not
    layout: str  # "canvas", "moodle", … , "folders" or "files"
    attempt: int = 1  # the one that counts, which is the latest
    attempts: int = 1  # how many there are in the export
    submitted_at: datetime | None = None  # with a time zone
    late: bool | None = None  # the platform's own mark; None where it makes none
    also: tuple[str, ...] = ()  # other ids of the same student: an e-mail address, a login
    notes: tuple[str, ...] = ()
    _list: Callable[[], Listing] = field(repr=False, compare=False, kw_only=True)
    _course: Course = field(repr=False, compare=False, kw_only=True)
    _only: tuple[str, ...] = field(default=(), repr=False)
    _expected: tuple[Expected, ...] = field(default=(), repr=False)

    def read(self) -> Submission:
        """Read it now. Raises nothing: what can't be read is `Rejected`."""
        try:
            submission = read_listing(
                self._list(), self.student, self._course, self._only, self._expected
            )
        except RefusedError as refused:
            asked = select(self._course, self._only)
            submission = reject_all(self.student, asked, str(refused))
        return replace(submission, notes=(*self.notes, *submission.notes))

    def called(self, student: str, name: str) -> Found:
        """The same submission under the id and name of a roster."""
        return replace(self, student=student, name=name, also=(*self.also, self.student))


def find_submissions(
    path: Path, course: Course, only: Sequence[str] = (), zone: tzinfo | None = None
) -> tuple[Found, ...]:
    """Every student's latest submission in a folder or zip archive, sorted by student.

    `zone` is that of times which an export writes without one; such times are unknown without it.
    Raises UsageError where nothing is found, or where `path` is itself one submission."""
    select(course, only)
    expected = expectations(course)  # once for all: asking costs a look at every stub
    nodes, context = _unwrapped(path, top_of(path), expected)
    layout, pieces = pieces_of(nodes, expected, zone)
    if not pieces:
        raise UsageError(
            f"{path}: there are no submissions in it ({describe(nodes) or 'it is empty'}); give "
            "the folder or zip archive that your learning platform exported"
        )
    by_student: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_student.setdefault(_student_of(piece), []).append(piece)
    return tuple(
        replace(
            _found(layout, by_student[student], context, course, tuple(only)), _expected=expected
        )
        for student in sorted(by_student)
    )


def _unwrapped(
    path: Path, nodes: list[Node], expected: tuple[Expected, ...]
) -> tuple[list[Node], tuple[str, ...]]:
    """Step into folders that hold nothing but one folder. Raises UsageError for one submission."""
    context: tuple[str, ...] = (stem_of(path.name),)
    for _ in range(_WRAPPED):
        if _is_one_submission(nodes, expected):
            raise UsageError(
                f"{path}: this looks like one submission ({describe(nodes)}); grade it with "
                f"python -m grader {path}"
            )
        if len(nodes) != 1 or not nodes[0].is_folder or _is_labelled(nodes[0]):
            break
        inner = nodes[0].look()
        if not _are_students(inner, expected):
            break  # the folder of the only student
        context = (*context, nodes[0].name)
        nodes = inner
    return nodes, context


def _is_one_submission(nodes: list[Node], expected: tuple[Expected, ...]) -> bool:
    """Whether names at the top are exercises' folders, or all files are exercises' files."""
    ids = {one.id for one in expected}
    if any(node.is_folder and (node.name == "exercises" or node.name in ids) for node in nodes):
        return True
    files = [node for node in nodes if is_gradable(node)]
    only_files = not any(node.is_folder for node in nodes)
    return only_files and bool(files) and all(_is_answer(node, expected) for node in files)


def _is_answer(node: Node, expected: tuple[Expected, ...]) -> bool:
    """Whether a file is called after an exercise, and after nobody."""
    return any(node.name == one.file for one in expected) or not without_id(
        stem_of(node.name), expected
    )


def _are_students(nodes: list[Node], expected: tuple[Expected, ...]) -> bool:
    """Whether what lies in a folder is many students' work, not one student's."""
    if any(node.name == METADATA or _is_labelled(node) for node in nodes):
        return True
    if _is_one_submission(nodes, expected):
        return False
    files = [node for node in nodes if is_gradable(node)]
    if any(_is_answer(node, expected) for node in files):
        return False
    return len(files) + sum(node.is_folder for node in nodes) > 1


def _is_labelled(node: Node) -> bool:
    return any(read(node.name, None) is not None for read in LAYOUTS.values())


# ---- from pieces to what counts -----------------------------------------------------------------


def _found(
    layout: str,
    pieces: list[Piece],
    context: tuple[str, ...],
    course: Course,
    only: tuple[str, ...],
) -> Found:
    files = [piece for piece in pieces if not piece.label.is_text]
    receipts = [piece for piece in pieces if piece.label.is_text]
    pieces = files or pieces  # a typed text counts only where there is no file
    numbers = sorted({piece.label.attempt for piece in pieces})
    if layout == "canvas":  # an export holds one attempt; only names that come twice were renamed
        latest = _newest_of_each_name(pieces)
        attempt, attempts = numbers[-1], numbers[-1]
    elif layout in ("gradescope", "github"):
        order = sorted(pieces, key=lambda p: (p.label.submitted_at is not None, _moment(p)))
        latest, attempt, attempts = order[-1:], len(pieces), len(pieces)
    else:
        latest = [piece for piece in pieces if piece.label.attempt == numbers[-1]]
        numbered = layout in ("folders", "files")
        attempt, attempts = (numbers[-1] if numbered else len(numbers)), len(numbers)
    if layout == "blackboard":
        latest = [_with_receipt(piece, receipts) for piece in latest]
    first = latest[0]
    assignment = (first.label.assignment,) if first.label.assignment else ()
    notes = [NOTE] if first.label.is_text else []
    if attempts > 1 and layout != "canvas":
        notes.append(f"attempt {attempt} counts, the latest of {attempts} in the export")
    return Found(
        student=_student_of(first),
        name=tidy(first.label.name),
        layout=layout,
        attempt=attempt,
        attempts=attempts,
        submitted_at=max((m for p in latest if (m := p.label.submitted_at)), default=None),
        late=first.label.late,
        also=first.also,
        notes=tuple(notes),
        _list=partial(_list_pieces, latest, (*context, *assignment)),
        _course=course,
        _only=only,
    )


def _student_of(piece: Piece) -> str:
    """Printable, and long enough never to be the same for two students."""
    text = " ".join(piece.label.student.split()) or piece.node.name
    return shown(text, 300)


def _with_receipt(piece: Piece, receipts: list[Piece]) -> Piece:
    """Blackboard says a student's name, and a time with its zone, only inside a text file."""
    for receipt in receipts:
        if receipt.label.attempt == piece.label.attempt and receipt.node.file is not None:
            try:
                text = receipt.node.file.data(1 << 20).decode("utf-8", "replace")
            except RefusedError:
                continue
            name, moment = blackboard_receipt(text)
            moment = moment or piece.label.submitted_at
            return replace(piece, label=replace(piece.label, name=name, submitted_at=moment))
    return piece


def _moment(piece: Piece) -> float:
    return piece.label.submitted_at.timestamp() if piece.label.submitted_at else 0.0


def _newest_of_each_name(pieces: list[Piece]) -> list[Piece]:
    newest: dict[str, Piece] = {}
    for piece in sorted(pieces, key=lambda piece: piece.label.attempt):
        newest[piece.label.file] = piece
    return list(newest.values())


def _list_pieces(pieces: list[Piece], context: tuple[str, ...]) -> Listing:
    """The files of one student. Raises RefusedError."""
    if all(piece.label.is_text for piece in pieces):
        nodes = [piece.node for piece in pieces]
        pages = [entry for node in nodes for entry in ([node.file] if node.file else node.walk())]
        return list_typed(pages, context)
    if len(pieces) == 1 and pieces[0].node.file is not None:
        name = pieces[0].label.file or pieces[0].node.name
        return list_file(name, pieces[0].node.file.data(ZIP_BYTES), context)
    entries: list[Entry] = []
    for piece in pieces:
        if piece.node.file is None:
            context = (*context, piece.node.name) if len(pieces) == 1 else context
            entries += piece.node.walk()
        else:
            name = piece.label.file or piece.node.name
            entries.append(piece.node.file.moved((name,), name))
    if not entries:
        raise RefusedError(f"nothing was handed in ({listed(_names(pieces))} holds no answer)")
    return make_listing(entries, (), context)


def _names(pieces: list[Piece]) -> list[str]:
    return [tidy(piece.node.name) for piece in pieces]
