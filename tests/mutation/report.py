"""What a mutation run found, in figures and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.mutation.known import KINDS, Listed
from tests.mutation.run import Verdict

LEAST = 0.97  # share of the mutants that hidden checks have to kill, in every exercise


@dataclass
class Report:
    """The verdicts on one exercise's mutants, beside the list of equivalent ones."""

    exercise: str
    made: int
    chosen: int
    listed: Listed  # the mutants that may live
    names: set[str]  # of all mutants, whether they were chosen or not
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def killed(self) -> list[Verdict]:
        return [item for item in self.verdicts if item.killers and not item.fault]

    @property
    def faults(self) -> list[Verdict]:
        return [item for item in self.verdicts if item.fault]

    @property
    def survived(self) -> list[str]:
        return [v.name for v in self.verdicts if not v.killers and v.name not in self.listed]

    def spared(self, *kinds: str) -> list[str]:
        """Those that were not killed and are listed as of one of these kinds."""
        alive = [item.name for item in self.verdicts if not item.killers]
        return [name for name in alive if self.listed.get(name) in kinds]

    @property
    def stale(self) -> list[str]:
        """Entries of the list that are no mutants any more, or are killed."""
        killed = {item.name for item in self.verdicts if item.killers}
        return [name for name in self.listed if name not in self.names or name in killed]

    @property
    def counted(self) -> int:
        return len(self.verdicts) - len(self.spared(*KINDS))

    @property
    def share(self) -> float:
        return len(self.killed) / self.counted if self.counted else 1.0

    @property
    def good(self) -> bool:
        return self.share >= LEAST and not self.stale and not self.faults

    def as_json(self) -> dict[str, object]:
        return {
            "made": self.made,
            "run": self.chosen,
            "killed": len(self.killed),
            "equivalent": sorted(self.spared(*KINDS)),
            "survived": sorted(self.survived),
            "killers": {item.name: item.killers for item in self.verdicts},
        }


def lines(reports: Sequence[Report]) -> Iterator[str]:
    """A table, and under it everything that is not as it should be."""
    heads = ("made", "run", "same", "free", "killed", "by time", "left", "share")
    yield f"{'exercise':22}" + "".join(f"{head:>9}" for head in heads)
    for item in reports:
        yield _row(item.exercise, _figures(item), item.share)
    figures = [sum(column) for column in zip(*map(_figures, reports), strict=True)]
    counted = sum(item.counted for item in reports)
    yield _row("all", figures, figures[4] / counted if counted else 1.0)
    for item in reports:
        for title, names in (("survived", item.survived), ("stale", item.stale)):
            for name in names:
                yield f"{title}: {item.exercise} {name}"
        for verdict in item.faults:
            yield f"fault of the suite: {item.exercise} {verdict.name}: {verdict.fault}"


def _figures(item: Report) -> list[int]:
    spared = [len(item.spared(kind)) for kind in KINDS]
    by_time = sum(verdict.by_time for verdict in item.killed)
    return [item.made, item.chosen, *spared, len(item.killed), by_time, len(item.survived)]


def _row(name: str, figures: Sequence[int], share: float) -> str:
    return f"{name:22}" + "".join(f"{figure:9}" for figure in figures) + f"{share:9.1%}"
