"""Zip archives: what Macs, Windows and mischief put into them. Nothing is ever extracted."""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.submission import Rejected, Source, read_submission
from grader.submission.archive import Budget, list_zip
from grader.submission.model import RefusedError

RIGHT = "class Value: ...\n"
Members = list[tuple[str | zipfile.ZipInfo, str | bytes]]


def zipped(members: Members, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of duplicate names
        with zipfile.ZipFile(file, "w", compression) as archive:
            for name, data in members:
                archive.writestr(name, data)
    return file.getvalue()


def special(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def text_of(answer: Source | Rejected) -> str:
    assert isinstance(answer, Source), answer
    return answer.cells[0].text


# ---- what an honest student sends -----------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        [("value.py", RIGHT)],
        [("12_engine/value.py", RIGHT)],
        [("exercises/12_engine/value.py", RIGHT)],
        [("lab-main/exercises/12_engine/value.py", RIGHT), ("lab-main/README.md", "# Lab")],
        [("Lab 3/engine.py", RIGHT)],
        [("a/b/c/d/e/f/engine.py", RIGHT)],  # folders that hold nothing else are taken off
        [("./value.py", RIGHT)],
        [("lab//value.py", RIGHT)],
        [("lab\\src\\value.py", RIGHT)],  # written by an old .NET program
        [("lab/", ""), ("lab/value.py", RIGHT), ("lab/empty/", "")],
        [("lab/value.py", RIGHT), ("__MACOSX/lab/._value.py", b"\0\5\x16\7")],
        [("lab/value.py", RIGHT), ("lab/.ipynb_checkpoints/value-checkpoint.py", "class Value: 1")],
        [("lab/value.py", RIGHT), ("lab/__pycache__/value.cpython-311.pyc", b"\xa7\r\r\n")],
        [("lab/value.py", RIGHT), ("lab/.git/hooks/value.py", "class Value: 1")],
        [("lab/value.py", RIGHT), ("lab/venv/lib/value.py", "class Value: 1")],
        [("lab/value.py", RIGHT), ("lab/my-env/pyvenv.cfg", ""), ("lab/my-env/lib/v.py", RIGHT)],
        [("lab/value.py", RIGHT), ("lab/node_modules/x/value.py", "class Value: 1")],
        [("lab/value.py", RIGHT), ("lab/lib/site-packages/value.py", "class Value: 1")],
        [("lab/value.py", RIGHT), (".DS_Store", b"\0\0\0\1Bud1"), ("lab/Thumbs.db", b"x")],
        [
            ("value.py", RIGHT),
            ("test_value.py", "class Value: 1"),
            ("conftest.py", "class Value: 1"),
        ],
        [("value.py", RIGHT), ("notes.txt", "class struggle"), ("plot.png", b"\x89PNG\r\n\x1a\n")],
        [("value.py", RIGHT), ("report.pdf", b"%PDF-1.4")],
        [("value.py.txt", RIGHT)],
        [("Value.PY", RIGHT)],
        [("名前/値.py", RIGHT)],
        [
            ("exercises/12_engine/value.py", RIGHT),
            ("solutions/12_engine/value.py", "class Value: 1"),
        ],
        [
            ("ex/12_engine/value.py", RIGHT),
            ("tests/suites/12_engine/test_public.py", "class Value: 1"),
        ],
    ],
)
def test_the_answer_is_found(answer: Callable[..., Any], members: Members) -> None:
    assert text_of(answer("ada.zip", zipped(members))) == RIGHT


def test_archive_without_its_extension_is_an_archive(answer: Callable[..., Any]) -> None:
    for name in ("ada", "ada.py", "ada.ipynb", "ada.zip.txt"):
        assert text_of(answer(name, zipped([("value.py", RIGHT)]))) == RIGHT


def test_archive_may_lie_in_an_archive(answer: Callable[..., Any]) -> None:
    inner = zipped([("12_engine/value.py", RIGHT)])
    assert text_of(answer("ada.zip", zipped([("ada/lab.zip", inner)]))) == RIGHT
    renamed = zipped([("12_engine/value.py", zipped([("value.py", RIGHT)]))])
    assert text_of(answer("ada.zip", renamed)) == RIGHT


def test_archive_may_stand_behind_other_data_and_have_a_comment(answer: Callable[..., Any]) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("value.py", RIGHT)
        archive.comment = b"made by hand" * 100
    assert text_of(answer("ada.zip", file.getvalue())) == RIGHT


