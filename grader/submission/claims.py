"""How plainly the place and the name of a file say which exercise it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from grader.submission.entries import DOCUMENTS, Entry, Listing
from grader.submission.names import simplified, stem_of
from grader.submission.stubs import Expected

DEEP = 3  # folders above a file that may carry a short name such as "ex04"
PLAIN = 2  # ranks below this are exactly the layout of `exercises/`
_ASIDE = frozenset(
    {
        *("solutions", "solution", "tests", "test", "original", "orig", "trash"),
        *("backup", "backups", "old", "archive", "previous"),
    }
)
_TEST = re.compile(r"test_.*|.*_test|tests?|conftest|setup|noxfile", re.IGNORECASE)
_COPY = re.compile(r"(?:^|_)(?:copy|kopie|copie|old|backup|bak|orig|draft|\d+)(?:_|$)")
_AGAIN = re.compile(r"(?<=.)[ _]?\(\d{1,3}\)$")  # a browser's second download: "value (1)"


def rank_of(path: tuple[str, ...], expected: Expected) -> int | None:
    """How plainly a path says which exercise it answers; None: not at all."""
    name, folders = path[-1], path[:-1]
    if folders and folders[-1] == expected.id and name == expected.file:
        return 0
    if expected.id in folders and name.lower() == expected.file.lower():
        return 1
    stem = _stem(name)
    simple = simplified(expected.id)
    if _carries(stem, simple):
        return 2
    simple_folders = [simplified(folder) for folder in folders]
    if any(_carries(folder, simple) for folder in simple_folders):
        return 3 if stem == expected.stem else 4
    if expected.short is not None:
        if expected.short.fullmatch(stem[:200]):
            return 5
        if any(expected.short.fullmatch(folder[:200]) for folder in simple_folders[-DEEP:]):
            return 6
    return None


@lru_cache(maxsize=1024)  # each name is compared with every exercise
def _stem(name: str) -> str:
    return simplified(_AGAIN.sub("", stem_of(name)))


def _carries(name: str, simple_id: str) -> bool:
    return f"_{simple_id}_" in f"_{name}_"


def is_test(entry: Entry) -> bool:
    """The handout's own suites, and tests that a student wrote."""
    return "suites" in entry.path[:-1] or bool(_TEST.fullmatch(stem_of(entry.name)))


def is_aside(entry: Entry) -> bool:
    return any(simplified(part) in _ASIDE for part in entry.path[:-1])


def is_copy(entry: Entry) -> bool:
    return bool(_COPY.search(simplified(stem_of(entry.name)))) or entry.name.endswith(("~", ".bak"))


def document_of(listing: Listing, exercise: Expected | None) -> Entry | None:
    """A PDF, picture or the like that lies where the answer to an exercise should be (None:
    anywhere); to be named when there is nothing better."""
    for entry in listing.entries:
        if entry.extension in DOCUMENTS or (exercise is not None and entry.is_odd):
            path = (*listing.context, *entry.path)
            if exercise is None or rank_of(path, exercise) is not None:
                return entry
    return None


def without_id(stem: str, expected: Sequence[Expected]) -> str:
    """What is left of a name such as "ada_04_backward" when the exercise is taken off: "ada"."""
    for one in expected:
        apart = re.split(r"[^A-Za-z0-9]+", one.id)
        pattern = r"[^A-Za-z0-9]+".join(re.escape(part) for part in apart if part)
        found = re.search(rf"(?:^|[^A-Za-z0-9]+){pattern}(?:[^A-Za-z0-9]+|$)", stem, re.IGNORECASE)
        if found:
            before, after = stem[: found.start()], stem[found.end() :]
            return f"{before}_{after}" if before and after else before + after
    return stem
