"""Suites: what is the course's fault is never the student's, and nobody's checks get lost."""

from __future__ import annotations

import shutil
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.result import Check, Outcome
from grader.sandbox import choose
from grader.session import with_session
from grader.submission import read_submission
from grader.suite import read_report

from .conftest import PUBLIC

TWO = '''
import pytest

@pytest.mark.points(1)
def test_doubles_a_number(submission):
    """Twice 2 is 4."""
    assert submission.double(2) == 4

'''


def second(body: str, decorator: str = "") -> str:
    """A suite whose second check has this body."""
    lines = "\n".join("    " + line for line in body.splitlines())
    return f"{TWO}@pytest.mark.points(2)\n{decorator}\ndef test_second(submission):\n{lines}\n"


BROKEN = {
    "name_error": "assert undefined == 1",
    "division_by_zero": "1 / 0",
    "type_error": "submission.double(2) + 'x'",
    "wrong_argument": "submission.double(lambda: 1)",
    "exit": "raise SystemExit(0)",
}


@pytest.fixture(scope="module")
def faulty(shared_course: Any) -> Any:
    """A course whose checks break, or skip themselves, each in a way of its own."""
    for name, body in BROKEN.items():
        shared_course.exercise(name, public=second(body), hidden=None)
    for name, (body, decorator) in SKIPPED.items():
        shared_course.exercise(name, public=second(body, decorator), hidden=None)
    return shared_course.exercise("whole").grade()


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_check_is_a_grader_error_and_exits_3(faulty: Any, fault: str) -> None:
    """It names the suite's line, gives and takes no points, and flags the exercise."""
    assert faulty.code == 3
    exercise = faulty.exercise(fault)
    first, broken = exercise["checks"]
    assert exercise["outcome"] == broken["outcome"] == "grader_error"
    assert "test_public.py:12" in broken["message"]
    assert (broken["points"], broken["max_points"]) == (0, 2)
    assert (first["outcome"], first["points"]) == ("passed", 1)


def test_a_broken_check_leaves_the_other_exercises_alone(faulty: Any) -> None:
    """They are graded, and the course is as large as ever."""
    assert faulty.exercise("whole")["outcome"] == "passed"
    assert faulty.score["max_score"] == 3 * (len(BROKEN) + len(SKIPPED) + 1)


def test_a_broken_check_is_said_to_be_no_fault_of_the_student(course: Any) -> None:
    """The terminal tells a student that it is not their file."""
    course.exercise(public=second("1 / 0"), hidden=None)
    done = course.run("solutions")
    assert done.code == 3
    assert "not of your file" in " ".join(done.out.split())
    assert "instructor" in done.out


SKIPPED = {
    "skip_in_the_body": ("pytest.skip('not today')", ""),
    "skip_marker": ("pass", "@pytest.mark.skip"),
    "skipif_marker": ("pass", "@pytest.mark.skipif(True, reason='x')"),
    "xfail_in_the_body": ("pytest.xfail('known')", ""),
    "xfail_of_a_failure": ("assert submission.double(2) == 5", "@pytest.mark.xfail"),
    "xfail_of_a_pass": ("assert submission.double(2) == 4", "@pytest.mark.xfail"),
    "strict_xfail_of_a_pass": (
        "assert submission.double(2) == 4", "@pytest.mark.xfail(strict=True)",
    ),
    "importorskip": ("pytest.importorskip('no_such_module')", ""),
}  # fmt: skip


@pytest.mark.parametrize("way", SKIPPED)
def test_a_skip_or_xfail_is_no_pass(faulty: Any, way: str) -> None:
    """Whatever pytest calls it, a check that did not pass gives no points."""
    _, check = faulty.exercise(way)["checks"]
    assert check["outcome"] in ("failed", "grader_error", "error")
    assert (check["points"], check["max_points"]) == (0, 2)


UNCOLLECTABLE = {
    "a syntax error": (TWO + "def test_second(:\n", "test_public.py"),
    "an import that is not there": ("import no_such_module\n" + TWO, "no_such_module"),
    "an exception while it is imported": (TWO + "1 / 0\n", "ZeroDivisionError"),
    "a check without points": (TWO + "def test_second(submission): pass\n", "test_second"),
    "points without a number": (
        TWO + "@pytest.mark.points\ndef test_second(submission): pass\n", "test_second",
    ),
    "a skip of the whole file": (
        "import pytest\npytest.skip('x', allow_module_level=True)\n" + TWO, "01_double",
    ),
    "no check at all": ("x = 1\n", "01_double"),
}  # fmt: skip


