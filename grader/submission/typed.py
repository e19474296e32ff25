"""Answers that were typed into a form of the platform, which exports them as a web page or in a
receipt, not as a file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from grader.submission.decode import decode
from grader.submission.entries import Entry, Listing
from grader.submission.files import CODE_BYTES
from grader.submission.model import RefusedError
from grader.submission.outline import outline

NOTE = "typed into the platform's text box, not handed in as a file"
_NO_FILE = "no file was handed in, and no code was typed in; hand in the .py or .ipynb"
_DROPPED = re.compile(r"<(script|style|title)\b[^<]*+(?:<(?!/\1)[^<]*+)*+", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*>\n?|</(?:p|div|li|h\d|tr)\s*>\n?", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
_FIELD = re.compile(r"^Submission Field:[ \t]*\n(.*?)(?=^Comments:|\Z)", re.MULTILINE | re.DOTALL)


def list_typed(entries: Iterable[Entry], context: tuple[str, ...]) -> Listing:
    """The code in what a platform exports of a typed answer, as one file. Raises RefusedError."""
    texts = [decode_page(entry.data(CODE_BYTES)) for entry in entries]
    data = typed_code("\n".join(texts)).encode("utf-8", "replace")
    entry = Entry(("typed text.txt",), len(data), lambda limit: data)
    return Listing((entry,), (), context, single=True)


def decode_page(data: bytes) -> str:
    """Like any file, but a web page is welcome."""
    return decode(data, pages=True)[0]


def typed_code(text: str) -> str:
    """The code in a typed answer, one line for each that was typed. Raises RefusedError where
    there is none."""
    field = _FIELD.search(text)  # of a receipt of Blackboard's
    if field:
        text = field[1]
    code = as_text(text) if _TAG.search(text) else text
    if not outline(code.replace("\u00a0", " ")).top:
        raise RefusedError(_NO_FILE)
    return code


def as_text(page: str) -> str:
    """What a simple web page shows, with its blanks."""
    page = _BREAK.sub("\0", _DROPPED.sub("", page))
    if "<pre" not in page.lower():  # else its own line ends count
        page = re.sub(r"\n\s*+", " ", page)
    return html.unescape(_TAG.sub("", page.replace("\0", "\n")))
