"""The command line: exit codes, errors of one line, and what is graded."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

NUMBER = "def double(x): return 2 * x\n"


@pytest.mark.parametrize(
    ("source", "code"),
    [(NUMBER, 0), ("def double(x): return 4\n", 1), ("", 1), ("while True: pass\n", 1)],
)
def test_exit_codes_follow_the_outcome(course: Any, source: str, code: int) -> None:
    """0 all passed, 1 not."""
    course.exercise(seconds=1)
    assert course.run(course.submit(source)).code == code


USAGE = {
    "an unknown option": (["--colour"], "--colour"),
    "an unknown exercise": (["-e", "99"], "01_double"),
    "a path that is not there": (["nowhere"], "nowhere"),
    "an unknown sandbox": (["--sandbox", "jail"], "jail"),
    "two paths": (["solutions", "exercises"], "exercises"),
    "an unknown audience": (["--for", "parents"], "parents"),
    "an option without its value": (["solutions", "--json"], "--json"),
}


@pytest.mark.parametrize("fault", USAGE)
def test_a_wrong_command_is_one_line_and_2(course: Any, fault: str) -> None:
    """The line names what is wrong; nothing is printed to standard output."""
    arguments, word = USAGE[fault]
    done = course.run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("grader: ")
    assert word in done.err
    assert len(done.err.splitlines()) == 1


def test_debug_shows_the_traceback(course: Any) -> None:
    """Only with --debug."""
    done = course.run("nowhere", "--debug")
    assert done.code != 0
    assert "Traceback" in done.err


def test_without_a_path_the_exercises_folder_is_graded(course: Any) -> None:
    """From anywhere inside the course."""
    course.write("exercises/01_double/value.py", NUMBER)
    done = course.run()
    assert (done.code, "3 of 3 points" in done.out) == (0, True)


def test_one_file_answers_one_exercise(course: Any) -> None:
    """`-e` says which; the score file then holds only that one."""
    course.exercise("02_other")
    path = course.write("somewhere/mine.py", NUMBER)
    done = course.grade(path, "-e", "1")
    assert [item["id"] for item in done.score["exercises"]] == ["01_double"]
    assert done.code == 0


def test_an_exercise_can_be_chosen_several_times(course: Any) -> None:
    """`-e 1 -e 3` grades those two, in course order."""
    course.exercise("02_other").exercise("03_last")
    done = course.grade("solutions", "-e", "3", "-e", "1")
    assert [item["id"] for item in done.score["exercises"]] == ["01_double", "03_last"]


def test_public_runs_no_hidden_check(course: Any) -> None:
    """`--public` is what a student's handout can run."""
    done = course.grade("solutions", "--public")
    checks = done.exercise("01_double")["checks"]
    assert {check["visibility"] for check in checks} == {"public"}
    assert (done.code, done.score["max_score"]) == (0, 1)


def test_a_handout_is_graded_without_solutions_and_hidden_checks(course: Any) -> None:
    """A student's copy has neither, and is graded all the same."""
    (course.root / "solutions/01_double/value.py").unlink()
    (course.root / "tests/suites/01_double/test_hidden.py").unlink()
    assert course.run().code == 1
    done = course.grade(course.submit(NUMBER))
    assert (done.code, done.score["score"], done.score["max_score"]) == (0, 1, 1)


@pytest.mark.parametrize("level", ["none", "auto"])
def test_the_sandbox_that_was_used_is_reported(course: Any, level: str) -> None:
    """`--sandbox none` says none; auto says what it took."""
    used = course.grade("solutions", "--sandbox", level).score["sandbox"]
    assert used == "none" if level == "none" else used in ("bwrap", "landlock", "none")


def test_a_sandbox_that_cannot_work_is_one_clear_error(course: Any) -> None:
    """`--sandbox bwrap` without bubblewrap does not step down silently."""
    done = course.run("solutions", "--sandbox", "bwrap", PATH="/nowhere", XDG_CACHE_HOME="/nowhere")
    assert (done.code, done.out) == (2, "")
    assert "bwrap" in done.err
    assert len(done.err.splitlines()) == 1


def test_doctor_says_what_the_machine_offers(course: Any) -> None:
    """Python, packages, each sandbox level, the terminal."""
    done = course.run("doctor")
    assert done.code == 0
    for word in ("Python", "msgspec", "bwrap", "landlock", "none", "Terminal"):
        assert word in done.out


@pytest.mark.parametrize("option", ["--help", "-h", "--version"])
def test_help_and_version_are_there(course: Any, option: str) -> None:
    """Both exit with 0."""
    done = course.run(option)
    assert done.code == 0
    assert done.out


def test_grade_help_names_its_options(course: Any) -> None:
    """What the contract gives to the default command."""
    done = course.run("grade", "--help")
    for option in ("--exercise", "--json", "--sandbox", "--public"):
        assert option in done.out


def test_a_closed_pipe_is_no_traceback(course: Any) -> None:
    """`python -m grader | head -1`."""
    shell = f"{sys.executable} -m grader -v | head -c 1"
    done = subprocess.run(  # noqa: S602 — the pipe is what is tested
        shell, shell=True, cwd=course.root, capture_output=True, check=False, timeout=100
    )
    assert b"Traceback" not in done.stderr


def test_suites_run_under_plain_pytest(course: Any, run_python: Any) -> None:
    """`pytest tests/suites --submission solutions`: green for solutions, red for the stubs."""
    plain = ["-m", "pytest", "tests/suites", "-q", "-p", "no:cacheprovider", "--submission"]
    assert run_python([*plain, "solutions"], course.root).code == 0
    done = run_python([*plain, "exercises"], course.root)
    assert done.code == 1
    assert "2 failed" in done.out or "2 errors" in done.out
    assert "TODO: double" in done.out


def test_under_plain_pytest_a_submission_must_be_named(course: Any, run_python: Any) -> None:
    """Without --submission each check says what to add."""
    done = run_python(["-m", "pytest", "tests/suites", "-p", "no:cacheprovider"], course.root)
    assert done.code == 1
    assert "add --submission PATH" in done.out


def test_under_plain_pytest_a_hanging_submission_fails_and_the_rest_goes_on(
    course: Any, run_python: Any
) -> None:
    """A worker that is stopped fails its check like any other failure."""
    course.exercise(seconds=1)
    path = course.submit("def double(x):\n    while x > 0: pass\n    return 2 * x\n")
    done = run_python(
        ["-m", "pytest", "tests/suites", "-p", "no:cacheprovider", "--submission", str(path)],
        course.root,
    )
    assert done.code == 1
    assert "1 failed, 1 passed" in done.out
