"""The commands for many submissions: batch, merge."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from grader.errors import UsageError
from grader.report.text import one_line

LOOK = "needs-a-look.txt"


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--out", required=True, metavar="OUT", help="Where the score files go.")
@click.option("--jobs", type=click.IntRange(1, 512), default=None, help="Processes; all cores.")
@click.option("--roster", metavar="FILE.csv", help="Who should have handed in.")
@click.option("--zone", metavar="NAME", help="Of times that an export gives without one.")
@click.option("--extensions", metavar="FILE.csv", help="Later due times: student,due.")
@click.option("--only", "students", multiple=True, metavar="STUDENT", help="Only this student.")
@click.option("-e", "--exercise", "wanted", multiple=True, metavar="ID", help="Only this exercise.")
@click.option("--shard", metavar="I/N", help="The I-th of N parts, the same on every machine.")
@click.option("--fresh", is_flag=True, help="Grade again what is finished.")
@click.option("--no-memo", is_flag=True, help="Judge every observation anew.")
@click.option("--dask", metavar="ADDRESS", help="Grade on the workers of this dask scheduler.")
@click.option("--sandbox", default="auto", metavar="LEVEL", help="auto, bwrap, landlock or none.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def batch(
    folder: str,
    out: str,
    jobs: int | None,
    roster: str | None,
    zone: str | None,
    extensions: str | None,
    students: tuple[str, ...],
    wanted: tuple[str, ...],
    shard: str | None,
    fresh: bool,
    no_memo: bool,
    dask: str | None,
    sandbox: str,
    debug: bool,
) -> int:
    """Grade every submission in DIR: folders, files, or an export of a learning platform.

    What is finished is not graded again, so a batch that was stopped is simply started again."""
    from grader.batch.driver import Batch, Events, in_shard
    from grader.batch.find import find
    from grader.batch.local import LocalExecutor
    from grader.batch.store import Store
    from grader.batch.task import Settings, fingerprint
    from grader.course import find_course
    from grader.late import read_extensions

    course = find_course()
    only = tuple(course.exercise(name).id for name in wanted)
    level = _level(sandbox)
    part = _shard(shard)
    found = find(Path(folder), course, only, roster, zone)
    entries = [item for item in found.entries if part is None or in_shard(item.student, *part)]
    if students:
        entries = [item for item in entries if item.student in students]
        unknown = set(students) - {item.student for item in entries}
        if unknown:
            raise UsageError(f"--only {sorted(unknown)[0]}: not among the submissions in {folder}")
    for exercise in course.exercises:
        _insist_on_packages(exercise, only)
    extended = dict(read_extensions(Path(extensions))) if extensions else {}
    settings = Settings(str(course.root), level, not no_memo, only)
    store = Store(Path(out))
    store.prepare()
    executor: Any
    if dask:
        from grader.batch.cluster import DaskExecutor

        executor = DaskExecutor(settings, dask)
        workers = f"{len(executor.sandboxes)} dask workers"
    else:
        count = min(jobs or os.cpu_count() or 1, max(1, len(entries)))
        executor = LocalExecutor(settings, count)
        workers = f"{count} worker{'s' if count > 1 else ''}"
    click.echo(f"Sandbox: {level}   course {course.digest[:11]}…   {workers}")
    click.echo(found.summary)
    started = time.monotonic()
    with _progress(len(entries)) as (done, say), _finish_on_interrupt(executor):
        events = Events(done, lambda who, line: say(f"  ! {one_line(who, 40)}: {one_line(line)}"))
        run = Batch(course, executor, store, fingerprint(settings), extended, fresh, events)
        outcome = run.run(entries)
    seconds = time.monotonic() - started
    return _report(outcome, found, Path(out), seconds, len(entries))


def _report(outcome: Any, found: Any, out: Path, seconds: float, total: int) -> int:
    """The closing lines, and the exit code."""
    from grader.cache import write_whole

    lines = [f"{who}: {line}" for who, rest in sorted(outcome.troubles.items()) for line in rest]
    lines += [f"{who}: could not be graded: {why}" for who, why in sorted(outcome.faults.items())]
    if lines:
        text = "".join(f"{one_line(line, 400)}\n" for line in lines)
        write_whole(out / LOOK, text.encode("utf-8", "backslashreplace"))
    done = outcome.graded + outcome.skipped
    if outcome.stopped:
        click.echo(f"Stopped after {done} of {total}. What is finished is in {out}/;")
        click.echo("run the same command again to go on.")
        return 130
    unchanged = f" ({outcome.skipped} unchanged since last time)" if outcome.skipped else ""
    look = f"   {len(outcome.troubles)} need a look: {out}/{LOOK}" if outcome.troubles else ""
    click.echo(f"Done in {seconds:.0f} s: {done} score files in {out}/{unchanged}{look}")
    for line in found.closing:
        click.echo(line)
    if outcome.faults:
        click.echo(f"{len(outcome.faults)} could not be graded, through no fault of theirs:")
        for who, why in sorted(outcome.faults.items()):
            click.echo(f"  {one_line(who, 40)}: {one_line(why)}")
        return 3
    click.echo(f"Next: python -m grader report {out}")
    return 0


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="OUT…")
@click.option("--out", required=True, metavar="OUT", help="Where all score files go together.")
def merge(folders: tuple[str, ...], out: str) -> int:
    """Put the score files of several shards into one folder."""
    from grader.batch.store import Store, merge_into

    target = Store(Path(out))
    target.prepare()
    count = merge_into(target, [Store(Path(name)) for name in folders])
    click.echo(f"{count} score files in {out}/")
    return 0


# ---- arguments ---------------------------------------------------------------------------------


def _level(requested: str) -> str:
    """The sandbox to use. A batch never runs without one unless it is told to."""
    from grader.host import choose_sandbox

    level = choose_sandbox(requested).name
    if level == "none" and requested != "none":
        raise UsageError(
            "no sandbox works here, and a batch runs other people's code; see python -m grader "
            "doctor, or say --sandbox none if you trust every submission"
        )
    return level


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard {text}: write I/N, such as 1/4, with I from 1 to N")
    return int(match[1]), int(match[2])


def _insist_on_packages(exercise: Any, only: Sequence[str]) -> None:
    from grader.host import missing_packages

    packages = missing_packages(exercise) if not only or exercise.id in only else []
    if packages:
        names = " ".join(packages)
        raise UsageError(
            f"{exercise.id} needs {names}, which is not installed; "
            f"run: python -m pip install {names}"
        )


# ---- while it runs -----------------------------------------------------------------------------


@contextmanager
def _progress(total: int) -> Iterator[tuple[Any, Any]]:
    """A bar on a terminal, with rate and time left; in a pipe just the lines."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.0f}/s")

    console = Console(highlight=False, emoji=False, soft_wrap=True)
    bar = Progress(
        BarColumn(40),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=total)
        yield (
            lambda student: bar.advance(task),
            lambda line: console.print(line, markup=False),
        )


@contextmanager
def _finish_on_interrupt(executor: Any) -> Iterator[None]:
    """The first Ctrl-C lets what runs finish; the second does not."""

    def stop(*_: object) -> None:
        executor.stop()
        click.echo("Finishing what runs; Ctrl-C again to leave at once.", err=True)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


COMMANDS = (batch, merge)
