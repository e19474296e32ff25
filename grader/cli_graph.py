"""The command that draws a computation graph."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.course import Course, Exercise, find_course
from grader.errors import UsageError
from grader.result import CheckResult, Outcome

if TYPE_CHECKING:
    from grader.autograd.look import View
    from grader.host import Answer
    from grader.session import Session


@click.command()
@click.argument("words", nargs=-1, metavar="[ID] [NAME=NUMBER]...")
@click.option("--expr", metavar="TEXT", help='Draw this expression: --expr "(a*b + 3)**2" a=2 b=-1')
@click.option("--check", "wanted", metavar="NAME", help="Draw the graph of this public check.")
@click.option("--path", metavar="PATH", help="Whose work it is (default: exercises/).")
@click.option("--out", metavar="FILE", help="Write a picture, .svg or .png, with Graphviz.")
@click.option("--sandbox", default="auto", metavar="LEVEL", help="auto, bwrap, landlock or none.")
def graph(
    words: tuple[str, ...],
    expr: str | None,
    wanted: str | None,
    path: str | None,
    out: str | None,
    sandbox: str,
) -> int:
    """Draw what a public check of ID built: data, gradients, and the first wrong node.

    With --expr, draw any expression: with the right numbers, or, where an ID is given, with those
    of your own engine."""
    from grader.autograd import listing, picture

    course = find_course()
    ids = [word for word in words if "=" not in word]
    numbers = dict(_number(word) for word in words if "=" in word)
    if len(ids) > 1 or (not ids and expr is None):
        raise UsageError('name one exercise, or an expression: graph --expr "a*b + 3" a=2 b=-1')
    if numbers and expr is None:
        raise UsageError("numbers are for an expression; add --expr")
    exercise = course.exercise(ids[0]) if ids else None
    if path is not None and exercise is None:
        raise UsageError("--path needs the ID of the exercise that the file answers")
    if expr is not None:
        title = ""
        view = _of_expression(course, exercise, path, sandbox, expr, numbers)
    else:
        assert exercise is not None
        title, view = _of_check(course, exercise, path, sandbox, wanted)
    if out is not None:
        picture.draw(view, Path(out), title)
        click.echo(f"{out} is written.")
        return 0
    for line in [*([title] if title else []), str(view.graph.program), "", *listing.lines(view)]:
        click.echo(line)
    return 0


def _number(word: str) -> tuple[str, int | float]:
    name, _, text = word.partition("=")
    with contextlib.suppress(ValueError):
        if name.isidentifier():
            return name, int(text) if text.lstrip("+-").isdigit() else float(text)
    raise UsageError(f"{word}: give each name a number, such as a=2 b=-1.5")


def _of_expression(
    course: Course,
    exercise: Exercise | None,
    path: str | None,
    sandbox: str,
    text: str,
    numbers: dict[str, int | float],
) -> View:
    from grader import closer
    from grader.autograd import asking
    from grader.autograd.look import right_view
    from grader.host import choose_sandbox

    program = asking.read_expression(text, numbers)
    if exercise is None:
        view = right_view(asking.graph_of(program))
    else:
        view = closer.view_of_requests(
            exercise,
            choose_sandbox(sandbox),
            _answer(course, exercise, path),
            asking.requests_for(program),
            f"built     {program}",
        )
    if view is None and exercise is not None:
        raise UsageError(
            f"{exercise.id}: this expression could not be built, or its numbers not be read; "
            f"run: python -m grader -e {exercise.id}"
        )
    if view is None:
        raise UsageError("--expr: it has no finite value or slope at these numbers")
    return view


def _of_check(
    course: Course, exercise: Exercise, path: str | None, sandbox: str, wanted: str | None
) -> tuple[str, View]:
    """The title and the graph of a check: the one that is wanted, or the first that fails."""
    from grader import closer
    from grader.host import choose_sandbox
    from grader.session import with_session

    answer = _answer(course, exercise, path)

    def work(session: Session) -> tuple[str, View]:
        result = session.grade_exercise(exercise, answer)
        check = _choose(exercise, result.checks, wanted)
        view = closer.view_of(session, exercise, answer, check, also_right=True)
        if view is None:
            reason = check.message.splitlines()[0] if check.message else "it builds no graph"
            raise UsageError(
                f'{exercise.id}: nothing to draw for "{check.check.title}": {reason}; '
                f"--check names another: {_listed(result.checks)}"
            )
        return check.check.title, view

    level = choose_sandbox(sandbox)
    return with_session(course, level, work, only=[exercise], public_only=True, diagnosing=False)


def _answer(course: Course, exercise: Exercise, path: str | None) -> Answer:
    from grader.submission import read_submission

    target = Path(path) if path is not None else course.root / "exercises"
    return read_submission(target, course, [exercise.id]).answers.get(exercise.id)


def _choose(exercise: Exercise, checks: tuple[CheckResult, ...], wanted: str | None) -> CheckResult:
    if wanted is not None:
        found = [
            item for item in checks if wanted in (_short(item), item.check.id, item.check.title)
        ]
        if not found:
            raise UsageError(f"{exercise.id} has no public check {wanted}: {_listed(checks)}")
        return found[0]
    failed = [item for item in checks if item.outcome is Outcome.FAILED]
    wrong = failed or [item for item in checks if item.outcome is not Outcome.PASSED]
    if not wrong:
        raise UsageError(
            f"{exercise.id}: all its public checks pass; --check NAME draws one all the same: "
            f"{_listed(checks)}"
        )
    return wrong[0]


def _short(item: CheckResult) -> str:
    return item.check.id.partition("::")[2].removeprefix("test_")


def _listed(checks: tuple[CheckResult, ...]) -> str:
    return ", ".join(_short(item) for item in checks)


COMMANDS = (graph,)
