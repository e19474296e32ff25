"""The score file: a contract with other programs, and what a student may see of it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report import score_file
from grader.result import Check, CheckResult, ExerciseResult, Mistake, Outcome, SubmissionResult

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "score.json"
SCHEMA = Path(score_file.__file__).with_name("score_file.schema.json")

REGENERATE = """python - <<'END'
import json, pathlib
from grader.report.score_file import schema
text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\\n"
pathlib.Path("grader/report/score_file.schema.json").write_text(text)
END"""


def test_the_schema_file_is_current() -> None:
    """The JSON Schema in the project is the one that the structs give."""
    kept = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert kept == score_file.schema(), f"write it again:\n{REGENERATE}"


def test_the_schema_is_a_schema() -> None:
    """It is valid JSON Schema, so that other programs can use it."""
    jsonschema.Draft202012Validator.check_schema(score_file.schema())


# every key that design gives to the score file, with what other programs read from it
CONTRACT = {
    "": "format course student score max_score sandbox graded_at versions digests late exercises",
    "versions": "grader python pytest hypothesis",
    "digests": "submission course",
    "late": "days factor",
    "exercises": "id title score max_score outcome mistake checks",
    "checks": "id title visibility outcome points max_points message output seconds",
}


def test_the_score_file_has_every_key_of_the_contract(course: Any) -> None:
    """Keys may be added to the score file, but none of these may go."""
    score = course.grade().score
    places = {
        "": score,
        "versions": score["versions"],
        "digests": score["digests"],
        "late": score["late"],
        "exercises": score["exercises"][0],
        "checks": score["exercises"][0]["checks"][0],
    }
    for place, keys in CONTRACT.items():
        assert set(keys.split()) <= set(places[place]), place
    assert score["format"] == 1
    assert score["course"] == "small"
    assert score["late"] == {"days": 0, "factor": 1.0}
    assert score["exercises"][0]["mistake"] is None
    assert score["sandbox"] in ("bwrap", "landlock", "none")
    assert datetime.fromisoformat(score["graded_at"]).tzinfo is not None
    assert {value.partition(":")[0] for value in score["digests"].values()} == {"sha256"}


CHECKS = [
    (Check("test_public.py::test_a", "A works", "public", Fraction(1)), Outcome.PASSED, ""),
    (
        Check("test_public.py::test_b", "B <works> & “quotes”", "public", Fraction(1, 3)),
        Outcome.FAILED,
        "expected 1,\ngot \x1b[31mred\x1b[0m\n::error::no\n\ud800\u202e",
    ),
    (
        Check("test_hidden.py::test_c[1-x]", "C", "hidden", Fraction(1, 2), None, "think of c"),
        Outcome.ERROR,
        "ValueError: the secret is 42",
    ),
    (Check("test_hidden.py::test_d", "D", "hidden", Fraction(2)), Outcome.GRADER_ERROR, "ours"),
]


def a_result() -> SubmissionResult:
    """One of everything."""
    checks = tuple(
        CheckResult(check, outcome, message, "printed \x07\n" if message else "", 0.123456)
        for check, outcome, message in CHECKS
    )
    mistake = Mistake("overwrites_grad", "Add to the gradient, never overwrite it.")
    exercises = (
        ExerciseResult("01_a", "First", checks, (mistake,), ("cell 7 does not parse\x1b",)),
        ExerciseResult("02_b", "Second", checks[:1]),
    )
    return SubmissionResult("ada\n", exercises, "bwrap", "sha256:0", ("two folders",))


def written(course: Any, audience: Any) -> bytes:
    """The score file of `a_result`, at a fixed time and with fixed versions and digests."""
    at = datetime(2026, 11, 30, 13, 0, 0, 999, tzinfo=timezone(timedelta(hours=1)))
    score = score_file.score_file(a_result(), course.read(), audience, at)
    fixed = dict.fromkeys(score.versions, "1.0")
    digests = score_file.Digests("sha256:0", "sha256:1")
    return score_file.encode(msgspec.structs.replace(score, versions=fixed, digests=digests))


def test_the_score_file_is_written_as_it_always_was(course: Any) -> None:
    """Byte for byte the file that is kept in golden/score.json (GOLDEN=1 writes it anew)."""
    if os.environ.get("GOLDEN"):
        GOLDEN.write_bytes(written(course, "instructor"))
    assert written(course, "instructor").decode() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("audience", ["student", "instructor"])
def test_a_written_file_is_valid_and_reads_back(course: Any, audience: str) -> None:
    """It keeps to the schema, is UTF-8, ends with a newline and decodes to what was written."""
    raw = written(course, audience)
    jsonschema.validate(json.loads(raw), json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert raw.endswith(b"}\n")
    assert score_file.encode(score_file.decode(raw)) == raw


def test_text_of_a_submission_is_shown_escaped(course: Any) -> None:
    """No control character, direction mark, surrogate or workflow command survives."""
    text = written(course, "instructor").decode()
    for harmful in ("\x1b", "\\u001b", "\x07", "\u202e", "\ud800"):
        assert harmful not in text
    assert "\\\\x1b[31mred" in text
    assert "\\n::error" not in text


def test_a_student_sees_title_outcome_and_hint_of_a_hidden_check(course: Any) -> None:
    """No message, no output, no time: those could carry the check's own numbers out."""
    score = json.loads(written(course, "student"))
    _, shown, hidden, _ = score["exercises"][0]["checks"]
    assert "expected 1" in shown["message"]
    assert (hidden["title"], hidden["outcome"], hidden["message"]) == ("C", "error", "think of c")
    assert (hidden["output"], hidden["seconds"]) == ("", 0)
    assert "42" not in written(course, "student").decode()


