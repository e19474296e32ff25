"""A notebook's code cells, in the order in which they stand. Outputs are never even decoded.

nbformat is not asked: it wants the whole file in memory as Python objects, refuses what students
really hand in (a missing id, unknown keys, a NaN in an output), and an upgrade renames ids. The
tests hold this reader against it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from grader.submission.decode import one_newline, place, refuse_conflicts
from grader.submission.files import CODE_BYTES, megabytes
from grader.submission.magics import clean_cell
from grader.submission.model import Cell, RefusedError
from grader.submission.names import shown

_PARTS = 400_000  # objects in one file: bounds the memory that decoding takes
_ABSENT = msgspec.Raw(b"")
_T = TypeVar("_T")
_MARKERS = ('"cells"', '"worksheets"', '"nbformat"')


class _Cell(msgspec.Struct, gc=False):
    cell_type: msgspec.Raw = _ABSENT
    source: msgspec.Raw = _ABSENT
    input: msgspec.Raw = _ABSENT  # what nbformat 1 to 3 call the source
    id: msgspec.Raw = _ABSENT
    metadata: msgspec.Raw = _ABSENT
    outputs: msgspec.Raw = _ABSENT  # only whether it is there


class _Sheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    cells: list[_Cell] | None = None
    worksheets: list[_Sheet] | None = None
    metadata: msgspec.Raw = _ABSENT


class _Grade(msgspec.Struct):
    grade_id: str | None = None


class _CellMetadata(msgspec.Struct):
    nbgrader: _Grade | None = None


class _Language(msgspec.Struct):
    language: str | None = None
    name: str | None = None


class _Metadata(msgspec.Struct):
    kernelspec: _Language | None = None
    language_info: _Language | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A cell whose text the notebook writes to a file (`%%writefile value.py`)."""

    path: str  # with forward slashes
    cell: Cell  # its first line, where the magic was, is blank: lines keep their numbers
    index: int  # how many cells stand before it
    appended: bool

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Notebook:
    """What of a notebook can be executed."""

    cells: tuple[Cell, ...]
    written: tuple[Written, ...]
    notes: tuple[str, ...]


def looks_like_notebook(text: str) -> bool:
    """Whether text is (the beginning of) a notebook's JSON."""
    return text.lstrip()[:1] == "{" and any(marker in text for marker in _MARKERS)


def read_notebook(text: str, modules: frozenset[str] = frozenset()) -> Notebook:
    """The code cells of a notebook's JSON. Raises RefusedError with what is wrong and where.

    `modules` are the Python files beside it (without `.py`), for `%run topo.py`."""
    refuse_conflicts(text)
    if text.count("{") > _PARTS:
        raise RefusedError("the notebook's outputs hold too many parts; clear all outputs and save")
    book = _decode(text)
    _refuse_other_language(book)
    raw_cells = list(book.cells or [])
    for sheet in book.worksheets or []:
        raw_cells += sheet.cells
    texts: list[tuple[int, str]] = []
    notes: list[str] = []
    room = CODE_BYTES
    for number, cell in enumerate(raw_cells, start=1):
        if not _is_code(cell):
            continue
        source = _source_of(cell)
        if source is None:
            notes.append(f"cell {number} has a source that is not text; it was left out")
            continue
        room -= len(source)
        if room < 0:
            raise RefusedError(f"the notebook holds more than {megabytes(CODE_BYTES)} of code")
        if source.strip():
            texts.append((number, one_newline(source)))
    if not texts:
        raise RefusedError("the notebook has no code cells (or only empty ones)")
    return _cleaned(texts, modules, [*notes, *_repeated(raw_cells)])


def _cleaned(texts: list[tuple[int, str]], modules: frozenset[str], notes: list[str]) -> Notebook:
    cells: list[Cell] = []
    written: list[Written] = []
    left_out: list[str] = []
    for number, text in texts:
        name = f"cell {number}"
        cleaned = clean_cell(text, modules)
        left_out += [f"{what} ({name})" for what in cleaned.left_out]
        if cleaned.written:
            path, body, appended = cleaned.written
            path = path.replace("\\", "/")
            if not appended:  # the file is written anew: what was in it is gone
                written = [item for item in written if item.path != path]
            written.append(Written(path, Cell(name, f"\n{body}\n"), len(cells), appended))
        elif not cleaned.skipped and cleaned.text.strip():
            cells.append(Cell(name, cleaned.text))
    if left_out:
        some = ", ".join(shown(item) for item in left_out[:4])
        more = f" and {len(left_out) - 4} more" if len(left_out) > 4 else ""
        notes.append(f"left out what is not Python: {some}{more}")
    if not cells and not written:
        raise RefusedError("the notebook has no code cells in Python")
    return Notebook(tuple(cells), tuple(written), tuple(notes))


