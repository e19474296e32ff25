"""Which known mistake makes exactly these numbers.

With fixed seeds, what a wrong engine answers to a check is a constant of the course. So the
mistakes of an exercise are graded once, like submissions, and the signatures of what their
failing checks observed are kept. A submission whose failing checks observe the same has made that
mistake. No rule is written by hand: a new misconception is a new file in `mistakes/`.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.cache import Cache
from grader.course import Course, Exercise, digest_files
from grader.handed_out import KnownMistake
from grader.result import CheckResult, Mistake, Outcome

FORMAT = 1
MOST_NAMES = 2


def diagnose(known: Sequence[KnownMistake], checks: Sequence[CheckResult]) -> tuple[Mistake, ...]:
    """At most two mistakes that explain the failing checks, the most certain first.

    One that explains all of them, and fails no other, is the mistake. Otherwise several may have
    been made at once: each candidate must fail only where the submission fails, and explain at
    least one check to the last number."""
    failing = {
        item.check.id: item.signature
        for item in checks
        if item.outcome is not Outcome.PASSED and item.signature
    }
    if not failing or any(item.outcome is Outcome.GRADER_ERROR for item in checks):
        return ()
    graded = {item.check.id for item in checks}
    candidates = []
    for mistake in known:
        expected = {key: value for key, value in mistake.signatures.items() if key in graded}
        explained = {key for key, value in expected.items() if failing.get(key) == value}
        if explained and expected.keys() <= failing.keys():
            candidates.append((mistake, explained))
    exact = [mistake for mistake, explained in candidates if explained == failing.keys()]
    if exact:  # two that cannot be told apart are not told apart by luck
        return (_named(exact[0]),) if len(exact) == 1 else ()
    chosen, explained = _cover(candidates)
    # a name that leaves most of what fails unexplained is a guess, and a wrong name costs an hour
    return tuple(map(_named, chosen)) if 2 * len(explained) >= len(failing) else ()


def _cover(
    candidates: list[tuple[KnownMistake, set[str]]],
) -> tuple[list[KnownMistake], set[str]]:
    """The candidates that explain most, each something that those before it do not; and the
    checks that they explain."""
    chosen: list[KnownMistake] = []
    covered: set[str] = set()
    left = candidates
    while left and len(chosen) < MOST_NAMES:
        most = max(len(explained) for _, explained in left)
        best = [item for item in left if len(item[1]) == most]
        if len({frozenset(explained) for _, explained in best}) < len(best):
            break  # two explain the very same checks alike: either name could be wrong
        mistake, explained = best[0]
        chosen.append(mistake)
        covered |= explained
        left = [(item, rest - explained) for item, rest in left if item is not mistake]
        left = [(item, rest) for item, rest in left if rest]
    return chosen, covered


def _named(mistake: KnownMistake) -> Mistake:
    return Mistake(mistake.id, mistake.hint)


# ---- where they are kept -----------------------------------------------------------------------


def mistake_key(course: Course, exercise: Exercise, recording_key: str) -> str:
    """The digest of everything that the signatures depend on."""
    return f"{FORMAT}-{recording_key}-{digest_files(course.root, mistake_files(course, exercise))}"


def mistake_files(course: Course, exercise: Exercise) -> list[Path]:
    return sorted((course.suite(exercise) / "mistakes").glob("*.py"))


def load(cache: Cache, key: str) -> tuple[KnownMistake, ...] | None:
    kept = cache.load(f"mistakes-{key}")
    if kept is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            return msgspec.json.decode(kept, type=tuple[KnownMistake, ...])
    return None


def save(cache: Cache, key: str, known: Sequence[KnownMistake]) -> None:
    cache.save(f"mistakes-{key}", msgspec.json.encode(known))


def hint_of(source: bytes) -> str:
    """A mistake's hint: the docstring of its file."""
    try:
        return ast.get_docstring(ast.parse(source)) or ""
    except (SyntaxError, ValueError):
        return ""
