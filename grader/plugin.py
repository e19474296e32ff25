"""The pytest plugin: gives a suite its `submission`, and tells how each check ended.

Used in two ways. The grader runs suites with a host of its own; a suite author runs
`pytest tests/suites --submission solutions`, and gets workers in a sandbox just the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import pytest

from grader.observation import Diverged, Stopped
from grader.proxy import Conversation, SubmissionProxy
from grader.raised import SubmissionError
from grader.result import Check, Outcome

MAX_MESSAGE = 4_000  # characters


class Host(Protocol):
    """Where checks get their conversations from."""

    def begin(self, exercise: str, check: Check) -> Conversation:
        """Start a check: a conversation about a freshly executed submission.

        Raises SubmissionError or link.Stopped where it cannot be executed."""

    def end(self, exercise: str) -> tuple[float, str]:
        """End it: seconds waited for the worker, and what the submission printed."""


HOST = pytest.StashKey[Host]()
ENDING = pytest.StashKey["Ending"]()


@dataclass
class Ending:
    """How a check ended, as far as is known."""

    outcome: Outcome = Outcome.PASSED
    message: str = ""
    output: str = ""
    seconds: float = 0.0
    cause: str = ""  # the type of an exception that came from the suite itself


class _CannotBegin(Exception):
    """The submission cannot be executed. pytest takes only an Exception from a fixture well."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.ending = outcome, message


# ---- pytest's hooks ----------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "autograd exercise kit")
    group.addoption("--submission", metavar="PATH", help="grade this submission with the suites")
    group.addoption(
        "--sandbox", metavar="LEVEL", default="auto", help="auto, bwrap, landlock, none"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "points(n): what the check is worth")
    config.addinivalue_line("markers", "seconds(n): its own time limit")
    config.addinivalue_line("markers", "hint(text): shown when it does not pass")
    path = config.getoption("--submission")
    if path is not None:
        from grader.host import host_for

        same_questions_for_all()
        config.stash[HOST] = host_for(Path(path), config.getoption("--sandbox"), config.rootpath)


def same_questions_for_all() -> None:
    """Fix what hypothesis asks: no randomness, no database, no deadline, no memory of failures."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "grader",
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        phases=[phase for phase in Phase if phase is not Phase.explain],  # nobody reads it
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("grader")
    _no_numbers_from_source()


def _no_numbers_from_source() -> None:
    """hypothesis also draws numbers that stand in the source of imported modules. They depend on
    what happens to be imported, a grader in editable mode among it, and so would the questions."""
    from hypothesis.internal.conjecture import providers

    if hasattr(providers, "_get_local_constants"):  # since 6.131
        from hypothesis.internal.constants_ast import Constants

        nothing = Constants()
        providers._get_local_constants = lambda: nothing


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> Iterator[SubmissionProxy]:
    """The student's module, in a worker: use its names as attributes."""
    item = request.node
    host = item.config.stash.get(HOST, None)
    if host is None:
        pytest.fail("no submission to grade: add --submission PATH", pytrace=False)
    exercise, check = exercise_of(item.path), check_of(item)
    try:
        try:
            conversation = host.begin(exercise, check)
        except (Stopped, SubmissionError) as error:
            raise _CannotBegin(*judge(error)) from None
        try:
            yield SubmissionProxy(conversation)
        finally:
            conversation.close()
    finally:
        ending = item.stash[ENDING]
        ending.seconds, ending.output = host.end(exercise)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[ENDING] = Ending()  # the same item may be run for many submissions
    return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_json_runtest_metadata(item: pytest.Item, call: pytest.CallInfo[None]) -> dict[str, Any]:
    """Carry the ending into the JSON report, where the grader reads outcomes from."""
    ending = item.stash[ENDING]
    if call.excinfo is not None and ending.outcome is Outcome.PASSED:
        ending.outcome, ending.message = judge(call.excinfo.value)
        if ending.outcome is Outcome.GRADER_ERROR:
            ending.cause = call.excinfo.type.__name__
    return {
        "outcome": str(ending.outcome),
        "message": ending.message,
        "output": ending.output,
        "seconds": ending.seconds,
        "cause": ending.cause,
    }


