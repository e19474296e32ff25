"""What a file really is, by its first bytes: the extension is only a hint."""

from __future__ import annotations

import re

from grader.submission.names import shown

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

# beginning, what it is; in the order in which they are tried
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF"),
    (b"{\\rtf", "a rich-text (RTF) document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x1f\x8b", "a gzip archive (.gz)"),
    (b"\xfd7zXZ\x00", "an xz archive (.xz)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive (.zst)"),
    (b"\x00\x05\x16\x07", "a macOS companion file (._…), not the file itself"),
    (b"\x00\x05\x16\x00", "a macOS companion file (._…), not the file itself"),
    (b"bplist00", "a macOS web archive or property list"),
    (b"L\x00\x00\x00\x01\x14\x02\x00", "a Windows shortcut, not the file itself"),
    (b"[InternetShortcut]", "a link to a web page, not the file itself"),
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"SQLite format 3\x00", "a database"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x03", "a pickle"),
    (b"\x80\x04\x95", "a pickle"),
    (b"\x80\x05\x95", "a pickle"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
)
_ARCHIVES = ("a gzip", "a bzip2", "an xz", "a 7z", "a RAR", "a zstd", "a tar")
_HTML = re.compile(r"\s*<(?:!doctype\s|!--|\?xml|/?[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_SERVER = re.compile(
    r"(?:\d{3}\b)?[:. ]*(?:not found|forbidden|unauthori[sz]ed|bad request|access denied|"
    r"too many requests|internal server error|service unavailable)[.! ]*",
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:https?://|www\.)\S{1,2000}")
_PATCH = re.compile(r"(?:diff --git |Index: |--- \S)[^\0]*?^@@ -\d", re.MULTILINE)
_MAIL = re.compile(
    r"(?:(?:From|To|Date|Subject|Received|Return-Path|MIME-Version|Snapshot-Content-Location)"
    r": [^\n]*\n(?:[ \t][^\n]*\n)*){2}"
)


def is_zip(data: bytes) -> bool:
    """Whether this is a zip archive (which Office documents are as well)."""
    return data.startswith(_ZIP)


def recognise(data: bytes) -> str | None:
    """What a binary file is, with its article ("a PDF"); None for what may be text."""
    head = data[:1024]
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning):
            return kind
    if head.lstrip().startswith(b"%PDF-"):
        return "a PDF"
    if head[:3] == b"BZh" and head[4:10] == b"1AY&SY":
        return "a bzip2 archive (.bz2)"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "a WebP image"
    if head[4:8] == b"ftyp":
        return "a photo or video (HEIC or MP4)"
    if head[2:4] == b"\r\n" and len(head) > 16 and b"\x00" in head[4:16]:
        return "compiled Python (.pyc); hand in the .py"
    if data[257:262] == b"ustar":
        return "a tar archive"
    return None


def is_archive_kind(kind: str) -> bool:
    """Whether what `recognise` said is an archive that is not read here."""
    return kind.startswith(_ARCHIVES)


def office_kind(names: list[str]) -> str | None:
    """What a zip archive is when it is really a document, by the names of its members."""
    for prefix, kind in (
        ("word/", "a Word document"),
        ("xl/", "an Excel sheet"),
        ("ppt/", "a PowerPoint file"),
        ("Index/Document.iwa", "a Pages document"),
        ("META-INF/MANIFEST.MF", "a Java archive"),
    ):
        if any(name.startswith(prefix) for name in names):
            return kind
    if "content.xml" in names and "mimetype" in names:
        return "an OpenDocument text"
    return None


def is_html(text: str) -> bool:
    """Whether decoded text is a web page: what "Save page as" gives instead of the file.

    No Python file begins with a tag."""
    return _HTML.match(text[:512]) is not None


def stand_in(text: str) -> str | None:
    """Why a text is no code but something in its place; None for what may be code."""
    head = text.lstrip()[:4096]
    short = head.strip()
    if _SERVER.fullmatch(short):
        return f'this is what a web server said ("{shown(short, 60)}"), not the file; get it again'
    if _LINK.fullmatch(short):
        return "this is only a link, which is never followed; hand in the file that it leads to"
    if _PATCH.match(head):
        return "this is a patch (diff), not the file; hand in the whole file"
    if _MAIL.match(head) and re.search(r"^(?:Content-Type|MIME-Version): ", head, re.MULTILINE):
        return "this is an e-mail or a web archive; hand in the .py or .ipynb itself"
    return None
