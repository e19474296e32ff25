"""Which file answers which exercise: by its place, by its name, else by what it defines.

A guess is always said in a note; where two files, or two exercises, fit equally well, nothing is
guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.submission.claims import is_test, rank_of
from grader.submission.compare import FITS, OWN, Comparison, Key, ReadEntry
from grader.submission.content import Content
from grader.submission.entries import CODE, MAYBE_CODE, Entry, Listing
from grader.submission.model import RefusedError
from grader.submission.names import listed
from grader.submission.stubs import Expected


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
    ambiguous: set[str] = field(default_factory=set)  # that one readable file could answer
    unused: list[Entry] = field(default_factory=list)  # code that answers nothing


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
        *,
        odd: bool = False,
    ) -> None:
        """`odd`: look at the files whose extension tells nothing, instead of at the others."""
        self._listing = listing
        self._expected = expected
        self._asked = asked
        self._read = read
        self._look = Comparison(read)
        self._odd = odd
        self._result = Matched()

    @staticmethod
    def only_choice(entry: Entry, exercise: str) -> Matched:
        """One file, one exercise: there is nothing to guess."""
        return Matched({exercise: Choice(entry)})

    def match(self) -> Matched:
        claims: dict[str, list[_Candidate]] = {}
        loose: list[Entry] = []
        for entry in self._listing.entries:
            if is_test(entry) or not (entry.is_odd if self._odd else entry.extension in MAYBE_CODE):
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
                if chosen and self._look.is_untouched(chosen.entry, expected):
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
        if not self._odd and (entry.extension in CODE or self._look.is_called(entry, expected)):
            return True
        content = self._read(entry)
        is_notebook = isinstance(content, Content) and content.notebook
        return is_notebook or self._look.likeness(entry, expected) >= FITS

    def _choose(self, expected: Expected, candidates: list[_Candidate]) -> None:
        if len(candidates) == 1:  # nothing to compare: it need not even be read
            self._take(expected, candidates[0].entry, [])
            return
        keys = [self._look.key_by_place(c.entry, expected, c.rank) for c in candidates]
        self._take_best(expected, [c.entry for c in candidates], keys)

    def _take_best(self, expected: Expected, entries: list[Entry], keys: list[Key]) -> None:
        """Take the entry with the smallest key; equals must have equal contents."""
        best = min(keys)
        first = [entry for entry, key in zip(entries, keys, strict=True) if key == best]
        others = [entry for entry, key in zip(entries, keys, strict=True) if key != best]
        if len(first) > 1 and len({self._look.text(entry) for entry in first}) > 1:
            names = " and ".join(entry.label for entry in first[:3])
            self._result.unclear[expected.id] = (
                f"{names} could each be the answer to {expected.id}; hand in only one"
            )
            return
        rivals = [
            entry
            for entry in (*first[1:], *others)
            if self._look.likeness(entry, expected) >= FITS
            and not self._look.is_untouched(entry, expected)
        ]
        self._take(expected, first[0], rivals)

    def _take(self, expected: Expected, entry: Entry, others: list[Entry]) -> None:
        notes = []
        if entry.name != expected.file and not self._listing.single:
            notes.append(f"taken from {entry.label}")
        if others:
            some = listed(other.label for other in others)
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
            fits = [e for e in open_ones if self._look.fits(entry, e)]
            if len(fits) > 1:
                fits = self._narrowed(entry, fits)
            if len(fits) == 1:
                fitting.setdefault(fits[0].id, []).append(entry)
            elif fits:
                self._say_unclear(entry, [e for e in fits if e.id not in untouched], fits)
            else:
                unused.append(entry)
        if not fitting and len(open_ones) == 1 and open_ones[0].id not in self._result.unclear:
            unused = self._last_resort(open_ones[0], unused, untouched)
        for expected in open_ones:
            if expected.id in fitting:
                self._result.unclear.pop(expected.id, None)
                self._choose_loose(expected, fitting[expected.id])
        self._say_unused(unused)

    def _say_unclear(self, entry: Entry, exercises: list[Expected], fits: list[Expected]) -> None:
        content = self._read(entry)
        names = listed(expected.id for expected in fits)
        for expected in exercises:
            reason = (
                f"{entry.label} could answer {names}; hand it in as {expected.id}/{expected.file}"
            )
            if isinstance(content, RefusedError):
                reason = f"{entry.label}: {content}"
            else:
                self._result.ambiguous.add(expected.id)
            self._result.unclear.setdefault(expected.id, reason)

    def _narrowed(self, entry: Entry, fits: list[Expected]) -> list[Expected]:
        """The one exercise whose stub a file was plainly made from, else all that fit."""
        called = [e for e in fits if self._look.is_called(entry, e)]
        fits = called or fits
        if len(fits) == 1:
            return fits
        shares = sorted(
            ((self._look.own_share(entry, e), i) for i, e in enumerate(fits)), reverse=True
        )
        if shares[0][0] - shares[1][0] >= OWN:
            return [fits[shares[0][1]]]
        return fits

    def _choose_loose(self, expected: Expected, entries: list[Entry]) -> None:
        if len(entries) == 1:
            self._take(expected, entries[0], [])
        else:
            keys = [self._look.key_by_content(entry, expected) for entry in entries]
            self._take_best(expected, entries, keys)
        chosen = self._result.chosen.get(expected.id)
        if chosen and chosen.entry.name != expected.file:
            shared = self._look.shared(chosen.entry, expected)
            why = f"because it defines {listed(shared, 3)}" if shared else "by its name"
            notes = (*chosen.notes, f"a guess, {why}")
            self._result.chosen[expected.id] = Choice(chosen.entry, notes)

    def _last_resort(
        self, expected: Expected, entries: list[Entry], untouched: set[str]
    ) -> list[Entry]:
        """One exercise is asked for and nothing fits: the only file of code, whatever it holds."""
        if expected.id in untouched:
            return entries
        code = [entry for entry in entries if entry.extension in CODE]
        fits_none = [
            entry for entry in code if not any(self._look.fits(entry, e) for e in self._expected)
        ]
        if len(fits_none) > 1:  # the one that looks most like the stub, if there is one
            scores = {id(entry): self._look.likeness(entry, expected) for entry in fits_none}
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

    def _say_unused(self, entries: list[Entry]) -> None:
        self._result.unused += [
            e for e in entries if e.extension in CODE and not e.name.startswith("__")
        ]
