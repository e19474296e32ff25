"""The bytes of one file into what can be executed, whatever its name claims it to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grader.submission.decode import decode
from grader.submission.files import CODE_BYTES, NOTEBOOK_BYTES, too_big
from grader.submission.magics import clean_file
from grader.submission.mend import mend_file
from grader.submission.model import Cell, RefusedError
from grader.submission.names import extension_of, listed, shown
from grader.submission.nbjson import is_json
from grader.submission.notebook import Written, looks_like_notebook, read_notebook
from grader.submission.outline import Outline, outline
from grader.submission.sniff import is_archive_kind, recognise, stand_in

PROSE = frozenset({".md", ".markdown", ".rmd", ".qmd"})


@dataclass(frozen=True)
class Content:
    """One file, read."""

    cells: tuple[Cell, ...]
    notebook: bool
    written: tuple[Written, ...] = ()  # files that the notebook writes
    notes: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        return "\n".join(
            [*(cell.text for cell in self.cells), *(item.cell.text for item in self.written)]
        )

    @cached_property
    def outline(self) -> Outline:
        return outline(self.text)


def interpret(data: bytes, name: str, modules: frozenset[str] = frozenset()) -> Content:
    """Raises RefusedError, its reason without the file's name.

    `modules`: the names of the Python files beside it, which a notebook may `%run`."""
    kind = recognise(data)
    if kind is not None:
        remedy = "hand in a .zip" if is_archive_kind(kind) else "hand in the .py or .ipynb itself"
        if ";" in kind:  # the kind brings its own remedy
            raise RefusedError(f"this is {kind}")
        raise RefusedError(f"this is {kind}; {remedy}")
    if len(data) > NOTEBOOK_BYTES:
        raise too_big(len(data), NOTEBOOK_BYTES)
    text, notes = decode(data)
    if looks_like_notebook(text):
        book = read_notebook(text, modules)
        if extension_of(name) != ".ipynb":
            notes = (*notes, "read as a notebook, which it is whatever its name says")
        return Content(book.cells, True, book.written, (*notes, *book.notes))
    if len(data) > CODE_BYTES:
        raise too_big(len(data), CODE_BYTES)
    instead = stand_in(text)
    if instead is not None:
        raise RefusedError(instead)
    if extension_of(name) in (".ipynb", ".json") or is_json(text):
        if text.lstrip()[:1] in ("{", "["):
            raise RefusedError("this is JSON, but not a notebook (it has no cells); save it again")
        notes = (*notes, "not a notebook but plain Python; read as that")
    text, mended = mend_file(text, prose=extension_of(name) in PROSE)
    notes = (*notes, *mended)
    cleaned = clean_file(text, modules)
    if cleaned.left_out:
        some = listed(shown(item) for item in cleaned.left_out)
        notes = (*notes, f"left out what is not Python: {some}")
        text = cleaned.text
    return Content((Cell(shown(name), text),), False, (), notes)