def test_points_are_numbers_and_exact_where_they_can_be() -> None:
    """A whole number is an integer; halves and thirds are the nearest float of the exact sum."""
    result = a_result()
    assert result.max_score == Fraction(1) + Fraction(1, 3) + Fraction(1, 2) + 2 + 1
    assert result.score == 2
    assert result.outcome is Outcome.GRADER_ERROR


@given(
    st.lists(
        st.tuples(
            st.fractions(0, 10, max_denominator=12).filter(bool),
            st.sampled_from(list(Outcome)),
            st.text(max_size=20),
        ),
        max_size=6,
    )
)
def test_every_result_makes_a_valid_score_file(
    entries: list[tuple[Fraction, Outcome, str]],
) -> None:
    """Whatever the outcomes, points and texts are; and the score is the sum of its points."""
    checks = tuple(
        CheckResult(Check(f"test_public.py::t{n}", text, "public", points), outcome, text, text)
        for n, (points, outcome, text) in enumerate(entries)
    )
    exercise = ExerciseResult("01", "t", checks)
    assert exercise.score == sum(p for p, outcome, _ in entries if outcome is Outcome.PASSED)
    assert exercise.max_score == sum(points for points, _, _ in entries)
    assert 0 <= exercise.score <= exercise.max_score


# ---- through the command line --------------------------------------------------------------------


