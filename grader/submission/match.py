"""Which file answers which exercise: by its place, by its name, else by what it defines.

A guess is always said in a note; where two files, or two exercises, fit equally well, nothing is
guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grader.submission.claims import PLAIN, is_aside, is_copy, is_test, rank_of
from grader.submission.content import Content
from grader.submission.entries import CODE, MAYBE_CODE, Entry, Listing
from grader.submission.model import RefusedError
from grader.submission.names import simplified, stem_of
from grader.submission.stubs import Expected, squeezed

FITS = 0.5  # share of a stub's definitions that a file must have to answer it
OWN = 0.3  # share of the lines that only one stub has, above which a file was made from it

ReadEntry = Callable[[Entry], "Content | RefusedError"]


@dataclass(frozen=True, slots=True)
class Choice:
    """The file that answers an exercise."""

    entry: Entry
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Matched:
    """The outcome: a file, or the reason why none could be chosen, by exercise id."""

    chosen: dict[str, Choice] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Candidate:
    entry: Entry
    rank: int  # how plainly its place and name say which exercise it answers: 0 is best


class Matcher:
    """Matches the files of one submission."""

    def __init__(
        self,
        listing: Listing,
        expected: Sequence[Expected],
        asked: frozenset[str],
        read: ReadEntry,
    ) -> None:
        self._listing = listing
        self._expected = expected
        self._asked = asked
        self._read = read
        self._result = Matched()

    @staticmethod
    def only_choice(entry: Entry, exercise: str) -> Matched:
        """One file, one exercise: there is nothing to guess."""
        return Matched({exercise: Choice(entry)})

    def match(self) -> Matched:
        claims: dict[str, list[_Candidate]] = {}
        loose: list[Entry] = []
        for entry in self._listing.entries:
            if entry.extension not in MAYBE_CODE or is_test(entry):
                continue
            claimed = self._claims(entry)
            for expected, rank in claimed:
                claims.setdefault(expected.id, []).append(_Candidate(entry, rank))
            if not claimed:
                loose.append(entry)
        untouched: set[str] = set()
        for expected in self._wanted():
            candidates = [c for c in claims.get(expected.id, ()) if self._plausible(c, expected)]
            if candidates:
                self._choose(expected, candidates)
                chosen = self._result.chosen.get(expected.id)
                if chosen and self._is_untouched(chosen.entry, expected):
                    untouched.add(expected.id)
        self._place_loose(loose, untouched)
        return self._result

    def _wanted(self) -> list[Expected]:
        return [expected for expected in self._expected if expected.id in self._asked]

    # ---- by place and name ---------------------------------------------------------------------

    def _claims(self, entry: Entry) -> list[tuple[Expected, int]]:
        """The exercises that an entry's path names, only those that it names most plainly."""
        ranks = []
        for expected in self._expected:
            rank = rank_of((*self._listing.context, *entry.path), expected)
            if rank is not None:
                ranks.append((expected, rank))
        best = min((rank for _, rank in ranks), default=0)
        return [(expected, rank) for expected, rank in ranks if rank == best]

    def _plausible(self, candidate: _Candidate, expected: Expected) -> bool:
        """A text or JSON file in the exercise's folder counts only if it is code inside."""
        entry = candidate.entry
        if entry.extension in CODE or simplified(stem_of(entry.name)) == expected.stem:
            return True
        content = self._read(entry)
        return isinstance(content, Content) and (
            content.notebook or content.outline.share_of(expected.outline) >= FITS
        )

    def _choose(self, expected: Expected, candidates: list[_Candidate]) -> None:
        if len(candidates) == 1:
            self._take(expected, candidates[0].entry, [])
            return

        def key(candidate: _Candidate) -> tuple[object, ...]:
            entry = candidate.entry
            return (
                is_aside(entry),
                self._is_untouched(entry, expected),
                candidate.rank,
                len(entry.path) if candidate.rank < PLAIN else 0,
                not isinstance(self._read(entry), Content),
                -round(self._likeness(entry, expected), 1),
                entry.extension != ".py",
                entry.extension not in CODE,
                is_copy(entry),
            )

        self._take_best(expected, [c.entry for c in candidates], [key(c) for c in candidates])

    def _take_best(
        self, expected: Expected, entries: list[Entry], keys: list[tuple[object, ...]]
    ) -> None:
        """Take the entry with the smallest key; equals must have equal contents."""
        best = min(keys)
        first = [entry for entry, key in zip(entries, keys, strict=True) if key == best]
        others = [entry for entry, key in zip(entries, keys, strict=True) if key != best]
        if len(first) > 1 and len({self._text(entry) for entry in first}) > 1:
            names = " and ".join(entry.label for entry in first[:3])
            self._result.unclear[expected.id] = (
                f"{names} could each be the answer to {expected.id}; hand in only one"
            )
            return
        self._take(expected, first[0], [*first[1:], *others])

    def _take(self, expected: Expected, entry: Entry, others: list[Entry]) -> None:
        notes = []
        path = (*self._listing.context, *entry.path)
        if path[-2:] != (expected.id, expected.file) and not self._listing.single:
            notes.append(f"taken from {entry.label}")
        if others:
            some = ", ".join(other.label for other in others[:3])
            notes.append(f"{some} could answer this too, but {entry.label} fits best")
        self._result.chosen[expected.id] = Choice(entry, tuple(notes))

    # ---- by what it defines --------------------------------------------------------------------

    def _place_loose(self, loose: list[Entry], untouched: set[str]) -> None:
        done = self._result.chosen.keys() | self._result.unclear.keys()
        open_ones = [e for e in self._wanted() if e.id not in done or e.id in untouched]
        if not open_ones:
            self._say_unused(loose)
            return
        fitting: dict[str, list[Entry]] = {}
        unused: list[Entry] = []
        for entry in loose:
            fits = self._fits(entry, open_ones)
            if len(fits) > 1:
                fits = self._narrowed(entry, fits)
            if len(fits) == 1:
                fitting.setdefault(fits[0].id, []).append(entry)
            elif fits:
                names = ", ".join(expected.id for expected in fits)
                for expected in fits:
                    if expected.id not in untouched:
                        self._result.unclear.setdefault(
                            expected.id,
                            f"{entry.label} could answer {names}; hand it in as "
                            f"{expected.id}/{expected.file}",
                        )
            else:
                unused.append(entry)
        if not fitting and len(open_ones) == 1 and open_ones[0].id not in self._result.unclear:
            unused = self._last_resort(open_ones[0], unused, untouched)
        for expected in open_ones:
            if expected.id in fitting:
                self._result.unclear.pop(expected.id, None)
                self._choose_loose(expected, fitting[expected.id])
        self._say_unused(unused)

    def _fits(self, entry: Entry, open_ones: list[Expected]) -> list[Expected]:
        content = self._read(entry)
        if not isinstance(content, Content):
            if entry.extension not in CODE:
                return []
            return [e for e in open_ones if simplified(stem_of(entry.name)) == e.stem]
        return [
            expected
            for expected in open_ones
            if (simplified(stem_of(entry.name)) == expected.stem and entry.extension in CODE)
            or content.outline.share_of(expected.outline) >= FITS
            or expected.own_share(content.outline) >= OWN
        ]

    def _narrowed(self, entry: Entry, fits: list[Expected]) -> list[Expected]:
        """The one exercise whose stub a file was plainly made from, else all that fit."""
        called = [e for e in fits if simplified(stem_of(entry.name)) == e.stem]
        fits = called or fits
        if len(fits) == 1:
            return fits
        shares = sorted(((self._own_share(entry, e), i) for i, e in enumerate(fits)), reverse=True)
        if shares[0][0] - shares[1][0] >= OWN:
            return [fits[shares[0][1]]]
        return fits

    def _choose_loose(self, expected: Expected, entries: list[Entry]) -> None:
        def key(entry: Entry) -> tuple[object, ...]:
            return (
                is_aside(entry),
                self._is_untouched(entry, expected),
                not isinstance(self._read(entry), Content),
                -round(self._likeness(entry, expected), 1),
                -round(self._own_share(entry, expected), 1),
                simplified(stem_of(entry.name)) != expected.stem,
                entry.extension != ".py",
                entry.extension not in CODE,
                is_copy(entry),
            )

        self._take_best(expected, entries, [key(entry) for entry in entries])
        chosen = self._result.chosen.get(expected.id)
        if chosen and chosen.entry.name != expected.file:
            content = self._read(chosen.entry)
            if isinstance(content, Content):
                shared = sorted(content.outline.top & expected.outline.top)
                why = f"because it defines {', '.join(shared[:3])}" if shared else "by its name"
                notes = (*chosen.notes, f"a guess, {why}")
                self._result.chosen[expected.id] = Choice(chosen.entry, notes)

    def _last_resort(
        self, expected: Expected, entries: list[Entry], untouched: set[str]
    ) -> list[Entry]:
        """One exercise is asked for and nothing fits: the only file of code, whatever it holds."""
        if expected.id in untouched:
            return entries
        code = [entry for entry in entries if entry.extension in CODE]
        fits_none = [e for e in code if not self._fits(e, list(self._expected))]
        if len(fits_none) > 1:  # the one that looks most like the stub, if there is one
            scores = {id(entry): self._likeness(entry, expected) for entry in fits_none}
            most = max(scores.values())
            fits_none = [e for e in fits_none if most > 0 and scores[id(e)] == most]
        if len(fits_none) != 1:
            if fits_none:
                names = " nor ".join(entry.label for entry in fits_none[:4])
                self._result.unclear[expected.id] = (
                    f"neither {names} is called {expected.file} or defines what it should; "
                    f"name your file {expected.file}"
                )
            return entries
        entry = fits_none[0]
        note = f"taken from {entry.label}: a guess, nothing else looks like an answer"
        self._result.chosen[expected.id] = Choice(
            entry, (note,) if not self._listing.single else ()
        )
        return [e for e in entries if e is not entry]

    def _likeness(self, entry: Entry, expected: Expected) -> float:
        content = self._read(entry)
        return content.outline.share_of(expected.outline) if isinstance(content, Content) else 0.0

    def _own_share(self, entry: Entry, expected: Expected) -> float:
        content = self._read(entry)
        return expected.own_share(content.outline) if isinstance(content, Content) else 0.0

    # ---- helpers -------------------------------------------------------------------------------

    def _text(self, entry: Entry) -> str:
        content = self._read(entry)
        return content.text if isinstance(content, Content) else f"refused: {content}"

    def _is_untouched(self, entry: Entry, expected: Expected) -> bool:
        """Whether a file is the stub as it was given out, or empty."""
        content = self._read(entry)
        if isinstance(content, Content):
            return squeezed(content.text) == expected.text
        return str(content).startswith("the file is empty")

    def _say_unused(self, entries: list[Entry]) -> None:
        names = [e.label for e in entries if e.extension in CODE and e.name != "__init__.py"]
        if names:
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            self._result.notes.append(f"not an answer to anything: {', '.join(names[:5])}{more}")
