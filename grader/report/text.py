"""Text of a submission, made safe for where it goes: it may have been written to do harm."""

from __future__ import annotations

import re
import unicodedata

# Shown as escapes: controls, lone surrogates, line and paragraph separators, and what is invisible
# or turns the reading order around. Not the two joiners: some languages, and emoji, need them.
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"
# What CI systems take for orders: `::name` after white space at most (GitHub, Gitea), and anywhere
# in a line `##[`, `##vso[`, `##teamcity[` (GitHub, Azure, TeamCity).
_LINE_ORDER = re.compile(r"^([\s\u200c\u200d]*):(?=:)", re.MULTILINE)
_ORDER = re.compile(r"##(?=[a-z]*\[)", re.IGNORECASE)
# A spreadsheet takes for a formula what begins so; the wide forms as well, in East Asian settings.
_FORMULA = ("=", "+", "-", "@", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def plain(text: str, limit: int = 4_000) -> str:
    """For a terminal or a log: escapes shown, not obeyed; newlines and tabs stay."""
    shown = text[: limit + 1]
    if not shown.isprintable():
        shown = "".join(map(_visible, shown))
    if len(text) > limit:
        shown = shown[: limit - 1] + "…"
    return _ORDER.sub(r"#\\#", _LINE_ORDER.sub(r"\1\\:", shown))


def one_line(text: str, limit: int = 200) -> str:
    """The same, in one line."""
    return plain(" ".join(text.split()), limit)


def cell(text: str) -> str:
    """For CSV: one line that a spreadsheet does not take for a formula."""
    safe = plain(" ".join(text.split()))
    return "'" + safe if safe.lstrip(_JOINERS).startswith(_FORMULA) else safe


def _visible(character: str) -> str:
    if character in "\n\t" or character in _JOINERS or character.isprintable():
        return character
    code = ord(character)
    if unicodedata.category(character) not in _HIDDEN:
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
