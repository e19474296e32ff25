"""Damaged sources, notebooks and archives, really graded: no fault of ours, each a definite
outcome in a score file that follows the schema. Not a pytest file.

    python tests/fuzz/fuzz_grading.py [--count N] [--seed N] [--jobs N]

The exercise is a real one; only its limits are lower, as some changed programs never end.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).parents[2]))

from grader.batch.driver import Batch
from grader.batch.local import LocalExecutor
from grader.batch.store import Store
from grader.batch.task import Settings, fingerprint
from grader.course import Course, read_course
from grader.submission.model import RefusedError, Submission
from grader.submission.read import list_file, read_listing, reject_all
from tests.fuzz.mutate import ROOT, one, seeds

EXERCISE = "04_backward"
SCHEMA = json.loads((ROOT / "grader/report/score_file.schema.json").read_text(encoding="utf-8"))
KNOWN = {"passed", "failed", "error", "timeout", "crashed", "todo", "missing"}


@dataclass(frozen=True)
class Made:
    """A submission that is made when it is read."""

    number: int
    seed: int
    course: Course
    sources: tuple[str, ...]
    also: tuple[str, ...] = ()
    submitted_at: datetime | None = None

    @property
    def student(self) -> str:
        return f"s{self.number:06}"

    def file(self) -> tuple[str, bytes]:
        return one(random.Random(f"{self.seed} {self.number}"), self.sources)

    def read(self) -> Submission:
        name, data = self.file()
        try:
            listing = list_file(name, data, (EXERCISE,))
        except RefusedError as refused:
            return reject_all(self.student, frozenset((EXERCISE,)), str(refused))
        return read_listing(listing, self.student, self.course, (EXERCISE,))


def small_course(folder: Path) -> Course:
    """The one exercise, with limits for the impatient."""
    text = (ROOT / "course.toml").read_text(encoding="utf-8")
    head, *tables = text.split("[[exercise]]")
    (table,) = [table for table in tables if f'"{EXERCISE}"' in table]
    head = head.replace("seconds = 5\n", "seconds = 0.5\n").replace(
        "total_seconds = 60", "total_seconds = 1"
    )
    (folder / "course.toml").write_text(f"{head}[[exercise]]{table}", encoding="utf-8")
    for part in ("exercises", "solutions", "tests/suites"):
        shutil.copytree(ROOT / part / EXERCISE, folder / part / EXERCISE)
    return read_course(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="graded-"))
    try:
        return grade(folder, options.count, options.seed, options.jobs)
    finally:
        shutil.rmtree(folder)


def grade(folder: Path, count: int, seed: int, jobs: int) -> int:
    course = small_course(folder)
    settings = Settings(str(course.root), "auto", only=(EXERCISE,))
    store = Store(folder / "out")
    store.prepare()
    sources = tuple(seeds())
    entries = [Made(number, seed, course, sources) for number in range(count)]
    batch = Batch(course, LocalExecutor(settings, jobs), store, fingerprint(settings), (EXERCISE,))
    began = time.monotonic()
    outcome = batch.run(entries)
    took = time.monotonic() - began
    wrong = dict(outcome.faults)
    outcomes: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for who, problem in unlike(store, entries):
        wrong.setdefault(who, problem)
    for _, score in store.scores():
        outcomes.update(check.outcome.value for item in score.exercises for check in item.checks)
        whole = "all" if score.score == score.max_score else "some" if score.score else "no"
        points[f"{whole} points"] += 1
    print(f"{count} files graded in {took:.0f} s; {dict(points)}; checks: {dict(outcomes)}")
    for who, why in sorted(wrong.items())[:20]:
        name, data = entries[int(who[1:])].file()
        print(f"seed {seed}, {who}: {why}\n    {name}: {data[:2000]!r}")
    print(f"{len(wrong)} without a definite outcome")
    return 1 if wrong else 0


def unlike(store: Store, entries: list[Made]) -> Iterator[tuple[str, str]]:
    """What is wrong with score files."""
    validator = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
    for entry in entries:
        try:
            score = json.loads(store.path(entry.student).read_bytes())
        except (OSError, ValueError) as error:
            yield entry.student, f"{type(error).__name__}: {error}"
            continue
        errors = [error.message for error in validator.iter_errors(score)]
        (exercise,) = score["exercises"]
        checks = exercise["checks"]
        if not checks and exercise["outcome"] != "missing":
            errors.append(f"no checks, outcome {exercise['outcome']}")
        strange = {check["outcome"] for check in checks} | {exercise["outcome"]}
        errors += [f"outcome {name}" for name in sorted(strange - KNOWN)]
        if score["student"] != entry.student or score["max_score"] != 12:
            errors.append("another student, or other points")
        if errors:
            yield entry.student, "; ".join(errors)


if __name__ == "__main__":
    sys.exit(main())
