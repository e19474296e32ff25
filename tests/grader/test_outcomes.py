"""Outcomes: whatever a submission does, each check ends as it should, and costs only itself.

All submissions of this file are graded in one run; each test looks at one of them.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from grader.sandbox import SandboxUnavailable, choose

SUITE = '''
import pytest

@pytest.mark.points(1)
def test_before(submission):
    """Something easy."""
    assert submission.one() == 1

@pytest.mark.points(2)
@pytest.mark.seconds(SECONDS)
def test_go(submission):
    """The check that matters."""
    result = submission.go()
    assert result == 2, f"expected 2, got {result!r}"

@pytest.mark.points(1)
def test_after(submission):
    """Something easy again."""
    assert submission.one() == 1
'''
ONE = "def one(): return 1\n"
SOLUTION = ONE + "def go(): return 2\n"
HANGS = {"loops", "sleeps", "loops_and_swallows", "loops_at_import"}
SECONDS = 1  # for a check that never ends
PLENTY = 30  # for one that does, on a machine that has much else to do
IMPORTS = ["os", "sys", "time", "types", "signal"]

# id: the submission, how its three checks end, words that the message of the second one has
CASES: dict[str, tuple[str, list[str], list[str]]] = {
    "right": (SOLUTION, ["passed"] * 3, []),
    "wrong": (ONE + "def go(): return 3\n", ["passed", "failed", "passed"], ["expected 2, got 3"]),
    "a_lying_object": (
        ONE + "class Two:\n    def __eq__(self, other): return True\ndef go(): return Two()\n",
        ["passed", "failed", "passed"], [],
    ),
    "a_lying_number": (
        ONE + "class Two(int):\n    def __eq__(self, x): return True\ndef go(): return Two(5)\n",
        ["passed", "failed", "passed"], [],
    ),
    "not_a_number": (
        ONE + "def go(): return float('nan')\n", ["passed", "failed", "passed"], ["nan"],
    ),
    "raises": (
        ONE + "def go():\n    return inner()\n\ndef inner():\n    return 1 / 0\n",
        ["passed", "error", "passed"],
        ["ZeroDivisionError: division by zero", "value.py, line 3, in go",
         "value.py, line 6, in inner"],
    ),
    "raises_assertion": (
        ONE + "def go():\n    assert False, 'mine'\n", ["passed", "error", "passed"],
        ["AssertionError: mine", "line 3"],
    ),
    "todo": (
        ONE + "def go():\n    raise NotImplementedError('TODO: go returns 2')\n",
        ["passed", "todo", "passed"], ["TODO: go returns 2"],
    ),
    "missing": (
        ONE + "def goo(): return 2\n", ["passed", "missing", "passed"], ["go is not", "goo"],
    ),
    "loops": (
        ONE + "def go():\n    while True: pass\n", ["passed", "timeout", "passed"], ["1 s"],
    ),
    "sleeps": (
        ONE + "import time\ndef go(): time.sleep(1000)\n", ["passed", "timeout", "passed"], [],
    ),
    "loops_and_swallows": (
        ONE + "def go():\n    while True:\n        try:\n            while True: pass\n"
        "        except BaseException: pass\n",
        ["passed", "timeout", "passed"], [],
    ),
    "exits_at_once": (
        ONE + "import os\ndef go(): os._exit(0)\n", ["passed", "crashed", "passed"], ["ended"],
    ),
    "aborts": (
        ONE + "import os\ndef go(): os.abort()\n", ["passed", "crashed", "passed"], ["ended"],
    ),
    "segfaults": (  # a constant that is not there: the interpreter reads what is no object
        ONE + "def go():\n    code = (lambda: 0).__code__\n"
        "    bad = code.replace(co_consts=(), co_code=bytes([0x90, 255] * 9) + code.co_code)\n"
        "    import types\n"
        "    import os\n"
        "    try: types.FunctionType(bad, {})()\n"
        "    finally: os.abort()\n",
        ["passed", "crashed", "passed"], ["ended"],
    ),
    "system_exit": (
        ONE + "def go(): raise SystemExit(0)\n", ["passed", "error", "passed"], ["SystemExit"],
    ),
    "recurses": (
        ONE + "def go(): return go()\n", ["passed", "error", "passed"], ["RecursionError"],
    ),
    "fills_memory": (
        ONE + "def go():\n    kept = []\n    while True: kept.append('x' * 10**6)\n",
        ["passed", "crashed", "passed"], ["memory"],
    ),
    "asks_too_much_memory": (
        ONE + "def go(): return len('x' * 10**11)\n", ["passed", "crashed", "passed"], ["memory"],
    ),
    "prints_100_mb": (
        ONE + "def go():\n    for _ in range(1000): print('x' * 100_000)\n    return 2\n",
        ["passed", "crashed", "passed"], ["printed"],
    ),
    "prints_a_little": (
        ONE + "import sys\ndef go():\n    print('hello')\n    print('error', file=sys.stderr)\n"
        "    return 2\n",
        ["passed"] * 3, [],
    ),
    "prints_1_mb": (
        ONE + "def go():\n    print('x' * 10**6)\n    return 2\n", ["passed"] * 3, [],
    ),
    "closes_everything": (
        ONE + "import os\ndef go():\n    os.closerange(0, 100)\n    return 2\n",
        ["passed", "crashed", "passed"], [],
    ),
    "changes_directory": (
        ONE + "import os, sys\ndef go():\n    os.chdir('/')\n    sys.setrecursionlimit(50)\n"
        "    return 2\n",
        ["passed"] * 3, [],
    ),
    "breaks_builtins": (
        ONE + "import sys\ndef go():\n"
        "    b = sys.modules['builtins']\n"
        "    b.len = b.repr = b.isinstance = b.type = b.id = lambda *a: 0\n    return 2\n",
        ["passed"] * 3, [],
    ),
    "keeps_state": (
        ONE + "import sys\nruns = []\ndef go():\n    runs.append(1)\n    return 1 + len(runs)\n",
        ["passed"] * 3, [],
    ),
    # while the file is executed
    "loops_at_import": ("while True: pass\n", ["timeout"] * 3, []),
    "crashes_at_import": (
        "import os\nos._exit(0)\n", ["crashed"] * 3, ["while the file was executed"],
    ),
    "raises_at_import": (
        ONE + "x = 1\ny = [][x]\n", ["error"] * 3, ["IndexError", "value.py, line 3"],
    ),
    "todo_at_import": ("raise NotImplementedError('TODO: all')\n", ["todo"] * 3, ["TODO: all"]),
    "exits_at_import": (
        SOLUTION.replace("def go", "import sys\nsys.exit()\ndef go"), ["passed"] * 3, [],
    ),
    "asks_for_input": (
        "name = input('Who are you? ')\n" + SOLUTION, ["passed"] * 3, [],
    ),
    "syntax_error": (
        ONE + "def go(:\n", ["error"] * 3, ["SyntaxError", "value.py, line 2"],
    ),
    "bad_indentation": (ONE + "def go():\nreturn 2\n", ["error"] * 3, ["value.py, line 3"]),
    "empty": ("", ["missing"] * 3, ["empty"]),
    "only_comments": ("# soon\n", ["missing"] * 3, ["is not defined"]),
    "imports_too_much": (
        "import socket\n" + SOLUTION, ["error"] * 3, ["socket", "not allowed", "line 1"],
    ),
    "imports_inside": (
        ONE + "def go():\n    import subprocess\n", ["passed", "error", "passed"],
        ["subprocess", "not allowed", "line 3"],
    ),
    "null_bytes": ("x = 1\0\n" + SOLUTION, ["missing"] * 3, ["NUL"]),
    "parser_bomb": ("x = " + "(" * 5_000 + "\n", ["error"] * 3, []),
    "deep_expression": ("x = " + "-" * 500_000 + "1\n" + SOLUTION, ["error or crashed"] * 3, []),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(shared_course: Any) -> Any:
    """All submissions of this file, graded in one run."""
    shared_course.limits = {
        "seconds": PLENTY, "total_seconds": 100, "memory_mb": 150, "output_kb": 8,
        "imports": IMPORTS,
    }  # fmt: skip
    for name, (source, _, _) in CASES.items():
        seconds = SECONDS if name in HANGS else PLENTY
        keys = {"seconds": SECONDS} if name == "loops_at_import" else {}
        suite = SUITE.replace("SECONDS", str(seconds))
        shared_course.exercise(name, solution=SOLUTION, public=suite, hidden=None, points=4, **keys)
        shared_course.submit(source, name)
    suite = SUITE.replace("SECONDS", str(PLENTY))
    shared_course.exercise("not_handed_in", solution=SOLUTION, public=suite, hidden=None, points=4)
    return shared_course.grade("handed_in/ada")


@pytest.mark.parametrize("name", CASES)
def test_each_check_ends_as_it_should(graded: Any, name: str) -> None:
    """The check that goes wrong says how and why; those before and after it keep their points."""
    _, outcomes, words = CASES[name]
    checks = graded.exercise(name)["checks"]
    for check, expected in zip(checks, outcomes, strict=True):
        assert check["outcome"] in expected.split(" or "), check
    for word in words:
        assert word in checks[1]["message"]
    for check, worth in zip(checks, (1, 2, 1), strict=True):
        assert check["max_points"] == worth
        assert check["points"] == (worth if check["outcome"] == "passed" else 0)
        assert (check["message"] == "") == (check["outcome"] == "passed")
        assert len(check["output"]) <= 9 * 1024


def test_the_sum_is_what_the_checks_gave(graded: Any) -> None:
    """Scores add up, and nothing that happened made the course smaller."""
    score = graded.score
    assert graded.code == 1
    assert score["max_score"] == 4 * (len(CASES) + 1)
    points = [c["points"] for item in score["exercises"] for c in item["checks"]]
    assert score["score"] == sum(points)


def test_a_file_that_was_not_handed_in_is_missing(graded: Any) -> None:
    """Every check of its exercise is `missing`, with the file's name."""
    exercise = graded.exercise("not_handed_in")
    assert exercise["outcome"] == "missing"
    assert {check["message"] for check in exercise["checks"]} == {"no value.py was handed in"}
    assert exercise["max_score"] == 4


