"""The commands of an instructor's desk: report, export, autograder."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grader.cli_files import scores, title_of, write
from grader.course import find_course
from grader.errors import UsageError
from grader.export.gradescope import VISIBILITIES, Visibility

_debug_option = click.option("--debug", is_flag=True, help="Show the traceback of an error.")


@click.command()
@click.argument("out", metavar="OUT")
@_debug_option
def report(out: str, debug: bool) -> int:
    """Write report.html, gradebook.csv and a page for each student from the score files in OUT."""
    from grader.report import html
    from grader.report.figures import ClassFigures
    from grader.report.gradebook import gradebook
    from grader.report.needs import need

    for package in ("jinja2", "matplotlib"):
        need(package)
    folder = Path(out)
    feedback = folder / "feedback"
    figures = ClassFigures()
    pages: dict[str, str] = {}
    title = ""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; name the one given to batch --out")
    for path, score in scores(folder):
        title = title or title_of(score)
        figures.add(score)
        # many small files that can be made again: written without waiting for the disk
        write(feedback / f"{path.stem}.html", html.feedback_page(score, title), wait=False)
        pages[score.student] = f"feedback/{path.stem}.html"
    write(folder / "gradebook.csv", gradebook([item.row for item in figures.students]))
    write(folder / "report.html", html.report_page(figures, title, pages))
    students = "1 student" if len(pages) == 1 else f"{len(pages)} students"
    click.echo(f"{students}: {folder / 'report.html'}, {folder / 'gradebook.csv'}")
    click.echo(f"To hand back: {feedback}{os.sep}")
    return 0


@click.command()
@click.argument("out", metavar="OUT")
@click.option(
    "--to",
    "system",
    required=True,
    type=click.Choice(["canvas", "moodle", "gradescope", "github", "exercism"]),
    help="The system whose format to write.",
)
@click.option("--out", "target", metavar="FILE", help="Where to write it (-: standard output).")
@click.option("--per-exercise", is_flag=True, help="canvas, moodle: a column for each exercise.")
@click.option("--roster", metavar="FILE.csv", help="canvas: its gradebook's export, for the ids.")
@click.option(
    "--hidden",
    default="after_published",
    type=click.Choice(VISIBILITIES),
    help="gradescope: when students see that a hidden check passed or not.",
)
@_debug_option
def export(
    out: str,
    system: str,
    target: str | None,
    per_exercise: bool,
    roster: str | None,
    hidden: Visibility,
    debug: bool,
) -> int:
    """Write what another system imports, from OUT: a batch's folder, or one score file."""
    from grader import cli_export

    wrong = (per_exercise and system not in ("canvas", "moodle") and "--per-exercise") or (
        roster is not None and system != "canvas" and "--roster"
    )
    if wrong:
        raise UsageError(f"{wrong}: means nothing for {system}; leave it out")
    source = Path(out)
    if system in ("canvas", "moodle"):
        cli_export.table(source, scores(source), system, target, per_exercise, roster)
    elif system == "github":
        cli_export.github(scores(source), target)
    else:
        cli_export.results(source, scores(source), system, target, hidden)
    return 0


@click.command()
@click.argument("file", metavar="FILE.zip")
@click.option("-e", "--exercise", "wanted", multiple=True, metavar="ID", help="Only this exercise.")
@click.option(
    "--hidden",
    default="after_published",
    type=click.Choice(VISIBILITIES),
    help="When students see that a hidden check passed or not.",
)
@_debug_option
def autograder(file: str, wanted: tuple[str, ...], hidden: Visibility, debug: bool) -> int:
    """Write the autograder.zip that Gradescope asks for.

    It holds hidden checks, and is for the instructor alone."""
    from grader.export import autograder as gradescope

    course = find_course()
    chosen = {course.exercise(name).id for name in wanted}
    exercises = [item for item in course.exercises if not chosen or item.id in chosen]
    content = gradescope.autograder(course, exercises, hidden)
    write(Path(file), content)
    click.echo(f"{file}: {len(exercises)} exercises, {len(content) / 1e6:.1f} MB. Upload it under")
    click.echo("Configure Autograder; choose Ubuntu 24.04 or newer as its base image.")
    return 0


COMMANDS = (report, export, autograder)