# ---- what a check is ---------------------------------------------------------------------------


def exercise_of(path: Path) -> str:
    """The exercise that a suite's file belongs to: the name of its folder."""
    return path.parent.name


def check_of(item: pytest.Item) -> Check:
    """What the manifest says of a test function. Raises ValueError for a marker that is wrong."""
    function = getattr(item, "function", None)
    text = (getattr(function, "__doc__", None) or "").strip()
    title = text.splitlines()[0].strip() if text else _name_as_title(item)
    points = item.get_closest_marker("points")
    seconds = item.get_closest_marker("seconds")
    hint = item.get_closest_marker("hint")
    if points is None or len(points.args) != 1:
        raise ValueError(f"{item.nodeid}: has no points; add @pytest.mark.points(1)")
    return Check(
        id=check_id(item),
        title=title,
        visibility="hidden" if item.path.name == "test_hidden.py" else "public",
        max_points=Fraction(str(points.args[0])),
        seconds=float(seconds.args[0]) if seconds else None,
        hint=str(hint.args[0]) if hint else "",
        drawn=hasattr(function, "hypothesis"),
    )


def check_id(item: pytest.Item) -> str:
    """The file's name and what pytest calls the function in it: class and parameters included."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def _name_as_title(item: pytest.Item) -> str:
    name = getattr(item, "originalname", None) or item.name
    return str(name).removeprefix("test_").replace("_", " ")


# ---- how it ended ------------------------------------------------------------------------------


def judge(error: BaseException) -> tuple[Outcome, str]:
    """The outcome and the message for what a check raised."""
    if isinstance(error, Stopped):
        return error.outcome, error.message
    if isinstance(error, _CannotBegin):
        return error.ending
    if isinstance(error, SubmissionError):
        return error.outcome, explain(error)
    if isinstance(error, Diverged):
        return Outcome.GRADER_ERROR, "asked something that was not recorded"
    if isinstance(error, BaseExceptionGroup):
        return _judge_group(error)
    if isinstance(error, (AssertionError, pytest.fail.Exception)):
        # what a suite says itself is enough: pytest's picture of the expression would follow it
        said, _, _ = str(error).partition("\nassert ")
        return Outcome.FAILED, _cut(said or "the check's assertion does not hold")
    if type(error).__module__.startswith("hypothesis") and "Flaky" in type(error).__name__:
        return Outcome.FAILED, "asked the same question twice, it gave two different answers"
    return Outcome.GRADER_ERROR, _cut(f"{_where(error)} raised {type(error).__name__}: {error}")


def _judge_group(group: BaseExceptionGroup[BaseException]) -> tuple[Outcome, str]:
    """hypothesis puts the two endings of one example into a group when they differ."""
    endings = [judge(error) for error in group.exceptions]
    ours = [ending for ending in endings if ending[0] is Outcome.GRADER_ERROR]
    if ours and not any(isinstance(error, SubmissionError) for error in group.exceptions):
        return ours[0]
    return Outcome.FAILED, "asked the same question twice, it gave two different answers"


def explain(error: SubmissionError) -> str:
    """What the submission raised, and where in its own file."""
    raised = error.raised
    if error.outcome is Outcome.TODO:
        return _cut(raised.message or "not written yet")
    lines = ["it ran out of memory"] if error.outcome is Outcome.CRASHED else [str(error)]
    lines += [f"  {note}" for note in getattr(error, "__notes__", ())]
    lines += [f"  {frame.file}, line {frame.line}, in {frame.function}" for frame in raised.frames]
    return _cut("\n".join(lines))


def _where(error: BaseException) -> str:
    """The last line of the suite that an error passed through."""
    step, place = error.__traceback__, "the suite"
    while step is not None:
        path = Path(step.tb_frame.f_code.co_filename)
        if path.name.startswith("test_"):
            place = f"tests/suites/{path.parent.name}/{path.name}:{step.tb_lineno}"
        step = step.tb_next
    return place


def _cut(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"
