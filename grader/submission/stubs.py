"""What the course expects of each exercise's file: read once from its stubs, which are trusted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.submission.names import simplified, stem_of
from grader.submission.outline import Outline, outline

if TYPE_CHECKING:
    from grader.course import Course


@dataclass(frozen=True, slots=True)
class Expected:
    """How an answer to one exercise is recognised."""

    id: str
    file: str
    text: str  # of the stub, without blanks
    outline: Outline
    own_lines: frozenset[str]  # lines that no other stub of the course has
    short: re.Pattern[str] | None  # "ex04", "lab_4", "backward": what also names it

    @property
    def stem(self) -> str:
        return simplified(stem_of(self.file))

    def own_share(self, other: Outline) -> float:
        """From 0 to 1: how many of the lines that only this stub has."""
        return len(self.own_lines & other.lines) / len(self.own_lines) if self.own_lines else 0.0


def expectations(course: Course) -> tuple[Expected, ...]:
    """In course order; remembered as long as no stub changes."""
    keys = []
    for exercise in course.exercises:
        path = course.root / "exercises" / exercise.id / exercise.file
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            changed = 0
        keys.append((exercise.id, exercise.file, str(path), changed))
    return _expectations(tuple(keys))


@lru_cache(maxsize=16)
def _expectations(keys: tuple[tuple[str, str, str, int], ...]) -> tuple[Expected, ...]:
    texts = [_text(Path(path)) for _, _, path, _ in keys]
    outlines = [outline(text) for text in texts]
    times = Counter(line for found in outlines for line in found.lines)
    numbers = Counter(number for key in keys if (number := _number(key[0])) is not None)
    words = Counter(_word(key[0]) for key in keys)
    return tuple(
        Expected(
            id=name,
            file=file,
            text=squeezed(text),
            outline=found,
            own_lines=frozenset(line for line in found.lines if times[line] == 1),
            short=_short(name, numbers, words),
        )
        for (name, file, _, _), text, found in zip(keys, texts, outlines, strict=True)
    )


def squeezed(text: str) -> str:
    """Without blanks: an editor that strips or reindents has not changed a stub."""
    return "".join(text.split())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # `verify` says that it is missing
        return ""


def _number(name: str) -> int | None:
    found = re.match(r"0*(\d+)(?:_|$)", simplified(name))
    return int(found[1]) if found else None


def _word(name: str) -> str:
    return re.sub(r"^\d+_", "", simplified(name))


def _short(name: str, numbers: Counter[int], words: Counter[str]) -> re.Pattern[str] | None:
    """Looser names, only those that no other exercise shares. Bare numbers count only when they
    are the whole name: "value_2.py" is a second try, not exercise 2."""
    options = []
    number = _number(name)
    if number is not None and numbers[number] == 1:
        kinds = "ex|exc|exercise|exercises|lab|hw|homework|task|problem|assignment|week|part|step"
        options += [rf"(?:.*_)?(?:{kinds})_?0*{number}(?:_.*)?", rf"0*{number}"]
    word = _word(name)
    if words[word] == 1 and len(word) >= 4:
        options.append(rf"(?:\d+_)?{re.escape(word)}")
    return re.compile("|".join(options)) if options else None
