"""A class handed in through every platform, really graded and joined to a roster: wherever a file
comes from, it gets the same points for the same reasons.

    GRADER_CLASS=1000 python -m pytest tests/grader/batch/test_layouts.py -rP

grades a thousand students for each layout and prints how long it took.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.grader.batch.exports import LAYOUTS, HandedIn, name, write_export, write_roster

ROOT = Path(__file__).parents[3]
EXERCISE = "04_backward"
COUNT = int(os.environ.get("GRADER_CLASS", "24"))
ABSENT = 3  # of the roster, who hand in nothing
STRANGERS = 2  # hand in, and are not in the roster

SOLUTION = (ROOT / "solutions" / EXERCISE / "value.py").read_text(encoding="utf-8")
STUB = (ROOT / "exercises" / EXERCISE / "value.py").read_text(encoding="utf-8")
SUITE = ROOT / "tests" / "suites" / EXERCISE
MISTAKES = [path.read_text(encoding="utf-8") for path in sorted(SUITE.glob("mistakes/*.py"))]
ACCEPTED = [path.read_text(encoding="utf-8") for path in sorted(SUITE.glob("accepted/*.py"))]


def notebook(text: str, number: int, version: int = 4) -> str:
    sources = ["%matplotlib inline\n!pip install numpy", text, f"# student {number}\n1 +", "x?"]
    key = "source" if version == 4 else "input"
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], key: source.splitlines(keepends=True)}
        for source in sources
    ]
    top: dict[str, Any] = {"nbformat": version, "nbformat_minor": 0, "metadata": {}}
    inside = {"cells": cells} if version == 4 else {"worksheets": [{"cells": cells}]}
    return json.dumps({**inside, **top}, indent=1)


def answer(number: int) -> tuple[str, str, bytes]:
    """Of one student: the kind, which says what it is worth, the file's name, and its bytes."""
    remark = f"\n# student {number}: na\N{LATIN SMALL LETTER I WITH DIAERESIS}ve\n"
    right = SOLUTION + remark
    kinds: list[tuple[str, str, bytes]] = [
        ("right", "value.py", right.encode()),
        ("right", "value.py", b"\xef\xbb\xbf" + right.encode()),
        ("right", "value.py", right.replace("\n", "\r\n").encode()),
        ("right", "value.py", right.encode("utf-16")),
        ("right", "value.py", right.encode("ascii", "ignore") + b"# na\xefve\n"),
        ("right", "backward.py", right.encode()),
        ("right", "value.ipynb", notebook(SOLUTION, number).encode()),
        ("right", "value.ipynb", notebook(SOLUTION, number, 3).replace("\n", "\r\n").encode()),
        ("right", "value.json", b"\xef\xbb\xbf" + notebook(SOLUTION, number).encode()),
        ("right", "value.txt", right.encode()),
        ("right", "value.py", (ACCEPTED[number % len(ACCEPTED)] + remark).encode()),
        ("nothing", "value.py", (STUB + remark).encode()),
        ("nothing", "value.py", (SOLUTION + "\nreturn (\n" + remark).encode()),
        ("nothing", "value.py", f"%PDF-1.4 {number}".encode()),
        ("nothing", "value.py", b""),
    ]
    which = number % (len(kinds) + 5)
    if which < len(kinds):
        return kinds[which]
    mistake = number % len(MISTAKES)
    return f"mistake {mistake}", "value.py", (MISTAKES[mistake] + remark).encode()


@pytest.fixture(scope="module")
def seen() -> dict[str, list[object]]:
    """What each kind came to in the layouts so far."""
    return {}


@pytest.mark.parametrize("layout", [*LAYOUTS, "moodle in one zip", "github in one zip"])
def test_a_class_gets_the_same_points_in_every_layout(
    tmp_path: Path, layout: str, seen: dict[str, list[object]]
) -> None:
    answers = [answer(number) for number in range(COUNT)]
    class_of = [HandedIn(n, EXERCISE, file, data) for n, (_, file, data) in enumerate(answers)]
    export = tmp_path / ("all.zip" if "zip" in layout else "all")
    write_export(export, layout.removesuffix(" in one zip"), class_of)
    write_roster(tmp_path / "roster.csv", range(STRANGERS, COUNT + ABSENT))
    done = subprocess.run(
        [sys.executable, "-m", "grader", "batch", str(export), "--out", str(tmp_path / "out"),
         "-e", EXERCISE, "--roster", str(tmp_path / "roster.csv"), "--zone", "UTC", "--jobs", "2"],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.replace("\n    ", " ")
    print(layout, *re.findall(r"Done in \d+ s: [\d,]+ score files", said))
    assert f" from {COUNT:,} students" in said
    missing = ", ".join(f"uni{n:04} {name(n)}" for n in range(COUNT, COUNT + ABSENT))
    assert f"Handed in nothing: {ABSENT} ({missing})" in said
    assert f"Not in the roster: {STRANGERS} (" in said
    files = {path.stem: path for path in (tmp_path / "out").glob("*.json")}
    assert len(files) == COUNT
    for number in range(STRANGERS, COUNT):
        score = json.loads(files[f"uni{number:04}"].read_bytes())
        (exercise,) = score["exercises"]
        kind, file, _ = answers[number]
        outcomes = [(check["outcome"], check["points"]) for check in exercise["checks"]]
        if kind == "right":
            assert exercise["score"] == exercise["max_score"] == 12, (number, file)
        elif kind == "nothing":
            assert exercise["score"] == 0
        else:
            assert 0 <= exercise["score"] < 12
            assert exercise["mistake"] is not None
        said_of_it = [exercise["outcome"], exercise["score"], exercise["mistake"], outcomes]
        same = f"{kind} {number % 20}"
        assert seen.setdefault(same, said_of_it) == said_of_it, (number, file)
