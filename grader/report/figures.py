"""How a class did: counted in one pass over its score files, so that thousands need no room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from grader.report.gradebook import Row, row
from grader.report.points import exact, percent
from grader.report.score_file import CheckScore, ExerciseScore, ScoreFile
from grader.result import Outcome

TROUBLE = {
    Outcome.GRADER_ERROR: "not graded",
    Outcome.TIMEOUT: "out of time",
    Outcome.CRASHED: "crashed",
}


@dataclass(slots=True)
class CheckFigures:
    """One check over all students."""

    title: str
    hidden: bool
    max_points: Fraction
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    @property
    def graded(self) -> int:
        """Those whose check was judged: what is our fault counts for nobody."""
        return self.outcomes.total() - self.outcomes[Outcome.GRADER_ERROR]

    @property
    def passed_percent(self) -> int:
        return percent(Fraction(self.outcomes[Outcome.PASSED]), Fraction(self.graded))


@dataclass(slots=True)
class ExerciseFigures:
    """One exercise over all students."""

    id: str
    title: str
    max_score: Fraction
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    earned: Fraction = Fraction(0)
    seconds: list[float] = field(default_factory=list)
    checks: dict[str, CheckFigures] = field(default_factory=dict)

    @property
    def graded(self) -> int:
        return self.outcomes.total() - self.outcomes[Outcome.GRADER_ERROR]

    @property
    def passed_percent(self) -> int:
        return percent(Fraction(self.outcomes[Outcome.PASSED]), Fraction(self.graded))

    @property
    def mean_percent(self) -> int:
        return percent(self.earned, self.max_score * self.graded)


@dataclass(frozen=True, slots=True)
class StudentFigures:
    """One student's line of the report."""

    row: Row
    outcomes: dict[str, Outcome]  # by exercise id
    mistakes: tuple[str, ...]
    trouble: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class ClassFigures:
    """Everything that the report shows. `add` each score file, then read."""

    students: list[StudentFigures] = field(default_factory=list)
    exercises: dict[str, ExerciseFigures] = field(default_factory=dict)
    mistakes: Counter[tuple[str, str]] = field(default_factory=Counter)
    hints: dict[tuple[str, str], str] = field(default_factory=dict)
    sandboxes: Counter[str] = field(default_factory=Counter)
    versions: Counter[tuple[tuple[str, str], ...]] = field(default_factory=Counter)
    courses: Counter[str] = field(default_factory=Counter)
    graded_at: list[str] = field(default_factory=list)

    def add(self, score: ScoreFile) -> None:
        """Count one student."""
        mistakes: dict[str, None] = {}
        for item in score.exercises:
            self._exercise(item)
            for mistake in item.mistakes:
                key = (item.id, mistake.id)
                self.mistakes[key] += 1
                self.hints.setdefault(key, mistake.hint)
                mistakes[mistake.id] = None
        notes = [*score.notes, *(f"{e.id}: {note}" for e in score.exercises for note in e.notes)]
        outcomes = {item.id: item.outcome for item in score.exercises}
        trouble = tuple(_trouble(outcomes))
        self.students.append(
            StudentFigures(row(score), outcomes, tuple(mistakes), trouble, tuple(notes))
        )
        self.sandboxes[score.sandbox] += 1
        self.versions[tuple(score.versions.items())] += 1
        self.courses[score.course] += 1
        self.graded_at.append(score.graded_at)

    def _exercise(self, item: ExerciseScore) -> None:
        figures = self.exercises.get(item.id)
        if figures is None:
            figures = ExerciseFigures(item.id, item.title, exact(item.max_score))
            self.exercises[item.id] = figures
        figures.outcomes[item.outcome] += 1
        if item.outcome is not Outcome.GRADER_ERROR:
            figures.earned += exact(item.score)
        seconds = 0.0
        for check in item.checks:
            seconds += check.seconds
            known = figures.checks.get(check.id)
            if known is None:
                known = figures.checks[check.id] = _figures(check)
            known.outcomes[check.outcome] += 1
        figures.seconds.append(seconds)


def _trouble(outcomes: dict[str, Outcome]) -> Iterator[str]:
    """What went wrong besides wrong answers: `out of time: 04_backward, 06_powers`."""
    for outcome, words in TROUBLE.items():
        names = [name for name, ended in outcomes.items() if ended is outcome]
        if names:
            yield f"{words}: {', '.join(names)}"


def _figures(check: CheckScore) -> CheckFigures:
    return CheckFigures(check.title, check.visibility == "hidden", exact(check.max_points))
