"""The real course: its imports guard, and suites that a lying object does not pass."""

import ast
import itertools
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# It is whatever it is asked to be, and every comparison goes its way.
LIAR = """
class Liar:
    def __init__(self, *a, **k): pass
    def _me(self, *a, **k): return self
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self
    __call__ = __getitem__ = __abs__ = __neg__ = __pos__ = __round__ = _me
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _me
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __iadd__ = __isub__ = __mod__ = _me
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __float__ = lambda self: NUMBER
    __int__ = __index__ = __len__ = lambda self: 1
    __contains__ = lambda self, item: True
    __iter__ = lambda self: iter([self])
    __str__ = __repr__ = lambda self: "Liar"
    __instancecheck__ = lambda self, other: True

    def __abs__(self): return 0.0
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
"""


def names(path: Path) -> list[str]:
    """What a solution defines at its top level."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def hand_in(folder: Path, text_for) -> Path:
    """A folder laid out like exercises/, with a text made from each solution."""
    for solution in sorted((ROOT / "solutions").glob("*/*.py")):
        target = folder / solution.parent.name / solution.name
        target.parent.mkdir(parents=True)
        target.write_text(text_for(solution), encoding="utf-8")
    return folder


def liar(number: str):
    lies = LIAR.replace("NUMBER", number)
    return lambda solution: lies + "".join(f"\n{name} = Liar()\n" for name in names(solution))


def importer():
    wanted = itertools.cycle(["os", "socket", "ctypes", "subprocess", "importlib", "gc", "signal"])
    return lambda solution: f"import {next(wanted)}\n"


SUBMISSIONS = {"zero": liar("0.0"), "nan": liar("float('nan')"), "imports": importer()}


class Scores:
    """Grades them one after the other, beside the other tests, for it takes a while."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: dict[str, dict] = {}
        self._thread = threading.Thread(target=self._grade_all, daemon=True)
        self._thread.start()

    def _grade_all(self) -> None:
        for name, text_for in SUBMISSIONS.items():
            scores = self._folder / f"{name}.json"
            command = [sys.executable, "-m", "grader", str(hand_in(self._folder / name, text_for))]
            environment = {**os.environ, "PYTHONUTF8": "1"}
            subprocess.run(
                [*command, "--json", str(scores)],
                cwd=ROOT, env=environment, capture_output=True, check=False,
            )  # fmt: skip
            self._found[name] = json.loads(scores.read_text(encoding="utf-8"))

    def get(self, name: str) -> dict:
        self._thread.join()
        return self._found[name]


@pytest.mark.parametrize("name", ["zero", "nan"])
def test_no_suite_believes_a_liar(course_scores, name: str) -> None:
    """Every name of the solution is an object that agrees with everything."""
    earned = {
        f"{exercise['id']}/{check['id']}"
        for exercise in course_scores.get(name)["exercises"]
        for check in exercise["checks"]
        if check["points"]
    }
    assert not earned, earned


def test_the_guard_on_imports_stands_in_the_real_course(course_scores) -> None:
    """What the walls would stop is not even imported."""
    for exercise in course_scores.get("imports")["exercises"]:
        for check in exercise["checks"]:
            assert check["outcome"] in ("error", "missing"), check
            if check["outcome"] == "error":
                assert "is not allowed in this exercise" in check["message"]
