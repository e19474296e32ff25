"""Notebooks as students hand them in; nbformat is the oracle for the ones that it accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.submission import Rejected, Source
from grader.submission.mend import mend_cell
from grader.submission.model import RefusedError
from grader.submission.notebook import read_notebook

Notebook = Callable[..., str]


def code(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source, **more}


def markdown(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def cells(text: str) -> list[tuple[str, str]]:
    return [(cell.name, cell.text) for cell in read_notebook(text).cells]


def test_cells_are_counted_as_the_student_counts_them(notebook: Notebook) -> None:
    """From 1, text cells and empty ones included: what VS Code and nbconvert call cell 4."""
    text = notebook(markdown("# Lab"), "a = 1", "", {"cell_type": "raw", "source": "x"}, "b = 2")
    assert cells(text) == [("cell 2", "a = 1"), ("cell 5", "b = 2")]


@pytest.mark.parametrize(
    "source",
    ["a = 1\nb = 2", ["a = 1\n", "b = 2"], ["a = 1\n", "", "b = ", "2"], ["a = 1\r\n", "b = 2"]],
)
def test_source_may_be_text_or_a_list(notebook: Notebook, source: Any) -> None:
    assert cells(notebook(code(source))) == [("cell 1", "a = 1\nb = 2")]


@pytest.mark.parametrize(
    "change",
    [
        {"nbformat_minor": 0},
        {"nbformat_minor": 2},
        {"nbformat_minor": 99},
        {"nbformat": 5},
        {"nbformat": "4", "nbformat_minor": None},
        {"metadata": {}},
        {"metadata": None},
        {"metadata": []},
        {"metadata": {"kernelspec": {"name": "python3", "display_name": 7}}},
        {"metadata": {"kernelspec": None, "colab": {"provenance": []}, "accelerator": "GPU"}},
        {"metadata": {"language_info": {"name": "python", "version": "3.12.1"}}},
        {"metadata": {"kernelspec": {"name": "../../evil", "language": "python"}}},
        {"unknown": {"deep": [1, 2, {"a": None}]}},
        {"worksheets": []},
    ],
)
def test_top_level_oddities_are_tolerated(notebook: Notebook, change: dict[str, Any]) -> None:
    assert cells(notebook("a = 1", **change)) == [("cell 1", "a = 1")]


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "code", "source": "a = 1"},  # neither metadata nor outputs
        {"source": "a = 1", "outputs": []},  # no type
        code("a = 1", id="same"),
        code("a = 1", id=7),
        code("a = 1", metadata=None, execution_count="three"),
        code("a = 1", metadata={"nbgrader": {"grade_id": 3}}),
        code("a = 1", metadata={"cellView": "form", "id": "GkSJ"}),  # Colab
        code("a = 1", outputs=[{"output_type": "stream", "text": ["x"] * 100}]),
        code("a = 1", outputs={"not": "a list"}),
        code("a = 1", attachments={"x.png": {"image/png": "AAAA"}}),
        {"cell_type": "code", "input": "a = 1", "prompt_number": 3, "language": "python"},
    ],
)
def test_cell_oddities_are_tolerated(notebook: Notebook, cell: dict[str, Any]) -> None:
    assert cells(notebook(cell)) == [("cell 1", "a = 1")]


def test_old_layout_has_sheets(notebook: Notebook) -> None:
    sheet = {"cells": [{"cell_type": "heading", "source": "Lab"}, code("a = 1")]}
    text = json.dumps({"nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet, sheet]})
    assert cells(text) == [("cell 2", "a = 1"), ("cell 4", "a = 1")]


def test_cell_whose_source_is_no_text_is_left_out_with_a_note(notebook: Notebook) -> None:
    book = read_notebook(notebook("a = 1", code({"x": 1}), code([1, 2]), code(None)))
    assert [cell.name for cell in book.cells] == ["cell 1"]
    assert book.notes == (
        "cell 2 has a source that is not text; it was left out",
        "cell 3 has a source that is not text; it was left out",
    )


def test_repeated_ids_are_noted(notebook: Notebook) -> None:
    grade = {"nbgrader": {"grade_id": "value-class"}}
    book = read_notebook(
        notebook(code("a = 1", id="x"), code("b = 1", id="x"), code("c", metadata=grade))
    )
    assert 'same id ("x")' in book.notes[0]
    assert len(book.cells) == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"cells": [], "nbformat": 4}', "no code cells"),
        ('{"cells": [{"cell_type": "code", "source": " \\n"}]}', "no code cells"),
        ('{"cells": [{"cell_type": "markdown", "source": "class Value: ..."}]}', "no code cells"),
        ('{"nbformat": 4}', "no code cells"),
        ('{"cells": [{"cell_type": "code", "source": "%%bash\\nls"}]}', "no code cells in Python"),
        ('{"cells": 3}', "not a notebook"),
        ('{"cells": ["a = 1"]}', "not a notebook"),
        ('{"cells": [{"cell_type": "code",}]}', "not valid JSON at line 1, column"),
        ('{"cells": []} trailing', "not valid JSON at line 1"),
        ("{'cells': []}", "not valid JSON at line 1, column 2"),
        ('{"cells": [{"cell_type": "code", "source": "a\nb"}]}', "not valid JSON at line 1"),
        ('{"x": ' + "[" * 100_000 + "]" * 100_000 + ', "cells": []}', "nested too deeply"),
        ('{"cells": [' + "{}," * 500_000 + "{}]}", "too many parts"),
        (
            '{"cells": [{"cell_type": "code", "source": "' + "x" * (1 << 20) + 'y"}]}',
            "1 MB of code",
        ),
        ('{"cells": [{"source": [' + '"",' * 2_200_000 + '""], "outputs": 1}]}', "1 MB of code"),
        ('<<<<<<< a\n{"cells": []}\n=======\n{}\n>>>>>>> b', "unresolved merge"),
        ('{\n<<<<<<< a\n"cells": [],\n=======\n"x": 1,\n>>>>>>> b\n}', "unresolved merge: line 2"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=re.escape(reason)):
        read_notebook(text)


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"kernelspec": {"name": "ir", "language": "R"}}, "R"),
        ({"language_info": {"name": "julia"}}, "julia"),
        ({"kernelspec": {"language": "javascript", "name": "deno"}}, "javascript"),
    ],
)
def test_other_languages_are_named(
    notebook: Notebook, metadata: dict[str, Any], language: str
) -> None:
    with pytest.raises(RefusedError, match=f"language is {language}, not Python"):
        read_notebook(notebook("a = 1", metadata=metadata))


def test_every_cut_is_called_a_cut(notebook: Notebook) -> None:
    text = notebook(markdown("# Lab é"), code("a = 1\nb = 'ü'", outputs=[{"x": [1.5e3, True]}]))
    for length in range(1, len(text)):
        with pytest.raises(RefusedError, match=r"cut off at character|is empty"):
            read_notebook(text[:length])


@pytest.mark.parametrize("token", ["NaN", "-Infinity", "Infinity", '"\\ud83d"', '"\\udc00x"'])
def test_what_python_writes_beyond_json_is_tolerated(token: str) -> None:
    output = '{"data": {"x": [TOKEN, "NaN, \\"Infinity\\""]}}'.replace("TOKEN", token)
    source = r'"s = \"NaN \ud83d\ude00 \\ud83d\""'
    text = f'{{"cells": [{{"cell_type": "code", "outputs": [{output}], "source": {source}}}]}}'
    assert cells(text) == [("cell 1", 's = "NaN 😀 \\ud83d"')]


def test_half_a_character_in_the_source_is_replaced() -> None:
    text = r'{"cells": [{"cell_type": "code", "source": "s = \"\ud83d\""}]}'
    assert cells(text) == [("cell 1", 's = "\ufffd"')]


def test_outputs_cost_nothing(notebook: Notebook) -> None:
    image = {"output_type": "display_data", "data": {"image/png": "A" * 15_000_000}}
    assert cells(notebook(code("a = 1", outputs=[image]))) == [("cell 1", "a = 1")]


def test_what_was_left_out_is_told_with_its_cell(notebook: Notebook) -> None:
    book = read_notebook(notebook("%matplotlib inline\na = 1", "%%bash\nls", "!pip install x"))
    assert [cell.name for cell in book.cells] == ["cell 1", "cell 3"]
    assert book.notes == (
        "left out what is not Python: %matplotlib (cell 1), %%bash (cell 2), !pip (cell 3)",
    )


# ---- cells that write files -----------------------------------------------------------------


def test_cell_that_writes_the_exercises_file_is_the_answer(
    answer: Callable[..., Any], notebook: Notebook, engine: str, run: Callable[..., Any]
) -> None:
    got = answer("lab.ipynb", notebook("n = 1", f"%%writefile value.py\n{engine}", "m = 2"))
    assert [cell.name for cell in got.cells] == ["cell 1", "cell 2", "cell 3"]
    assert got.cells[1].text.startswith("\nimport math")  # line numbers as in the notebook
    assert "Value" in run(got)
    assert got.siblings == ()


def test_cell_that_writes_another_file_is_a_sibling(
    answer: Callable[..., Any], notebook: Notebook
) -> None:
    got = answer(
        "lab.ipynb",
        notebook(
            "%%writefile topo.py\na = 1", "%%file -a topo.py\nb = 2", "import topo\nclass Value: 1"
        ),
    )
    assert [cell.name for cell in got.cells] == ["cell 3"]
    assert got.siblings == (("topo.py", "a = 1\nb = 2\n"),)


def test_a_file_that_is_written_again_starts_anew(
    answer: Callable[..., Any], notebook: Notebook
) -> None:
    got = answer(
        "lab.ipynb",
        notebook("%%writefile value.py\nclass Old: ...", "%%writefile value.py\nclass Value: ..."),
    )
    assert [cell.name for cell in got.cells] == ["cell 2"]


def test_cell_that_writes_what_nothing_else_defines_is_the_answer(
    answer: Callable[..., Any], notebook: Notebook, engine: str, run: Callable[..., Any]
) -> None:
    got = answer("lab.ipynb", notebook(f"%%writefile engine.py\n{engine}"))
    assert "Value" in run(got)


def test_cell_that_writes_another_exercises_file_is_not_the_answer(
    answer: Callable[..., Any], notebook: Notebook
) -> None:
    got = answer(
        "lab.ipynb",
        notebook("%%writefile 02_graph/value.py\nx = 1", "%%writefile 12_engine/value.py\ny = 1"),
    )
    assert [cell.name for cell in got.cells] == ["cell 2"]


def test_notebook_that_only_writes_other_files(
    answer: Callable[..., Any], notebook: Notebook
) -> None:
    got = answer("lab.ipynb", notebook("%%writefile topo.py\nx = 1"))
    assert [cell.text for cell in got.cells] == ["\nx = 1\n"]
    got = answer("lab.ipynb", notebook("%%writefile data.txt\nx = 1"))
    assert got == Rejected("lab.ipynb: the notebook has no code cells for 12_engine")


# ---- the extension is only a hint ---------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["lab.ipynb", "lab.json", "lab.txt", "lab.py", "lab", "lab.ipynb.txt"]
)
def test_notebook_is_known_by_its_content(
    answer: Callable[..., Any], notebook: Notebook, name: str
) -> None:
    got = answer(name, notebook("a = 1"))
    assert isinstance(got, Source)
    assert got.notebook
    told = [note for note in got.notes if "read as a notebook" in note]
    assert bool(told) == (name != "lab.ipynb")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_notebook_may_be_in_any_unicode(
    answer: Callable[..., Any], notebook: Notebook, codec: str
) -> None:
    got = answer("lab.ipynb", notebook("s = 'é'").encode(codec))
    assert [cell.text for cell in got.cells] == ["s = 'é'"]


def test_python_saved_as_a_notebook_is_python(answer: Callable[..., Any]) -> None:
    got = answer("lab.ipynb", "class Value: ...\n")
    assert not got.notebook
    assert got.cells[0].name == "lab.ipynb"
    assert "not a notebook but plain Python" in got.notes[0]


def test_json_that_is_no_notebook_is_named(answer: Callable[..., Any]) -> None:
    got = answer("lab.ipynb", '{"url": "https://docs.example.org/1"}')
    assert isinstance(got, Rejected)
    assert "JSON, but not a notebook" in got.reason


# ---- against nbformat ---------------------------------------------------------------------------

# nbformat 3 cuts lines at separators that Python does not; `%` and the like begin no Python line
plain = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Zl", "Zp"), exclude_characters="%!?/;,"
)
sources = st.lists(st.text(plain)).map("\n".join)


@given(
    st.lists(st.tuples(st.sampled_from(["code", "markdown", "raw"]), sources)),
    st.sampled_from([3, 4]),
)
def test_agrees_with_nbformat(written: list[tuple[str, str]], version: int) -> None:
    """Written by nbformat 3 or 4, read by both: the same code, in the same order."""
    v4 = nbformat.v4
    make = {
        "code": v4.new_code_cell,
        "markdown": v4.new_markdown_cell,
        "raw": v4.new_raw_cell,
    }
    book = v4.new_notebook(cells=[make[kind](source) for kind, source in written])
    text = nbformat.writes(nbformat.convert(book, version), version)
    back = nbformat.reads(text, as_version=4)
    expected = [cell.source for cell in back.cells if cell.cell_type == "code"]
    expected = [source for source in expected if source.strip()]
    if not expected:
        with pytest.raises(RefusedError, match="no code cells"):
            read_notebook(text)
    else:
        got = [source for _, source in cells(text)]
        expected = [mend_cell(s) for s in expected if "get_ipython" not in s]
        assert [s for s in got if s.strip()] == [s for s in expected if s.strip()]
