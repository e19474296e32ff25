"""Notebook lines that are not Python become harmless, and everything else stays as it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.submission.magics import clean_cell


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install x\nx = 1", "pass\nx = 1"),
        ("!pip install a \\\n  b \\\n  c\nx = 1", "pass\n\n\nx = 1"),
        ("if ok:\n    !ls\n    %cd ..\nx = 1", "if ok:\n    pass\n    pass\nx = 1"),
        ("if ok:\n\t!ls", "if ok:\n\tpass"),
        ("files = !ls *.py", "files = []"),
        ("    files=!ls", "    files = []"),
        ("a.b[0] = %timeit -o f()", "a.b[0] = []"),
        ("%time x = 5", "x = 5"),
        ("  %time x = 5", "  x = 5"),
        ("%time", "pass"),
        ("%timeit f()", "pass"),
        ("%%time\nx = 1", "\nx = 1"),
        ("\n\n%%time\nx = 1", "\n\n\nx = 1"),
        ("%%capture out\n%%time\nx = 1", "\n\nx = 1"),
        ("%%timeit x = 1\ny = 2", "\ny = 2"),
        ("%%my_own_magic\nx = 1", "\nx = 1"),
        ("%%time", ""),
        ("%%bash\nrm -rf /", ""),
        ("%%html\n<b>", ""),
        ("%%javascript\nalert(1)", ""),
        ("%%python\nprint(1)", ""),
        ("%%writefile topo.py\nx = 1", ""),
        ("%%add_to Value\ndef f(self): ...", "\ndef f(self): ...\nValue.f = f"),
        ("len?", "pass"),
        ("len??", "pass"),
        ("?len", "pass"),
        ("np.*load*?", "pass"),
        ("%time?", "pass"),
        ("x = 1; x.grad?", "x = 1; x.grad"),
        ("x = f(1)?  # what", "x = f(1)  # what"),
        ("    x.y?", "    pass"),
        ("/f 1 2\n,f a\n;f a", "pass\npass\npass"),
        ("get_ipython().run_line_magic('matplotlib', 'inline')", "pass"),
        ("x = get_ipython().getoutput('ls')", "x = []"),
        ("%run topo.py", "from topo import *"),
        ("%run -i './topo.py'", "from topo import *"),
        ("%run other.py", "pass"),
        ("%load_ext autoreload\n%autoreload 2", "pass\npass"),
        ("!echo '(((' \"'''\"\nx = 1", "pass\nx = 1"),  # a shell line opens nothing
        # what looks like a magic and is none
        ("x = (7\n% 3)", "x = (7\n% 3)"),
        ("x = 7 \\\n% 3", "x = 7 \\\n% 3"),
        ("x = '''\n%matplotlib\n!ls\nwhat?\n'''", "x = '''\n%matplotlib\n!ls\nwhat?\n'''"),
        ('x = """\n%a\n\\"""\n!b\n"""\n!c', 'x = """\n%a\n\\"""\n!b\n"""\npass'),
        ("x = 'a?'", "x = 'a?'"),
        ("x = 1  # why?", "x = 1  # why?"),
        ("# !ls\n# %x", "# !ls\n# %x"),
        ("x != y", "x != y"),
        ("x = y != z", "x = y != z"),
        ("x = '%d' % 3", "x = '%d' % 3"),
        ("x %= 3", "x %= 3"),
        ("x = '= !ls'", "x = '= !ls'"),
        ("f(a='= %b')", "f(a='= %b')"),
        ("s = '#'\n%x", "s = '#'\npass"),
        ("s = \"'''\"\n%x", "s = \"'''\"\npass"),
        ("s = '''a''' '''b'''\n%x", "s = '''a''' '''b'''\npass"),
        ("s = r'\\'\n%x", "s = r'\\'\npass"),
        ("s = 'a \\\nb'\n%x", "s = 'a \\\nb'\npass"),
        ("d = {\n 'a': 1,\n}\n%x", "d = {\n 'a': 1,\n}\npass"),
        ("s = '''\n''''\n%x", "s = '''\n''''\npass"),
    ],
)
def test_cell(before: str, after: str) -> None:
    assert clean_cell(before, frozenset({"topo"})).text == after


def test_lines_keep_their_numbers() -> None:
    before = "%%time\n!ls \\\n -l\n\n%x\nfor i in y:\n    !ls\n    z?\nraise E"
    after = clean_cell(before).text
    assert len(after.split("\n")) == len(before.split("\n"))
    assert after.split("\n")[-1] == "raise E"
    ast.parse(after)


def test_what_was_left_out_is_listed() -> None:
    assert clean_cell("%%capture\n!pip install x\nx = !ls\ny?").left_out == [
        "%%capture",
        "!pip",
        "!ls",
        "?",
    ]


def test_written_file_is_given_with_its_path() -> None:
    assert clean_cell("%%writefile -a 'lib/topo.py'\nx = 1").written == (
        "lib/topo.py",
        "x = 1",
        True,
    )
    assert clean_cell("%%writefile\nx = 1").written is None


@pytest.mark.parametrize(
    "text",
    [
        "'" * 200_000,
        '"""' + "\\" * 200_000,
        "(" * 200_000 + "?",
        "x" + " " * 200_000 + "?" + " " * 200_000 + "y",
        "a" * 200_000 + "= ",
        "%" * 200_000,
        "a." * 100_000 + "?",
        "get_ipython()." + "a" * 200_000 + ")",
        "%run " + "-a " * 100_000,
        "%%" + "x" * 200_000,
        "\\\n" * 100_000,
        "'\\\n" * 100_000,
    ],
)
@pytest.mark.parametrize("lines", [1, 20])
def test_time_is_linear(text: str, lines: int) -> None:
    clean_cell("\n".join([text] * lines)[:1_000_000])


def test_python_is_left_alone() -> None:
    """Every file of this project is a cell that stays as it is."""
    for path in sorted(Path(__file__).parents[3].glob("grader/**/*.py")):
        text = path.read_text(encoding="utf-8")
        cleaned = clean_cell(text)
        assert cleaned.text == text, path
        assert cleaned.left_out == []
