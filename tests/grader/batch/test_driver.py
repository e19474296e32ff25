"""What is skipped, what is graded again, what is told: with an executor that only pretends."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader import recording
from grader.batch.driver import Batch, Events, Outcome, in_shard
from grader.batch.look import FILE, troubles, write_look
from grader.batch.store import Store
from grader.batch.task import Graded, Settings, as_graded, fingerprint
from grader.course import Course, LatePolicy, read_course
from grader.errors import UsageError
from grader.late import Extensions
from grader.result import Check, CheckResult, ExerciseResult, SubmissionResult
from grader.result import Outcome as CheckOutcome
from grader.submission import Cell, Source, Submission
from grader.submission.model import make_source, make_submission
from tests.grader.conftest import Folder

DUE = datetime(2027, 2, 1, 23, 59, tzinfo=UTC)
LATE = DUE + timedelta(hours=30)


@dataclass
class Entry:
    """A submission that holds one file."""

    student: str
    text: str = "pass"
    submitted_at: datetime | None = None
    also: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    broken: bool = False

    def read(self) -> Submission:
        if self.broken:
            raise RuntimeError("nobody thought of this")
        source: Source = make_source((Cell("value.py", self.text),))
        return make_submission(self.student, {"01_double": source}, self.notes)


@dataclass
class Pretender:
    """Grades at once: every check passes, but for what `outcomes` says of a text."""

    course: Course
    outcomes: dict[str, CheckOutcome] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    stopping: int | None = None  # after so many, as Ctrl-C does

    def run(self, work: Iterable[tuple[Any, Submission]]) -> Iterator[tuple[Any, Graded]]:
        for key, submission in work:
            yield key, self.grade(submission)
            if len(self.asked) == self.stopping:
                return

    def grade(self, submission: Submission) -> Graded:
        self.asked.append(submission.student)
        answer = submission.answers["01_double"]
        assert isinstance(answer, Source)
        text = answer.cells[0].text
        if text == "lost":
            return Graded(b"", "the grading process ended unexpectedly")
        outcome = self.outcomes.get(text, CheckOutcome.PASSED)
        checks = tuple(
            CheckResult(
                Check(f"test_hidden.py::test_{points}", "", "hidden", Fraction(points)),
                outcome,
                "" if outcome is CheckOutcome.PASSED else "why",
            )
            for points in (1, 2)
        )
        exercise = ExerciseResult("01_double", "Twice a number", checks)
        result = SubmissionResult(
            submission.student, (exercise,), "bwrap", submission.digest, submission.notes
        )
        return as_graded(result, self.course)

    def stop(self) -> None: ...
    def close(self) -> None: ...


@dataclass
class Desk:
    """A course, an OUT, and batches one after another."""

    folder: Folder
    out: Path
    told: list[str] = field(default_factory=list)

    def batch(self, *entries: Entry, stopping: int | None = None, **options: Any) -> Outcome:
        course = read_course(self.folder.root)
        outcomes = {"slow": CheckOutcome.TIMEOUT, "fault": CheckOutcome.GRADER_ERROR}
        self.executor = Pretender(course, outcomes, stopping=stopping)
        self.store = Store(self.out)
        self.store.prepare()
        self.told.clear()
        events = Events(trouble=lambda who, line: self.told.append(f"{who}: {line}"))
        key = fingerprint(Settings(str(course.root), "bwrap", only=options.get("only", ())))
        run = Batch(course, self.executor, self.store, key, events=events, **options)
        outcome = run.run(entries)
        lines = {who: [f"could not be graded: {why}"] for who, why in outcome.faults.items()}
        write_look(self.store, outcome.troubles | lines, outcome.files)
        return outcome

    def score(self, student: str) -> Any:
        return msgspec.json.decode(self.store.path(student).read_bytes())

    @property
    def look(self) -> str:
        path = self.out / FILE
        return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(Folder(tmp_path / "course").exercise(), tmp_path / "out")


# ---- what is graded again -----------------------------------------------------------------------


def test_what_is_unchanged_is_skipped_and_not_touched(desk: Desk) -> None:
    desk.batch(Entry("ada"), Entry("bob"))
    before = {path: path.stat().st_mtime_ns for path in desk.out.glob("*.json")}
    outcome = desk.batch(Entry("ada"), Entry("bob"))
    assert (outcome.graded, outcome.skipped, outcome.stopped) == (0, 2, False)
    assert {path: path.stat().st_mtime_ns for path in desk.out.glob("*.json")} == before


def test_only_a_changed_submission_is_graded_again(desk: Desk) -> None:
    desk.batch(Entry("ada"), Entry("bob"))
    desk.batch(Entry("ada", "changed"), Entry("bob"), Entry("eve"))
    assert desk.executor.asked == ["ada", "eve"]


def test_fresh_grades_everything_again(desk: Desk) -> None:
    desk.batch(Entry("ada"))
    desk.batch(Entry("ada"), fresh=True)
    assert desk.executor.asked == ["ada"]


def test_other_notes_on_the_same_files_are_told(desk: Desk) -> None:
    desk.batch(Entry("ada"))
    desk.batch(Entry("ada", notes=("attempt 2 counts",)))
    assert desk.score("ada")["notes"] == ["attempt 2 counts"]


@pytest.mark.parametrize(
    "change",
    [
        {"hidden": "def test_more(submission): ...\n"},
        {"public": "def test_more(submission): ...\n"},
        {"title": "Another title"},
        {"points": 4},
        {"seconds": 1},
        {"imports": ["math"]},
        {"mistakes": {"halves": '"""You halved."""\n'}},
        {"solution": "def double(x):\n    return x + x\n"},
    ],
)
def test_whatever_a_score_file_is_made_of_grades_again(desk: Desk, change: dict[str, Any]) -> None:
    desk.batch(Entry("ada"))
    desk.folder.exercise(**change)
    desk.batch(Entry("ada"))
    assert desk.executor.asked == ["ada"]


def test_another_grader_or_other_versions_grade_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.batch(Entry("ada"))
    monkeypatch.setattr(recording, "own_digest", lambda: "sha256:another")
    desk.batch(Entry("ada"))
    assert desk.executor.asked == ["ada"]
    monkeypatch.setattr(recording, "version", lambda name: "99")
    desk.batch(Entry("ada"))
    assert desk.executor.asked == ["ada"]


def test_some_exercises_are_not_all_of_them(desk: Desk) -> None:
    """A score file of one exercise must not stand for the whole course."""
    desk.folder.exercise("02_more")
    desk.batch(Entry("ada"), only=("01_double",))
    desk.batch(Entry("ada"))
    assert desk.executor.asked == ["ada"]


def test_what_nothing_confined_is_graded_again_in_a_sandbox(desk: Desk) -> None:
    root = str(desk.folder.root)
    assert fingerprint(Settings(root, "none")) != fingerprint(Settings(root, "bwrap"))
    assert fingerprint(Settings(root, "landlock")) == fingerprint(Settings(root, "bwrap"))


# ---- lateness needs no grading ------------------------------------------------------------------


def late_course(desk: Desk, due: datetime | None, policy: LatePolicy) -> None:
    keys = {} if due is None else {"due": Path(due.isoformat())}
    desk.folder.head = (
        '[course]\nid = "small"\ntitle = "A small course"\n[late]\n'
        f"per_day = {policy.per_day}\ndays = {policy.days}\n"
    )
    desk.folder.exercise(**keys)


def test_a_changed_due_time_or_policy_rewrites_without_grading(desk: Desk) -> None:
    late_course(desk, DUE, LatePolicy(0.1, 5))
    desk.batch(Entry("ada", submitted_at=LATE))
    assert desk.score("ada")["late"] == {"days": 2, "factor": 0.8}
    assert desk.score("ada")["score"] == 2.4
    for due, policy, days, score in (
        (DUE, LatePolicy(0.25, 5), 2, 1.5),
        (DUE + timedelta(days=1), LatePolicy(0.25, 5), 1, 2.25),
        (LATE, LatePolicy(0.25, 5), 0, 3),
        (DUE, LatePolicy(0.25, 1), 2, 0),
        (None, LatePolicy(0.25, 1), 0, 3),
    ):
        late_course(desk, due, policy)
        outcome = desk.batch(Entry("ada", submitted_at=LATE))
        assert (outcome.skipped, desk.executor.asked) == (1, [])
        found = desk.score("ada")
        assert (found["late"]["days"], found["score"]) == (days, score)
        assert found["digests"]["course"] == read_course(desk.folder.root).digest
        assert found["exercises"][0]["score"] == 3  # what was earned stays
        again = desk.store.path("ada").stat().st_mtime_ns
        desk.batch(Entry("ada", submitted_at=LATE))  # and then it is left alone
        assert desk.store.path("ada").stat().st_mtime_ns == again


def test_an_extension_given_later_rewrites_without_grading(desk: Desk) -> None:
    late_course(desk, DUE, LatePolicy(0.1, 5))
    entries = [Entry("4711", submitted_at=LATE, also=("Ada",)), Entry("bob", submitted_at=LATE)]
    desk.batch(*entries)
    desk.batch(*entries, extensions=Extensions({"ada": {"": LATE}}))
    assert desk.executor.asked == []
    assert [desk.score(who)["score"] for who in ("4711", "bob")] == [3, 2.4]
    desk.batch(*entries)
    assert desk.score("4711")["score"] == 2.4


# ---- one bad submission never stops the rest ----------------------------------------------------


def test_a_fault_is_written_listed_and_tried_again(desk: Desk) -> None:
    entries = [Entry("ada", "fault"), Entry("bob", "lost"), Entry("eve", broken=True), Entry("zoe")]
    outcome = desk.batch(*entries)
    assert outcome.graded == 4
    assert sorted(outcome.faults) == ["ada", "bob", "eve"]
    assert "nobody thought of this" in outcome.faults["eve"]
    for student in ("ada", "bob", "eve"):
        assert desk.score(student)["exercises"][0]["outcome"] == "grader_error"
        assert f"{student}: could not be graded" in desk.look
    again = desk.batch(*entries)
    assert again.skipped == 1
    assert desk.executor.asked == ["ada", "bob"]
    assert sorted(again.faults) == ["ada", "bob", "eve"]


def test_an_old_score_does_not_stand_for_what_could_not_be_graded(desk: Desk) -> None:
    desk.batch(Entry("ada"))
    assert desk.score("ada")["score"] == 3
    desk.batch(Entry("ada", "lost"))
    assert (desk.score("ada")["score"], desk.score("ada")["max_score"]) == (0, 3)
    desk.batch(Entry("ada"))
    assert desk.score("ada")["score"] == 3
    assert desk.look == ""


# ---- what is told -------------------------------------------------------------------------------


def test_what_needs_a_look_is_all_there_after_a_resumed_batch(desk: Desk) -> None:
    entries = [Entry("ada", "slow"), Entry("bob", "slow"), Entry("eve")]
    first = desk.batch(*entries, stopping=1)
    assert first.stopped
    assert desk.told == ["ada: 01_double ran out of time in 2 checks"]
    desk.batch(*entries)
    assert desk.told == ["bob: 01_double ran out of time in 2 checks"]  # not told twice
    assert desk.look.splitlines() == [
        "ada: 01_double ran out of time in 2 checks",
        "bob: 01_double ran out of time in 2 checks",
    ]
    desk.batch(Entry("bob"))  # as --only and --shard do: the others' lines stay
    assert desk.look == "ada: 01_double ran out of time in 2 checks\n"
    desk.batch(Entry("ada"), Entry("bob"), Entry("eve"))
    assert not (desk.out / FILE).exists()


def test_troubles_are_read_from_the_score_file(desk: Desk) -> None:
    desk.batch(Entry("ada", "slow", notes=("cell 7 does not parse",)))
    (_, score), *_ = desk.store.scores()
    assert troubles(score) == [
        "cell 7 does not parse",
        "01_double ran out of time in 2 checks",
    ]


# ---- disks and shards ---------------------------------------------------------------------------


def test_a_full_disk_ends_it_and_what_was_finished_is_skipped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [Entry(f"s{number}") for number in range(5)]
    real, written = os.replace, []

    def fill_up(source: str, target: Path) -> None:
        written.append(target)
        if len(written) > 4:  # two files, each with its stamp
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(source, target)

    monkeypatch.setattr(os, "replace", fill_up)
    with pytest.raises(UsageError, match="the disk is full; what is finished is safe"):
        desk.batch(*entries)
    monkeypatch.setattr(os, "replace", real)
    assert desk.batch(*entries).skipped == 2
    assert len(list(desk.store.scores())) == 5


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_are_a_partition(count: int) -> None:
    students = [f"s{number}" for number in range(500)] + ["Ada Lovelace", "\ud800", ""]
    for student in students:
        assert sum(in_shard(student, index, count) for index in range(1, count + 1)) == 1
    sizes = [sum(in_shard(who, index, count) for who in students) for index in range(1, count + 1)]
    assert min(sizes) > 0.6 * len(students) / count


def test_a_shard_is_the_same_on_every_machine() -> None:
    assert [who for who in map(str, range(12)) if in_shard(who, 1, 4)] == ["0", "9", "10"]
