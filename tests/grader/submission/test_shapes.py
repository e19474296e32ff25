"""Submissions as they really arrive: each shape is read, and the engine in it works.

The probe is d(x*x)/dx at 3, which is 6: whatever a shape does to an engine, that must survive.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.submission import Rejected, Source, read_submission

Answer = Callable[..., Any]
Run = Callable[[Source], dict[str, Any]]
Notebook = Callable[..., str]


def slope(namespace: dict[str, Any]) -> float:
    x = namespace["Value"](3.0)
    y = x * x
    y.backward()
    return float(x.grad)


@pytest.fixture
def probe(run: Run) -> Callable[[Any], float]:
    def ask(source: Any) -> float:
        assert isinstance(source, Source), source
        return slope(run(source))

    return ask


def test_magics_and_shell_lines(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float]
) -> None:
    text = notebook(
        "!pip install graphviz torchtyping\n",
        "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\nimport math\n",
        f"%%time\n{engine}",
        "files = !ls\nx = Value(3.0); y = x * x; y.backward(); x.grad?\n",
    )
    got = answer("01_magics.ipynb", text)
    assert probe(got) == 6.0
    assert [cell.text.split("\n")[0] for cell in got.cells] == ["pass", "pass", "", "files = []"]
    assert "!pip (cell 1)" in got.notes[0]


def test_input_at_the_top_is_left_to_the_worker(answer: Answer, engine: str) -> None:
    text = f'n = int(input("how many steps? "))\n{engine}\nprint(n)\n'
    assert answer("value.py", text).cells[0].text == text


def test_package_with_a_sibling(course: Any, tmp_path: Path, engine: str) -> None:
    folder = tmp_path / "lab_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "engine.py").write_text(f"from .topo import topo\n{engine}")
    (folder / "topo.py").write_text("def topo(root):\n    return [root]\n")
    (folder / "unused.py").write_text("x = 1\n")
    got = read_submission(folder, course, ["12_engine"]).answers["12_engine"]
    assert isinstance(got, Source)
    assert got.cells[0].name == "engine.py"
    assert got.siblings == (("topo.py", "def topo(root):\n    return [root]\n"),)
    assert got.notes == ("taken from engine.py",)


def test_one_broken_cell_costs_that_cell(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float]
) -> None:
    broken = "# attempt\nclass Value:\n    def relu(self):\n        out = Value(0 of self.data)\n"
    got = answer("06.ipynb", notebook(broken, engine, "x = Value(3.0\n"))
    assert got.notebook
    assert [cell.name for cell in got.cells] == ["cell 1", "cell 2", "cell 3"]
    assert probe(got) == 6.0


def test_syntax_error_is_left_to_the_worker(answer: Answer, engine: str) -> None:
    text = engine.replace("return r\n", "return r of\n", 1)
    assert answer("value.py", text).cells[0].text == text


def test_mark_and_windows_line_ends(
    answer: Answer, engine: str, probe: Callable[[Any], float]
) -> None:
    got = answer("value.py", engine.replace("\n", "\r\n").encode("utf-8-sig"))
    assert got.cells[0].text == engine
    assert got.notes == ()
    assert probe(got) == 6.0


def test_windows_1252(answer: Answer, engine: str, probe: Callable[[Any], float]) -> None:
    text = f"# réseau — “Value” de l\u2019élève\n{engine}\nname = 'é'\n"
    got = answer("value.py", text.encode("cp1252"))
    assert got.cells[0].text == text
    assert "not UTF-8 (byte 0xe9 in line 1 (byte 4)); read as Windows-1252" in got.notes[0]
    assert probe(got) == 6.0


def test_old_notebook_layout(answer: Answer, engine: str, probe: Callable[[Any], float]) -> None:
    code = {"cell_type": "code", "input": engine.splitlines(True), "language": "python"}
    sheets = [{"cells": [{"cell_type": "heading", "level": 1, "source": ["Lab"]}, code]}]
    text = json.dumps({"metadata": {"name": "lab"}, "nbformat": 3, "worksheets": sheets})
    assert probe(answer("11.ipynb", text)) == 6.0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("zero_bytes", "the file is empty"),
        ("no_cells", "the notebook has no code cells"),
        ("truncated", "the file is cut off at character 700"),
        ("conflict_markers", "unresolved merge: line 1"),
    ],
)
def test_four_ways_to_hand_in_nothing(
    answer: Answer, notebook: Notebook, engine: str, name: str, reason: str
) -> None:
    text = notebook(engine)
    broken = {
        "zero_bytes": "",
        "no_cells": notebook(),
        "truncated": text[:700],
        "conflict_markers": f"<<<<<<< HEAD\n{text}\n=======\n{{}}\n>>>>>>> origin/main\n",
    }
    got = answer(f"12_{name}.ipynb", broken[name])
    assert isinstance(got, Rejected)
    assert got.reason.startswith(f"12_{name}.ipynb: {reason}")


def test_class_split_across_cells(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float]
) -> None:
    head, _, rest = engine.partition("    def __mul__")
    mul, _, backward = f"    def __mul__{rest}".partition("    def backward")
    text = notebook(
        head,
        f"class Value(Value):\n{mul}",
        "def backward" + backward.replace("\n    ", "\n"),
        'setattr(Value, "backward", backward)\n',
    )
    got = answer("14.ipynb", text)
    assert len(got.cells) == 4
    assert probe(got) == 6.0


def test_huge_outputs(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float]
) -> None:
    image = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * 3_000_000}}
    cell = {"cell_type": "code", "metadata": {}, "source": ["train()\n"], "outputs": [image] * 6}
    got = answer("16.ipynb", notebook(engine, cell))
    assert probe(got) == 6.0
    assert not any("AAAA" in note for note in got.notes)
    too_much = answer("16.ipynb", notebook(engine, {**cell, "outputs": [image] * 7}))
    assert isinstance(too_much, Rejected)
    assert "too big" in too_much.reason


def test_new_syntax_is_left_to_the_worker(answer: Answer, engine: str) -> None:
    text = engine + "d = {'a': 1}\ns = f'{d['a']}'\nt = f\"{d[\"a\"]!r}\"\n"
    assert answer("17.py", text).cells[0].text == text


def test_duplicate_ids_and_cells_turned_to_text(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float]
) -> None:
    grade = {"nbgrader": {"grade_id": "value-class", "solution": True, "schema_version": 3}}
    wrong = engine.replace("+= r.grad * o", "= r.grad * o").replace("+= r.grad * s", "= r.grad * s")
    cells = [
        {"cell_type": "code", "metadata": grade, "outputs": [], "source": source}
        for source in (wrong, engine)
    ]
    text_cell = {"cell_type": "markdown", "metadata": grade, "source": "# was code"}
    got = answer("lab (1).ipynb", notebook(*cells, text_cell))
    assert probe(got) == 6.0  # the last definition wins, as in the notebook
    assert 'several cells carry the same id ("value-class")' in got.notes[0]


def test_side_effects_are_left_to_the_worker(answer: Answer, engine: str) -> None:
    text = f"import sys\nsys.setrecursionlimit(10**6)\nsum = 3\n{engine}\nsys.exit(0)\n"
    assert answer("value.py", text).cells[0].text == text


def test_other_names_are_still_the_answer(
    answer: Answer, engine: str, tmp_path: Path, course: Any
) -> None:
    text = (
        engine.replace("Value", "Scalar").replace(".data", ".value").replace("backward", "backprop")
    )
    assert isinstance(answer("22_other_names.py", text), Source)
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / "my_thing.py").write_text(text)
    got = read_submission(folder, course, ["12_engine"]).answers["12_engine"]
    assert isinstance(got, Source)
    assert got.notes == ("taken from my_thing.py: a guess, nothing else looks like an answer",)


def test_archive_made_on_a_mac(answer: Answer, engine: str, probe: Callable[[Any], float]) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in {
            "lab1/engine.py": engine,
            "__MACOSX/lab1/._engine.py": "\0\5\x16\7",
            "lab1/.ipynb_checkpoints/engine-checkpoint.py": engine.replace("+=", "="),
            "lab1/__pycache__/engine.cpython-311.pyc": "\xa7\r\r\n",
            "lab1/.DS_Store": "\0\0\0\1Bud1",
            "lab1/venv/lib/site.py": "x = 1\n",
        }.items():
            archive.writestr(name, data)
    got = answer("24_macos_zip.zip", file.getvalue())
    assert probe(got) == 6.0
    assert got.notes == ("taken from lab1/engine.py",)


def test_untouched_stub_is_graded_as_it_is(course: Any) -> None:
    submission = read_submission(course.root / "exercises", course)
    assert list(submission.answers) == [exercise.id for exercise in course.exercises]
    for exercise in course.exercises:
        source = submission.answers[exercise.id]
        assert isinstance(source, Source)
        stub = course.root / "exercises" / exercise.id / exercise.file
        assert source.cells[0].text == stub.read_text()
        assert source.notes == ()


# ---- and as many again ------------------------------------------------------------------------

ODD_FILES: dict[str, Callable[[str], bytes]] = {
    "utf16_from_powershell.py": lambda e: e.replace("\n", "\r\n").encode("utf-16"),
    "utf16_big_endian.py": lambda e: b"\xfe\xff" + e.encode("utf-16-be"),
    "utf16_without_mark.py": lambda e: e.encode("utf-16-le"),
    "utf32.py": lambda e: e.encode("utf-32"),
    "mark_twice.py": lambda e: b"\xef\xbb\xbf\xef\xbb\xbf" + e.encode(),
    "old_mac_line_ends.py": lambda e: e.replace("\n", "\r").encode(),
    "mixed_line_ends.py": lambda e: e.replace("\n", "\r\n", 9).replace("    ", "\t").encode(),
    "doubled_carriage_returns.py": lambda e: e.replace("\n", "\r\r\n").encode(),
    "form_feeds.py": lambda e: e.replace("\n\n", "\n\x0c\n").encode(),
    "dos_end_of_file.py": lambda e: (e + "\x1a").encode(),
    "no_newline_at_end.py": lambda e: e.rstrip("\n").encode(),
    "shebang_and_cookie.py": lambda e: f"#!/usr/bin/env python\n# coding: latin-1\n# é\n{e}".encode(
        "latin-1"
    ),
    "cookie_of_vim.py": lambda e: f"# vim: set fileencoding=koi8-r :\n# граф\n{e}".encode("koi8-r"),
    "cookie_of_gbk.py": lambda e: f"# -*- coding: gbk -*-\n# 计算图\n{e}".encode("gbk"),
    "gbk_without_cookie.py": lambda e: f"# 计算图 梯度\n{e}".encode("gbk"),
    "shift_jis_without_cookie.py": lambda e: f"# 勾配を計算\n{e}".encode("shift_jis"),
    "latin1_with_high_bytes.py": lambda e: b"# \x81\x8d\x8f\x90\x9d\n" + e.encode(),
    "false_cookie.py": lambda e: f"# coding: utf-7\n{e}".encode(),
    "unknown_cookie.py": lambda e: f"# coding: utf8mb4\n{e}".encode(),
    "cookie_against_mark.py": lambda e: b"\xef\xbb\xbf# coding: cp1251\n" + e.encode(),
    "emoji.py": lambda e: f"# 🎉\n{e}\ns = '🎉'\n".encode(),
    "unicode_names.py": lambda e: f"\u03b1 = 1\n{e}".encode(),
    "no_extension": lambda e: e.encode(),
    "value.py.txt": lambda e: e.encode(),
    "value.txt": lambda e: e.encode(),
    "VALUE.PY": lambda e: e.encode(),
    "value (2).py": lambda e: e.encode(),
    "value.pyw": lambda e: e.encode(),
    "python_called.ipynb": lambda e: e.encode(),
    "python_called.json": lambda e: e.encode(),
    "copied_from_colab.py": lambda e: f"!pip install x\n%matplotlib inline\n{e}".encode(),
    "exported_by_nbconvert.py": lambda e: (
        "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\n"
        f"get_ipython().run_line_magic('matplotlib', 'inline')\n# In[ ]:\n{e}"
    ).encode(),
    "colab_script.py": lambda e: (
        f'"""lab.ipynb\n\n# Commented out IPython magic\n# %cd x\n"""\n{e}'.encode()
    ),
    "percent_cells.py": lambda e: f"# %%\nx = 7\n# %% [markdown]\n# text\n# %%\n{e}".encode(),
    "starts_with_blank_lines.py": lambda e: f"\n\n   \n{e}".encode(),
    "line_of_100000_characters.py": lambda e: f"s = '{'x' * 100_000}'\n{e}".encode(),
    "text_about_merges.py": lambda e: f"'''\n=======\n>>>>>>> x\n'''\n{e}".encode(),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_odd_file_is_read_and_works(
    answer: Answer, engine: str, probe: Callable[[Any], float], name: str
) -> None:
    assert probe(answer(name, ODD_FILES[name](engine))) == 6.0