@pytest.mark.parametrize("fault", UNCOLLECTABLE)
def test_a_suite_that_does_not_collect_exits_3_and_names_itself(course: Any, fault: str) -> None:
    """One line on standard error; nothing that looks like a score on standard output."""
    text, word = UNCOLLECTABLE[fault]
    course.exercise(public=text, hidden=None)
    done = course.grade()
    assert done.code == 3
    assert done.out == ""
    assert word in done.err
    assert len(done.err.splitlines()) == 1


def test_a_hidden_suite_that_does_not_collect_gives_no_points_for_the_public_one(
    course: Any,
) -> None:
    """A course with half of its checks is not graded."""
    course.exercise(hidden="import no_such_module\n")
    done = course.grade()
    assert (done.code, done.out) == (3, "")
    assert "test_hidden.py" in done.err


def test_a_fixture_that_is_not_there_is_a_grader_error(course: Any) -> None:
    """A misspelled fixture is the suite's fault."""
    course.exercise(
        public=TWO + "@pytest.mark.points(2)\ndef test_second(submision): pass\n", hidden=None
    )
    done = course.grade()
    assert (done.code, done.check("test_second")["outcome"]) == (3, "grader_error")


# ---- the manifest --------------------------------------------------------------------------------


def check(name: str, points: Fraction) -> Check:
    return Check(id=f"test_public.py::{name}", title=name, visibility="public", max_points=points)


REPORTED = st.dictionaries(
    st.sampled_from(["test_a", "test_b", "test_c", "test_stranger"]),
    st.sampled_from(["passed", "failed", "grader_error", "nothing"]),
)


@given(REPORTED)
def test_what_is_not_reported_is_missing_and_takes_no_max_points(reported: dict[str, str]) -> None:
    """The results are those of the manifest, whatever a report holds or leaves out."""
    manifest = [
        check(name, Fraction(n + 1)) for n, name in enumerate(["test_a", "test_b", "test_c"])
    ]
    tests: list[dict[str, Any]] = [
        {
            "nodeid": f"tests/suites/01/test_public.py::{name}",
            "outcome": outcome if outcome == "passed" else "failed",
            "metadata": {"outcome": outcome, "message": "m", "output": "", "seconds": 0.0},
        }
        if outcome != "nothing"
        else {"nodeid": f"test_public.py::{name}", "outcome": "passed"}
        for name, outcome in reported.items()
    ]
    results = read_report({"tests": tests}, manifest)
    assert [result.check for result in results] == manifest
    assert sum(result.check.max_points for result in results) == 6
    for result, entry in zip(results, manifest, strict=True):
        name = entry.id.partition("::")[2]
        if reported.get(name, "nothing") == "nothing":
            assert (result.outcome, result.points) == (Outcome.MISSING, 0)
        else:
            assert result.outcome == reported[name]


def test_a_pass_that_pytest_does_not_confirm_is_no_pass() -> None:
    """Plugin and pytest must agree on a pass."""
    entry = {
        "nodeid": "test_public.py::test_a",
        "outcome": "skipped",
        "metadata": {"outcome": "passed", "message": "", "output": "", "seconds": 0.0},
    }
    (result,) = read_report({"tests": [entry]}, [check("test_a", Fraction(1))])
    assert (result.outcome, result.points) == (Outcome.GRADER_ERROR, 0)


def test_a_conftest_of_a_submission_is_never_read(course: Any) -> None:
    """Files beside a submission that pytest would take notice of are not taken notice of."""
    path = course.submit("def double(x): return 0\n")
    for name in ("conftest.py", "pytest.ini", "sitecustomize.py", "test_hidden.py"):
        (path / "01_double" / name).write_text("raise SystemExit(0)\n")
        (path / name).write_text("raise SystemExit(0)\n")
    done = course.grade(path)
    assert (done.code, done.score["score"], done.score["max_score"]) == (1, 0, 3)


def test_pytest_options_of_the_environment_change_nothing(course: Any) -> None:
    """PYTEST_ADDOPTS and the like can't deselect a check."""
    done = course.grade("solutions", PYTEST_ADDOPTS="-k nothing --co -x", PYTEST_PLUGINS="no_such")
    assert (done.code, done.score["score"]) == (0, 3)


# ---- ordinary pytest -----------------------------------------------------------------------------

FORMS = '''
import math
import pytest

NUMBERS = [1, 2, 3]

@pytest.fixture
def four(submission):
    return submission.double(2)

@pytest.mark.points(0.5)
@pytest.mark.parametrize("number", NUMBERS)
def test_each(submission, number):
    """Each number is doubled."""
    assert submission.double(number) == 2 * number

@pytest.mark.points(0.5)
@pytest.mark.parametrize(("number", "twice"), [pytest.param(4, 8, id="four :: [x]")])
def test_named(submission, number, twice):
    assert submission.double(number) == twice

@pytest.mark.points(1)
def test_with_a_fixture(four):
    assert four == pytest.approx(4)

class TestGroup:
    @pytest.mark.points(0.5)
    def test_inner(self, submission):
        """A check in a class."""
        assert submission.double(5) == 10

class TestOther:
    @pytest.mark.points(0.5)
    def test_inner(self, submission):
        """Another of the same name."""
        assert submission.double(6) == 12
'''


