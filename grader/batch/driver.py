"""Grades every submission of a batch: skips what is done, writes each result as it comes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from grader.batch.local import Executor
from grader.batch.store import Store
from grader.batch.task import Graded
from grader.course import Course
from grader.late import Lateness, lateness
from grader.report.score_file import ScoreFile, decode, encode, with_lateness
from grader.submission import Submission


class Entry(Protocol):
    """One submission of a batch, found but not yet read."""

    @property
    def student(self) -> str: ...
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
    troubles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    stopped: bool = False


@dataclass
class Batch:
    """Everything that a run of a batch needs."""

    course: Course
    executor: Executor
    store: Store
    fingerprint: str  # of course, suites, grader and versions: same means comparable
    extensions: dict[str, datetime] = field(default_factory=dict)
    fresh: bool = False  # grade again what is finished
    events: Events = field(default_factory=Events)

    def run(self, entries: Sequence[Entry]) -> Outcome:
        """Grade all entries. Raises UsageError where results cannot be written; what was
        finished before is safe then."""
        outcome = Outcome()
        by_student = {entry.student: entry for entry in entries}
        stamps: dict[str, str] = {}
        work = self._work(entries, stamps, outcome)
        try:
            for student, graded in self.executor.run(work):
                self._finish(by_student[student], graded, stamps.pop(student), outcome)
        except KeyboardInterrupt:
            pass
        outcome.stopped = outcome.graded + outcome.skipped < len(entries)
        return outcome

    def _work(
        self, entries: Sequence[Entry], stamps: dict[str, str], outcome: Outcome
    ) -> Iterator[tuple[str, Submission]]:
        for entry in entries:
            submission = replace(entry.read(), student=entry.student)
            stamp = self._stamp(submission)
            kept = None if self.fresh else self.store.finished(entry.student, stamp)
            if kept is not None:
                self._keep(entry, kept, stamp)
                outcome.skipped += 1
                self.events.done(entry.student)
                continue
            stamps[entry.student] = stamp
            yield entry.student, submission

    def _finish(self, entry: Entry, graded: Graded, stamp: str, outcome: Outcome) -> None:
        student = entry.student
        for line in graded.troubles:
            self.events.trouble(student, line)
        if graded.troubles:
            outcome.troubles[student] = graded.troubles
        if graded.fault:
            outcome.faults[student] = graded.fault
            self.events.trouble(student, f"could not be graded: {graded.fault}")
            # written, so that it is seen; under no stamp, so that the next run tries again
            stamp = "fault"
        if graded.scores:
            raw = encode(self._late(entry, decode(graded.scores)))
            self.store.write(student, raw, stamp)
        outcome.graded += 1
        self.events.done(student)

    def _keep(self, entry: Entry, kept: ScoreFile, stamp: str) -> None:
        """A finished result stays; only what lateness costs may have changed since."""
        late = self._late(entry, kept)
        if late != kept:
            self.store.write(entry.student, encode(late), stamp)

    def _late(self, entry: Entry, score: ScoreFile) -> ScoreFile:
        late: dict[str, Lateness] = {}
        for exercise in self.course.exercises:
            due = self.extensions.get(entry.student, exercise.due)
            late[exercise.id] = lateness(due, entry.submitted_at, self.course.late)
        named = {item.id for item in score.exercises}
        return with_lateness(score, {key: item for key, item in late.items() if key in named})

    def _stamp(self, submission: Submission) -> str:
        return f"{submission.digest}\0{self.fingerprint}"


def in_shard(student: str, index: int, count: int) -> bool:
    """Whether a student belongs to shard `index` of `count`; the same on every machine."""
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % count == index - 1