def cell(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source, **more}


ODD_NOTEBOOKS: dict[str, Callable[[Notebook, str], str | bytes]] = {
    "source_is_text": lambda n, e: n(cell(e)),
    "source_is_lines": lambda n, e: n(cell(e.splitlines(True))),
    "source_is_characters": lambda n, e: n(cell(list(e))),
    "windows_line_ends_in_source": lambda n, e: n(cell(e.replace("\n", "\r\n"))),
    "windows_line_ends_in_file": lambda n, e: n(e).replace("\n", "\r\n"),
    "marked": lambda n, e: n(e).encode("utf-8-sig"),
    "utf16": lambda n, e: n(e).encode("utf-16"),
    "cp1252": lambda n, e: n(f"s = 'XX'\n{e}").replace("XX", "é").encode("cp1252"),
    "minor_0": lambda n, e: n(e, nbformat_minor=0),
    "minor_99": lambda n, e: n(e, nbformat_minor=99),
    "format_missing": lambda n, e: n(e, nbformat=None, nbformat_minor=None),
    "metadata_missing": lambda n, e: n(e, metadata=None),
    "colab": lambda n, e: n(
        {"cell_type": "markdown", "metadata": {"id": "x", "colab_type": "text"}, "source": ["# L"]},
        cell(e, metadata={"id": "x", "cellView": "form"}),
        metadata={"colab": {"provenance": []}, "kernelspec": {"name": "python3"}},
    ),
    "kaggle": lambda n, e: n(
        cell(e, metadata={"trusted": True, "_uuid": "a"}, execution_count=None)
    ),
    "vscode": lambda n, e: n(e, metadata={"language_info": {"name": "python"}, "orig_nbformat": 4}),
    "nan_in_outputs": lambda n, e: n(cell(e, outputs=[{"data": {"x": float("nan")}}])),
    "half_an_emoji": lambda n, e: n(cell(e, outputs=[{"text": "\ud83d"}])),
    "error_outputs": lambda n, e: n(
        cell(e, outputs=[{"output_type": "error", "traceback": ["\x1b[31m"]}])
    ),
    "widgets": lambda n, e: n(e, metadata={"widgets": {"application/x": {"state": {}}}}),
    "class_defined_twice": lambda n, e: n(e.replace("+=", "="), e),
    "defined_after_use": lambda n, e: n("x = Value(3.0)", e, "y = x * x"),
    "asks_for_input": lambda n, e: n("raise EOFError", e),
    "raises_in_between": lambda n, e: n(e, "1 / 0", "assert False"),
    "only_a_syntax_error_before": lambda n, e: n("def f(:\n", e),
    "await_at_the_top": lambda n, e: n("await something()", e),
    "captured": lambda n, e: n(f"%%capture out\n{e}"),
    "timed_twice": lambda n, e: n(f"%%capture\n%%time\n{e}"),
    "written_to_value": lambda n, e: n(f"%%writefile value.py\n{e}", "from value import Value"),
    "written_to_engine": lambda n, e: n("x = 1", f"%%writefile engine.py\n{e}"),
    "written_and_run_elsewhere": lambda n, e: n(
        f"%%file lab/value.py\n{e}", "!python lab/value.py"
    ),
    "methods_added": lambda n, e: n(
        e.partition("    def backward")[0],
        "%%add_to Value\ndef backward" + e.partition("    def backward")[2].replace("\n    ", "\n"),
    ),
    "help_everywhere": lambda n, e: n("Value?\n??print\nlen?", e),
    "shell_blocks": lambda n, e: n("if True:\n    !ls\n    %cd ..\nelse:\n    !pwd", e),
    "other_languages": lambda n, e: n("%%html\n<b>", "%%javascript\nx", "%%bash\nrm -rf ~", e),
    "extra_keys": lambda n, e: n(cell(e, attachments={}, foo=[{"bar": 1}]), foo={"a": [1]}),
    "three_thousand_cells": lambda n, e: n(*["x = 1"] * 3_000, e),
}


