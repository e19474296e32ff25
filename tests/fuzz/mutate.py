"""Files as students might hand them in, and what may happen to them on the way."""

from __future__ import annotations

import io
import json
import keyword
import random
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NAMES = ("value.py", "lab.ipynb", "ada.zip", "x.json", "x.txt", "x", "04_backward.py", "ä.PY")
_WORD = re.compile(r"\w+|[^\w\s]|\n|[ \t]+")
_BITS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80", b'"', b"'''", b"\\", b"\\\n", b"{", b"[", b"(",
    b"\r", b"\t", b"\x1a", b"\xc2\xa0", b"\xe2\x80\x9c", b"PK\3\4", b"%PDF-", b"NaN", b"\\ud800",
    b"\n%%writefile value.py\n", b"\n!ls \\\n", b"<<<<<<< ", b"# coding: utf-7\n", b">>> ", b"? ",
    b"raise SystemExit\n", b"\nwhile True: pass\n", b"1e999", b"None", b"self", b"    ", b"0",
)  # fmt: skip
_WORDS = (
    "self", "other", "None", "True", "0", "1", "-1", "1e308", "nan", "data", "grad", "return",
    "yield", "raise", "del", "global", "lambda: 0", "[]", "{}", "()", "not", "-", "+", "*", "**",
    "/", ":", ",", ".", "=", "==", "if", "else", "for", "in", "while", "break", "pass", "__class__",
    "\n", "\n    ", "print", "input()", "exit()", "object()", "Value", "import os", "await",
)  # fmt: skip


def seeds(exercise: str = "04_backward") -> list[str]:
    """Sources that are right, wrong in a known way, and not begun."""
    suite = ROOT / "tests" / "suites" / exercise
    paths = [
        ROOT / "solutions" / exercise / "value.py",
        ROOT / "exercises" / exercise / "value.py",
        *sorted(suite.glob("accepted/*.py")),
        *sorted(suite.glob("mistakes/*.py")),
    ]
    return [path.read_text(encoding="utf-8") for path in paths]


def notebook(*sources: str, version: int = 4) -> str:
    key = "source" if version == 4 else "input"
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], key: source}
        for n, source in enumerate(sources)
    ]
    inside = {"cells": cells} if version == 4 else {"worksheets": [{"cells": cells}]}
    return json.dumps({**inside, "metadata": {}, "nbformat": version, "nbformat_minor": 0})


def archive(*members: tuple[str, bytes], packed: bool = False) -> bytes:
    """A zip archive; stored by default, so that a changed byte is a changed byte of a member."""
    file = io.BytesIO()
    how = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", how) as made:
        for name, data in members:
            made.writestr(name, data)
    return file.getvalue()


def damaged(draw: random.Random, data: bytes, most: int = 4) -> bytes:
    """Some bytes replaced, removed, inserted, repeated, moved or cut off."""
    raw = bytearray(data)
    for _ in range(draw.randrange(most + 1)):
        at = draw.randrange(len(raw) + 1)
        change = draw.randrange(7)
        if change == 0:
            raw[at : at + draw.randrange(4)] = draw.choice(_BITS)
        elif change == 1:
            raw[at:at] = draw.choice(_BITS) * draw.randrange(1, 4)
        elif change == 2:
            del raw[at : at + draw.randrange(1, 30)]
        elif change == 3 and at < len(raw):
            raw[at] ^= 1 << draw.randrange(8)
        elif change == 4:
            start = draw.randrange(len(raw) + 1)
            raw[at:at] = raw[start : start + draw.randrange(60)]
        elif change == 5:
            raw[at : at + 2] = draw.randbytes(draw.randrange(4))
        elif draw.random() < 0.2:
            del raw[at:]
    return bytes(raw)


def slightly(draw: random.Random, source: str) -> str:
    """A word for one of its kind: it may well still run, and be wrong."""
    words = _WORD.findall(source)
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(words))
        kind = _kind(words[at])
        if not kind:
            continue
        words[at] = draw.choice([word for word in words if _kind(word) == kind])
    return "".join(words)


def _kind(word: str) -> str:
    """The empty text for what is best left alone."""
    if word.isidentifier():
        return "" if keyword.iskeyword(word) else "name"
    return "number" if word.isdigit() else "sign" if word in "+-*/<>" else ""


def rewritten(draw: random.Random, source: str, other: str) -> str:
    """Some words exchanged, and some lines moved, doubled, left out, or taken from elsewhere."""
    words = _WORD.findall(source)
    for _ in range(draw.randrange(4)):
        at = draw.randrange(len(words))
        words[at] = draw.choice((*_WORDS, draw.choice(words)))
    lines = "".join(words).split("\n")
    for _ in range(draw.randrange(4)):
        at = draw.randrange(len(lines))
        change = draw.randrange(5)
        if change == 0:
            lines[at : at + 1] = []
        elif change == 1:
            lines.insert(at, lines[draw.randrange(len(lines))])
        elif change == 2:
            lines[at] = "    " + lines[at]
        elif change == 3:
            lines[at] = lines[at].replace("    ", "\t", 1)
        else:
            lines.insert(at, draw.choice(other.split("\n")))
    return "\n".join(lines)


def one(draw: random.Random, sources: Sequence[str]) -> tuple[str, bytes]:
    """A file that was changed: its name and its bytes."""
    source = slightly(draw, draw.choice(sources))
    if draw.random() < 0.3:
        source = rewritten(draw, source, draw.choice(sources))
    raw = source.encode("utf-8", "replace")
    kind = draw.randrange(10)
    if kind == 0 or kind > 7:
        return "value.py", raw
    if kind == 1:
        return draw.choice(NAMES), damaged(draw, raw)
    if kind == 2:
        codec = draw.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32"))
        return "value.py", damaged(draw, source.encode(codec, "replace"), 2)
    if kind in (3, 4):
        at = draw.randrange(len(source) + 1)
        version = draw.choice((3, 4))
        book = notebook("%matplotlib inline", source[:at], source[at:], version=version).encode()
        return draw.choice(("value.ipynb", *NAMES)), damaged(draw, book) if kind == 4 else book
    members = [("04_backward/value.py", raw), ("lab/lab.ipynb", notebook(source).encode())]
    if kind == 5:
        members.append(("in.zip", archive(("04_backward/value.py", raw))))
    packed = archive(*members[draw.randrange(2) :], packed=kind == 6)
    return draw.choice(("ada.zip", "value.py")), damaged(draw, packed)
