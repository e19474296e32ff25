"""What a mutation run found, in figures and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.mutation.run import Verdict

LEAST = 0.97  # share of the mutants that hidden checks have to kill, in every exercise


@dataclass
class Report:
    """The verdicts on one exercise's mutants, beside the list of equivalent ones."""

    exercise: str
    made: int
    chosen: int
    listed: dict[str, str]  # equivalent mutants, and why
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

    @property
    def equivalent(self) -> list[str]:
        return [v.name for v in self.verdicts if not v.killers and v.name in self.listed]

    @property
    def stale(self) -> list[str]:
        """Entries of the list that are no mutants any more, or are killed."""
        killed = {item.name for item in self.verdicts if item.killers}
        return [name for name in self.listed if name not in self.names or name in killed]

    @property
    def share(self) -> float:
        counted = len(self.verdicts) - len(self.equivalent)
        return len(self.killed) / counted if counted else 1.0

    @property
    def good(self) -> bool:
        return self.share >= LEAST and not self.stale and not self.faults

    def as_json(self) -> dict[str, object]:
        return {
            "made": self.made,
            "run": self.chosen,
            "killed": len(self.killed),
            "equivalent": sorted(self.equivalent),
            "survived": sorted(self.survived),
            "killers": {item.name: item.killers for item in self.verdicts},
        }


def lines(reports: Sequence[Report]) -> Iterator[str]:
    """A table, and under it everything that is not as it should be."""
    yield f"{'exercise':24}{'made':>6}{'run':>6}{'equiv.':>8}{'killed':>8}{'by time':>9}{'left':>6}"
    for item in reports:
        by_time = sum(verdict.by_time for verdict in item.killed)
        yield (
            f"{item.exercise:24}{item.made:6}{item.chosen:6}{len(item.equivalent):8}"
            f"{len(item.killed):8}{by_time:9}{len(item.survived):6}  {item.share:7.2%}"
        )
    counted = sum(len(item.verdicts) - len(item.equivalent) for item in reports)
    killed = sum(len(item.killed) for item in reports)
    yield f"{killed} of {counted} killed: {killed / max(counted, 1):.2%}"
    for item in reports:
        for title, names in (("survived", item.survived), ("stale", item.stale)):
            for name in names:
                yield f"{title}: {item.exercise} {name}"
        for verdict in item.faults:
            yield f"fault of the suite: {item.exercise} {verdict.name}: {verdict.fault}"