def test_same_file_twice_in_two_places_is_no_question(answer: Callable[..., Any]) -> None:
    members: Members = [("a/engine.py", RIGHT), ("b/engine.py", RIGHT)]
    assert text_of(answer("ada.zip", zipped(members))) == RIGHT


def test_different_files_in_two_places_are_a_question(answer: Callable[..., Any]) -> None:
    members: Members = [("a/engine.py", RIGHT), ("b/engine.py", RIGHT + "x = 1\n")]
    got = answer("ada.zip", zipped(members))
    assert got == Rejected(
        "a/engine.py and b/engine.py could each be the answer to 12_engine; hand in only one"
    )


def test_environment_of_thousands_of_files_is_passed_over(answer: Callable[..., Any]) -> None:
    members: Members = [(f"lab/.venv/lib/x{i}.py", "") for i in range(5_000)]
    assert text_of(answer("ada.zip", zipped([*members, ("lab/value.py", RIGHT)]))) == RIGHT


# ---- mischief and accidents -----------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../../zed/value.py",
        "a/../../value.py",
        "/etc/value.py",
        "..\\..\\zed\\value.py",
        "C:\\x\\value.py",
        "C:value.py",
        "\\\\host\\share\\value.py",
        "..",
    ],
)
def test_name_that_points_elsewhere_is_passed_over(course: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "eve.zip"
    path.write_bytes(zipped([("value.py", RIGHT), (name, "class Value: evil")]))
    submission = read_submission(path, course, ["12_engine"])
    assert text_of(submission.answers["12_engine"]) == RIGHT
    assert any("points out of the archive" in note for note in submission.notes)
    path.write_bytes(zipped([(name, "class Value: evil")]))
    lone = read_submission(path, course, ["12_engine"]).answers["12_engine"]
    assert isinstance(lone, Rejected)
    assert "points out of the archive" in lone.reason


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ([], "the archive is empty"),
        ([("lab/", ""), ("lab/.DS_Store", "x")], "no file that could be an answer"),
        ([("value.py", RIGHT), ("value.py", "class Value: 1")], "holds value.py 2 times"),
        ([("value.py", RIGHT), ("VALUE.py", "")], "VALUE.py and value.py are one file on many"),
        ([("value.py", RIGHT), ("value.py ", "")], "are one file on many systems"),
        ([("a/value.py", RIGHT), ("A./value.py", "")], "are one file on many systems"),
        ([(special("value.py", stat.S_IFLNK | 0o777), "/etc/passwd")], "a symbolic link"),
        ([(special("value.py", stat.S_IFIFO | 0o644), "")], "not a plain file"),
        ([(special("value.py", stat.S_IFCHR | 0o644), "")], "not a plain file"),
        ([("value.py", "")], "the file is empty"),
        ([("value.py", b"x = 1\0\n")], "a NUL character at line 1, column 6"),
        ([("value.py", b"#" * (2 << 20))], "too big (2 MB; at most 1 MB)"),
        ([("value.py", bytes(60 << 20))], "too big (60 MB; at most 50 MB)"),
        ([("12_engine/answer.pdf", b"%PDF-1.4")], "12_engine/answer.pdf: this is a PDF"),
        (
            [("answer.docx", b"PK\3\4")],
            "answer.docx: this is a document; hand in the .py",
        ),
        (
            [("work.tar.gz", b"\x1f\x8b\x08")],
            "work.tar.gz: this is a gzip archive (.gz); hand in a",
        ),
        ([("inner.zip", b"PK\3\4 no")], "inner.zip: the archive is damaged"),
        ([("inner.zip", zipped([]))], "inner.zip: the archive is empty"),
        ([(f"f{i}.py", "") for i in range(2_001)], "more than 2,000 files"),
        ([("a/1/2/3/4/5/value.py", RIGHT), ("b.txt", "")], None),  # too deep: nothing there
    ],
)
def test_what_cannot_be_graded_is_named(
    course: Any, tmp_path: Path, members: Members, reason: str | None
) -> None:
    path = tmp_path / "eve.zip"
    path.write_bytes(zipped(members))
    submission = read_submission(path, course, ["12_engine"])
    got = submission.answers.get("12_engine")
    if reason is None:
        assert got is None
        assert "more than 4 folders deep" in submission.notes[0]
    else:
        assert isinstance(got, Rejected)
        assert reason in got.reason
        assert "\n" not in got.reason


