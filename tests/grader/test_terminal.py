"""The terminal: 80 columns, plain where it must be, and safe whatever a submission says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.text import cell, one_line, plain

ESCAPE = "\x1b"


def test_the_first_lines_tell_a_newcomer_what_to_open(course: Any) -> None:
    """Untouched stubs: 0 points, exit 1, nothing looks broken, and the next step is named."""
    done = course.run()
    assert done.code == 1
    assert done.out.splitlines()[0].split() == "A small course 0 of 3 points".split()
    assert "not started" in done.out
    assert "exercises/01_double/README.md" in done.out
    assert "exercises/01_double/value.py" in done.out
    assert len(done.out.splitlines()) < 12


def test_a_failing_check_says_what_is_wrong(course: Any) -> None:
    """Its title and message are there without any option; a hidden check's message is not."""
    public = course.root / "tests/suites/01_double/test_public.py"
    text = public.read_text().replace("== 4", "== 4, 'expected 4, got 5'")
    public.write_text(text)
    done = course.run(course.submit("def double(x): return x + 3\n"))
    assert "expected 4, got 5" in done.out
    assert "Twice a negative number" in done.out
    assert "-6" not in done.out


def test_full_points_are_said_to_be_full(course: Any) -> None:
    """The end of the way."""
    done = course.run("solutions")
    assert done.code == 0
    assert "3 of 3 points" in done.out
    assert "Everything passes" in done.out


ENDINGS = {
    "fails": "return 0",
    "raises": "raise ValueError('no')",
    "exits": "import os; os._exit(1)",
    "starts": "raise NotImplementedError('TODO: double')",
    "works": "return 2 * x",
}


@pytest.fixture
def mixed(course: Any) -> Any:
    """Exercises with long names and titles that end in every way."""
    title = "A title that is as long as titles of exercises sometimes get to be"
    for name, body in ENDINGS.items():
        course.exercise(f"0_{name}_with_long_id", title=title, imports=["os"])
        course.submit(f"def double(x):\n    {body}\n", f"0_{name}_with_long_id")
    course.exercise("broken_suite", title=title, public="import pytest\n@pytest.mark.points(1)\n"
                    "def test_a(submission):\n    1 / 0\n", hidden=None)  # fmt: skip
    course.submit("x = 1\n", "broken_suite")
    return course


@pytest.mark.parametrize("options", [[], ["-v"], ["-v", "--for", "instructor"]])
def test_every_line_fits_80_columns(mixed: Any, options: list[str]) -> None:
    """Whatever the outcome is; a message, indented by four, stays as its suite wrote it."""
    done = mixed.run("handed_in/ada", *options)
    lines = [line for line in done.out.splitlines() if not line.startswith("    ")]
    assert [line for line in lines if len(line) > 80] == []


def test_a_pipe_gets_plain_text(mixed: Any) -> None:
    """No escape sequence and no carriage return where nobody looks at a terminal."""
    done = mixed.run("handed_in/ada", "-v")
    assert ESCAPE not in done.out + done.err
    assert "\r" not in done.out + done.err
    assert done.err == ""


def test_no_color_gives_plain_text_even_where_colour_is_forced(course: Any) -> None:
    """NO_COLOR is obeyed."""
    coloured = course.run("solutions", FORCE_COLOR="1", TERM="xterm-256color")
    assert ESCAPE in coloured.out
    bare = course.run("solutions", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", bare.out)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437"])
def test_any_encoding_of_the_terminal_will_do(mixed: Any, encoding: str) -> None:
    """A terminal that cannot show ✓ gets a plain stand-in, never a traceback."""
    mixed.submit(
        "def double(x): raise ValueError('ünïcödé → ✓ 漢字 \\ud800')\n", "0_fails_with_long_id"
    )
    mixed.exercise("0_fails_with_long_id", title="Tïtle → ✓")
    commands = [["handed_in/ada", "-v"], ["doctor"]]
    for options in [*commands, ["verify"]] if encoding == "ascii" else commands:
        done = run_encoded(mixed, encoding, *options)
        assert done.code in (0, 1, 3)
        assert "Traceback" not in done.err
        assert "Unicode" not in done.err


def run_encoded(course: Any, encoding: str, *arguments: str) -> Any:
    """Run in an encoding; what it prints is compared as latin-1, which takes all bytes."""
    import os
    import subprocess
    import sys
    from types import SimpleNamespace

    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [sys.executable, "-m", "grader", *arguments],
        cwd=course.root, env=environment, capture_output=True, check=False, timeout=100,
    )  # fmt: skip
    done.stdout.decode(encoding)
    return SimpleNamespace(code=done.returncode, out=done.stdout, err=done.stderr.decode("latin-1"))


HOSTILE = r"""
def double(x):
    print("\x1b[2J\x1b]0;title\x07 printed\r\b\b\n::error file=x::printed\n##[group]printed")
    raise ValueError(
        "\x1b[31mred\x1b[0m\n::set-output name=x::y\n\u202egnp.exe\ud800 [bold]x[/bold] \x9b31m"
    )
"""


def test_hostile_text_is_shown_escaped(course: Any) -> None:
    """Escape sequences, direction marks, surrogates, workflow commands: shown, not obeyed."""
    done = course.run(course.submit(HOSTILE), "-v", "--for", "instructor")
    assert done.code == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", done.out)
    assert not any(line.lstrip().startswith(("::", "##[")) for line in done.out.splitlines())
    assert "\\x1b[31mred" in done.out
    assert "[bold]x[/bold]" in done.out


def test_a_hostile_exception_name_or_function_name_is_shown_escaped(course: Any) -> None:
    """Names are a submission's text as well."""
    source = "E = type('\\x1b[31m\\n::x', (Exception,), {})\ndef double(x): raise E('m')\n"
    done = course.run(course.submit(source), "-v")
    assert ESCAPE not in done.out
    assert not any(line.lstrip().startswith("::") for line in done.out.splitlines())


@pytest.mark.skipif("sys.platform == 'win32'")
def test_a_hostile_folder_name_is_shown_escaped(course: Any) -> None:
    """Nor does the name of a folder reach the terminal as it is."""
    path = course.submit("def double(x): return 2\n", student="eve\x1b[31m\n::error::x")
    done = course.run(path, "-v", "--json", "out.json")
    assert ESCAPE not in done.out + done.err
    missing = course.run("no\x1b[31m\n::error::x")
    assert missing.code == 2
    assert ESCAPE not in missing.err
    assert len(missing.err.splitlines()) == 1


@given(st.text(), st.integers(1, 50))
def test_escaped_text_holds_nothing_harmful(text: str, limit: int) -> None:
    """For any text: no controls, no direction marks, no surrogates, no orders, no more than asked
    for (escapes aside)."""
    for safe in (plain(text, limit), one_line(text, limit)):
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]", safe
        )
        safe.encode("utf-8")
        assert not any(line.lstrip().startswith(("::", "##[")) for line in safe.splitlines())
        assert len(safe) <= 6 * limit + 2
    assert "\n" not in one_line(text)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\n=1"])
def test_a_spreadsheet_takes_no_cell_for_a_formula(text: str) -> None:
    """A quote stands before what would be computed."""
    assert cell(text).startswith("'")


@pytest.mark.parametrize("text", ["", "a", "3", "a=1", "01_double"])
def test_an_ordinary_cell_stays_as_it_is(text: str) -> None:
    """Only what is dangerous is changed."""
    assert cell(text) == text
