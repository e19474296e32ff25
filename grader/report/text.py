"""Text of a submission, made safe for where it goes: it may have been written to do harm."""

from __future__ import annotations

import re
import unicodedata

# Controls, line and paragraph separators, and the marks that turn reading order around.
_FORMATS = frozenset(range(0x202A, 0x202F)) | frozenset(range(0x2066, 0x206A)) | {0x200E, 0x200F}
_WORKFLOW = re.compile(r"^(\s*)(::|##\[)", re.MULTILINE)  # a CI runner takes such lines as orders


def plain(text: str, limit: int = 4_000) -> str:
    """For a terminal or a log: escapes shown, not obeyed; newlines and tabs stay."""
    shown = "".join(_visible(character) for character in text[: limit + 1])
    if len(text) > limit:
        shown = shown[: limit - 1] + "…"
    return _WORKFLOW.sub(r"\1\\\2", shown)


def one_line(text: str, limit: int = 200) -> str:
    """The same, in one line."""
    return plain(" ".join(text.split()), limit)


def cell(text: str) -> str:
    """For CSV: a spreadsheet must not take it for a formula."""
    safe = plain(text).replace("\t", " ")
    return "'" + safe if safe.lstrip()[:1] in ("=", "+", "-", "@") else safe


def _visible(character: str) -> str:
    code = ord(character)
    if character in "\n\t":
        return character
    if code < 0x20 or 0x7F <= code < 0xA0 or code in _FORMATS or 0xD800 <= code < 0xE000:
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    if unicodedata.category(character) in ("Zl", "Zp"):
        return f"\\u{code:04x}"
    return character