def test_a_loop_at_import_costs_one_deadline(graded: Any) -> None:
    """Three checks, one wait: the file is not executed again once it was seen to hang."""
    checks = graded.exercise("loops_at_import")["checks"]
    assert sum(check["seconds"] for check in checks) < 2 * SECONDS
    assert all("while the file was executed" in check["message"] for check in checks)


def test_what_was_printed_stands_with_its_check(graded: Any) -> None:
    """Output goes to the check that printed it, both streams, and to no other."""
    before, go, after = graded.exercise("prints_a_little")["checks"]
    assert "hello" in go["output"]
    assert "error" in go["output"]
    assert (before["output"], after["output"]) == ("", "")


@pytest.mark.parametrize("name", ["exits_at_import", "asks_for_input"])
def test_a_line_that_ends_the_import_is_noted(graded: Any, name: str) -> None:
    """A forgotten sys.exit() or input() costs nothing, but the student is told."""
    notes = " ".join(graded.exercise(name)["notes"])
    assert "while the file is imported; the rest was graded" in notes


def test_a_recursion_does_not_fill_the_message(graded: Any) -> None:
    """A thousand frames are shown as a few."""
    assert len(graded.check("test_go", "recurses")["message"].splitlines()) <= 15


METHOD_SUITE = '''
import pytest

@pytest.mark.points(1)
def test_method(submission):
    """The method is called."""
    assert submission.Value().tanh() == 1
'''


