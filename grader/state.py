"""What a student's own runs leave behind: the last scores, the hints taken, the stubs as they
were. One small file in `.grader`; deleting it harms nothing."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from pathlib import Path

import msgspec

from grader.cache import FOLDER, write_whole
from grader.course import Course
from grader.result import Outcome, SubmissionResult

FILE = "state.json"


class State(msgspec.Struct):
    """By exercise id."""

    scores: dict[str, str] = msgspec.field(default_factory=dict)  # exact: "7", "5/2"
    passed: list[str] = msgspec.field(default_factory=list)
    hints: dict[str, int] = msgspec.field(default_factory=dict)  # how many were taken
    stubs: dict[str, str] = msgspec.field(default_factory=dict)  # the file before it was touched

    def gained(self, result: SubmissionResult) -> Fraction | None:
        """Points more than last time, over the exercises of this run; None for a first run."""
        graded = [item for item in result.exercises if item.outcome is not Outcome.GRADER_ERROR]
        before = [self.scores[item.id] for item in graded if item.id in self.scores]
        if not before:
            return None
        now = sum((item.score for item in graded), Fraction(0))
        return now - sum((Fraction(text) for text in before), Fraction(0))

    def remember(self, course: Course, result: SubmissionResult) -> None:
        """Take over the scores of a run."""
        for item in result.exercises:
            if item.outcome is Outcome.GRADER_ERROR:  # takes nothing from anybody
                continue
            self.scores[item.id] = str(item.score)
            if item.outcome is Outcome.PASSED and item.id not in self.passed:
                self.passed.append(item.id)
            untouched = all(check.outcome is Outcome.TODO for check in item.checks)
            if untouched and item.id not in self.stubs:
                with contextlib.suppress(OSError, UnicodeDecodeError):
                    path = course.stub(course.exercise(item.id))
                    self.stubs[item.id] = path.read_text(encoding="utf-8")


def load(root: Path) -> State:
    """The state of this course folder; an empty one where there is none, or a broken one."""
    with contextlib.suppress(OSError, ValueError, ArithmeticError, msgspec.MsgspecError):
        kept = msgspec.json.decode((root / FOLDER / FILE).read_bytes(), type=State)
        for text in kept.scores.values():
            Fraction(text)
        kept.hints = {name: count for name, count in kept.hints.items() if count > 0}
        return kept
    return State()


def save(root: Path, state: State) -> bool:
    """Written whole or not at all; where it cannot be, the next run just knows less. Whether it
    was."""
    with contextlib.suppress(OSError):
        (root / FOLDER).mkdir(exist_ok=True)
        write_whole(root / FOLDER / FILE, msgspec.json.format(msgspec.json.encode(state), indent=1))
        return True
    return False
