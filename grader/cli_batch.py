"""The commands for many submissions: batch, merge."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from grader.errors import UsageError
from grader.report.text import one_line

WIDTH = 80
_LISTED = 10  # names that a line gives before it ends in "…"


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
    from grader.batch.store import Store
    from grader.batch.task import Settings, fingerprint
    from grader.course import find_course
    from grader.host import insist_on_packages
    from grader.late import Extensions, read_extensions

    course = find_course()
    only = tuple(course.exercise(name).id for name in wanted)
    # other machines choose for themselves, and are asked what
    level = sandbox if dask else _level(sandbox)
    part = _shard(shard)
    found = find(Path(folder), course, only, roster, zone)
    entries = [item for item in found.entries if part is None or in_shard(item.student, *part)]
    if students:
        entries = [item for item in entries if item.student in students]
        unknown = set(students) - {item.student for item in entries}
        if unknown:
            raise UsageError(f"--only {sorted(unknown)[0]}: not among the submissions in {folder}")
    insist_on_packages(item for item in course.exercises if not only or item.id in only)
    extended = Extensions()
    if extensions:
        extended = read_extensions(Path(extensions), course.exercises)
    settings = Settings(str(course.root), level, not no_memo, only)
    store = Store(Path(out))
    store.prepare()
    with _executor(settings, jobs, len(entries), dask) as (executor, head):
        _say(f"{head}   course {course.digest[:11]}…")
        _say(found.summary)
        _say_of_times(course, found.entries, extended)
        started = time.monotonic()
        with _progress(len(entries)) as (done, say), _finish_on_interrupt(executor):
            events = Events(done, lambda who, line: say(f"{one_line(who, 40)}: {one_line(line)}"))
            key = fingerprint(settings)
            run = Batch(course, executor, store, key, only, extended, fresh, events)
            outcome = run.run(entries)
    seconds = time.monotonic() - started
    return _report(outcome, found, store, seconds, len(entries))


@contextmanager
def _executor(settings: Any, jobs: int | None, entries: int, dask: str | None) -> Iterator[Any]:
    """The executor, and how it is called in the first line."""
    executor: Any
    if dask:
        from grader.batch.cluster import DaskExecutor

        executor = DaskExecutor(settings, dask)
        levels = ", ".join(sorted(set(executor.sandboxes.values())))
        count, kind = len(executor.sandboxes), "dask worker"
    else:
        from grader.batch.local import LocalExecutor

        count, kind = min(jobs or os.cpu_count() or 1, max(1, entries)), "worker"
        executor = LocalExecutor(settings, count)
        levels = settings.sandbox
    with contextlib.closing(executor):
        yield executor, f"Sandbox: {levels}   {count} {kind}{'s' if count > 1 else ''}"


def _say_of_times(course: Any, entries: Sequence[Any], extended: Any) -> None:
    """What an instructor should know of lateness before it is counted."""
    names = [name for item in entries for name in (item.student, *item.also)]
    unused = extended.unused(names)
    if unused:
        _say(f"Extensions for nobody here: {_listed(unused)}")
    if course.late is None or not any(item.due for item in course.exercises):
        return
    timeless = [item for item in entries if item.submitted_at is None]
    if timeless:
        _say(
            f"No time is known of {len(timeless):,} submissions; they count as in time. Where the "
            "export has times without a zone, name it: --zone Europe/Berlin"
        )
    marked = [item.student for item in timeless if item.late]
    if marked:
        _say(f"But the platform marks as late: {_listed(marked)}")


def _report(outcome: Any, found: Any, store: Any, seconds: float, total: int) -> int:
    """The closing lines, and the exit code."""
    from grader.batch.look import FILE, write_look

    out = store.folder
    faults = {who: [f"could not be graded: {why}"] for who, why in outcome.faults.items()}
    look = write_look(store, outcome.troubles | faults, outcome.files)
    done = outcome.graded + outcome.skipped
    if outcome.stopped:
        _say(f"Stopped after {done:,} of {total:,}. What is finished is in {out}/;")
        _say("run the same command again to go on.")
        return 130
    unchanged = f" ({outcome.skipped:,} unchanged since last time)" if outcome.skipped else ""
    _say(f"Done in {seconds:.0f} s: {_files(done)} in {out}/{unchanged}")
    if look:
        _say(f"{look:,} {'needs' if look == 1 else 'need'} a look: {out / FILE}")
    for line in found.closing:
        _say(line)
    if outcome.faults:
        _say(f"{len(outcome.faults):,} could not be graded, through no fault of theirs:")
        for who, why in sorted(outcome.faults.items()):
            _say(f"{one_line(who, 40)}: {one_line(why)}", "  ")
        _say("Run the same command again to try only these once more.")
        return 3
    _say(f"Next: python -m grader report {out}")
    return 0


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="OUT…")
@click.option("--out", required=True, metavar="OUT", help="Where all score files go together.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def merge(folders: tuple[str, ...], out: str, debug: bool) -> int:
    """Put the score files of several shards into one folder."""
    from grader.batch.look import FILE, write_look
    from grader.batch.store import Store, merge_into

    target = Store(Path(out))
    target.prepare()
    count = merge_into(target, [Store(Path(name)) for name in folders])
    look = write_look(target, {})
    _say(f"{_files(count)} in {out}/")
    if look:
        _say(f"{look:,} {'needs' if look == 1 else 'need'} a look: {target.folder / FILE}")
    return 0


# ---- words -------------------------------------------------------------------------------------


def _say(text: str, indent: str = "") -> None:
    """A paragraph, at most as wide as a terminal always is."""
    for line in _lines(text, indent):
        click.echo(line)


def _lines(text: str, first: str, rest: str = "    ") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,  # a path stays whole
        break_on_hyphens=False,
    )


def _files(count: int) -> str:
    return "1 score file" if count == 1 else f"{count:,} score files"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:_LISTED])
    return f"{len(names):,} ({shown}{', …' if len(names) > _LISTED else ''})"


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
            lambda text: console.print("\n".join(_lines(text, "  ! ")), markup=False),
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
