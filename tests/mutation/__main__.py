"""`python -m tests.mutation`: do the hidden suites notice small changes to the solutions?

Exit code 1 where fewer than 97 of 100 are noticed, or equivalent.toml is out of date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.course import Course, find_course
from grader.errors import GraderError, UsageError
from tests.mutation import known
from tests.mutation.report import Report, lines
from tests.mutation.run import Verdict, all_mutants, run, sample


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    course = find_course(Path(__file__).parent)
    exercises = [course.exercise(name) for name in options.exercise] or list(course.exercises)
    listed = known.read()
    reports: dict[str, Report] = {}
    chosen = {}
    for exercise in exercises:
        found = all_mutants(course, exercise)
        picked = sample(found, options.sample, options.seed, list(listed.get(exercise.id, {})))
        chosen[exercise.id] = picked
        reports[exercise.id] = Report(
            exercise.id,
            len(found),
            len(picked),
            listed.get(exercise.id, {}),
            {m.name for m in found},
        )
    if options.list:
        for name, items in chosen.items():
            print(*(f"{name} {item.name}" for item in items), sep="\n")
        return 0
    _run(course, chosen, reports, options)
    print(*lines(list(reports.values())), sep="\n")
    if options.json:
        kept = {name: item.as_json() for name, item in reports.items()}
        Path(options.json).write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 0 if all(item.good for item in reports.values()) else 1


def _run(course: Course, chosen, reports: dict[str, Report], options) -> None:  # type: ignore[no-untyped-def]
    done, total = 0, sum(map(len, chosen.values()))

    def advance(name: str, verdicts: list[Verdict]) -> None:
        nonlocal done
        done += len(verdicts)
        reports[name].verdicts += verdicts
        print(f"{done} of {total}", file=sys.stderr, flush=True)

    run(course, chosen, options.sandbox, options.processes, advance)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("-e", "--exercise", action="append", default=[], metavar="ID")
    parser.add_argument("--sample", type=int, default=0, help="at most so many of each exercise")
    parser.add_argument("--seed", type=int, default=0, help="which of them a sample takes")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--json", metavar="FILE", help="write every verdict")
    parser.add_argument("--list", action="store_true", help="name the mutants and run nothing")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (GraderError, UsageError, ValueError) as error:
        sys.exit(f"tests.mutation: {error}")
