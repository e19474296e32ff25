"""From a path to a `Submission`: the one entrance of this package."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.submission.answer import make_answer
from grader.submission.archive import Budget, list_zip
from grader.submission.claims import document_of
from grader.submission.content import Content, interpret
from grader.submission.entries import ARCHIVES, CODE, Entry, Listing
from grader.submission.files import NOTEBOOK_BYTES, ZIP_BYTES, read_file
from grader.submission.folder import list_folder
from grader.submission.match import Matched, Matcher
from grader.submission.model import RefusedError, Rejected, Source, Submission, make_submission
from grader.submission.names import extension_of, shown, stem_of
from grader.submission.sniff import is_zip
from grader.submission.stubs import Expected, expectations

if TYPE_CHECKING:
    from grader.course import Course

_NESTING = 2  # archives in archives
_NESTED = 5  # archives in one submission


def read_submission(path: Path, course: Course, only: Sequence[str] = ()) -> Submission:
    """Read a folder, a zip archive or one file, for the exercises in `only` (all).

    Raises UsageError for a path that is not there, an id that is not in the course, and a lone
    file that could answer several exercises. Whatever is wrong *with* a file is a `Rejected`.
    """
    asked = select(course, only)
    expected = expectations(course)
    try:
        is_folder = path.is_dir()
        if not is_folder and not path.is_symlink() and not path.exists():
            raise UsageError(f"{path}: there is no such file or folder; check the path")
        place = path.resolve()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: this path cannot be used ({error}); check it") from error
    student = shown(place.name if is_folder else stem_of(path.name), 200)
    try:
        if is_folder:
            listing = list_folder(place)
        else:
            listing = list_file(path, read_file(path, ZIP_BYTES), place.parent.name)
    except RefusedError as refused:
        reason = str(refused) if is_folder else f"{shown(path.name)}: {refused}"
        return reject_all(student, asked, reason)
    reader = _Reader(expected)
    submission = reader.read(listing, student, asked)
    if listing.single and len(reader.unclear) > 1:
        names = ", ".join(sorted(reader.unclear))
        raise UsageError(f"{path}: this could answer {names}; say which with -e ID")
    if listing.single and not submission.answers:
        names = ", ".join(sorted(asked))
        raise UsageError(f"{path}: cannot tell which of {names} this answers; say it with -e ID")
    return submission


def read_listing(
    listing: Listing, student: str, course: Course, only: Sequence[str] = ()
) -> Submission:
    """The same for files that are already listed; a lone file that could answer several
    exercises is `Rejected` for each of them."""
    return _Reader(expectations(course)).read(listing, student, select(course, only))


def select(course: Course, only: Sequence[str]) -> frozenset[str]:
    """The ids in `only`, or all of the course's. Raises UsageError for one that it has not."""
    known = [exercise.id for exercise in course.exercises]
    for wanted in only:
        if wanted not in known:
            near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
            remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise UsageError(f'exercise "{wanted}" is not in the course; {remedy}')
    return frozenset(only or known)


def list_file(path: Path, data: bytes, folder: str) -> Listing:
    """One file that stands alone, or the members of a zip archive. Raises RefusedError."""
    if is_zip(data):
        return list_zip(data, (stem_of(path.name),))
    entry = Entry((path.name,), len(data), lambda limit: data)
    return Listing((entry,), (), (folder,), single=True)


def reject_all(student: str, asked: frozenset[str], reason: str) -> Submission:
    """A submission of which nothing can be read."""
    return make_submission(student, {name: Rejected(reason) for name in sorted(asked)})


