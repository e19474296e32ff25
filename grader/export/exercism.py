"""Exercism's `results.json`, version 2 of its test runner interface: one for each exercise."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from grader.report.score_file import CheckScore, ExerciseScore
from grader.report.text import plain
from grader.result import Outcome

LONGEST_OUTPUT = 500  # Exercism's own limit
_CUT = " [Output was truncated. Please limit to 500 chars]"
_STATUS = {Outcome.PASSED: "pass", Outcome.FAILED: "fail"}
_NOT_RUN = frozenset({Outcome.ERROR, Outcome.MISSING, Outcome.CRASHED, Outcome.TIMEOUT})


def results(exercise: ExerciseScore, code: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The file's content, from a student's view. `code` holds public checks' bodies by check id."""
    stopped = _stopped(exercise)
    if stopped is not None:
        return {"version": 2, "status": "error", "message": stopped, "tests": []}
    tests = [_test(check, (code or {}).get(check.id)) for check in exercise.checks]
    passed = all(test["status"] == "pass" for test in tests)
    return {
        "version": 2,
        "status": "pass" if passed else "fail",
        "message": None,
        "tests": tests,
    }


def _stopped(exercise: ExerciseScore) -> str | None:
    """Why no check could run at all: a file that does not parse, or is not there."""
    if exercise.outcome is Outcome.GRADER_ERROR:
        return (
            "This exercise could not be graded. That is a fault of the course, not of your file; "
            "please tell the maintainers."
        )
    messages = {check.message for check in exercise.checks if check.visibility == "public"}
    ran = any(check.outcome not in _NOT_RUN for check in exercise.checks)
    if ran or len(messages) != 1 or not (message := messages.pop()):
        return None
    return plain(message, 100_000)


def _test(check: CheckScore, code: str | None) -> dict[str, Any]:
    public = check.visibility == "public"
    test: dict[str, Any] = {
        "name": plain(check.title),
        "status": _STATUS.get(check.outcome, "error"),
        "message": None,
    }
    if check.outcome is not Outcome.PASSED:
        told = plain(check.message, 100_000) if public else ""
        test["message"] = told or "A hidden check did not pass; only its title is shown."
    if public and check.output:
        output = plain(check.output, 100_000)
        fits = len(output) <= LONGEST_OUTPUT
        test["output"] = output if fits else output[: LONGEST_OUTPUT - len(_CUT)] + _CUT
    if public and code:
        test["test_code"] = code
    return test


def test_code(suite: Path) -> dict[str, str]:
    """The bodies of a suite's checks without their docstrings, by check id. The course's own file,
    never a submission's."""
    text = suite.read_text(encoding="utf-8")
    return {
        f"{suite.name}::{name}": _body(text, function)
        for name, function in _functions(ast.parse(text), "")
    }


def _functions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}::")
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield prefix + node.name, node


def _body(text: str, function: ast.FunctionDef) -> str:
    body = function.body[ast.get_docstring(function) is not None :]
    if not body:
        return ""
    lines = text.splitlines()[body[0].lineno - 1 : body[-1].end_lineno]
    return dedent("\n".join(lines))
