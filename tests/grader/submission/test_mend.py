"""What word processors, chats, web pages and terminals do to Python is undone; Python stays."""

from __future__ import annotations

import ast
import io
import json
import time
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.submission import Source
from grader.submission.mend import mend_cell, mend_characters, mend_file


def session(text: str, first: str = ">>> ", more: str = "... ") -> str:
    lines = text.split("\n")
    return "\n".join((more if line[:1] in (" ", "") else first) + line for line in lines)


ODD: dict[str, tuple[Callable[[str], str], str]] = {
    "word": (lambda e: e.replace('"', "\u201d").replace("'", "\u2019"), ""),
    "one curly line": (lambda e: e + "\nx = \u201chello\u201d\n", "U+201C"),
    "quotes of Paris": (lambda e: e + "\nx = \u00abhello\u00bb\n", "U+00AB"),
    "no-break blanks": (lambda e: e.replace("    ", "\u00a0" * 4), "U+00A0 in line"),
    "some of them": (lambda e: e.replace("    ", " \u00a0 \u00a0"), "U+00A0"),
    "blanks of Tokyo": (lambda e: e.replace("    ", "\u3000" * 4), "U+3000"),
    "nothing at all": (lambda e: e.replace("def ", "\u200bdef "), "U+200B"),
    "a mark inside": (lambda e: f"x = 1\n\ufeff{e}", "U+FEFF in line 2"),
    "long dashes": (lambda e: e + "\nx = 3 \u2013 1 \u2212 1\n", "U+2013"),
    "fences": (lambda e: f"```python\n{e}\n```\n", "fences"),
    "a chat": (lambda e: f"Sure, here it is:\n\n```py\n{e}\n```\n\nShall I explain?\n", "fences"),
    "a chat with output": (lambda e: f"Look:\n~~~ python\n{e}\n~~~\ngives\n```\n2\n```", "fences"),
    "fences that say nothing": (lambda e: f"```\n{e}\n```", "fences"),
    "a fence that stays open": (lambda e: f"```python\n{e}\n", "fences"),
    "a session": (session, "prompts (>>>)"),
    "a session with output": (lambda e: session(e) + "\n>>> 1 + 1\n2\n", "prompts (>>>)"),
    "a session from its start": (
        lambda e: f'Python 3.12.1 (main)\nType "help" for more.\n{session(e)}', "prompts (>>>)",
    ),
    "ipython": (lambda e: session(e, "In [12]: ", "   ...: "), "prompts (In [1]:)"),
    "indented": (lambda e: "\n".join(f"    {line}" for line in e.split("\n")), "margin"),
    "indented by tabs": (lambda e: "\n".join(f"\t{line}" for line in e.split("\n")), "margin"),
    "indented by no-break blanks": (
        lambda e: "\n".join(f"\u00a0 {line}" for line in e.split("\n")), "margin",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD)
def test_it_is_python_again(answer: Callable[..., Any], engine: str, kind: str) -> None:
    damage, note = ODD[kind]
    text = damage(engine)
    if text != engine:
        with pytest.raises(SyntaxError):
            ast.parse(text)
    got = answer("value.py", text)
    assert isinstance(got, Source)
    assert any(isinstance(part, ast.ClassDef) for part in ast.parse(got.cells[0].text).body)
    assert note in " ".join(got.notes)
    wanted = {line.strip() for line in engine.split("\n")}
    assert wanted <= {line.strip() for line in got.cells[0].text.split("\n")}


@pytest.mark.parametrize("kind", [kind for kind in ODD if "chat" not in kind])
def test_lines_keep_their_numbers(engine: str, kind: str) -> None:
    text = ODD[kind][0](engine)
    assert mend_file(text)[0].count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "x = '\u201cquoted\u201d'\n",
        'x = "\u00a0"\n# \u201cnot code\u201d \u2013\n',
        '"""One.\n\n\u00a0\u00a0 Two, \u201cquoted\u201d\n\n```python\nx = 1\n```\n"""\n',
        "'''\n>>> double(2)\n4\n'''\n",
        "   # a comment\nclass A:\n   def f(self):\n      return 1\n",
        "...\nx = 1\n",
        "s = 'it\\'s'\nt = \"\u2019\"\n",
        "s = f'{x[\"\u201c\"]}'\n",
        "s = rb'\\\\'\nt = '\u2026'\n",
        "x = 1 \\\n    + 2\n",
        "s = 'a \\\n\u00a0 b'\n",
    ],
)
def test_what_python_takes_stays_as_it_is(text: str) -> None:
    ast.parse(text)
    assert mend_file(text) == (text, [])


@pytest.mark.filterwarnings("ignore")
def test_all_of_this_project_and_of_python_stays_as_it_is() -> None:
    own, library = Path(__file__).parents[3], Path(json.__file__).parents[1]
    paths = [
        path for part in ("grader", "tests", "solutions") for path in (own / part).rglob("*.py")
    ]
    count = 0
    for path in [*paths, *library.glob("*.py"), *library.glob("*/*.py")]:
        try:
            text = path.read_text(encoding="utf-8")
            ast.parse(text)
        except (SyntaxError, ValueError, OSError):
            continue
        count += 1
        assert mend_file(text) == (text, []), path
    assert count > 300


@pytest.mark.parametrize(
    ("cell", "run"),
    [
        ("    x = 1\n    y = 2", "x = 1\ny = 2"),
        ("\n\n  x = 1\ny = 2\n    z", "\n\nx = 1\ny = 2\n  z"),
        (">>> x = 1\n... \n>>> y", "x = 1\n\ny"),
        (">>> def f():\n...     return 1\nx = 2", "def f():\n    return 1\nx = 2"),
        ("In [3]: x = 1\n   ...: y = 2", "x = 1\ny = 2"),
        ("x = '''\n>>> y\n'''", "x = '''\n>>> y\n'''"),
        ("I = 1\n  # x", "I = 1\n  # x"),
    ],
)
def test_a_cell_is_what_ipython_would_run(cell: str, run: str) -> None:
    assert mend_cell(cell) == run


@pytest.mark.parametrize(
    "text",
    [
        "\u201c" * 300_000,
        "\u201c\n" * 200_000,
        "'" + "\\'" * 300_000 + "\u201c",
        "'''\u201c" * 100_000,
        '"""' + "\\" * 300_000 + "\u00a0",
        "\u00a0" * 300_000 + "'",
        "x\u00a0'\n" * 100_000,
        "```\n" * 200_000,
        ">>> \n" * 200_000,
        " " * 500_000 + "\n" + "In [" * 100_000,
        "~" * 500_000 + "`",
    ],
)
def test_time_is_linear(text: str) -> None:
    began = time.monotonic()
    mend_file(text, prose=True)
    mend_cell(text)
    assert time.monotonic() - began < 5


def test_what_is_replaced_is_all_that_is_replaced() -> None:
    """Token by token, of a file in which everything odd stands between strings and comments."""
    text = "x\u00a0=\u00a0\u2018a\u2019 # it\u2019s\ny\u3000= '\u00a0'\n"
    mended, notes = mend_characters(text)
    assert mended == "x = 'a' # it\u2019s\ny = '\u00a0'\n"
    assert notes == [
        "replaced characters that Python does not take (U+00A0 in line 1, U+2018 in line 1, "
        "U+2019 in line 1, U+3000 in line 2)"
    ]
    list(tokenize.generate_tokens(io.StringIO(mended).readline))
