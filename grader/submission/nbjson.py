"""A notebook's JSON into cells whose parts are not decoded before somebody asks for them.

What a file may cost is bounded by its size: outputs are skipped over and never become Python
objects, and each part is decoded by itself, so that an odd one costs that part only.
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from grader.submission.decode import place, refuse_conflicts
from grader.submission.model import RefusedError

_PARTS = 400_000  # objects in one file: bounds the memory that decoding takes
_ABSENT = msgspec.Raw(b"")
_T = TypeVar("_T")


class RawCell(msgspec.Struct, gc=False):
    cell_type: msgspec.Raw = _ABSENT
    source: msgspec.Raw = _ABSENT
    input: msgspec.Raw = _ABSENT  # what nbformat 1 to 3 call the source
    id: msgspec.Raw = _ABSENT
    metadata: msgspec.Raw = _ABSENT
    outputs: msgspec.Raw = _ABSENT  # only whether it is there


class RawSheet(msgspec.Struct):
    cells: list[RawCell] = []


class RawNotebook(msgspec.Struct):
    cells: list[RawCell] | None = None
    worksheets: list[RawSheet] | None = None
    metadata: msgspec.Raw = _ABSENT


class Grade(msgspec.Struct):
    grade_id: str | None = None


class CellMetadata(msgspec.Struct):
    nbgrader: Grade | None = None


class Language(msgspec.Struct):
    language: str | None = None
    name: str | None = None


class Metadata(msgspec.Struct):
    kernelspec: Language | None = None
    language_info: Language | None = None


def read_json(text: str) -> RawNotebook:
    """Raises RefusedError with what is wrong and where."""
    refuse_conflicts(text)
    if text.count("{") > _PARTS:
        raise RefusedError("the notebook's outputs hold too many parts; clear all outputs and save")
    return _decode(text)


def is_json(text: str) -> bool:
    """Whether all of it is one JSON object, as an answer of a web service or a link of a cloud
    drive is, and no program."""
    if not text.lstrip().startswith("{") or not text.rstrip().endswith("}"):
        return False
    try:
        msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def loosely(raw: msgspec.Raw, kind: type[_T]) -> _T | None:
    """A part of the notebook, or None where it is missing or something else than it should be."""
    data = bytes(raw)
    if not data:
        return None
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError):  # ValidationError is a DecodeError
        return None


def _decode(text: str) -> RawNotebook:
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


def _as_notebook(text: str) -> RawNotebook:
    return msgspec.json.decode(text, type=RawNotebook)


def _broken(text: str, error: str) -> RefusedError:
    """Cut off, or wrong at some place: msgspec counts bytes, people count characters."""
    found = re.search(r"\(byte (\d+)\)", error)
    data = text.encode("utf-8", "replace")
    at = len(data[: int(found[1])].decode("utf-8", "ignore")) if found else len(text)
    if "truncated" in error or not text[at:].strip():
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
