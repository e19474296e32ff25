"""Bytes into text: every encoding a student's editor writes, and what is wrong named with where."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from grader.submission import Rejected, Source
from grader.submission.decode import decode
from grader.submission.model import RefusedError

SMALL = "# über ∂L/∂a\nname = 'é'\n"


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (SMALL.encode(), SMALL, None),
        (SMALL.encode("utf-8-sig"), SMALL, None),
        (b"\xef\xbb\xbf" + SMALL.encode("utf-8-sig"), SMALL, None),  # the mark twice
        (SMALL.encode("utf-16"), SMALL, "read as UTF-16"),
        (b"\xff\xfe" + SMALL.encode("utf-16-le"), SMALL, "read as UTF-16"),
        (b"\xfe\xff" + SMALL.encode("utf-16-be"), SMALL, "read as UTF-16"),
        (SMALL.encode("utf-32"), SMALL, "read as UTF-32"),
        (b"\x00\x00\xfe\xff" + SMALL.encode("utf-32-be"), SMALL, "read as UTF-32"),
        ("value = 1\n".encode("utf-16-le"), "value = 1\n", "read as UTF-16"),  # without a mark
        ("value = 1\n".encode("utf-16-be"), "value = 1\n", "read as UTF-16"),
        ("s = 'é—“”'\n".encode("cp1252"), "s = 'é—“”'\n", "read as Windows-1252"),
        (b"s = '\x81'\n", "s = '\x81'\n", "byte 0x81 in line 1 (byte 6)); read as Latin-1"),
        ("# coding: latin-1\ns = 'é'\n".encode("latin-1"), None, "read as latin-1"),
        ("# -*- coding: cp1251 -*-\ns = 'д'\n".encode("cp1251"), None, "read as cp1251"),
        ("#!/usr/bin/python\n# vim: set fileencoding=gbk :\ns = '梯'\n".encode("gbk"), None, "gbk"),
        ("\n# coding: shift_jis\ns = '勾'\n".encode("shift_jis"), None, "shift-jis"),
        ("# coding: euc_kr\ns = '값'\n".encode("euc_kr"), None, "euc-kr"),
        ("# coding: utf-8-unix\ns = 'é'\n".encode(), None, None),
        ("# coding: UTF_8\r\ns = 'é'\r\n".encode(), "# coding: UTF_8\ns = 'é'\n", None),
        ("# coding: koi8-r\rs = 'д'\r".encode("koi8-r"), "# coding: koi8-r\ns = 'д'\n", "koi8-r"),
        # an encoding that is none, or the wrong one
        ("# coding: utf-7\ns = 'é'\n".encode(), None, "is not a text encoding here"),
        (b"# coding: zlib_codec\nx = 1\n", None, "is not a text encoding here"),
        (b"# coding: punycode\nx = 1\n", None, "is not a text encoding here"),
        (b"# coding: ../../etc\nx = 1\n", None, "is not a text encoding here"),
        ("# coding: ascii\ns = 'é'\n".encode(), None, "does not fit the file"),
        ("# coding: utf-8\ns = 'é'\n".encode("cp1252"), None, "read as Windows-1252"),
        (b"\xef\xbb\xbf# coding: latin-1\ns = '\xc3\xa9'\n", None, None),  # the mark wins
        (b"\xef\xbb\xbfs = '\xe9'\n", None, "marked as UTF-8, but byte 0xe9 in line 1 (byte 9)"),
        # a coding line counts only in the first two lines, and only after a comment
        (b"x = 1\n# coding: latin-1\ns = '\xe9'\n", None, "read as Windows-1252"),
        (b"#\n#\n# coding: latin-1\ns = '\xe9'\n", None, "read as Windows-1252"),
        # line ends
        (b"a = 1\r\nb = 2\rc = 3\nd = 4", "a = 1\nb = 2\nc = 3\nd = 4", None),
        (b"a = 1\r\r\nb = 2\r\r\n", "a = 1\nb = 2\n", None),
        (b"if x:\n\ty = 1\n        z = 2\n", "if x:\n\ty = 1\n        z = 2\n", None),
        (b"a = 1\n\x0cb = 2\n\x1a", "a = 1\n\x0cb = 2\n", None),
    ],
)
def test_text_and_note(data: bytes, text: str | None, note: str | None) -> None:
    got, notes = decode(data)
    if text is not None:
        assert got == text
    assert "\r" not in got
    if note is None:
        assert notes == ()
    else:
        assert any(note in told for told in notes), notes


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \r\n\t\n", "the file is empty (it holds only blanks)"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"\xff\xfe", "the file is empty"),
        (b"x = 1\ny = '\0'\n", "a NUL character at line 2, column 6 (character 12)"),
        (b"\xff\xfex\x00y", "marked as UTF-16, but byte 3 after the mark"),
        (b"\xff\xfe\x00\xd8\x00\x00", "marked as UTF-16, but"),
        (b"\xff\xfe\x00\x00\xff\xff\xff\xff", "marked as UTF-32, but"),
        (bytes(range(1, 255)) * 4, "this is not text (byte 0x01 at byte 1)"),
        (b"<!DOCTYPE html>\n<html>", "this is a web page"),
        (b"\n  <HTML><body>def f(): ...", "this is a web page"),
        (b"x = 1\n<<<<<<< HEAD\ny = 1\n=======\ny = 2\n>>>>>>> main\n", "unresolved merge: line 2"),
        (b"<<<<<<< a\r\n||||||| b\r\n=======\r\n>>>>>>> c\r\n", "unresolved merge: line 1"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(data: bytes, reason: str) -> None:
    with pytest.raises(RefusedError) as caught:
        decode(data)
    assert str(caught.value).startswith(reason) or reason in str(caught.value)


def test_merge_marks_out_of_order_are_just_text() -> None:
    text, _ = decode(b"'''\n=======\nTitle\n>>>>>>> quoted\n<<<<<<< end\n'''\n")
    assert "Title" in text


def _zip(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n...", "a PDF"),
        (b"{\\rtf1\\ansi\\ansicpg1252 class Value:}", "a rich-text (RTF) document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old Microsoft Office document"),
        (_zip(word__document="<w/>", other="x"), "a Word document"),
        (_zip(xl__workbook="<w/>"), "an Excel sheet"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "a PNG image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image"),
        (b"\x00\x00\x00\x18ftypheic", "a photo or video"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "a WebP image"),
        (gzip.compress(b"class Value: ..."), "a gzip archive"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "a 7z archive"),
        (b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        (b"\xa7\r\r\n" + bytes(12) + b"\xe3", "compiled Python (.pyc)"),
        (b"\x80\x04\x95\x10\x00\x00", "a pickle"),
        (b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X", "a macOS companion file"),
        (b"[InternetShortcut]\r\nURL=https://example.org", "a link to a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer"),
        (b"<?xml version='1.0'?><x/>", "a web page"),
    ],
)
@pytest.mark.parametrize("name", ["value.py", "value.ipynb", "value.txt", "value"])
def test_other_things_saved_as_python_are_recognised(
    answer: Callable[..., Any], name: str, data: bytes, kind: str
) -> None:
    got = answer(name, data)
    assert isinstance(got, Rejected)
    assert got.reason.startswith(f"{name}: ")
    assert kind in got.reason


@pytest.mark.parametrize("text", ["# %PDF-1.4\nx = 1\n", "# PK\x03\nx = 1\n", "# <html>\nx = 1\n"])
def test_python_that_speaks_of_other_formats_is_python(
    answer: Callable[..., Any], text: str
) -> None:
    assert isinstance(answer("value.py", text), Source)


def test_code_is_capped_at_one_megabyte(answer: Callable[..., Any]) -> None:
    got = answer("value.py", b"#" * (1 << 20) + b"\n")
    assert isinstance(got, Rejected)
    assert "too big (1 MB; at most 1 MB)" in got.reason
    assert isinstance(answer("value.py", b"#" * ((1 << 20) - 1) + b"\n"), Source)