def test_trouble_with_one_member_leaves_the_others_alone(course: Any, tmp_path: Path) -> None:
    path = tmp_path / "eve.zip"
    path.write_bytes(
        zipped(
            [
                ("02_graph/value.py", RIGHT),
                (special("04_backward/value.py", stat.S_IFLNK | 0o777), "../02_graph/value.py"),
                ("12_engine/value.py", b"\0"),
            ]
        )
    )
    answers = read_submission(path, course).answers
    assert [type(answer) for answer in answers.values()] == [Source, Rejected, Rejected]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_named(answer: Callable[..., Any], method: int) -> None:
    got = answer("ada.zip", zipped([("value.py", RIGHT)], method))
    assert isinstance(got, Rejected)
    assert "packed in an unusual way" in got.reason


def test_encrypted_member_is_named(answer: Callable[..., Any]) -> None:
    data = bytearray(zipped([("value.py", RIGHT)]))
    data[6] |= 1
    data[data.rfind(b"PK\1\2") + 8] |= 1
    got = answer("ada.zip", bytes(data))
    assert got == Rejected("value.py: this is encrypted; zip it again without a password")


def test_bomb_that_declares_a_small_size_is_stopped(answer: Callable[..., Any]) -> None:
    """The table of contents says 100 bytes, the data unpacks to 80 MB."""
    data = bytearray(zipped([("value.py", bytes(80 << 20))]))
    at = data.rfind(b"PK\1\2")
    data[at + 24 : at + 28] = struct.pack("<L", 100)
    got = answer("ada.zip", bytes(data))
    assert isinstance(got, Rejected)
    assert got.reason.startswith("value.py: the file")


def test_damaged_member_is_named(answer: Callable[..., Any]) -> None:
    data = bytearray(zipped([("value.py", RIGHT * 50)]))
    data[45] ^= 0xFF
    got = answer("ada.zip", bytes(data))
    assert isinstance(got, Rejected)
    assert "damaged in the archive" in got.reason


def test_what_is_unpacked_in_all_is_bounded() -> None:
    members: Members = [(f"{i}.ipynb", bytes(9 << 20)) for i in range(20)]
    listing = list_zip(zipped(members), (), Budget())
    for entry in listing.entries[:11]:
        entry.data(20 << 20)
    with pytest.raises(RefusedError, match="unpacks to more than 100 MB"):
        listing.entries[11].data(20 << 20)


def test_table_of_contents_is_bounded() -> None:
    """A million lines in it would make a million objects before the first could be counted."""
    line = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", *[20, 0, 20, 0], 0, 0, 0, 0, *[0] * 10) + b""
    many = line * 250_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(many), 0, 0)
    with pytest.raises(RefusedError, match="far too many files"):
        list_zip(many + end)
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(many), 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(many), 1)
    small = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 46, 0, 0)
    with pytest.raises(RefusedError, match="far too many files"):
        list_zip(many + end64 + locator + small)


def test_cut_off_archive_is_named(answer: Callable[..., Any]) -> None:
    data = zipped([("value.py", RIGHT)])
    got = answer("ada.zip", data[: len(data) // 2])
    assert isinstance(got, Rejected)
    assert got.reason.startswith("ada.zip: the archive is damaged")


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_refused_with_a_remedy(answer: Callable[..., Any], mode: str) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        archive.addfile(tarfile.TarInfo("value.py"), io.BytesIO(b""))
    got = answer("ada.tar", file.getvalue())
    assert isinstance(got, Rejected)
    assert got.reason.endswith("; hand in a .zip")


def test_names_are_shown_without_tricks(course: Any, tmp_path: Path) -> None:
    """A line break, a right-to-left override and a formula stay one printable line."""
    path = tmp_path / "eve.zip"
    names = ["a\nb.py", "\u202eyp.eulav.py", "=cmd|calc.py", "-rf.py", "con.py", "x" * 300 + ".py"]
    path.write_bytes(zipped([("value.py", RIGHT), *[(name, "x = 1") for name in names]]))
    submission = read_submission(path, course, ["12_engine"])
    assert text_of(submission.answers["12_engine"]) == RIGHT
    for note in submission.notes:
        assert note.isprintable()
        assert len(note) < 500


def test_size_that_is_not_what_was_declared(answer: Callable[..., Any]) -> None:
    """Never more than declared; less, with the right checksum, is whole all the same."""
    data = bytearray(zipped([("value.py", RIGHT)]))
    at = data.rfind(b"PK\1\2")
    data[at + 24 : at + 28] = struct.pack("<L", 1)
    assert isinstance(answer("ada.zip", bytes(data)), Rejected)
    data[at + 24 : at + 28] = struct.pack("<L", 100)
    assert text_of(answer("ada.zip", bytes(data))) == RIGHT
