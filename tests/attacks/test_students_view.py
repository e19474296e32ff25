"""What a student sees of a hidden check depends on nothing but its outcome."""

import json
import re
import subprocess
import sys
from pathlib import Path

import course
import pytest
from runner import ATTACKS

TELLING = [name for name, item in ATTACKS.items() if item.kind == "inputs"]
ADDRESS = re.compile(r"0x[0-9a-f]{8,}")
CLOCK = re.compile(r'"(seconds|graded_at)": [^\n]*')


def seen(root: Path, name: str, hidden: str) -> tuple[str, str]:
    """A student's score file and terminal for one attack."""
    course.write(root)
    (root / "tests/suites/01_value/test_hidden.py").write_text(hidden, encoding="utf-8")
    item = ATTACKS[name]
    source = item.files["value.py"] if hasattr(item, "files") else item.source.encode()
    target = root / "handed_in" / "01_value" / "value.py"
    target.parent.mkdir(parents=True)
    target.write_bytes(source)
    done = subprocess.run(
        [
            sys.executable, "-m", "grader", "handed_in", "--for", "student", "-v",
            "--json", "scores.json",
        ],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (1, 3), done.stderr
    scores = (root / "scores.json").read_text(encoding="utf-8")
    outcomes = [c["outcome"] for e in json.loads(scores)["exercises"] for c in e["checks"]]
    assert "passed" not in outcomes[2:]
    shown = done.stdout + done.stderr
    # where an object of a public check lies in memory is another in every process
    return ADDRESS.sub("", CLOCK.sub("", scores)), ADDRESS.sub("", shown)


@pytest.mark.parametrize("name", TELLING)
def test_other_hidden_numbers_change_nothing(tmp_path: Path, name: str) -> None:
    """Asked and expected: byte for byte the same, whatever the submission would like to say."""
    one = seen(tmp_path / "one", name, course.HIDDEN)
    other = seen(tmp_path / "other", name, course.other_numbers(course.HIDDEN))
    assert one == other