class _Reader:
    """Reads one submission; each file at most once."""

    def __init__(self, expected: tuple[Expected, ...], nesting: int = 0) -> None:
        self._expected = expected
        self._nesting = nesting
        self._budget = Budget()
        self._contents: dict[int, Content | RefusedError] = {}
        self._modules: frozenset[str] = frozenset()  # that a notebook may %run
        self._zips: dict[int, bytes] = {}  # files that turned out to be archives
        self.unclear: frozenset[str] = frozenset()  # exercises that a file could also answer

    def read(self, listing: Listing, student: str, asked: frozenset[str]) -> Submission:
        answers, notes = self.answers(listing, asked)
        return make_submission(student, answers, tuple(notes))

    def answers(
        self, listing: Listing, asked: frozenset[str]
    ) -> tuple[dict[str, Source | Rejected], list[str]]:
        notes = list(listing.notes)
        listing = self._unfolded(listing, notes)
        self._modules = frozenset(stem_of(e.name) for e in listing.entries if e.extension == ".py")
        matched = self._match(listing, asked)
        notes += matched.notes
        self.unclear = frozenset(matched.unclear)
        answers: dict[str, Source | Rejected] = {}
        for expected in self._expected:
            if expected.id not in asked:
                continue
            choice = matched.chosen.get(expected.id)
            if choice is not None:
                answers[expected.id] = self._answer(expected, choice.entry, listing, choice.notes)
            elif expected.id in matched.unclear:
                answers[expected.id] = Rejected(matched.unclear[expected.id])
            else:
                document = document_of(listing, expected)
                if document is not None:
                    answers[expected.id] = self._named(document)
        if not answers:
            document = document_of(listing, None) or _archive_of(listing)
            if listing.single and isinstance(self._content(listing.entries[0]), RefusedError):
                document = listing.entries[0]
            if document is not None:
                answers = {name: self._named(document) for name in sorted(asked)}
        return answers, notes

    def _match(self, listing: Listing, asked: frozenset[str]) -> Matched:
        if listing.single and len(asked) == 1:
            return Matcher.only_choice(listing.entries[0], next(iter(asked)))
        return Matcher(listing, self._expected, asked, self._content).match()

    def _unfolded(self, listing: Listing, notes: list[str]) -> Listing:
        """The listing with the members of the archives that lie in it."""
        if self._nesting >= _NESTING:
            return listing
        entries: list[Entry] = []
        unfolded = 0
        for entry in listing.entries:
            if entry.extension != ".zip":
                entries.append(entry)
                continue
            unfolded += 1
            if unfolded > _NESTED:
                notes.append(f"{entry.label} was left out: at most {_NESTED} archives in one")
                continue
            try:
                inner = list_zip(entry.data(ZIP_BYTES), (), self._budget)
            except RefusedError as refused:
                notes.append(f"{entry.label}: {refused}")
                entries.append(Entry(entry.path, entry.size, entry.read, str(refused)))
                continue
            notes += inner.notes
            above = (*entry.path[:-1], stem_of(entry.name), *inner.context)
            entries += [Entry((*above, *e.path), e.size, e.read, e.trouble) for e in inner.entries]
        return Listing(tuple(entries), (), listing.context, listing.single)

    def _content(self, entry: Entry) -> Content | RefusedError:
        """Of a file, read at most once."""
        known = self._contents.get(id(entry))
        if known is None:
            try:
                known = self._interpret(entry)
            except RefusedError as refused:
                known = refused
            self._contents[id(entry)] = known
        return known

    def _interpret(self, entry: Entry) -> Content:
        data = entry.data(ZIP_BYTES if self._nesting < _NESTING else NOTEBOOK_BYTES)
        if is_zip(data):
            self._zips[id(entry)] = data
            raise RefusedError("this is a zip archive")
        return interpret(data, entry.name, self._modules)

    def _answer(
        self, expected: Expected, entry: Entry, listing: Listing, notes: tuple[str, ...]
    ) -> Source | Rejected:
        content = self._content(entry)
        if isinstance(content, Content):
            return make_answer(expected, entry, content, listing, self._content, notes)
        data = self._zips.get(id(entry))
        if data is None or self._nesting >= _NESTING:
            return Rejected(f"{entry.label}: {content}")
        return self._answer_inside(expected, entry, data, notes)

    def _answer_inside(
        self, expected: Expected, entry: Entry, data: bytes, notes: tuple[str, ...]
    ) -> Source | Rejected:
        """A file that is an archive, whatever its name says."""
        inner = _Reader(self._expected, self._nesting + 1)
        inner._budget = self._budget
        try:
            listing = list_zip(data, (expected.id,), self._budget)
        except RefusedError as refused:
            return Rejected(f"{entry.label}: {refused}")
        answers, _ = inner.answers(listing, frozenset({expected.id}))
        answer = answers.get(expected.id)
        if answer is None:
            return Rejected(f"{entry.label}: the archive holds no answer to {expected.id}")
        if isinstance(answer, Rejected):
            return Rejected(f"{entry.label}: {answer.reason}")
        told = (*notes, f"{entry.label} is a zip archive", *answer.notes)
        return Source(answer.cells, answer.notebook, answer.siblings, told, answer.digest)

    def _named(self, entry: Entry) -> Rejected:
        """Why a file that is no code can't be an answer."""
        content = self._content(entry)
        if isinstance(content, RefusedError):
            return Rejected(f"{entry.label}: {content}")
        return Rejected(f"{entry.label} is not Python; hand in the .py or .ipynb")


def _archive_of(listing: Listing) -> Entry | None:
    for entry in listing.entries:
        if extension_of(entry.name) in ARCHIVES | {".zip"} and entry.extension not in CODE:
            return entry
    return None
