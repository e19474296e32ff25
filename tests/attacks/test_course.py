"""The real course: its imports guard, and suites that a lying object does not pass."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# It is whatever it is asked to be, and every comparison goes its way.
LIAR = '''
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
'''


def names(path: Path) -> list[str]:
    """What a solution defines at its top level."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def grade(folder: Path, scores: Path) -> dict:
    """The score file of a folder that is laid out like exercises/."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", str(folder), "--json", str(scores)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1", "TMPDIR": str(folder.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    return json.loads(scores.read_text(encoding="utf-8"))


def hand_in(folder: Path, text_for) -> Path:
    for solution in sorted((ROOT / "solutions").glob("*/*.py")):
        target = folder / solution.parent.name / solution.name
        target.parent.mkdir(parents=True)
        target.write_text(text_for(solution), encoding="utf-8")
    return folder


@pytest.mark.parametrize("number", ["0.0", "float('nan')"])
def test_no_suite_believes_a_liar(tmp_path: Path, number: str) -> None:
    """Every name of the solution is an object that agrees with everything."""

    def text(solution: Path) -> str:
        lies = LIAR.replace("NUMBER", number)
        return lies + "".join(f"\n{name} = Liar()\n" for name in names(solution))

    score = grade(hand_in(tmp_path / "liar", text), tmp_path / "scores.json")
    earned = {
        item["id"]: [check["id"] for check in item["checks"] if check["points"]]
        for item in score["exercises"]
    }
    assert not any(earned.values()), earned


def test_the_guard_on_imports_stands_in_the_real_course(tmp_path: Path) -> None:
    """What the walls would stop is not even imported."""
    wanted = iter(["os", "socket", "ctypes", "subprocess", "importlib", "gc", "signal"] * 9)
    score = grade(
        hand_in(tmp_path / "guard", lambda solution: f"import {next(wanted)}\n"),
        tmp_path / "scores.json",
    )
    for exercise in score["exercises"]:
        for check in exercise["checks"]:
            assert check["outcome"] == "error", check
            assert "is not allowed in this exercise" in check["message"]
