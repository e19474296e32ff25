"""What a piece of Python seems to define, found by looking at its lines, never by parsing it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = 2_000  # of a kind; more than any honest file has
_TOP = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+([^\W\d]\w*)", re.MULTILINE)
_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+([^\W\d]\w*)", re.MULTILINE)
_LATER = re.compile(r"^[^\W\d]\w*\.([^\W\d]\w*)[ \t]*=(?!=)", re.MULTILINE)  # Value.tanh = tanh
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Outline:
    """The names and telling lines of a file."""

    top: frozenset[str]  # classes and functions at the left margin
    methods: frozenset[str]
    lines: frozenset[str]  # stripped, without the short ones, which are everywhere

    def share_of(self, wanted: Outline) -> float:
        """From 0 to 1: how much of what `wanted` defines is defined here; top names first."""
        if not wanted.top and not wanted.methods:
            return 0.0
        top = _share(self.top, wanted.top)
        methods = _share(self.methods | self.top, wanted.methods)
        return 0.75 * top + 0.25 * methods


def outline(text: str) -> Outline:
    """Linear in the length of the text, and bounded."""
    methods = _found(_METHOD, text) | _found(_LATER, text)
    lines = frozenset(
        stripped for line in text.split("\n")[:20_000] if len(stripped := line.strip()) >= 12
    )
    return Outline(_found(_TOP, text), methods, lines)


def words(text: str) -> frozenset[str]:
    """Every identifier-like word, strings and comments included."""
    return frozenset(_WORD.findall(text))


def _found(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    names: set[str] = set()
    for found in pattern.finditer(text):
        names.add(found[1][:100])
        if len(names) >= _NAMES:
            break
    return frozenset(names)


def _share(have: frozenset[str], wanted: frozenset[str]) -> float:
    return len(have & wanted) / len(wanted) if wanted else 0.0
