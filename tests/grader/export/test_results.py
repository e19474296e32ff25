"""Gradescope, Exercism and GitHub: against their documented formats, and without hidden numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from grader.export import exercism, github, gradescope
from grader.report.figures import ClassFigures
from grader.report.score_file import Late, MistakeNamed, ScoreFile
from grader.result import Outcome

_VISIBLE = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
# After Gradescope's "Autograder Specifications".
GRADESCOPE = {
    "type": "object",
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"}, "execution_time": {"type": "number"},
        "output": {"type": "string"}, "output_format": _FORMAT, "test_output_format": _FORMAT,
        "test_name_format": _FORMAT, "visibility": _VISIBLE, "stdout_visibility": _VISIBLE,
        "extra_data": {"type": "object"}, "leaderboard": {"type": "array"},
        "tests": {"type": "array", "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "score": {"type": "number"}, "max_score": {"type": "number"},
                "status": {"enum": ["passed", "failed"]}, "name": {"type": "string"},
                "name_format": _FORMAT, "number": {"type": "string"}, "output": {"type": "string"},
                "output_format": _FORMAT, "tags": {"type": "array", "items": {"type": "string"}},
                "visibility": _VISIBLE, "extra_data": {"type": "object"},
            },
        }},
    },
}  # fmt: skip
# After Exercism's "The Test Runner Interface", version 2.
EXERCISM = {
    "type": "object",
    "required": ["version", "status", "tests"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 2},
        "status": {"enum": ["pass", "fail", "error"]},
        "message": {"type": ["string", "null"]},
        "tests": {"type": "array", "items": {
            "type": "object",
            "required": ["name", "status"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"}, "status": {"enum": ["pass", "fail", "error"]},
                "message": {"type": ["string", "null"]}, "test_code": {"type": "string"},
                "output": {"type": "string", "maxLength": 500},
            },
        }},
    },
    "if": {"properties": {"status": {"const": "error"}}},
    "then": {"properties": {"message": {"type": "string", "minLength": 1}}},
}  # fmt: skip


def checked(content: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """As the other system reads it, after its schema."""
    read: dict[str, Any] = json.loads(json.dumps(content, allow_nan=False))
    jsonschema.validate(read, schema)
    return read


def one(made: ModuleType, knows: str = "expected 112, got 80") -> ScoreFile:
    """Right, wrong, hidden and wrong, not started, a fault of ours."""
    first = made.exercise(
        "01_a",
        made.check("right", points=0.1),
        made.check("wrong", Outcome.FAILED, message="line 7: expected 3,\ngot 4", output="x"),
        made.check("secret", Outcome.ERROR, hidden=True, message=knows, output=knows),
        mistakes=(MistakeNamed("m", "Read it <b>again</b>."),),
        notes=("cell 3 does not parse",),
    )
    todo = made.exercise("02_b", made.check("todo", Outcome.TODO, message="TODO: double"))
    ours = made.exercise("03_c", made.check("ours", Outcome.GRADER_ERROR, message="NameError"))
    score: ScoreFile = made.score_file("ada", (first, todo, ours), score=0.09, late=Late(1, 0.9))
    return score


def test_gradescope_gets_exact_points_and_visibility(made: ModuleType) -> None:
    """The score after lateness, each check's points, hidden checks only when they may be seen."""
    read = checked(gradescope.results(one(made)), GRADESCOPE)
    assert read["score"] == 0.09
    assert [(t["score"], t["max_score"], t.get("status")) for t in read["tests"]] == [
        (0.1, 0.1, "passed"), (0, 1, "failed"), (0, 1, "failed"), (0, 1, "failed"), (0, 1, None),
    ]  # fmt: skip
    assert [t["visibility"] for t in read["tests"]] == [
        "visible", "visible", "after_published", "visible", "visible",
    ]  # fmt: skip
    for part in ("cell 3 does not parse", "1 day late: 90%", "03_c could not be graded"):
        assert part in read["output"]
    checked(gradescope.refused("no file"), GRADESCOPE)


@pytest.mark.parametrize("visibility", gradescope.VISIBILITIES)
def test_gradescope_shows_hidden_checks_when_told(
    made: ModuleType, visibility: gradescope.Visibility
) -> None:
    """Any of Gradescope's own four words."""
    read = checked(gradescope.results(one(made), visibility), GRADESCOPE)
    assert read["tests"][2]["visibility"] == visibility


def test_nothing_that_a_hidden_check_knows_is_exported(made: ModuleType) -> None:
    """Other hidden numbers with the same outcomes: the same bytes in every format."""
    seen = set()
    for secret in ("expected 112, got 80", "expected 5, got 6"):
        score = one(made, secret)
        seen.add(
            json.dumps([
                gradescope.results(score),
                exercism.results(score.exercises[0]),
                github.commands(score),
                github.summary(score, "C"),
            ])
        )  # fmt: skip
    assert len(seen) == 1
    assert "112" not in seen.pop()