def _decode(text: str) -> _Notebook:
    try:
        return _as_notebook(text)
    except msgspec.ValidationError:
        raise RefusedError(
            'this is JSON, but not a notebook (its "cells" are no list of cells); save it again '
            "from Jupyter or Colab"
        ) from None
    except (msgspec.DecodeError, RecursionError):
        pass
    tolerant = _tolerant(text)
    try:
        return _as_notebook(tolerant)
    except msgspec.ValidationError:
        raise RefusedError("this is JSON, but not a notebook; save it again") from None
    except RecursionError:
        raise RefusedError(
            "the notebook is nested too deeply; clear all outputs and save"
        ) from None
    except msgspec.DecodeError as error:
        raise _broken(tolerant, str(error)) from None


def _as_notebook(text: str) -> _Notebook:
    return msgspec.json.decode(text, type=_Notebook)


def _broken(text: str, error: str) -> RefusedError:
    """Cut off, or wrong at some place: msgspec counts bytes, people count characters."""
    found = re.search(r"\(byte (\d+)\)", error)
    data = text.encode("utf-8", "replace")
    at = len(data[: int(found[1])].decode("utf-8", "ignore")) if found else len(text)
    if "truncated" in error or not text[at:].strip() or len(text.rstrip()) - at < 8:
        return RefusedError(
            f"the file is cut off at character {len(text)}; save or download it again"
        )
    return RefusedError(f"the notebook is not valid JSON at {place(text, at)}; save it again")


# Strings are matched so that nothing inside them is taken for a number; one without an end is
# taken to the end of the text, else each of its quotes would be tried anew.
_TOLERATED = re.compile(r'"(?:[^"\\]|\\.)*+\\?"?|-?\b(?:NaN|Infinity)\b', re.DOTALL)
_SURROGATES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


def _tolerant(text: str) -> str:
    """What Python's own JSON lets through and Jupyter writes: NaN, half an emoji."""

    def mend(found: re.Match[str]) -> str:
        piece = found[0]
        if not piece.startswith('"'):
            return "null"
        if "\\u" not in piece:
            return piece
        return _SURROGATES.sub(lambda s: "\\ufffd" if len(s[0]) == 6 else s[0], piece)

    return _TOLERATED.sub(mend, text)


def _refuse_other_language(book: _Notebook) -> None:
    metadata = _loosely(book.metadata, _Metadata)
    if metadata is None:
        return
    for told in (metadata.language_info, metadata.kernelspec):
        language = told and (told.language or (told.name if told is metadata.language_info else ""))
        if language and not language.lower().startswith(("python", "ipython", "py", "sage")):
            raise RefusedError(f"this notebook's language is {shown(language, 30)}, not Python")


def _is_code(cell: _Cell) -> bool:
    kind = _loosely(cell.cell_type, str)
    if kind is None:  # written by hand or by a tool: code is what has outputs
        return bool(bytes(cell.outputs) or bytes(cell.input))
    return kind == "code"


def _source_of(cell: _Cell) -> str | None:
    raw = cell.source if bytes(cell.source) else cell.input
    if len(bytes(raw)) > 6 * CODE_BYTES:  # escaped it may be longer than it is
        raise RefusedError(f"one cell holds more than {megabytes(CODE_BYTES)} of code")
    if bytes(raw) in (b"", b"null"):
        return ""
    one = _loosely(raw, str)
    if one is not None:
        return one
    several = _loosely(raw, list[str])
    return None if several is None else "".join(several)


def _repeated(cells: list[_Cell]) -> list[str]:
    ids = Counter(found for cell in cells if (found := _loosely(cell.id, str)))
    grades: Counter[str] = Counter()
    for cell in cells:
        metadata = (
            _loosely(cell.metadata, _CellMetadata) if b"grade_id" in bytes(cell.metadata) else None
        )
        if metadata and metadata.nbgrader and metadata.nbgrader.grade_id:
            grades[metadata.nbgrader.grade_id] += 1
    repeated = [f'"{shown(name, 40)}"' for name, times in (ids + grades).items() if times > 1]
    if not repeated:
        return []
    some = ", ".join(repeated[:3]) + (" …" if len(repeated) > 3 else "")
    return [f"several cells carry the same id ({some}); all of them were read, in order"]


def _loosely(raw: msgspec.Raw, kind: type[_T]) -> _T | None:
    """A part of the notebook, or None where it is missing or something else than it should be."""
    data = bytes(raw)
    if not data:
        return None
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError):  # ValidationError is a DecodeError
        return None
