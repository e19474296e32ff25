"""Files of a handout, read for what they may give away."""

from __future__ import annotations

import ast
import base64
import contextlib
import inspect
import json
import marshal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader import handed_out
from grader.course import FILE as COURSE_FILE
from grader.handout import code

_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")


@dataclass
class Reading:
    """What stands in one file."""

    text: str = ""  # all of it, as a person would read it
    told: Sequence[str] = ()  # what a course may tell of its solutions: hints
    code: list[ast.Module] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def searched(self) -> str:
        """The text without blanks and without what may be told."""
        text = code.squeezed(self.text)
        for hint in self.told:
            text = text.replace(code.squeezed(hint), "")
        return text


def read(path: Path, shown: str) -> Reading:
    """Read a file by its kind. `shown` is its path in the handout."""
    content = path.read_bytes()
    reading = Reading()
    if content.startswith(_PACKED):
        reading.problems.append("is packed, so that nobody sees what is in it; unpack it")
    try:
        reading.text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        reading.text = content.decode("latin-1")
        if path.suffix == ".py":
            reading.problems.append("is not UTF-8")
    _by_kind(path, shown, reading)
    return reading


def _by_kind(path: Path, shown: str, reading: Reading) -> None:
    if path.suffix == ".py":
        _add_code(reading, [reading.text])
        if not reading.code:
            reading.problems.append("does not parse")
        for tree in list(reading.code):
            for text in code.constants(tree)[0]:
                _add_code(reading, list(code.fenced(f"{inspect.cleandoc(text)}\n")))
    elif path.suffix == ".ipynb":
        _notebook(reading)
    elif path.suffix == ".json":
        _json(path, reading)
    elif shown == COURSE_FILE:
        _course(reading)
    else:
        _add_code(reading, [reading.text, *code.fenced(reading.text)])


def _add_code(reading: Reading, pieces: Sequence[str]) -> None:
    reading.code += [tree for tree in map(code.parse, pieces) if tree is not None]


def _notebook(reading: Reading) -> None:
    try:
        cells = json.loads(reading.text)["cells"]
        sources = [("".join(cell["source"]), cell) for cell in cells]
    except (ValueError, KeyError, TypeError):
        reading.problems.append("is no notebook")
        return
    for source, cell in sources:
        is_code = cell.get("cell_type") == "code"
        _add_code(reading, [source] if is_code else list(code.fenced(source)))
        if cell.get("outputs") or cell.get("execution_count"):
            reading.problems.append("has outputs of cells; clear them")
            break
    reading.text += "\n".join(["", *(source for source, _ in sources)])


def _json(path: Path, reading: Reading) -> None:
    with contextlib.suppress(ValueError):
        made = json.loads(reading.text)
        texts = list(_texts(made))
        if path.name == handed_out.FILE:  # what is asked is packed; what it says is looked at
            reading.text = ""
            texts = [item for text in texts for item in _unpacked(text)]
        reading.text = "\n".join([reading.text, *texts])


def _texts(value: Any) -> Iterator[str]:
    """Every text in a decoded JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *_texts(item))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _unpacked(text: str) -> Iterator[str]:
    """A recorded request in words, or the text itself."""
    try:
        request = marshal.loads(base64.b64decode(text, validate=True))  # noqa: S302 — our own
    except (ValueError, EOFError, TypeError):
        yield text
        return
    yield from _constants(request)


def _constants(value: Any) -> Iterator[str]:
    if isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _constants(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (*_constants(key), *_constants(item))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)):
        yield repr(value)


def _course(reading: Reading) -> None:
    """course.toml: hints nearly tell how it is done, and so may everything else not."""
    import tomllib

    with contextlib.suppress(tomllib.TOMLDecodeError):
        tables = tomllib.loads(reading.text).get("exercise", [])
        hints = [hint for table in tables for hint in table.get("hints", [])]
        escaped = [json.dumps(hint, ensure_ascii=False)[1:-1] for hint in hints]
        reading.told = [*escaped, *hints]
