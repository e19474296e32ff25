"""A notebook's code cells, in the order in which they stand. Outputs are never even decoded.

nbformat is not asked: it wants the whole file in memory as Python objects, refuses what students
really hand in (a missing id, unknown keys, a NaN in an output), and an upgrade renames ids. The
tests hold this reader against it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grader.submission.decode import one_newline
from grader.submission.files import CODE_BYTES, megabytes
from grader.submission.magics import clean_cell
from grader.submission.mend import mend_cell
from grader.submission.model import Cell, RefusedError
from grader.submission.names import listed, shown
from grader.submission.nbjson import (
    CellMetadata,
    Metadata,
    RawCell,
    RawNotebook,
    loosely,
    read_json,
)

_MARKERS = ('"cells"', '"worksheets"', '"nbformat"')


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
    book = read_json(text)
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
        reason = "the notebook has no code cells (or only empty ones)"
        if any(b"def " in bytes(cell.source) for cell in raw_cells):
            reason += "; there is code in its text cells: turn them into code cells"
        raise RefusedError(reason)
    return _cleaned(texts, modules, [*notes, *_repeated(raw_cells)])


def _cleaned(texts: list[tuple[int, str]], modules: frozenset[str], notes: list[str]) -> Notebook:
    cells: list[Cell] = []
    written: list[Written] = []
    left_out: list[str] = []
    for number, text in texts:
        name = f"cell {number}"
        cleaned = clean_cell(mend_cell(text), modules)
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
        some = listed(shown(item) for item in left_out)
        notes.append(f"left out what is not Python: {some}")
    if not cells and not written:
        raise RefusedError("the notebook has no code cells in Python")
    return Notebook(tuple(cells), tuple(written), tuple(notes))


def _refuse_other_language(book: RawNotebook) -> None:
    metadata = loosely(book.metadata, Metadata)
    if metadata is None:
        return
    for told in (metadata.language_info, metadata.kernelspec):
        language = told and (told.language or (told.name if told is metadata.language_info else ""))
        if language and not language.lower().startswith(("python", "ipython", "py", "sage")):
            raise RefusedError(f"this notebook's language is {shown(language, 30)}, not Python")


def _is_code(cell: RawCell) -> bool:
    kind = loosely(cell.cell_type, str)
    if kind is None:  # written by hand or by a tool: code is what has outputs
        return bool(bytes(cell.outputs) or bytes(cell.input))
    return kind == "code"


def _source_of(cell: RawCell) -> str | None:
    raw = cell.source if bytes(cell.source) else cell.input
    if len(bytes(raw)) > 6 * CODE_BYTES:  # escaped it may be longer than it is
        raise RefusedError(f"one cell holds more than {megabytes(CODE_BYTES)} of code")
    if bytes(raw) in (b"", b"null"):
        return ""
    one = loosely(raw, str)
    if one is not None:
        return one
    several = loosely(raw, list[str])
    return None if several is None else "".join(several)


def _repeated(cells: list[RawCell]) -> list[str]:
    ids = Counter(found for cell in cells if (found := loosely(cell.id, str)))
    grades: Counter[str] = Counter()
    for cell in cells:
        metadata = (
            loosely(cell.metadata, CellMetadata) if b"grade_id" in bytes(cell.metadata) else None
        )
        if metadata and metadata.nbgrader and metadata.nbgrader.grade_id:
            grades[metadata.nbgrader.grade_id] += 1
    repeated = [f'"{shown(name, 40)}"' for name, times in (ids + grades).items() if times > 1]
    if not repeated:
        return []
    return [
        f"several cells carry the same id ({listed(repeated, 3)}); all of them were read, in order"
    ]
