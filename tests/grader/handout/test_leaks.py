"""What the proof of a handout finds: leaks that are planted in it, one at a time."""

from __future__ import annotations

import json
import py_compile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.grader.handout.conftest import HIDDEN, MISTAKE, SOLUTION

Look = Callable[[], list[str]]
LESSON = "exercises/01_smooth/README.md"
STUB = "exercises/01_smooth/smooth.py"


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_a_fresh_handout_holds_nothing_that_it_should_not(look: Look) -> None:
    """Without a planted leak nothing is found; the hints may tell nearly all."""
    assert look() == []


def test_a_line_of_a_solution_in_a_lesson(copy: Path, look: Look) -> None:
    """Inside a sentence, with other blanks."""
    append(copy / LESSON, "\nIt is `( 1-weight )*old + weight*new`, of course.\n")
    assert look() == []  # a part of a line may be said in a lesson: it is the maths
    append(copy / LESSON, "\nWrite `return ( 1-weight )*old + weight*new` there.\n")
    assert [line for line in look() if LESSON in line and "a line of solutions/" in line]


def test_a_body_of_a_solution_in_a_fence(copy: Path, look: Look) -> None:
    """Laid out otherwise and with remarks, it is the same body."""
    append(
        copy / LESSON,
        "\n```python\ndef other(numbers, weight):\n    results = [numbers[0]]  # begin\n"
        "    for number in numbers[1:]:\n        results.append(\n            blended("
        "results[-1], number, weight,)\n        )\n    return results\n```\n",
    )
    assert [line for line in look() if "the body of smooth in solutions/" in line]


def test_a_solution_left_above_the_todo(copy: Path, look: Look) -> None:
    """A stub that raises at the end of a finished function."""
    text = (copy / STUB).read_text(encoding="utf-8")
    line = "    return (1 - weight) * old + weight * new\n"
    (copy / STUB).write_text(text.replace('    raise NotImplementedError("TODO: bl', line + (
        '    raise NotImplementedError("TODO: bl')), encoding="utf-8")  # fmt: skip
    assert [line for line in look() if "the body of blended" in line]


def test_a_solution_function_in_another_file(copy: Path, look: Look) -> None:
    """Under another name, in the grader."""
    append(copy / "grader/late.py", SOLUTION.replace("smooth", "flatten"))
    assert [line for line in look() if line.startswith("grader/late.py") and "solutions/" in line]


def test_a_hidden_number_in_a_docstring(copy: Path, look: Look) -> None:
    """A number that only a hidden check asks with."""
    text = (copy / STUB).read_text(encoding="utf-8")
    text = text.replace("A step of the way", "Try -17.28125. A step of the way")
    (copy / STUB).write_text(text, encoding="utf-8")
    assert look() == [
        f"{STUB} holds a number of tests/suites/01_smooth/test_hidden.py: 17.28125"
    ]  # fmt: skip


def test_the_name_of_a_hidden_check(copy: Path, look: Look) -> None:
    """It says what is asked."""
    append(copy / "README.md", "\nSee test_a_long_row_settles_down.\n")
    assert [line for line in look() if "the name of a check" in line]


def test_a_hidden_docstring(copy: Path, look: Look) -> None:
    """The title of a hidden check, in the public suite."""
    append(
        copy / "tests/suites/01_smooth/test_public.py",
        "\n# What is smoothed for long enough comes near to the last number.\n",
    )
    assert [line for line in look() if "a line of tests/suites/01_smooth/test_hidden.py" in line]


def test_a_hidden_suite_under_another_name(copy: Path, look: Look) -> None:
    """Copied as a text file."""
    (copy / "exercises/01_smooth/notes.txt").write_text(HIDDEN, encoding="utf-8")
    assert [line for line in look() if "notes.txt" in line]


def test_a_hidden_suite_under_its_own_name(copy: Path, look: Look) -> None:
    """Even an empty one."""
    (copy / "tests/suites/01_smooth/test_hidden.py").touch()
    assert look() == ["tests/suites/01_smooth/test_hidden.py is a hidden suite"]


@pytest.mark.parametrize("name", ["try.py", "try.md"])
def test_the_file_of_a_mistake(copy: Path, look: Look, name: str) -> None:
    """Beside the stub, whatever it is called."""
    (copy / "exercises/01_smooth" / name).write_text(MISTAKE, encoding="utf-8")
    assert [line for line in look() if name in line]


def test_a_folder_of_mistakes(copy: Path, look: Look) -> None:
    """The folder itself is one too many."""
    (copy / "tests/suites/01_smooth/mistakes").mkdir()
    assert look() == ["tests/suites/01_smooth/mistakes is a folder of sources of mistakes"]


def test_version_control(copy: Path, look: Look) -> None:
    """A .git folder remembers everything."""
    (copy / "exercises/.git").mkdir()
    assert look()[0].startswith("exercises/.git is out of sight")


def test_a_cache(copy: Path, look: Look) -> None:
    """Compiled files hold what they were compiled from."""
    (copy / "grader/__pycache__").mkdir()
    py_compile.compile(str(copy / STUB), str(copy / "grader/__pycache__/x.pyc"))
    py_compile.compile(str(copy / STUB), str(copy / "grader/x.pyc"))
    assert look()[0] == "grader/__pycache__ is a folder of a cache"
    assert "grader/x.pyc is left over from something" in look()


@pytest.mark.parametrize("source", ["1 + 1", "return (1 - weight) * old + weight * new"])
def test_an_output_in_a_notebook(copy: Path, look: Look, source: str) -> None:
    """An output may hold anything, so there may be none."""
    cell = {"cell_type": "code", "source": [source], "outputs": [{"text": ["2"]}]}
    path = copy / "exercises/01_smooth/trial.ipynb"
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert [line for line in look() if "has outputs of cells" in line]
    cell["outputs"] = []
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert bool(look()) is ("weight" in source)


def test_a_symbolic_link(copy: Path, look: Look, made: object) -> None:
    """Packed or copied, it would become what it points to."""
    try:
        (copy / "exercises/01_smooth/more").symlink_to(copy.parent)
    except OSError:
        pytest.skip("no symbolic links here")
    assert look() == ["exercises/01_smooth/more is a symbolic link"]


def test_a_path_of_this_machine(copy: Path, look: Look, made: object) -> None:
    """Where the instructor keeps the course is nobody's business."""
    append(copy / LESSON, f"\nSee {made.root}/solutions.\n")  # type: ignore[attr-defined]
    assert [line for line in look() if "a path of this machine" in line]


def test_something_packed(copy: Path, look: Look) -> None:
    """Nobody can look into it."""
    (copy / "exercises/01_smooth/data.bin").write_bytes(b"PK\x03\x04rest")
    assert [line for line in look() if "is packed" in line]


def test_a_stub_that_is_finished(copy: Path, look: Look) -> None:
    """A stub with nothing to do is somebody's work."""
    (copy / STUB).write_text("def blended(old, new, weight):\n    return old\n", encoding="utf-8")
    assert look() == [f"{STUB} has no TODO"]


def test_a_stub_that_does_not_parse(copy: Path, look: Look) -> None:
    """Nobody can begin with it."""
    append(copy / STUB, "\ndef broken(:\n")
    assert f"{STUB} does not parse" in look()
