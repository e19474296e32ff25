"""What `python -m grader export` does for each system."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader.cli_files import course_of, title_of, write, write_or_print
from grader.course import Course
from grader.errors import UsageError
from grader.report.gradebook import Row, row
from grader.report.points import exact
from grader.report.score_file import ScoreFile

Scores = Iterable[tuple[Path, ScoreFile]]

_NEXT = {
    "canvas": "In Canvas: Grades, Import. Look at what it says of new assignments and students.",
    "moodle": "In Moodle: Grades, Import, CSV file; map the first column to the students.",
}


def table(
    source: Path, scores: Scores, system: str, target: str | None, each: bool, roster: str | None
) -> None:
    """Canvas or Moodle: one CSV file for the class."""
    from grader.export import canvas, columns, moodle

    rows: list[Row] = []
    titles: dict[str, str] = {}
    maxima: dict[str, Fraction] = {}
    title = ""
    for _, score in scores:
        title = title or title_of(score)
        rows.append(row(score))
        for item in score.exercises:
            titles.setdefault(item.id, item.title)
            maxima.setdefault(item.id, exact(item.max_score))
    chosen = columns.each(rows, titles, maxima) if each else columns.total(rows, title)
    people = canvas.read_roster(Path(roster)) if roster is not None else {}
    if system == "canvas":
        text = canvas.canvas(rows, chosen, people)
    else:
        text = moodle.moodle(rows, chosen, title)
    target = target or _default(source, f"{system}.csv")
    write_or_print(target, text)
    _say(target, f"{len(rows)} students. {_NEXT[system]}")
    ungraded = [item.student for item in rows if item.ungraded]
    if ungraded:
        _warn(f"{_names(ungraded)}: could not be graded, through no fault of theirs; left empty")
    unknown = [item.student for item in rows if people and item.student not in people]
    if unknown:
        _warn(f"{_names(unknown)}: not in {roster}; Canvas will ask who they are")


def github(scores: Scores, target: str | None) -> None:
    """Annotations to standard output, and the summary where GitHub Actions wants it."""
    from grader.export import github as actions
    from grader.report.figures import ClassFigures

    given = list(scores)
    title = title_of(given[0][1])
    if len(given) == 1:
        score = given[0][1]
        lines = actions.commands(score, _files(course_of(score)))
        text = actions.summary(score, title)
    else:
        figures = ClassFigures()
        for _, score in given:
            figures.add(score)
        lines, text = [], actions.class_summary(figures, title)
    for line in lines:
        click.echo(line)
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if target is None and place:
        try:
            with open(place, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"{place}: cannot be written: {error.strerror}; use --out") from error
    else:
        write_or_print(target or "-", text)


def results(source: Path, scores: Scores, system: str, target: str | None, hidden: Any) -> None:
    """Gradescope or Exercism: results.json files."""
    given = list(scores)
    if not source.is_dir():
        files = _results(given[0][1], system, hidden)
        if len(files) > 1:
            raise UsageError(
                f"{source}: holds {len(files)} exercises, and {system} takes one at a time; "
                "grade one with -e ID, or give a batch's folder"
            )
        write_or_print(target or "-", next(iter(files.values()), ""))
        return
    folder = Path(target or source / system)
    if target == "-":
        raise UsageError(f"--out -: {system} takes a file for each student; name a folder")
    count = 0
    for path, score in given:
        for name, text in _results(score, system, hidden).items():
            write(folder / path.stem / name, text, wait=False)
            count += 1
    click.echo(f"{count} results.json in {folder}{os.sep}")


def _results(score: ScoreFile, system: str, hidden: Any) -> dict[str, str]:
    """File by name, below the student's own folder."""
    from grader.export import exercism, gradescope

    if system == "gradescope":
        return {"results.json": _json(gradescope.results(score, hidden))}
    course = course_of(score)
    return {
        f"{item.id}/results.json": _json(exercism.results(item, _code(course, item.id)))
        for item in score.exercises
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _code(course: Course | None, exercise: str) -> dict[str, str]:
    """The bodies of an exercise's public checks, where the course is at hand."""
    from grader.export.exercism import test_code

    if course is not None:
        with contextlib.suppress(OSError, SyntaxError, UnicodeDecodeError):
            return test_code(course.root / "tests" / "suites" / exercise / "test_public.py")
    return {}


def _files(course: Course | None) -> dict[str, str]:
    """Where a student's own file is in a repository laid out like the course."""
    exercises = course.exercises if course else ()
    return {item.id: f"exercises/{item.id}/{item.file}" for item in exercises}


def _default(source: Path, name: str) -> str:
    return str(source / name) if source.is_dir() else "-"


def _say(target: str, text: str) -> None:
    if target != "-":
        click.echo(f"{target}: {text}")


def _warn(text: str) -> None:
    click.echo(f"grader: {text}", err=True)


def _names(students: list[str]) -> str:
    from grader.report.text import one_line

    shown = ", ".join(one_line(name, 40) for name in students[:5])
    return f"{shown} and {len(students) - 5} more" if len(students) > 5 else shown
