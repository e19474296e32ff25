"""The commands of a student's own desk: list, watch, hint, reveal, reset."""

from __future__ import annotations

import contextlib
import subprocess
import textwrap
import time
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader import state
from grader.cache import FOLDER, write_whole
from grader.course import Course, Exercise, find_course
from grader.errors import UsageError
from grader.result import SubmissionResult, number


@click.command("list")
def list_command() -> int:
    """The exercises, with what is known of them from earlier runs."""
    course = find_course()
    kept = state.load(course.root)
    for item in course.exercises:
        score = kept.scores.get(item.id)
        now = Fraction(score or 0)
        word = "not graded yet" if score is None else ""
        if item.id in kept.passed:
            word = "passed" if now >= item.points else "passed before"
        points = f"{number(now)}/{number(item.points)}"
        stars = "*" * item.difficulty
        line = f"{item.id:<21} {item.minutes:>3} min  {stars:<5} {points:>8}  {word}"
        click.echo(line.rstrip())
    return 0


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option("--all", "again", is_flag=True, help="Show the hints taken so far, and no new one.")
def hint(exercise_id: str, again: bool) -> int:
    """The next hint for an exercise: one step further each time."""
    course = find_course()
    exercise = course.exercise(exercise_id)
    kept = state.load(course.root)
    taken = min(kept.hints.get(exercise.id, 0), len(exercise.hints))
    if again:
        for number, text in enumerate(exercise.hints[:taken], 1):
            click.echo(_wrapped(f"{number}. {text}") + "\n")
        click.echo(_hints_left(exercise, taken))
        return 0
    if taken == len(exercise.hints):
        click.echo(_wrapped(exercise.hints[-1]))
        click.echo("\nThat was the last hint. If you are still stuck, ask somebody, or see")
        click.echo(f"the solution: python -m grader reveal {exercise.id} --give-up")
        return 0
    kept.hints[exercise.id] = taken + 1
    counted = state.save(course.root, kept)
    click.echo(_wrapped(exercise.hints[taken]))
    click.echo(f"\n{_hints_left(exercise, taken + 1)}")
    if not counted:
        click.echo(f"(It cannot be counted: {course.root / FOLDER} cannot be written.)", err=True)
    return 0


def _wrapped(text: str) -> str:
    """To the width that every terminal has; code is not broken at its hyphens."""
    return textwrap.fill(text, 79, break_on_hyphens=False, break_long_words=False)


def _hints_left(exercise: Exercise, taken: int) -> str:
    left = len(exercise.hints) - taken
    more = f"run this again for the next ({left} left)" if left else "there are no more"
    return f"Hint {taken} of {len(exercise.hints)}; {more}."


@click.command()
@click.argument("exercise_id", metavar="ID")
@click.option("--give-up", is_flag=True, help="Show it although the exercise does not pass yet.")
def reveal(exercise_id: str, give_up: bool) -> int:
    """The solution of an exercise, once it is passed."""
    course = find_course()
    exercise = course.exercise(exercise_id)
    if exercise.id not in state.load(course.root).passed and not give_up:
        raise UsageError(
            f"{exercise.id} is not passed yet; to see its solution all the same, "
            f"run: python -m grader reveal {exercise.id} --give-up"
        )
    path = course.solution(exercise)
    if not path.is_file():
        raise UsageError(
            f"{exercise.id}: this copy of the course has no solutions; ask your instructor"
        )
    click.echo(path.read_text(encoding="utf-8"), nl=False)
    return 0


@click.command()
@click.argument("exercise_id", metavar="ID")
def reset(exercise_id: str) -> int:
    """Put back the stub of an exercise; what you wrote is kept beside it."""
    course = find_course(whole=False)  # the file may be gone
    exercise = course.exercise(exercise_id)
    path = course.stub(exercise)
    stub = _original(course, exercise)
    if stub is None:
        raise UsageError(
            f"{exercise.id}: the stub as it was is not known here; copy it from the handout again"
        )
    try:
        before = path.read_bytes() if path.exists() else None
        if before == stub:
            click.echo(f"{_shown(course, path)} is the untouched stub already.")
            return 0
        backup = None if before is None else _back_up(path, before)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, stub)
    except OSError as error:
        raise UsageError(
            f"{_shown(course, path)}: cannot be put back ({error.strerror}); it is as it was"
        ) from error
    click.echo(f"{_shown(course, path)} is the stub again.")
    if backup is not None:
        click.echo(f"What you had written is in {_shown(course, backup)}.")
    return 0


def _back_up(path: Path, content: bytes) -> Path:
    """A copy beside it, under a name that no copy has yet. Raises OSError."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for more in ("", *(f"-{count}" for count in range(2, 1000))):
        backup = path.with_name(f"{path.stem}.{stamp}{more}.bak")
        if not backup.exists():
            break
    write_whole(backup, content)
    return backup


def _original(course: Course, exercise: Exercise) -> bytes | None:
    """The stub before anybody touched it: as handed out, or from an earlier run, or from git."""
    from grader.handout.manifest import original_stub

    given = original_stub(course, exercise)
    if given is not None:
        return given
    kept = state.load(course.root).stubs.get(exercise.id)
    if kept is not None:
        return kept.encode("utf-8")
    path = course.stub(exercise).relative_to(course.root).as_posix()
    with contextlib.suppress(OSError):
        found = subprocess.run(
            ["git", "show", f"HEAD:./{path}"],  # noqa: S607 — whichever git the student has
            cwd=course.root,
            capture_output=True,
            check=False,
        )
        if found.returncode == 0:
            return found.stdout
    return None


@click.command()
@click.option("--sandbox", default="auto", metavar="LEVEL", help="auto, bwrap, landlock or none.")
@click.option("--poll", is_flag=True, help="Look for changes again and again.")
def watch(sandbox: str, poll: bool) -> int:
    """Grade what changes, on every save. Ctrl-C ends it."""
    from rich.console import Console

    from grader import closer
    from grader import watch as watching
    from grader.host import choose_sandbox, gradable
    from grader.report import terminal
    from grader.session import with_session
    from grader.submission import read_submission

    course = find_course()
    only, left_out = gradable(course, [])
    folder = course.root / "exercises"
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    why = watching.must_poll(folder)
    if why:
        click.echo(f"Note: {why}, so changes are looked for once in a while instead.")

    def show(result: SubmissionResult, graded: list[str]) -> None:
        kept = state.load(course.root)
        gained = kept.gained(result)
        kept.remember(course, result)
        state.save(course.root, kept)
        if console.is_terminal:
            console.clear()
        first = graded[0] if len(graded) == 1 else None  # shown even when it passes now
        terminal.show(console, course, result, gained=gained, focus=first)
        if left_out:
            click.echo(left_out)
        click.echo(f"\n{time.strftime('%H:%M:%S')}  Waiting for the next save; Ctrl-C ends this.")

    def work(session: Any) -> None:
        def show_closer(result: SubmissionResult, graded: list[str]) -> None:
            focus = graded[0] if len(graded) == 1 else None
            with contextlib.suppress(UsageError):  # the folder is away again
                submission = read_submission(folder, course)
                result = closer.explained(session, submission, result, focus)
            show(result, graded)

        changes = watching.saves(folder, polling=poll or why is not None)
        watching.watch(session, folder, show_closer, changes)

    with contextlib.suppress(KeyboardInterrupt):
        with_session(course, choose_sandbox(sandbox), work, only=only)
    return 0


def _shown(course: Course, path: Path) -> str:
    return path.relative_to(course.root).as_posix()


COMMANDS = (list_command, hint, reveal, reset, watch)
