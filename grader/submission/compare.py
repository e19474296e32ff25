"""How like an answer a file is; nothing here decides."""

from __future__ import annotations

from collections.abc import Callable

from grader.submission.claims import PLAIN, is_aside, is_copy
from grader.submission.content import Content
from grader.submission.entries import CODE, Entry
from grader.submission.model import RefusedError
from grader.submission.names import simplified, stem_of
from grader.submission.stubs import Expected, squeezed

FITS = 0.5  # share of a stub's definitions that a file must have to answer it
OWN = 0.3  # share of the lines that only one stub has, above which a file was made from it

ReadEntry = Callable[[Entry], "Content | RefusedError"]
Key = tuple[object, ...]  # the smaller, the better


class Comparison:
    """Compares the files of one submission with what exercises expect."""

    def __init__(self, read: ReadEntry) -> None:
        self.read = read

    def likeness(self, entry: Entry, expected: Expected) -> float:
        """From 0 to 1: how much of what the stub defines is there."""
        content = self.read(entry)
        return content.outline.share_of(expected.outline) if isinstance(content, Content) else 0.0

    def own_share(self, entry: Entry, expected: Expected) -> float:
        """From 0 to 1: how many of the lines that no other stub has are there."""
        content = self.read(entry)
        return expected.own_share(content.outline) if isinstance(content, Content) else 0.0

    def is_called(self, entry: Entry, expected: Expected) -> bool:
        """Whether it has the exercise's file name, but for case and extension."""
        return simplified(stem_of(entry.name)) == expected.stem

    def is_untouched(self, entry: Entry, expected: Expected) -> bool:
        """Whether a file is the stub as it was given out, or empty."""
        content = self.read(entry)
        if isinstance(content, Content):
            return squeezed(content.text) == expected.text
        return content.empty

    def fits(self, entry: Entry, expected: Expected) -> bool:
        """Whether it could be the answer, wherever it lies."""
        if self.is_called(entry, expected) and entry.extension in CODE:
            return True
        return self.likeness(entry, expected) >= FITS or self.own_share(entry, expected) >= OWN

    def text(self, entry: Entry) -> str:
        """Equal for files that are the same answer."""
        content = self.read(entry)
        return content.text if isinstance(content, Content) else f"refused: {content}"

    def shared(self, entry: Entry, expected: Expected) -> list[str]:
        """The top-level names that both define."""
        content = self.read(entry)
        if not isinstance(content, Content):
            return []
        return sorted(content.outline.top & expected.outline.top)

    def key_by_place(self, entry: Entry, expected: Expected, rank: int) -> Key:
        """For files whose place or name says that they answer the exercise."""
        return (
            is_aside(entry),
            self.is_untouched(entry, expected),
            rank,
            len(entry.path) if rank < PLAIN else 0,
            not isinstance(self.read(entry), Content),
            -round(self.likeness(entry, expected), 1),
            *self._key_by_form(entry),
        )

    def key_by_content(self, entry: Entry, expected: Expected) -> Key:
        """For files of which only the content tells."""
        return (
            is_aside(entry),
            self.is_untouched(entry, expected),
            not isinstance(self.read(entry), Content),
            -round(self.likeness(entry, expected), 1),
            -round(self.own_share(entry, expected), 1),
            not self.is_called(entry, expected),
            *self._key_by_form(entry),
        )

    def _key_by_form(self, entry: Entry) -> Key:
        return (entry.extension != ".py", entry.extension not in CODE, is_copy(entry))
