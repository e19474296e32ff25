"""Reads the files of one submission and makes its answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.submission.answer import make_answer
from grader.submission.archive import Budget, list_zip
from grader.submission.claims import document_of
from grader.submission.content import Content, interpret
from grader.submission.entries import ARCHIVES, CODE, DOCUMENTS, Entry, Listing
from grader.submission.files import NOTEBOOK_BYTES, UNPACKED_BYTES, ZIP_BYTES, megabytes
from grader.submission.match import Matched, Matcher
from grader.submission.model import RefusedError, Rejected, Source, Submission, make_submission
from grader.submission.names import listed, stem_of
from grader.submission.sniff import is_zip
from grader.submission.stubs import Expected

_NESTING = 2  # archives in archives
_TOO_DEEP = "this is an archive in archives; hand in the file itself"
_NESTED = 5  # archives in one submission
_NOTES = ("readme", "license", "notes", "changelog")
_ODD = 50  # files with extensions that tell nothing, of those that are looked into
_KEPT = 16 << 20  # characters of code: what is kept in memory of one submission


@dataclass(slots=True)
class Room:
    """What of one submission may still be read and kept, archives inside it included."""

    read: int = 2 * UNPACKED_BYTES  # bytes
    kept: int = _KEPT  # characters


class Reader:
    """Reads one submission; each file at most once."""

    def __init__(
        self,
        expected: tuple[Expected, ...],
        nesting: int = 0,
        budget: Budget | None = None,
        room: Room | None = None,
    ) -> None:
        self._expected = expected
        self._nesting = nesting
        self._budget = budget or Budget()
        self._room = room or Room()
        self._contents: dict[int, Content | RefusedError] = {}
        self._modules: frozenset[str] = frozenset()  # that a notebook may %run
        self._zips: dict[int, bytes] = {}  # files that turned out to be archives
        self.ambiguous: frozenset[str] = frozenset()  # exercises that one file could answer

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
        self._look_into_odd_files(listing, asked, matched)
        self.ambiguous = frozenset(matched.ambiguous)
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
            document = document_of(listing, None) or _archive_of(listing) or self._only(listing)
            if listing.single and isinstance(self._content(listing.entries[0]), RefusedError):
                document = listing.entries[0]
            if document is not None:
                answers = {name: self._named(document) for name in sorted(asked)}
        unused = [entry.label for entry in matched.unused if not _imported(entry, answers)]
        if unused and not listing.single:
            notes.append(f"not an answer to anything: {listed(unused)}")
        return answers, notes

    def _match(self, listing: Listing, asked: frozenset[str]) -> Matched:
        if listing.single and len(asked) == 1:
            return Matcher.only_choice(listing.entries[0], next(iter(asked)))
        return Matcher(listing, self._expected, asked, self._content).match()

    def _look_into_odd_files(
        self, listing: Listing, asked: frozenset[str], matched: Matched
    ) -> None:
        """Where an answer is missing still: `value.py~`, `lab.ipynb.part`, `value.py.`"""
        left = asked - matched.chosen.keys() - matched.unclear.keys()
        odd = [entry for entry in listing.entries if entry.is_odd][:_ODD]
        if not left or not odd:
            return
        some = Listing(tuple(odd), (), listing.context, listing.single)
        found = Matcher(some, self._expected, left, self._content, odd=True).match()
        matched.chosen.update(found.chosen)
        matched.unclear.update(found.unclear)
        matched.ambiguous |= found.ambiguous

    def _unfolded(self, listing: Listing, notes: list[str]) -> Listing:
        """The listing with the members of the archives that lie in it, and in those."""
        waiting = [(entry, self._nesting) for entry in reversed(listing.entries)]
        entries: list[Entry] = []
        unfolded = 0
        while waiting:
            entry, depth = waiting.pop()
            if entry.extension != ".zip":
                entries.append(entry)
                continue
            unfolded += 1
            try:
                if depth >= _NESTING:
                    raise RefusedError(_TOO_DEEP)
                if unfolded > _NESTED:
                    raise RefusedError(f"left out: at most {_NESTED} archives in one submission")
                inner = list_zip(self._data(entry, ZIP_BYTES), (), self._budget)
            except RefusedError as refused:
                notes.append(f"{entry.label}: {refused}")
                entries.append(replace(entry, trouble=str(refused)))
                continue
            notes += inner.notes
            above = (*entry.path[:-1], stem_of(entry.name), *inner.context)
            waiting += [
                (e.moved((*above, *e.path), f"{entry.label}/{e.label}"), depth + 1)
                for e in reversed(inner.entries)
            ]
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
        data = self._data(entry, ZIP_BYTES if self._nesting < _NESTING else NOTEBOOK_BYTES)
        if is_zip(data):
            self._zips[id(entry)] = data
            raise RefusedError("this is a zip archive; give it a name that ends in .zip")
        content = interpret(data, entry.name, self._modules)
        self._room.kept -= len(content.text)
        if self._room.kept < 0:
            raise RefusedError(f"there is more than {megabytes(_KEPT)} of code in the submission")
        return content

    def _data(self, entry: Entry, limit: int) -> bytes:
        data = entry.data(limit)
        self._room.read -= len(data)
        if self._room.read < 0:
            raise RefusedError("there is too much in the submission; hand in only your own files")
        return data

    def _answer(
        self, expected: Expected, entry: Entry, listing: Listing, notes: tuple[str, ...]
    ) -> Source | Rejected:
        content = self._content(entry)
        if isinstance(content, Content):
            try:
                return make_answer(expected, entry, content, listing, self._content, notes)
            except RefusedError as refused:
                return Rejected(f"{entry.label}: {refused}")
        data = self._zips.get(id(entry))
        if data is None or self._nesting >= _NESTING:
            return Rejected(f"{entry.label}: {content}")
        return self._answer_inside(expected, entry, data, notes)

    def _answer_inside(
        self, expected: Expected, entry: Entry, data: bytes, notes: tuple[str, ...]
    ) -> Source | Rejected:
        """A file that is an archive, whatever its name says."""
        inner = Reader(self._expected, self._nesting + 1, self._budget, self._room)
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

    def _only(self, listing: Listing) -> Entry | None:
        """The only file in a folder, where it is no code, nor empty, nor somebody's notes."""
        if listing.single or len(listing.entries) != 1:
            return None
        entry = listing.entries[0]
        if entry.extension in CODE:
            return None
        content = self._content(entry)
        empty = isinstance(content, RefusedError) and content.empty
        return None if empty or stem_of(entry.name).lower() in _NOTES else entry

    def _named(self, entry: Entry) -> Rejected:
        """Why a file that is no code can't be an answer."""
        content = self._content(entry)
        if isinstance(content, RefusedError):
            reason = str(content)
            data = self._zips.get(id(entry))
            if data is not None and entry.extension in DOCUMENTS:  # as Word's are
                reason = "this is a document; hand in the .py or .ipynb itself"
            return Rejected(f"{entry.label}: {reason}")
        return Rejected(f"{entry.label} is not Python; hand in the .py or .ipynb")


def _imported(entry: Entry, answers: dict[str, Source | Rejected]) -> bool:
    return any(
        entry.name == name
        for answer in answers.values()
        if isinstance(answer, Source)
        for name, _ in answer.siblings
    )


def _archive_of(listing: Listing) -> Entry | None:
    for entry in listing.entries:
        if entry.extension in ARCHIVES or entry.extension == ".zip":
            return entry
    return None