@pytest.mark.parametrize("name", ODD_NOTEBOOKS)
def test_odd_notebook_is_read_and_works(
    answer: Answer, notebook: Notebook, engine: str, probe: Callable[[Any], float], name: str
) -> None:
    got = answer(f"{name}.ipynb", ODD_NOTEBOOKS[name](notebook, engine))
    assert got.notebook
    assert probe(got) == 6.0


# ---- and what is no code at all, or lies under a name that tells nothing -----------------------

MAIL = "From: ada@example.org\nTo: bob@example.org\nContent-Type: text/plain\n\n"
PATCH = "--- a/value.py\n+++ b/value.py\n@@ -1,3 +1,4 @@\n+class Value:\n"
LINK = "https://colab.research.google.com/drive/1abc?usp=sharing\n"
STAND_INS: dict[str, tuple[str | bytes, str]] = {
    "value.py": ("404: Not Found", 'this is what a web server said ("404: Not Found")'),
    "value.ipynb": ("Access denied.\n", "this is what a web server said"),
    "lab.ipynb": ('{"message": "Not Found", "status": "404"}', "JSON, but not a notebook"),
    "value.json": ('{"url": "https://example.org"}', "JSON, but not a notebook"),
    "value.gdoc": ('{"url": "https://example.org"}', "JSON, but not a notebook"),
    "link.py": (LINK, "this is only a link, which is never followed"),
    "value.txt": (LINK, "this is only a link, which is never followed"),
    "answer.diff": (PATCH, "this is a patch (diff), not the file; hand in the whole file"),
    "patched.py": (PATCH, "this is a patch (diff), not the file; hand in the whole file"),
    "mail.eml": (MAIL, "this is an e-mail or a web archive; hand in the .py or .ipynb itself"),
    "value.mht": (MAIL, "this is an e-mail or a web archive"),
    "value.html": ("<!DOCTYPE html><html><body class='jp-Notebook'>", "this is a web page"),
    "value.webloc": ("<?xml version='1.0'?><plist/>", "this is a web page"),
    "value.py.url": ("[InternetShortcut]\nURL=https://example.org", "this is a link to a web page"),
    "value.docx": (b"PK\3\4word/document.xml", "this is a document; hand in the .py or .ipynb"),
    "lab.ipynb.part": ('{"cells": [{"cell_type": "code", "sou', "the file is cut off at"),
    "work.log": ("I did it at home.\n", "work.log is not Python; hand in the .py or .ipynb"),
}


