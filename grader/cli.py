"""The command line: reads arguments, calls one function for each verb, turns its result into text
and an exit code. 0 all passed, 1 not, 2 a wrong command or course, 3 a fault of the grader."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader import cli_batch, cli_desk, cli_graph, cli_handout, cli_notebook, cli_student
from grader.course import Course
from grader.errors import GraderError, UsageError
from grader.result import Outcome, SubmissionResult

WIDTH = 80


class _Commands(click.Group):
    """A group whose first word may be left out: `python -m grader PATH` is `grader grade PATH`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "--version")):
            args = ["grade", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="autograd-exercise-kit", prog_name="grader")
def cli() -> None:
    """Grade the exercises of a course. Without a command: grade exercises/ (see `grade --help`)."""


_sandbox_option = click.option(
    "--sandbox",
    default="auto",
    metavar="LEVEL",
    help="What confines the submission: auto, bwrap, landlock or none.",
)
_debug_option = click.option("--debug", is_flag=True, help="Show the traceback of an error.")


@cli.command()
@click.argument("path", required=False)
@click.option("-e", "--exercise", "wanted", multiple=True, metavar="ID", help="Only this exercise.")
@click.option("--json", "json_file", metavar="FILE", help="Write the score file (-: to stdout).")
@click.option(
    "--for",
    "audience",
    type=click.Choice(["student", "instructor"]),
    default=None,
    help="Who reads it: a student is told nothing that a hidden check knows.",
)
@click.option("--public", is_flag=True, help="Run the public checks only.")
@click.option("-v", "--verbose", is_flag=True, help="Every exercise, every check, every message.")
@_sandbox_option
@_debug_option
def grade(
    path: str | None,
    wanted: tuple[str, ...],
    json_file: str | None,
    audience: str | None,
    public: bool,
    verbose: bool,
    sandbox: str,
    debug: bool,
) -> int:
    """Grade PATH: a folder laid out like exercises/, or one file."""
    from grader import closer
    from grader.course import find_course
    from grader.host import choose_sandbox, gradable
    from grader.report import score_file, terminal
    from grader.session import Session, with_session
    from grader.submission import read_submission

    course = find_course()
    chosen = {course.exercise(name).id for name in wanted}
    only = [item for item in course.exercises if item.id in chosen]
    target = Path(path) if path is not None else course.root / "exercises"
    submission = read_submission(target, course, [item.id for item in only])
    if not only and not target.is_dir():  # one file answers one exercise
        only = [course.exercise(name) for name in submission.answers]
    only, left_out = gradable(course, only)
    level = choose_sandbox(sandbox)
    alone = json_file == "-"  # then nothing else may print there, whatever a suite does

    def work(session: Session) -> tuple[SubmissionResult, SubmissionResult]:
        result = session.grade(submission, lambda item: advance(item.title))
        if alone:
            return result, result
        hidden = audience == "instructor"
        return result, closer.explained(session, submission, result, hidden=hidden)

    with (
        contextlib.redirect_stdout(sys.stderr) if alone else contextlib.nullcontext(),
        _progress(quiet=alone) as advance,
    ):
        result, shown = with_session(course, level, work, only=only, public_only=public)
    if json_file is not None:
        readers: score_file.Audience = "student" if audience == "student" else "instructor"
        score_file.write(score_file.score_file(result, course, readers), json_file)
    if json_file != "-":
        gained = _remember(course, result) if path is None and not public else None
        student = audience != "instructor"
        terminal.show(_console(), course, shown, verbose=verbose, student=student, gained=gained)
        if left_out:
            click.echo(left_out)
    return exit_code(result.outcome)


def _remember(course: Course, result: SubmissionResult) -> Fraction | None:
    """Keep the scores of a student's own run; the points more than last time."""
    from grader import state

    kept = state.load(course.root)
    gained = kept.gained(result)
    kept.remember(course, result)
    state.save(course.root, kept)
    return gained


@cli.command()
@click.option("-e", "--exercise", "wanted", multiple=True, metavar="ID", help="Only this exercise.")
@click.option("--matrix", is_flag=True, help="Show which check sees which mistake.")
@_sandbox_option
@_debug_option
def verify(wanted: tuple[str, ...], matrix: bool, sandbox: str, debug: bool) -> int:
    """Prove the course: solutions pass, stubs are todo, mistakes are caught."""
    from grader import verify as verification
    from grader.course import find_course
    from grader.host import choose_sandbox, insist_on_packages
    from grader.report.matrix import matrix as matrix_lines

    course = find_course()
    exercises = [course.exercise(name) for name in wanted] or list(course.exercises)
    insist_on_packages(exercises)  # among the accepted variants are some that use them
    level = choose_sandbox(sandbox).name
    with _progress() as advance:
        findings = verification.verify(course, level, exercises, advance)
    console = _console()
    for line in verification.lines(findings, console.encoding or "ascii"):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if matrix:
        for line in matrix_lines(findings.kills, findings.checks):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0 if findings.hold else 1


@cli.command()
@_debug_option
def doctor(debug: bool) -> int:
    """What this machine offers: Python, packages, sandbox, terminal."""
    from grader import doctor as examination

    console = _console()
    for line in examination.lines(console):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


for _command in (
    *cli_student.COMMANDS,
    *cli_batch.COMMANDS,
    *cli_desk.COMMANDS,
    *cli_handout.COMMANDS,
    *cli_graph.COMMANDS,
    *cli_notebook.COMMANDS,
):
    cli.add_command(_command)


def exit_code(outcome: Outcome) -> int:
    """0 all passed, 3 a fault of ours, else 1."""
    if outcome is Outcome.GRADER_ERROR:
        return 3
    return 0 if outcome is Outcome.PASSED else 1


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False, emoji=False, soft_wrap=True)


class _progress:  # noqa: N801 — used as a function that returns a context
    """A line on the terminal that says what is going on; nothing in a pipe."""

    def __init__(self, quiet: bool = False) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def __enter__(self) -> Callable[[str], None]:
        return self._say

    def __exit__(self, *_: object) -> None:
        self._write("")

    def _say(self, what: str) -> None:
        self._write(what[: WIDTH - 2])

    def _write(self, text: str) -> None:
        if self._shown:
            sys.__stderr__.write(f"\r\x1b[K{text}") if sys.__stderr__ else None
            sys.stderr.flush()


def main() -> None:
    """Run the command line and exit."""
    debug = "--debug" in sys.argv
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot show a character gets an escape, never a traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        _fail("interrupted", 130)
    except click.ClickException as error:
        _fail(f"{error.format_message()}; see python -m grader --help", 2)
    except UsageError as error:
        if debug:
            raise
        _fail(str(error), 2)
    except GraderError as error:
        if debug:
            raise
        _fail(f"{error}. This is a fault of the course or the grader, not of a submission.", 3)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        if debug:
            raise
        _fail(f"{type(error).__name__}: {error}. A fault of the grader; --debug shows where.", 3)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> None:
    from grader.report.text import plain

    print(f"grader: {plain(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(code)
