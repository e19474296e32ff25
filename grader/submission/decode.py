"""Bytes of a source file into text, as Python, the student's editor or at least a reader would.

In order: byte-order mark, coding line (PEP 263), UTF-8, Windows-1252, Latin-1. Whatever is not
plain UTF-8 is said in a note; encodings never cost points.
"""

from __future__ import annotations

import re

from grader.submission.model import RefusedError
from grader.submission.sniff import is_html

_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),  # before UTF-16, whose mark it begins with
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")

# Encodings of text only: no compression, no rot13, nothing that is slow on purpose (punycode).
_CODECS = frozenset(
    {
        *("ascii", "us-ascii", "utf-8", "utf8", "utf-8-sig", "latin-1", "latin1", "iso-latin-1"),
        *(f"iso{dash}8859-{part}" for dash in ("-", "") for part in range(1, 17) if part != 12),
        *("latin-2", "latin2", "latin-9", "latin9", "mac-roman", "macroman", "mac-cyrillic"),
        *(f"cp125{part}" for part in range(9)),
        *(f"windows-125{part}" for part in range(9)),
        *("cp437", "cp850", "cp852", "cp858", "cp866", "cp874", "koi8-r", "koi8-u", "tis-620"),
        *("cp932", "cp936", "cp949", "cp950", "big5", "big5hkscs", "gbk", "gb2312", "gb18030"),
        *("shift-jis", "sjis", "euc-jp", "iso-2022-jp", "euc-kr", "johab"),
    }
)

_OPENS = re.compile(r"^<{7}(?: .*)?$", re.MULTILINE)
_MIDDLE = re.compile(r"^={7}$", re.MULTILINE)
_CLOSES = re.compile(r"^>{7}(?: .*)?$", re.MULTILINE)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")


def decode(data: bytes, *, pages: bool = False) -> tuple[str, tuple[str, ...]]:
    """Text with `\\n` line ends, and notes. Raises RefusedError with what is wrong and where, and
    for a web page unless `pages`."""
    if not data:
        raise RefusedError("the file is empty", empty=True)
    text, notes = _to_text(data)
    text = text.lstrip("\ufeff")  # some editors write the mark twice
    text = one_newline(text)
    if text.rstrip("\n").endswith("\x1a"):  # the end-of-file character of old DOS editors
        text = text.rstrip("\n\x1a") + "\n"
    if not text.strip():
        raise RefusedError("the file is empty (it holds only blanks)", empty=True)
    if "\0" in text:
        at = text.index("\0")
        raise RefusedError(
            f"there is a NUL character at {place(text, at)}; Python refuses such a file: "
            "save it again as text"
        )
    if not pages and is_html(text):
        raise RefusedError(
            "this is a web page, not the file it shows; use Download or Raw, then hand that in"
        )
    refuse_conflicts(text)
    return text, tuple(notes)


def refuse_conflicts(text: str) -> None:
    """Raise RefusedError when the marks of an unresolved merge are still there."""
    if "<<<<<<<" not in text:
        return
    start = _OPENS.search(text)
    middle = start and _MIDDLE.search(text, start.end())
    if start and middle and _CLOSES.search(text, middle.end()):
        raise RefusedError(
            f"unresolved merge: line {line_of(text, start.start())} still holds the marks of a "
            "conflict (<<<<<<<, =======, >>>>>>>); keep one side and delete the marks"
        )


def one_newline(text: str) -> str:
    """All line ends as `\\n`. Several CR before one LF (a bad transfer) are one line end."""
    if "\r" not in text:
        return text
    return re.sub(
        r"\r++\n?", lambda run: "\n" if run[0].endswith("\n") else "\n" * len(run[0]), text
    )


def place(text: str, at: int) -> str:
    """ "line 3, column 7 (character 41)", counted from 1."""
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return f"line {line_of(text, at)}, column {column} (character {at + 1})"


def line_of(text: str, at: int) -> int:
    """The line of a position, from 1."""
    return text.count("\n", 0, at) + 1


def _to_text(data: bytes) -> tuple[str, list[str]]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], codec)
    unmarked = _unmarked_utf16(data)
    if unmarked:
        return _marked(data, unmarked)
    notes: list[str] = []
    named = _coding_line(data)
    if named is not None:
        if named not in _CODECS:
            notes.append(f'the coding line names "{named}", which is not a text encoding here')
        elif named not in ("utf-8", "utf8", "utf-8-sig"):
            try:
                return data.decode(named), [f"read as {named}, as its coding line says"]
            except (UnicodeDecodeError, LookupError):
                notes.append(f"the coding line says {named}, but that does not fit the file")
    try:
        return data.decode("utf-8"), notes
    except UnicodeDecodeError as error:
        at = error.start
    _refuse_binary(data)
    where = f"byte 0x{data[at]:02x} in line {data.count(10, 0, at) + 1} (byte {at + 1})"
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        at = error.start
        where = f"byte 0x{data[at]:02x} in line {data.count(10, 0, at) + 1} (byte {at + 1})"
        notes.append(f"neither UTF-8 nor Windows-1252 ({where}); read as Latin-1")
        return data.decode("latin-1"), notes
    notes.append(f"not UTF-8 ({where}); read as Windows-1252 (cp1252)")
    return text, notes


def _marked(data: bytes, codec: str) -> tuple[str, list[str]]:
    notes = [] if codec == "utf-8" else [f"read as {codec[:6].upper()}"]
    try:
        return data.decode(codec), notes
    except UnicodeDecodeError as error:
        if codec == "utf-8":  # the mark lies; Python would refuse the file
            at = error.start
            line = data.count(10, 0, at) + 1
            _refuse_binary(data)
            notes = [
                f"marked as UTF-8, but byte 0x{data[at]:02x} in line {line} (byte {at + 4}) is "
                "not; read as Latin-1"
            ]
            return data.decode("latin-1"), notes
        raise RefusedError(
            f"marked as {codec[:6].upper()}, but byte {error.start + 1} after the mark does not "
            "fit; save it again as UTF-8"
        ) from None


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without its mark: every other byte of mostly ASCII text is 0."""
    sample = data[: 4096 - 4096 % 2]
    if len(data) % 2 or len(sample) < 4 or 0 not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.7 * half and not even:
        return "utf-16-le"
    if even > 0.7 * half and not odd:
        return "utf-16-be"
    return None


def _coding_line(data: bytes) -> str | None:
    """The encoding that one of the first two lines names, in lower case with dashes."""
    lines = re.split(rb"\r\n|\r|\n", data[:1024], maxsplit=2)[:2]
    for line in lines:
        found = _CODING.match(line)
        if found:
            name = found[1].decode("ascii", "replace").lower().replace("_", "-")
            return re.sub(r"-(?:unix|dos|mac)$", "", name)
        if not _BLANK.match(line):
            break
    return None


def _refuse_binary(data: bytes) -> None:
    controls = len(_CONTROLS.findall(data[: 1 << 16]))
    if controls > 0.02 * min(len(data), 1 << 16):
        first = _CONTROLS.search(data)
        at = first.start() if first else 0
        raise RefusedError(
            f"this is not text (byte 0x{data[at]:02x} at byte {at + 1}); hand in the .py or .ipynb"
        )