@pytest.mark.parametrize("name", STAND_INS)
def test_what_stands_in_for_code_is_named(course: Any, tmp_path: Path, name: str) -> None:
    """In a folder, in which nothing else lies: never silence."""
    data, reason = STAND_INS[name]
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    got = read_submission(tmp_path / "ada", course, ["12_engine"]).answers["12_engine"]
    assert isinstance(got, Rejected)
    assert got.reason.startswith(name)
    assert reason in got.reason


@pytest.mark.parametrize(
    "name",
    [
        *("value.py~", "value.py.bak", "value.py.", "value.pyi", "value.py.crdownload", "v.Rmd"),
        *("value.py_", "value.py.1", "engine.orig", "value.ipynb.part", "value.py (1)"),
    ],
)
def test_code_under_a_name_that_tells_nothing_is_found(
    course: Any, tmp_path: Path, notebook: Notebook, engine: str, name: str
) -> None:
    (tmp_path / "ada").mkdir()
    text = notebook(engine) if "ipynb" in name else engine
    (tmp_path / "ada" / name).write_text(f"```{{python}}\n{text}\n```" if "Rmd" in name else text)
    got = read_submission(tmp_path / "ada", course, ["12_engine"]).answers["12_engine"]
    assert isinstance(got, Source)
    assert f"taken from {name}" in got.notes
    (tmp_path / "ada" / "value.py").write_text(engine + "# this one\n")
    got = read_submission(tmp_path / "ada", course, ["12_engine"]).answers["12_engine"]
    assert isinstance(got, Source)
    assert got.cells[0].text.endswith("# this one\n")


def test_what_an_editor_leaves_is_nothing(course: Any, tmp_path: Path) -> None:
    for name in ("~$value.docx", ".value.py.swp", "value.cpython-311.pyc"):
        (tmp_path / name).write_bytes(b"\0ada")
    assert read_submission(tmp_path, course, ["12_engine"]).answers == {}


def test_code_in_text_cells_is_told(answer: Answer, engine: str) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": engine}]
    got = answer("value.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    assert isinstance(got, Rejected)
    assert "there is code in its text cells: turn them into code cells" in got.reason
