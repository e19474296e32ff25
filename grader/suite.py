"""Runs pytest over suites, inside this process and for the grader's own use.

pytest is observed, not replaced: it collects and runs; pytest-json-report's report says how each
check ended. Which checks are expected is not for a run to say: that comes from the manifest.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from grader.course import Course, Exercise
from grader.errors import GraderError
from grader.result import Check, CheckResult, Outcome

if TYPE_CHECKING:
    import pytest

    from grader.examples import Example
    from grader.plugin import Host

_NO_REPORT = "the check was never reported"


# ---- a run -------------------------------------------------------------------------------------


@dataclass
class SuiteRun:
    """A pytest session with its checks collected, and the work to do in it.

    As a pytest plugin it takes the place of pytest's own loop over all items, so that the same
    collected items can serve one submission after another."""

    work: Callable[[SuiteRun], None]
    generating: bool = False  # hypothesis draws its examples anew, and shrinks what fails
    items: list[pytest.Item] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)  # by exercise: why it does not collect
    failure: BaseException | None = None
    _stdout: TextIO = field(default_factory=lambda: sys.stdout)
    _examples: dict[str, list[Example] | None] = field(default_factory=dict)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:  # a file that skips itself would make the course smaller
            path = Path(str(report.fspath))
            last = str(report.longrepr).strip().splitlines()[-1:]
            self.broken[path.parent.name] = f"{path.parent.name}/{path.name}: {''.join(last)}"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = list(session.items)
        for item in self.items:  # the plugin tells why; pytest's picture of it is never shown
            item.repr_failure = lambda *_, **__: "it did not pass"  # type: ignore[method-assign]
        self._session = session
        try:
            with contextlib.redirect_stdout(self._stdout):  # pytest's own lines go elsewhere
                self.work(self)
        except BaseException as error:  # pytest would print it and end with a code of its own
            self.failure = error
        return True

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Ask a hypothesis check's own examples, without generating them for every submission."""
        from grader import examples

        if self.generating or not hasattr(pyfuncitem.obj, "hypothesis"):
            return None
        if pyfuncitem.nodeid not in self._examples:
            self._examples[pyfuncitem.nodeid] = examples.collect(pyfuncitem)
        kept = self._examples[pyfuncitem.nodeid]
        if kept is None:
            return None
        examples.call(pyfuncitem, kept)
        return True

    def run(self, exercise: str, checks: Sequence[Check]) -> tuple[CheckResult, ...]:
        """Run the checks of one exercise, for the submission that the host has now."""
        from pytest_jsonreport.plugin import JSONReport

        if exercise in self.broken:
            return tuple(
                CheckResult(check, Outcome.GRADER_ERROR, self.broken[exercise]) for check in checks
            )
        wanted = {(exercise, check.id) for check in checks}
        items = [item for item in self.items if _key(item) in wanted]
        config = self._session.config
        report: JSONReport = config.pluginmanager.get_plugin("json-report")
        report.__init__(config)  # its only way to begin a new report
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
    return CheckResult(
        check, outcome, message, ending["output"], ending["seconds"], cause=ending.get("cause", "")
    )


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
        _forget(files)
        code = pytest.main([*options, *files], plugins=[plugin, hooks, run])
    if run.failure is not None:
        raise run.failure
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not run.items:
        why = "; ".join(run.broken.values()) or printed.getvalue().strip()[-2000:]
        raise GraderError(f"the suite could not be collected: {why}")


def _forget(files: list[str]) -> None:
    """Have pytest read these files, although this process may have imported them before, or those
    of another course with the same names: it would take what is there."""
    ends = tuple(os.path.join("", *Path(file).parts[-3:]) for file in files)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(file, str) and file.endswith(ends):
            del sys.modules[name]


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
    return item.path.parent.name, f"{item.path.name}::{item.nodeid.partition('::')[2]}"