def test_a_suite_may_use_all_of_pytest(course: Any) -> None:
    """Fixtures, parameters, classes: each parameter set and each method is a check of its own."""
    course.exercise(public=FORMS, hidden=None, points=4)
    done = course.grade()
    assert [check["outcome"] for check in done.exercise("01_double")["checks"]] == ["passed"] * 7
    assert (done.code, done.score["score"], done.score["max_score"]) == (0, 4, 4)
    assert len({check["id"] for check in done.exercise("01_double")["checks"]}) == 7


def test_a_title_is_the_docstring_or_the_name(course: Any) -> None:
    """Without a docstring the underscores of the name become spaces."""
    public = TWO + "@pytest.mark.points(2)\ndef test_it_is_even(submission):\n    pass\n"
    course.exercise(public=public, hidden=None)
    titles = [check["title"] for check in course.grade().exercise("01_double")["checks"]]
    assert titles == ["Twice 2 is 4.", "it is even"]


EXPECTS = second("with pytest.raises(TypeError):\n    submission.double()")


def test_a_check_may_expect_an_exception_of_the_submission(course: Any) -> None:
    """`pytest.raises` around a call of the submission works as in one process."""
    course.exercise(public=EXPECTS, hidden=None)
    assert course.grade().code == 0
    done = course.grade(course.submit("def double(x=0): return 2 * x\n"))
    assert done.check("test_second")["outcome"] == "failed"
    assert "DID NOT RAISE" in done.check("test_second")["message"]


ADAPTS = second("""\
if submission.double(1) == 2:
    assert submission.double(2) == 4
else:
    assert submission.double(10) == 11, 'the other way'""")


ADAPTED = {
    "like_the_solution": ("def double(x): return 2 * x", "passed"),
    "right_the_other_way": ("def double(x): return x + 1 if x > 1 else 7", "passed"),
    "wrong_the_other_way": ("def double(x): return 7", "failed"),
    "raises_the_other_way": ("def double(x): return 7 if x == 1 else 1 / 0", "error"),
}


@pytest.fixture(scope="module")
def various(tmp_path_factory: pytest.TempPathFactory, shared_course: Any) -> Any:
    """Submissions to checks that ask by what they were answered, and to laws."""
    course = type(shared_course)(tmp_path_factory.mktemp("various") / "course")
    for name, (source, _) in ADAPTED.items():
        course.exercise(name, public=ADAPTS, hidden=None)
        course.submit(source, name)
    for name, (source, *_) in LAWFUL.items():
        course.exercise(name, public=PROPERTY, hidden=None, imports=["os", "random"])
        course.submit(source, name)
    return course.grade("handed_in/ada")


@pytest.mark.parametrize("name", ADAPTED)
def test_a_check_may_ask_by_what_it_was_answered(various: Any, name: str) -> None:
    """Questions that the solution was never asked are put to the submission all the same."""
    assert various.check("test_second", name)["outcome"] == ADAPTED[name][1]


# ---- the same questions in every run -------------------------------------------------------------

ASKS = '''
import random
import pytest
from hypothesis import given, strategies as st

@pytest.mark.points(1)
@given(st.integers(-10**6, 10**6), st.lists(st.floats(allow_nan=False), max_size=3))
def test_asks(submission, number, others):
    """Many numbers."""
    submission.note(number, others)

@pytest.mark.points(2)
@given(st.data())
def test_draws(submission, data):
    """Numbers that are drawn while the check runs."""
    for _ in range(data.draw(st.integers(1, 3))):
        submission.note(data.draw(st.integers()), [])
'''
NOTES = "def note(number, others): print(number, others)\n"


def test_hypothesis_asks_the_same_in_every_run_and_of_everybody(course: Any) -> None:
    """Same questions in two runs, of two students, with whatever is remembered thrown away."""
    course.exercise(public=ASKS, hidden=None, solution=NOTES)

    def asked(path: Any) -> list[str]:
        checks = course.grade(path).exercise("01_double")["checks"]
        return [check["output"] for check in checks]

    first = asked("solutions")
    assert all(len(output.splitlines()) > 50 for output in first)
    assert asked("solutions") == first
    shutil.rmtree(course.root / ".grader", ignore_errors=True)
    shutil.rmtree(course.root / ".hypothesis", ignore_errors=True)
    assert asked(course.submit(NOTES + "x = 1\n", student="eve")) == first


