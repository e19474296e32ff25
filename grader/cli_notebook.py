"""The command that writes an exercise as a notebook."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import click

from grader.cache import write_whole
from grader.course import Course, Exercise, find_course
from grader.errors import UsageError


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option("--out", metavar="FILE", help="Where to (default: ID.ipynb beside course.toml).")
def notebook(exercise_id: str, out: str | None) -> int:
    """Write an exercise as a notebook: lesson, stub, and a last cell that grades it."""
    course = find_course()
    exercise = course.exercise(exercise_id)
    target = Path(out) if out is not None else course.root / f"{exercise.id}.ipynb"
    if target.exists():
        raise UsageError(f"{target.name} is there already; name another file with --out")
    write_whole(target, notebook_of(course, exercise).encode("utf-8"))
    click.echo(f"{target.name} is written. Open it inside the course's folder: jupyter lab")
    return 0


def notebook_of(course: Course, exercise: Exercise) -> str:
    """The notebook of an exercise, made of the same lesson and stub as its folder."""
    nbformat: Any = importlib.import_module("nbformat")  # it has no types
    stub = course.stub(exercise)
    lesson = stub.parent / "README.md"
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    cells = [markdown(lesson.read_text(encoding="utf-8"))] if lesson.is_file() else []
    cells += [
        code(stub.read_text(encoding="utf-8").rstrip("\n")),
        code(f"%load_ext grader\n%grade {exercise.id}"),
    ]
    for number, cell in enumerate(cells):  # the same exercise gives the same file
        cell["id"] = f"{exercise.id.replace('_', '-')}-{number}"
    book = nbformat.v4.new_notebook(cells=cells)
    book["metadata"]["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    return f"{nbformat.writes(book)}\n"


COMMANDS = (notebook,)
