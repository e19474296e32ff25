"""The commands with which a course is handed out and grows: handout, new-exercise."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.report.text import one_line

SHOWN_LEAKS = 40


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--zip", "archive", metavar="FILE", help="Also write it as a zip archive.")
@click.option(
    "--prove-install", "install", is_flag=True, help="Also install it in a fresh environment."
)
@click.option("--sandbox", default="auto", metavar="LEVEL", help="auto, bwrap, landlock or none.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def handout(folder: str, archive: str | None, install: bool, sandbox: str, debug: bool) -> int:
    """Cut the student's copy into DIR: no solutions, no hidden checks.

    Everything in it is looked through before it is there. Where DIR is an earlier handout it is
    brought up to date, and what a student has written in it stays."""
    from grader.course import find_course
    from grader.handout import hand_out

    course = find_course()
    made = hand_out(
        course,
        Path(folder),
        Path(archive) if archive else None,
        sandbox=sandbox,
        install=install,
        advance=_say,
    )
    _say("")
    if made.leaks:
        for leak in made.leaks[:SHOWN_LEAKS]:
            click.echo(one_line(leak, 300))
        if len(made.leaks) > SHOWN_LEAKS:
            click.echo(f"… and {len(made.leaks) - SHOWN_LEAKS} more")
        click.echo(f"Nothing was written: {_count(made.leaks, 'thing')} to put right first.")
        return 1
    click.echo(f"{folder}: {made.files} files, {_count(course.exercises, 'exercise')}.")
    click.echo("No solution, hidden check, or mistake stands in it; on its own it grades to todo.")
    if install:
        click.echo("It installs in a fresh environment.")
    if archive:
        click.echo(f"{archive}: the same, packed.")
    if made.update is not None:
        _tell_update(made.update.kept, "kept, because it was changed")
        _tell_update(made.update.beside, "the new version of a file that was kept")
        _tell_update(made.update.put_aside, "a changed file that is not for changing, put aside")
    return 0


def _tell_update(paths: list[str], what: str) -> None:
    for path in paths:
        click.echo(f"  {path}: {what}")


def _count(items: object, noun: str) -> str:
    count = len(items)  # type: ignore[arg-type]
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _say(what: str) -> None:
    """A line on the terminal that says what is going on; nothing in a pipe."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{what}", nl=False, err=True)


@click.command("new-exercise")
@click.argument("exercise_id", metavar="ID")
@click.option("--title", help="Its title; without, made from the id.")
def new_exercise(exercise_id: str, title: str | None) -> int:
    """Write the files of a new exercise, all that verify wants. Then write over them."""
    from grader import scaffold

    for path in scaffold.new_exercise(scaffold.find_root(Path.cwd()), exercise_id, title):
        click.echo(f"  {path}")
    click.echo(f"It is whole: python -m grader verify -e {exercise_id}")
    click.echo("Now make it yours; docs/authors.md says how suites are written.")
    return 0


COMMANDS = (handout, new_exercise)