PROPERTY = '''
import pytest
from hypothesis import given, strategies as st

@pytest.mark.points(3)
@given(st.integers(0, 100))
def test_every_number(submission, number):
    """Every number is doubled."""
    got = submission.double(number)
    assert got == 2 * number, f"double({number}) gave {got}"
'''


LAWFUL = {
    "law_holds": ("def double(x): return 2 * x", "passed", ""),
    "law_fails": ("def double(x): return 2 * x if x < 50 else 0", "failed", "gave 0"),
    "law_raises": (
        "def double(x): return 2 * x if x < 50 else 1 / 0",
        "error",
        "ZeroDivisionError",
    ),
    "law_todo": (
        "def double(x): raise NotImplementedError('TODO: double')",
        "todo",
        "TODO: double",
    ),
    "law_missing": ("def dubble(x): return 2 * x", "missing", "dubble"),
    "law_random": ("import random\ndef double(x): return random.random()", "failed", "gave"),
    "law_exits": ("import os\ndef double(x): os._exit(0)", "crashed", "ended"),
}


@pytest.mark.parametrize("name", LAWFUL)
def test_a_law_ends_like_any_other_check(various: Any, name: str) -> None:
    """Hypothesis changes nothing about outcomes, and the message names an example."""
    _, outcome, word = LAWFUL[name]
    found = various.check("test_every_number", name)
    assert found["outcome"] == outcome
    assert word in found["message"]


def test_two_runs_are_equal_but_for_the_clock(course: Any) -> None:
    """Graded twice, and once more with nothing remembered, a submission has the same score file."""
    course.exercise("02_law", public=PROPERTY, hidden=None)
    course.exercise("03_broken", public=second("1 / 0"), hidden=None)
    path = course.submit("def double(x): return x + 2\n")
    for name in ("02_law", "03_broken"):
        course.submit("def double(x): return x + 2\n", name)
    first, again = timeless(course.grade(path)), timeless(course.grade(path))
    shutil.rmtree(course.root / ".grader")
    assert first == again == timeless(course.grade(path))


def timeless(done: Any) -> Any:
    """A score file without what the clock decides."""
    score = done.score
    del score["graded_at"]
    for exercise in score["exercises"]:
        for entry in exercise["checks"]:
            del entry["seconds"]
    return score


def test_a_changed_suite_is_noticed(course: Any) -> None:
    """Nothing remembered of an older suite decides a score."""
    assert course.grade().score["score"] == 3
    course.write("tests/suites/01_double/test_hidden.py", second("assert False, 'now wrong'"))
    done = course.grade()
    assert done.check("test_second")["message"].startswith("now wrong")


def test_a_damaged_memory_is_forgotten(course: Any) -> None:
    """Garbage in the `.grader` folder costs time, never a score."""
    path = course.submit("def double(x): return 4\n")
    first = timeless(course.grade(path))
    for file in (course.root / ".grader").iterdir():
        file.write_bytes(b"garbage" * 1000)
    assert timeless(course.grade(path)) == first


def test_a_course_that_cannot_be_written_is_graded_all_the_same(course: Any) -> None:
    """A file in the place of the `.grader` folder: nothing is remembered, that is all."""
    shutil.rmtree(course.root / ".grader", ignore_errors=True)
    (course.root / ".grader").write_text("in the way")
    assert course.grade().score["score"] == 3


def test_an_answer_that_a_suite_stumbles_over_is_not_our_fault(course: Any) -> None:
    """The suite works with the solution, so what breaks it is what the submission answered."""
    course.exercise(
        solution="def double(x):\n    return [2 * x]\n",
        public=TWO.replace("== 2", "== [2]").replace("== 4", "== [4]")
        + second("assert submission.double(2)[0] == 4").partition(TWO)[2],
        hidden=None,
    )
    course.write("mine.py", "def double(x):\n    return 2 * x\n")
    done = course.grade("mine.py")
    check = done.check("test_second")
    assert done.code == 1
    assert check["outcome"] == "failed"
    assert "of another kind than expected" in check["message"]


def test_an_edited_suite_is_read_again_in_the_same_process(course: Any) -> None:
    """pytest would take the module that it imported before."""
    sandbox = choose("none")
    for number, points in ((4, 3), (5, 2), (4, 3)):
        course.exercise(public=PUBLIC.replace("== 4", f"== {number}"))
        submission = read_submission(course.root / "solutions", course.read())
        score = with_session(
            course.read(), sandbox, lambda s, one=submission: s.grade(one).score, many=True
        )
        assert score == points