def test_the_file_is_written_beside_the_report(course: Any) -> None:
    """`--json FILE` prints the report as ever, and the file is the score file."""
    done = course.run("solutions", "--json", "out.json")
    score = json.loads((course.root / "out.json").read_text(encoding="utf-8"))
    jsonschema.validate(score, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert (done.code, score["score"]) == (0, 3)
    assert "3 of 3 points" in done.out
    assert [path.name for path in course.root.glob("*.json*")] == ["out.json"]


PUBLIC_THAT_PRINTS = """
import pytest
print("from the suite")

@pytest.mark.points(3)
def test_a(submission):
    print("from a check")
    assert submission.double(1) == 2
"""


def test_dash_prints_the_score_file_and_nothing_else(course: Any) -> None:
    """Also where the suite prints, the submission prints, and there are notes."""
    course.exercise(public=PUBLIC_THAT_PRINTS, hidden=None)
    path = course.submit("print('from the submission')\nexit()\ndef double(x): return 2 * x\n")
    done = course.grade(path)
    assert done.score["score"] == 3
    assert done.out.startswith("{")
    assert done.out.endswith("}\n")


def test_a_file_that_cannot_be_written_is_one_line(course: Any) -> None:
    """The error names the file; the exit code is 2."""
    done = course.run("solutions", "--json", "no/such/folder/out.json")
    assert done.code == 2
    assert "no/such/folder/out.json" in done.err
    assert len(done.err.splitlines()) == 1


def test_an_old_score_file_stays_when_the_new_one_cannot_be_made(course: Any) -> None:
    """A score file is written whole or not at all."""
    (course.root / "out.json").write_text("old")
    course.write("tests/suites/01_double/test_public.py", "import no_such_module\n")
    assert course.run("solutions", "--json", "out.json").code == 3
    assert (course.root / "out.json").read_text() == "old"


TELLING = [
    "def double(x): return 2 * x if x > 0 else x",
    "def double(x):\n    if x < 0: raise ValueError(f'secret {x}')\n    return 2 * x",
    "def double(x):\n    print('asked', x)\n    return abs(2 * x)",
    "def double(x):\n    if x < 0: raise type(f'E{-x}', (Exception,), {})\n    return 2 * x",
    "def double(x): return 2 * x",
]


def test_a_hidden_expected_value_changes_nothing_that_a_student_sees(empty_course: Any) -> None:
    """Another number in a hidden check, with the same outcome: the student's score file and
    terminal are byte for byte the same, but for the clock."""
    seen = []
    for number in (-3119, -4721):
        hidden = "import pytest\n\n@pytest.mark.points(2)\ndef test_negative(submission):\n"
        hidden += f'    """A negative number."""\n    got = submission.double({number})\n'
        hidden += f"    assert got == {2 * number}, f'expected {2 * number}, got {{got}}'\n"
        for index, source in enumerate(TELLING):
            empty_course.exercise(f"0{index}", hidden=hidden)
            path = empty_course.submit(source, f"0{index}")
        score = empty_course.grade(path, "--for", "student")
        terminal = empty_course.run(path, "-v", "--for", "student")
        assert score.code == terminal.code == 1
        for secret in (-number, -2 * number):
            assert str(secret) not in score.out
            assert str(secret) not in terminal.out
        seen.append((without_clock(score.out), terminal.out, terminal.err))
    assert seen[0] == seen[1]


def without_clock(text: str) -> str:
    keys = ('"graded_at"', '"seconds"')
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith(keys))


CARRIES = """
import sys

def double(x):
    sys.__dict__.setdefault("kept", []).append(x)
    return 2 * x

if sys.__dict__.get("kept", [0])[-1] > 3000:
    raise EOFError
"""


def test_a_note_does_not_carry_a_hidden_number_out(course: Any) -> None:
    """Notes are about the file as it was handed in, not about what it did in a hidden check."""
    hidden = "import pytest\n\n" + "".join(
        f"@pytest.mark.points(1)\ndef test_{name}(submission):\n"
        f"    assert submission.double(3117) == 6234\n\n"
        for name in "abc"
    )
    course.exercise(hidden=hidden, imports=["sys"])
    done = course.grade(course.submit(CARRIES), "--for", "student")
    assert done.exercise("01_double")["notes"] == []


def test_graded_at_is_an_instant(course: Any) -> None:
    """With an offset, to the second."""
    before = datetime.now(UTC) - timedelta(seconds=1)
    at = datetime.fromisoformat(course.grade().score["graded_at"])
    assert before <= at <= datetime.now(UTC) + timedelta(seconds=1)
