"""Grades every submission of a batch: skips what is done, writes each result as it comes."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import msgspec

from grader.batch.local import Executor
from grader.batch.look import troubles
from grader.batch.store import Store
from grader.batch.task import Graded
from grader.course import Course
from grader.late import Extensions, Lateness, lateness
from grader.report.score_file import (
    FORMAT,
    Digests,
    ExerciseScore,
    Late,
    ScoreFile,
    decode,
    encode,
    versions,
    with_lateness,
)
from grader.report.text import plain
from grader.result import Outcome as CheckOutcome
from grader.result import number
from grader.submission import Rejected, Submission
from grader.submission.model import make_submission


class Entry(Protocol):
    """One submission of a batch, found but not yet read."""

    @property
    def student(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...  # other ids of the same student
    @property
    def submitted_at(self) -> datetime | None: ...
    def read(self) -> Submission: ...


@dataclass
class Events:
    """What a batch tells while it runs."""

    done: Callable[[str], None] = lambda student: None
    trouble: Callable[[str, str], None] = lambda student, line: None


@dataclass
class Outcome:
    """What a batch came to."""

    graded: int = 0
    skipped: int = 0
    troubles: dict[str, list[str]] = field(default_factory=dict)  # empty for most students
    faults: dict[str, str] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    stopped: bool = False


@dataclass(frozen=True)
class _Pending:
    """A submission that is being graded."""

    entry: Entry
    submission: Submission
    stamp: str


@dataclass
class Batch:
    """Everything that a run of a batch needs."""

    course: Course
    executor: Executor
    store: Store
    fingerprint: str  # of course, suites, grader and versions: same means comparable
    only: tuple[str, ...] = ()  # exercise ids; all of them when empty
    extensions: Extensions = field(default_factory=Extensions)
    fresh: bool = False  # grade again what is finished
    events: Events = field(default_factory=Events)

    def run(self, entries: Sequence[Entry]) -> Outcome:
        """Grade all entries. Raises UsageError where results cannot be written; what was
        finished before is safe then."""
        outcome = Outcome()
        pending: dict[str, _Pending] = {}
        results = self.executor.run(self._work(entries, pending, outcome))
        with contextlib.suppress(KeyboardInterrupt), contextlib.closing(results):  # type: ignore[type-var]
            for student, graded in results:
                self._finish(pending.pop(student), graded, outcome)
        outcome.stopped = outcome.graded + outcome.skipped < len(entries)
        return outcome

    def _work(
        self, entries: Sequence[Entry], pending: dict[str, _Pending], outcome: Outcome
    ) -> Iterator[tuple[str, Submission]]:
        for entry in entries:
            try:
                submission = replace(entry.read(), student=entry.student)
            except Exception as error:  # ours; one submission must not stop the rest
                fault = f"it could not be read: {type(error).__name__}: {error}"
                nothing = make_submission(entry.student, {})
                self._finish(_Pending(entry, nothing, ""), Graded(b"", fault), outcome)
                continue
            stamp = self._stamp(submission)
            kept = None if self.fresh else self.store.finished(entry.student, stamp)
            if kept is not None:
                self._keep(_Pending(entry, submission, stamp), kept, outcome)
                continue
            pending[entry.student] = _Pending(entry, submission, stamp)
            yield entry.student, submission

    def _finish(self, done: _Pending, graded: Graded, outcome: Outcome) -> None:
        student, stamp = done.entry.student, done.stamp
        score = decode(graded.scores) if graded.scores else self._ungraded(done.submission)
        score = self._late(done.entry, score)
        outcome.troubles[student] = lines = troubles(score)
        for line in lines:
            if not graded.fault:  # which says more
                self.events.trouble(student, line)
        if graded.fault:
            outcome.faults[student] = graded.fault
            self.events.trouble(student, f"could not be graded: {graded.fault}")
            # written, so that it is seen; under no stamp, so that the next run tries again
            stamp = "fault"
        self.store.write(student, encode(score), stamp)
        outcome.files.append(self.store.path(student))
        outcome.graded += 1
        self.events.done(student)

    def _keep(self, done: _Pending, kept: ScoreFile, outcome: Outcome) -> None:
        """A finished result stays. What lateness costs may have changed since, and with it the
        digest of the course, in which it stands; what is asked and how it is judged has not."""
        student = done.entry.student
        digests = Digests(done.submission.digest, self.course.digest)
        score = self._late(done.entry, msgspec.structs.replace(kept, digests=digests))
        if score != kept:
            self.store.write(student, encode(score), done.stamp)
        outcome.troubles[student] = troubles(score)
        outcome.files.append(self.store.path(student))
        outcome.skipped += 1
        self.events.done(student)

    def _late(self, entry: Entry, score: ScoreFile) -> ScoreFile:
        late: dict[str, Lateness] = {}
        named = {item.id for item in score.exercises}
        for exercise in self.course.exercises:
            if exercise.id in named:
                due = self.extensions.due((entry.student, *entry.also), exercise)
                late[exercise.id] = lateness(due, entry.submitted_at, self.course.late)
        return with_lateness(score, late)

    def _stamp(self, submission: Submission) -> str:
        """Of all that the score file is made from, the notes in it included."""
        notes = [*submission.notes]
        for name, answer in sorted(submission.answers.items()):
            if not isinstance(answer, Rejected):
                notes += [name, *answer.notes]
        return "\0".join([submission.digest, self.fingerprint, *notes])

    def _ungraded(self, submission: Submission) -> ScoreFile:
        """For a student whose grading failed: nothing is given or taken. Without it, the score
        of an earlier submission would stand as if it were this one's."""
        wanted = [item for item in self.course.exercises if not self.only or item.id in self.only]
        exercises = tuple(
            ExerciseScore(
                id=item.id,
                title=item.title,
                score=0,
                max_score=number(item.points),
                outcome=CheckOutcome.GRADER_ERROR,
                mistake=None,
                mistakes=(),
                notes=(),
                checks=(),
            )
            for item in wanted
        )
        return ScoreFile(
            format=FORMAT,
            course=self.course.id,
            student=plain(submission.student, 200),
            score=0,
            max_score=number(sum((item.points for item in wanted), Fraction(0))),
            sandbox="none",
            graded_at=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=versions(),
            digests=Digests(submission.digest, self.course.digest),
            late=Late(0, 1.0),
            notes=(),
            exercises=exercises,
        )


def in_shard(student: str, index: int, count: int) -> bool:
    """Whether a student belongs to shard `index` of `count`; the same on every machine."""
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % count == index - 1
