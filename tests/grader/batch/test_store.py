"""A score file is there whole or not at all, under a name of its own, and is found again."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch import store as store_module
from grader.batch.store import STATE_FOLDER, Store, file_name, merge_into
from grader.errors import UsageError

GOLDEN = (Path(__file__).parents[1] / "golden" / "score.json").read_bytes()
ids = st.text(st.characters(codec=None), max_size=120) | st.from_regex(
    r"[aA][-_ ./][bB](-[0-9a-f]{16})?", fullmatch=True
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "out")
    made.prepare()
    return made


def test_what_is_written_is_found_under_its_stamp_only(store: Store) -> None:
    store.write("ada", GOLDEN, "stamp")
    assert store.path("ada").read_bytes() == GOLDEN
    assert store.finished("ada", "stamp") is not None
    assert store.finished("ada", "another") is None
    assert store.finished("bob", "stamp") is None


@pytest.mark.parametrize("damage", [b"", b"{", GOLDEN[:-3], GOLDEN.replace(b"ada", b"eve")])
def test_a_damaged_score_file_is_graded_again(store: Store, damage: bytes) -> None:
    store.write("ada", GOLDEN, "stamp")
    store.path("ada").write_bytes(damage)
    assert store.finished("ada", "stamp") is None


def test_a_damaged_stamp_is_no_stamp(store: Store) -> None:
    store.write("ada", GOLDEN, "stamp")
    (store.folder / STATE_FOLDER / "ada").write_bytes(b"\xff\xfe")
    assert store.finished("ada", "stamp") is None


@given(ids)
def test_a_name_is_one_plain_file(student: str) -> None:
    """No folder, no way up, no hidden file, no device, no length that a disk refuses."""
    name = file_name(student)
    assert name.isascii()
    assert not set(name) & set('/\\:*?"<>| \0\n')
    assert not name.startswith((".", "-"))
    assert len(name) < 120
    assert name.split(".")[0].lower() not in ("con", "nul", "aux", "com1")


@given(ids, ids)
def test_two_students_never_share_a_file(one: str, other: str) -> None:
    """Not even on a disk that takes A for a."""
    if one != other:
        assert file_name(one).lower() != file_name(other).lower()


def test_nobody_can_choose_the_name_made_for_another() -> None:
    for victim in ("Ada Lovelace", "ADA", "a/b", "con"):
        taken = file_name(victim)
        assert file_name(taken) != taken
        assert file_name(taken.lower()).lower() != taken.lower()


def test_plain_ids_are_their_own_names() -> None:
    for student in ("ada", "4711", "ada.lovelace", "s-12_b"):
        assert file_name(student) == student


# ---- disks --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EROFS, "cannot be written: Read-only file system"),
    ],
)
def test_a_full_disk_is_one_line_and_leaves_what_was_there(
    store: Store, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    store.write("ada", GOLDEN, "stamp")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(UsageError, match=words) as caught:
        store.write("ada", GOLDEN.replace(b"ada", b"eve"), "stamp")
    assert "\n" not in str(caught.value)
    assert store.finished("ada", "stamp") is not None
    assert sorted(path.name for path in store.folder.iterdir()) == [STATE_FOLDER, "ada.json"]


def test_killed_between_file_and_stamp_it_is_graded_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("ada", GOLDEN, "old")
    real = store_module.write_whole

    def die_at_the_stamp(path: Path, content: bytes, *, synced: bool) -> None:
        if path.parent.name == STATE_FOLDER:
            raise KeyboardInterrupt
        real(path, content, synced=synced)

    monkeypatch.setattr(store_module, "write_whole", die_at_the_stamp)
    with pytest.raises(KeyboardInterrupt):
        store.write("ada", GOLDEN.replace(b"ada", b"eve"), "new")
    assert store.finished("ada", "new") is None
    assert store.finished("ada", "old") is None


def test_what_a_killed_batch_left_is_removed_but_not_what_another_writes_now(store: Store) -> None:
    left = [store.folder / ".ada.json.abcd_123", store.folder / STATE_FOLDER / ".ada.abcd_123"]
    for path in left:
        path.write_bytes(b"half")
        old = time.time() - 2 * 3600
        os.utime(path, (old, old))
    fresh = store.folder / ".bob.json.abcd_123"
    fresh.write_bytes(b"half")
    store.prepare()
    assert [path.exists() for path in (*left, fresh)] == [False, False, True]
    assert list(store.scores()) == []  # and it is never taken for a score file


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UsageError, match="choose another --out"):
        Store(tmp_path / "out").prepare()


# ---- merge --------------------------------------------------------------------------------


def parts_of(tmp_path: Path, *contents: dict[str, bytes]) -> list[Store]:
    parts = [Store(tmp_path / f"part{number}") for number in range(len(contents))]
    for part, content in zip(parts, contents, strict=True):
        part.prepare()
        for student, raw in content.items():
            part.write(student, raw, f"stamp {student}")
    return parts


def test_merged_parts_are_found_again(store: Store, tmp_path: Path) -> None:
    parts = parts_of(tmp_path, {"ada": GOLDEN}, {"Bob": GOLDEN, "eve": GOLDEN})
    assert merge_into(store, parts) == 3
    for student in ("ada", "Bob", "eve"):
        assert store.finished(student, f"stamp {student}") is not None


def test_parts_that_contradict_each_other_are_not_merged(store: Store, tmp_path: Path) -> None:
    other = GOLDEN.replace(b"passed", b"failed")
    parts = parts_of(tmp_path, {"ada": GOLDEN, "bob": GOLDEN}, {"bob": other})
    with pytest.raises(UsageError, match="differ; keep one of them"):
        merge_into(store, parts)
    assert list(store.scores()) == []


def test_parts_that_agree_on_a_student_are_merged(store: Store, tmp_path: Path) -> None:
    merge_into(store, parts_of(tmp_path, {"ada": GOLDEN}, {"ada": GOLDEN}))
    assert len(list(store.scores())) == 1


def test_a_part_that_is_not_there_or_no_score_file(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        merge_into(store, [Store(tmp_path / "none")])
    parts: Any = parts_of(tmp_path, {})
    (parts[0].folder / "notes.json").write_text("{}")
    with pytest.raises(UsageError, match="is not a score file"):
        merge_into(store, parts)