def test_a_missing_method_is_named(course: Any) -> None:
    """The message says which attribute of which class is not there."""
    course.exercise(
        public=METHOD_SUITE, hidden=None, solution="class Value:\n    def tanh(self): return 1\n"
    )
    done = course.grade(course.submit("class Value:\n    def tan(self): return 1\n"))
    check = done.check("test_method")
    assert check["outcome"] in ("missing", "error")
    assert "Value" in check["message"]
    assert "tanh" in check["message"]


FRESH_SUITE = '''
import pytest

@pytest.mark.points(1)
@pytest.mark.parametrize("number", range(3))
def test_first(submission, number):
    """Every check sees a module that was just executed."""
    assert submission.tick() == 1
    assert submission.tick() == 2
'''
FRESH = """
count = 0
def tick():
    global count
    count += 1
    return count
"""


def test_each_check_sees_a_freshly_executed_module(course: Any) -> None:
    """Globals, defaults and class attributes begin anew with every check."""
    course.exercise(public=FRESH_SUITE, hidden=None, solution=FRESH)
    assert course.grade(course.submit(FRESH)).code == 0


C_RECURSION = """
import sys
def one(): return 1
class Deep:
    def __repr__(self): return repr([self])
def go():
    sys.setrecursionlimit(10**8)
    return len(repr(Deep()))
"""


