"""From the file that answers an exercise to the `Source` that is executed."""

from __future__ import annotations

from collections.abc import Callable

from grader.submission.content import Content
from grader.submission.entries import Entry, Listing
from grader.submission.model import Cell, RefusedError, Source, make_source
from grader.submission.names import stem_of
from grader.submission.notebook import Written
from grader.submission.outline import outline
from grader.submission.siblings import modules_beside, needed
from grader.submission.stubs import Expected


def make_answer(
    expected: Expected,
    entry: Entry,
    content: Content,
    listing: Listing,
    read: Callable[[Entry], Content | RefusedError],
    notes: tuple[str, ...],
) -> Source:
    """The cells of `content`, and what they may import. Raises RefusedError."""
    cells, written = _with_written(expected, content)
    if not cells:
        raise RefusedError(f"the notebook has no code cells for {expected.id}")
    main = stem_of(expected.file)
    modules = modules_beside(listing, entry, frozenset({main, stem_of(entry.name), *written}))
    text = "\n".join([*(cell.text for cell in cells), *written.values()])
    siblings, told = needed(text, modules, read)
    files = {f"{stem}.py": body for stem, body in written.items()} | dict(siblings)
    return make_source(
        cells,
        notebook=content.notebook,
        siblings=tuple(sorted(files.items())),
        notes=(*notes, *content.notes, *told),
    )


def _with_written(expected: Expected, content: Content) -> tuple[tuple[Cell, ...], dict[str, str]]:
    """The cells to execute, and the modules that the notebook writes, by name.

    A cell that writes the exercise's own file *is* the answer, so it is executed where it stands;
    so is one that writes another file when nothing else defines what the exercise asks for."""
    here = [item for item in content.written if not _is_elsewhere(item, expected)]
    own = [item for item in here if item.name == expected.file]
    others = [item for item in here if item not in own and item.name.endswith(".py")]
    if others and not own:
        defined = outline("\n".join(cell.text for cell in content.cells)).top
        missing = expected.outline.top - defined
        own = [item for item in others if outline(item.cell.text).top & missing]
        if not own and not content.cells:
            own = others
    cells = list(content.cells)
    for item in sorted(own, key=lambda item: item.index, reverse=True):
        cells.insert(item.index, item.cell)
    modules: dict[str, str] = {}
    for item in others:
        stem = stem_of(item.name)
        if stem.isidentifier() and stem != stem_of(expected.file):
            before = modules.get(stem, "") if item.appended else ""
            modules[stem] = before + item.cell.text.removeprefix("\n")
    return tuple(cells), modules


def _is_elsewhere(item: Written, expected: Expected) -> bool:
    """Whether it is written into the folder of another exercise."""
    folder = item.path.split("/")[-2:-1]
    return bool(folder) and folder[0] != expected.id and folder[0][:1].isdigit()
