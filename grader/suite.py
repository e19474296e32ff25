"""Runs pytest over suites, inside this process and for the grader's own use.

pytest is observed, not replaced: it collects and runs; pytest-json-report's report says how each
check ended. Which checks there are is asked once (`read_manifest`) and kept by the suite's digest, so
that a run can never make the list of expected checks shorter.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cache import Cache
from grader.course import Course, Exercise
from grader.errors import GraderError
from grader.result import Check, CheckResult, Outcome

if TYPE_CHECKING:
    import pytest

    from grader.plugin import Host

_MANIFEST_VERSION = 1
_NO_REPORT = "the check was never reported"


# ---- the manifest ------------------------------------------------------------------------------


def read_manifest(course: Course, exercise: Exercise, cache: Cache) -> tuple[Check, ...]:
    """The checks of an exercise in suite order, from a clean collection of its suite.

    Raises GraderError where the suite does not collect or a check has no points."""
    import msgspec

    key = f"manifest-{_MANIFEST_VERSION}-{exercise.id}-{course.suite_digest(exercise)}"
    kept = cache.load(key)
    if kept is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            return _decode(kept)
    checks = _collect(course, exercise)
    cache.save(key, _encode(checks))
    return checks


def _collect(course: Course, exercise: Exercise) -> tuple[Check, ...]:
    from grader.plugin import check_of

    checks: list[Check] = []

    def look(run: SuiteRun) -> None:
        for item in run.items:
            try:
                checks.append(check_of(item))
            except ValueError as error:
                raise GraderError(str(error)) from error

    run_suites(course, [exercise], None, SuiteRun(look))
    return tuple(checks)


def _encode(checks: tuple[Check, ...]) -> bytes:
    import msgspec

    return msgspec.json.encode(checks, enc_hook=str)


def _decode(raw: bytes) -> tuple[Check, ...]:
    import msgspec

    return msgspec.json.decode(
        raw, type=tuple[Check, ...], dec_hook=lambda kind, value: Fraction(value)
    )


# ---- a run -------------------------------------------------------------------------------------


@dataclass
class SuiteRun:
    """A pytest session with its checks collected, and the work to do in it.

    As a pytest plugin it takes the place of pytest's own loop over all items, so that the same
    collected items can serve one submission after another."""

    work: Callable[[SuiteRun], None]
    items: list[pytest.Item] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)  # by exercise: why it does not collect
    failure: BaseException | None = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            path = Path(str(report.fspath))
            last = str(report.longrepr).strip().splitlines()[-1:]
            self.broken[path.parent.name] = f"{path.parent.name}/{path.name}: {''.join(last)}"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = list(session.items)
        self._session = session
        try:
            self.work(self)
        except BaseException as error:  # pytest would print it and end with a code of its own
            self.failure = error
        return True

    def run(self, exercise: str, checks: Sequence[Check]) -> tuple[CheckResult, ...]:
        """Run the checks of one exercise, for the submission that the host has now."""
        from pytest_jsonreport.plugin import JSONReport

        if exercise in self.broken:
            return tuple(
                CheckResult(check, Outcome.GRADER_ERROR, self.broken[exercise]) for check in checks
            )
        wanted = {check.id for check in checks}
        items = [item for item in self.items if _key(item) in {(exercise, key) for key in wanted}]
        config = self._session.config
        report: JSONReport = config.pluginmanager.get_plugin("json-report")
        report.__init__(config)  # type: ignore[misc] — its way to begin a new report
        report.pytest_sessionstart(self._session)
        for item in items:
            config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        report.pytest_sessionfinish(self._session)
        return read_report(report.report, checks)


def read_report(report: dict[str, Any], checks: Sequence[Check]) -> tuple[CheckResult, ...]:
    """One result for each expected check, in order; what was not reported is `missing`."""
    reported: dict[str, dict[str, Any]] = {}
    for test in report.get("tests", ()):
        path, _, name = str(test["nodeid"]).partition("::")
        reported[f"{Path(path).name}::{name}"] = test
    return tuple(_check_result(check, reported.get(check.id)) for check in checks)


def _check_result(check: Check, test: dict[str, Any] | None) -> CheckResult:
    if test is None or "metadata" not in test:
        return CheckResult(check, Outcome.MISSING, _NO_REPORT)
    ending = test["metadata"]
    outcome = Outcome(ending["outcome"])
    if outcome is Outcome.PASSED and test["outcome"] != "passed":
        return CheckResult(
            check, Outcome.GRADER_ERROR, f"pytest says {test['outcome']}, the plugin says passed"
        )
    message = "" if outcome is Outcome.PASSED else ending["message"] or str(outcome)
    return CheckResult(check, outcome, message, ending["output"], ending["seconds"])


def run_suites(
    course: Course,
    exercises: Sequence[Exercise],
    host: Host | None,
    run: SuiteRun,
) -> None:
    """Collect the suites of these exercises in one pytest session and do the run's work in it.

    Whatever that raises is raised here. Raises GraderError where pytest itself fails."""
    import pytest
    from pytest_jsonreport.plugin import JSONReport

    from grader import plugin

    files = [str(path) for item in exercises for path in course.suite_files(item)]
    report = JSONReport()
    hooks = _Hooks(host, report)
    options = [
        "--import-mode=importlib",
        f"--rootdir={course.root}",
        f"--confcutdir={course.root / 'tests' / 'suites'}",
        f"--config-file={os.devnull}",
        "--capture=no",
        "--tb=no",
        "-q",
        "-p", "no:cacheprovider",
        "-p", "no:faulthandler",
        "-p", "no:unraisableexception",
        "-p", "no:threadexception",
    ]  # fmt: skip
    printed = io.StringIO()
    with _pytest_environment(), contextlib.redirect_stdout(printed):
        code = pytest.main([*options, *files], plugins=[plugin, hooks, run])
    if run.failure is not None:
        raise run.failure
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not run.items:
        why = "; ".join(run.broken.values()) or printed.getvalue().strip()[-2000:]
        raise GraderError(f"the suite could not be collected: {why}")


class _Hooks:
    """What a run of ours sets up before collection."""

    def __init__(self, host: Host | None, report: Any) -> None:
        self._host = host
        self._report = report

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        # pytest-json-report's own options, which its entry point would add
        from pytest_jsonreport.plugin import pytest_addoption

        pytest_addoption(parser)

    def pytest_configure(self, config: pytest.Config) -> None:
        from grader.plugin import HOST, same_questions_for_all

        same_questions_for_all()
        if self._host is not None:
            config.stash[HOST] = self._host
        config.option.json_report_omit = ["collectors", "log", "traceback", "streams", "warnings"]
        config.option.json_report_file = None
        config.option.json_report_summary = False
        config.pluginmanager.register(self._report, "json-report")


@contextlib.contextmanager
def _pytest_environment() -> Iterator[None]:
    """Only the plugins that we name; and nothing that the caller's environment adds."""
    names = ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")
    before = {name: os.environ.get(name) for name in names}
    path = list(sys.path)
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ.pop("PYTEST_PLUGINS", None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        sys.path[:] = path
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _key(item: pytest.Item) -> tuple[str, str]:
    return item.path.parent.name, f"{item.path.name}::{item.name}"