def test_recursion_without_a_limit_costs_one_check(course: Any) -> None:
    """With the recursion limit lifted the C stack may overflow: a crash or an error, for this
    check alone. (Newer Pythons guard the C stack by themselves.)"""
    suite = SUITE.replace("SECONDS", str(PLENTY))
    course.exercise(public=suite, hidden=None, points=4, solution=SOLUTION, imports=["sys"])
    outcomes = [
        check["outcome"]
        for check in course.grade(course.submit(C_RECURSION)).exercise("01_double")["checks"]
    ]
    assert outcomes[0] == outcomes[2] == "passed"
    assert outcomes[1] in ("crashed", "error")


# Runs the grader as a process that inherits orphans, then counts what is left.
REAPER = """
import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphaned grandchildren become children of this process
subprocess.run([sys.executable, "-m", "grader", *sys.argv[1:]], stdout=subprocess.DEVNULL)

def children():
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state, parent = open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()[:2]
                command = open(f"/proc/{entry}/cmdline").read().split(chr(0))
            except OSError:
                continue
            if parent == str(os.getpid()) and state != "Z":
                found.append(command)
    return found

until = time.monotonic() + 10
while children() and time.monotonic() < until:
    time.sleep(0.05)
print(children())
"""
FORKS = """
import os, time
def one(): return 1
def go():
    for _ in range(3):
        if os.fork() == 0:
            DETACH
            time.sleep(60)  # should this test fail, nothing stays for ever
            os._exit(0)
    ENDING
"""
ENDINGS = {"a": "return 2", "b": "os._exit(0)", "c": "time.sleep(1000)", "d": "while True: pass"}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    ("sandbox", "detach"),
    [("auto", "os.setsid()"), ("landlock", "os.setsid()"), ("none", "pass")],
)
def test_no_process_is_left_behind(course: Any, run_python: Any, sandbox: str, detach: str) -> None:
    """When the grader is gone so is every process of a submission that forks, exits or loops; in a
    sandbox that confines, one that left its session as well."""
    try:
        choose(sandbox)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    course.limits = {"seconds": SECONDS, "imports": IMPORTS}
    suite = SUITE.replace("SECONDS", str(SECONDS))
    for name, ending in ENDINGS.items():
        course.exercise(name, public=suite, hidden=None, solution=SOLUTION)
        course.submit(FORKS.replace("ENDING", ending).replace("DETACH", detach), name)
    done = run_python(
        ["-c", REAPER, "handed_in/ada", "--sandbox", sandbox], course.root, timeout=100
    )
    assert (done.code, done.out.strip()) == (0, "[]")
