"""verify: a course that breaks one of its rules is told which, and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

STUB = '''
"""Fill in the TODO."""
LIMIT = 10

def helper(x):
    return x

class Doubler:
    """Doubles."""

    def double(self, x):
        """Twice x."""
        raise NotImplementedError("TODO: Doubler.double")

def double(x):
    """Twice x."""
    raise NotImplementedError("TODO: double")
'''
SOLUTION = '''
"""The completed file."""
LIMIT = 10

def helper(x):
    return x

class Doubler:
    """Doubles."""

    def double(self, x):
        """Twice x."""
        return x + x

def double(x):
    """Twice x."""
    return 2 * x
'''
MISTAKE = '"""Twice is not squared: 3 gives 6, not 9."""\n' + SOLUTION.replace("2 * x", "x * x")
ACCEPTED = "class Doubler:\n    double = lambda self, x: x * 2\ndouble = Doubler().double\n"
PUBLIC = '''
import pytest

@pytest.mark.points(1)
def test_public(submission):
    """Twice 2 is 4."""
    assert submission.double(2) == 4
    assert submission.Doubler().double(2) == 4
'''
HIDDEN = '''
import pytest

@pytest.mark.points(2)
def test_hidden(submission):
    """Twice 3 is 6."""
    assert submission.double(3) == 6
'''


@pytest.fixture
def whole(empty_course: Any) -> Any:
    """A course in which every rule holds."""
    add(empty_course, "01_double")
    return empty_course


def test_a_course_that_keeps_all_rules_holds(whole: Any) -> None:
    """Exit 0, and each rule is said with what it was checked on."""
    done = whole.run("verify")
    assert (done.code, done.err) == (0, "")
    assert all(line.startswith("✓") for line in done.out.splitlines()), done.out
    for words in ("1 solutions", "1 stubs", "1 accepted", "1 mistakes"):
        assert words in done.out


def replaced(path: str, old: str, new: str) -> Callable[[Any, str], None]:
    """A broken rule: some text in a file of the exercise replaced."""

    def change(course: Any, name: str) -> None:
        file = course.root / path.format(name)
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    return change


def added(path: str, text: str) -> Callable[[Any, str], None]:
    """A broken rule: a file more."""
    return lambda course, name: course.write(path.format(name), text)


def gone(path: str) -> Callable[[Any, str], None]:
    """A broken rule: a file less."""
    return lambda course, name: (course.root / path.format(name)).unlink()


def points(number: float) -> Callable[[Any, str], None]:
    """A broken rule: another number of points in course.toml."""
    return lambda course, name: course.tables[name].update(points=number)


STUB_FILE, SOLUTION_FILE = "exercises/{}/value.py", "solutions/{}/value.py"
MISTAKES, VARIANTS = "tests/suites/{}/mistakes/", "tests/suites/{}/accepted/"
HIDDEN_FILE = "tests/suites/{}/test_hidden.py"
OPEN = '    raise NotImplementedError("TODO: double")'
RULES: dict[str, tuple[Callable[[Any, str], Any], list[str]]] = {
    "solution_fails": (
        replaced(SOLUTION_FILE, "2 * x", "3 * x"), ["test_public.py::test_public is failed"],
    ),
    "solution_missing": (gone(SOLUTION_FILE), ["has no solutions/solution_missing/value.py"]),
    "solution_does_not_parse": (replaced(SOLUTION_FILE, "2 * x", "2 *"), ["does not parse"]),
    "solution_with_a_todo": (
        replaced(SOLUTION_FILE, "return x + x", 'raise NotImplementedError("TODO: later")'),
        ["Doubler.double is still TODO"],
    ),
    "stub_without_todo": (added(STUB_FILE, SOLUTION), ["its stub has no TODO"]),
    "stub_is_not_todo": (replaced(STUB_FILE, OPEN, "    return 0"), ["stub is failed, not todo"]),
    "stub_passes": (
        replaced(STUB_FILE, OPEN, "    return 2 * x"),
        ["test_hidden.py::test_hidden of the fresh stub is passed"],
    ),
    "another_constant": (replaced(STUB_FILE, "= 10", "= 11"), ["differs outside"]),
    "another_helper": (
        replaced(STUB_FILE, "    return x\n", "    return -x\n"), ["differs outside"],
    ),
    "another_class_docstring": (replaced(STUB_FILE, "Doubles.", "Triples."), ["differs outside"]),
    "another_parameter": (replaced(STUB_FILE, "double(x)", "double(y)"), ["differs outside"]),
    "another_default": (replaced(SOLUTION_FILE, "double(x)", "double(x=1)"), ["differs outside"]),
    "another_decorator": (
        replaced(SOLUTION_FILE, "def helper", "@staticmethod\ndef helper"), ["differs outside"],
    ),
    "statement_more": (replaced(SOLUTION_FILE, "= 10", "= 10\nOTHER = 1"), ["differ"]),
    "function_more_in_stub": (
        replaced(STUB_FILE, "def double(x):", "def more(): pass\n\ndef double(x):"), ["differ"],
    ),
    "mistake_passes": (
        added(MISTAKES + "none.py", '"""None."""\n' + SOLUTION), ["/none.py", "every hidden point"],
    ),
    "mistake_seen_in_public_only": (
        added(MISTAKES + "shy.py", '"""Two."""\n' + SOLUTION.replace("2 * x", "2 * x + (x == 2)")),
        ["/shy.py", "every hidden point"],
    ),
    "mistake_without_hint": (
        added(MISTAKES + "mute.py", ACCEPTED.replace("* 2", "* 5")), ["/mute.py: has no docstring"],
    ),
    "accepted_fails": (
        added(VARIANTS + "odd.py", ACCEPTED.replace("* 2", "* 3")), ["/odd.py", "is failed"],
    ),
    "wrong_sum": (points(4), ["add up to 3", "course.toml says 4"]),
    "check_worth_more": (replaced(HIDDEN_FILE, "points(2)", "points(2.5)"), ["add up to 3.5"]),
    "broken_check": (replaced(HIDDEN_FILE, "assert", "undefined; assert"), ["NameError"]),
}  # fmt: skip


def add(course: Any, name: str) -> None:
    course.exercise(
        name,
        stub=STUB,
        solution=SOLUTION,
        public=PUBLIC,
        hidden=HIDDEN,
        mistakes={"squares": MISTAKE},
        accepted={"method_only": ACCEPTED},
    )


@pytest.fixture(scope="module")
def broken(shared_course: Any) -> Any:
    """verify of a course in which every exercise but one breaks a rule of its own."""
    add(shared_course, "all_is_well")
    for name, (change, _) in RULES.items():
        add(shared_course, name)
        change(shared_course, name)
    return shared_course.save().run("verify")


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_named(broken: Any, rule: str) -> None:
    """verify exits 1 and says, for the exercise, which rule and which file."""
    assert broken.code == 1
    said = "\n".join(line for line in broken.out.splitlines() if rule in line)
    for word in RULES[rule][1]:
        assert word in said


def test_an_exercise_without_fault_is_not_named(broken: Any) -> None:
    """Only what is wrong is listed."""
    assert "all_is_well" not in broken.out
    assert "✗" in broken.out


def test_one_broken_rule_is_enough(whole: Any) -> None:
    """The other rules are said to hold."""
    replaced("course.toml", "points = 3", "points = 4")(whole, "")
    done = whole.run("verify")
    assert done.code == 1
    assert [line[0] for line in done.out.splitlines() if line[0] != " "].count("✗") == 1


def test_a_suite_that_does_not_collect_is_a_grader_error(whole: Any) -> None:
    """Then there is nothing to verify with: exit 3, and the file is named."""
    whole.write("tests/suites/01_double/test_hidden.py", "import no_such_module\n")
    done = whole.run("verify")
    assert done.code == 3
    assert "test_hidden.py" in done.err


def test_only_the_bodies_of_todos_may_differ(whole: Any) -> None:
    """The docstring of the file, comments and layout may differ as well; the rest holds."""
    path = SOLUTION_FILE.format("01_double")
    text = (whole.root / path).read_text()
    whole.write(path, "# a comment\n" + text.replace("LIMIT = 10", "LIMIT  =  (10)  # ten"))
    assert whole.run("verify").code == 0