def test_exercism_gets_tests_in_suite_order(made: ModuleType) -> None:
    """With their code where it is public, and output cut to 500 characters."""
    wordy = made.check("wordy", Outcome.FAILED, output="y" * 2000)
    item = made.exercise("01_a", made.check("right"), wordy, made.check("h", hidden=True))
    code = {check.id: "assert 1" for check in item.checks}
    read = checked(exercism.results(item, code), EXERCISM)
    assert (read["status"], read["message"]) == ("fail", None)
    assert [t["status"] for t in read["tests"]] == ["pass", "fail", "pass"]
    assert ["test_code" in t for t in read["tests"]] == [True, True, False]
    assert read["tests"][1]["output"].endswith("Please limit to 500 chars]")


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.ERROR, Outcome.GRADER_ERROR])
def test_exercism_tells_what_did_not_run(made: ModuleType, outcome: Outcome) -> None:
    """A file that does not parse is an error with its message, not many failed tests."""
    told = "" if outcome is Outcome.PASSED else "SyntaxError: invalid syntax"
    checks = [made.check(name, outcome, message=told) for name in "ab"]
    read = checked(exercism.results(made.exercise("01_a", *checks)), EXERCISM)
    assert read["status"] == ("pass" if outcome is Outcome.PASSED else "error")
    if outcome is Outcome.ERROR:
        assert (read["message"], read["tests"]) == (told, [])


def test_the_code_of_a_check_is_its_body(tmp_path: Path) -> None:
    """Without the docstring, also in a class, and never run."""
    suite = tmp_path / "test_public.py"
    suite.write_text(
        'import nowhere\n\ndef test_a(s):\n    """Title."""\n    x = 1\n    assert x\n\n'
        "class TestB:\n    @deco\n    def test_c(self, s):\n        if s:\n            assert s\n\n"
        "def helper():\n    pass\n",
        encoding="utf-8",
    )
    assert exercism.test_code(suite) == {
        "test_public.py::test_a": "x = 1\nassert x",
        "test_public.py::TestB::test_c": "if s:\n    assert s",
    }


def github_reads(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner parses it."""
    match = re.fullmatch(r"::(\w+)(?: (.*?))?::(.*)", line)
    assert match, line
    fields = dict(pair.split("=", 1) for pair in (match[2] or "").split(",") if pair)

    def plain(text: str) -> str:
        for code, character in (
            ("%3A", ":"),
            ("%2C", ","),
            ("%0D", "\r"),
            ("%0A", "\n"),
            ("%25", "%"),
        ):
            text = text.replace(code, character)
        return text

    return match[1], {key: plain(value) for key, value in fields.items()}, plain(match[3])


def test_github_annotates_what_is_wrong(made: ModuleType) -> None:
    """At the student's file and line; what is not started is no error."""
    lines = github.commands(one(made), {"01_a": "exercises/01_a/value.py"})
    read = [github_reads(line) for line in lines]
    assert [kind for kind, _, _ in read] == ["error"] * 3
    assert read[0][1] == {"file": "exercises/01_a/value.py", "line": "7", "title": "01_a: wrong"}
    assert read[0][2] == "line 7: expected 3,\ngot 4"
    assert "line" not in read[1][1]


@pytest.mark.parametrize(
    "text", ["a::error::b", "x,y:z=1", "100%0A::stop", "a\n::add-mask::b\r\n::x::"]
)
def test_no_text_is_a_command(made: ModuleType, text: str) -> None:
    """Each annotation stays one line of one command, and says the text."""
    item = made.exercise("01_a", made.check("x", Outcome.FAILED, title=text, message=text))
    (line,) = github.commands(made.score_file("ada", (item,)))
    assert len(line.splitlines()) == 1
    assert github_reads(line)[0] == "error"
    assert not re.search(
        r"^\s*::", github.summary(made.score_file("ada", (item,)), text), re.MULTILINE
    )


def test_github_shows_ten_and_says_how_many_more(made: ModuleType) -> None:
    """The runner drops the eleventh in silence."""
    checks = [made.check(f"c{n}", Outcome.FAILED) for n in range(30)]
    lines = github.commands(made.score_file("ada", (made.exercise("01_a", *checks),)))
    assert len(lines) == 10
    assert "21 more" in lines[-1]


def test_a_summary_is_text(made: ModuleType) -> None:
    """No tag, link, image or mention out of a message, title or hint."""
    bad = "<img src=x> [l](http://x) ![i](//x) @team `code` | cell"
    check = made.check("x", Outcome.FAILED, title=bad, message=f"```\n{bad}\n</details>")
    item = made.exercise("01_a", check, title=bad, mistakes=(MistakeNamed("m", bad),))
    text = github.summary(made.score_file("ada", (item,)), bad)
    outside = "\n".join(line for line in text.splitlines() if not line.startswith("      "))
    assert "<img" not in outside
    assert "@team" not in outside
    assert "](" not in outside.replace("\\](", "").replace("\\]\\(", "")
    assert "http://" not in outside


def test_a_class_summary_names_nobody(made: ModuleType) -> None:
    """And stays below what GitHub shows."""
    counted = ClassFigures()
    for score in made.classroom(20):
        counted.add(score)
    text = github.class_summary(counted, "Course")
    assert "student0" not in text
    long = made.exercise(
        "01_a", *(made.check("x", Outcome.FAILED, message="é" * 3000) for _ in range(400))
    )
    assert len(github.summary(made.score_file("ada", (long,)), "C").encode()) < 1024 * 1024
