"""A memo changes how fast a score is found, never which: broken, stale, shared or full."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import memo as memo_module
from grader.memo import FORMAT, MAX_MESSAGE, Judgement, Memo
from grader.result import Outcome

PASSED = Judgement(Outcome.PASSED)
FAILED = Judgement(Outcome.FAILED, "expected 4, got 5", "0123456789abcdef")
judgements = st.builds(
    Judgement,
    st.sampled_from([None, *(item for item in Outcome if item is not Outcome.GRADER_ERROR)]),
    st.text(),
    st.text("0123456789abcdef", max_size=16),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".grader" / "memo.sqlite"


def filled(path: Path, count: int = 3) -> None:
    memo = Memo(path)
    for number in range(count):
        memo.put(f"key {number}", Judgement(Outcome.FAILED, f"message {number}"))
    memo.close()


def change(path: Path, command: str) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute(command)
    database.close()


# ---- what is kept -------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), judgements, max_size=20))
def test_what_was_judged_is_remembered_to_the_letter(kept: dict[str, Judgement]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        memo = Memo(Path(folder) / "memo.sqlite")
        for key, judgement in kept.items():
            memo.put(key, judgement)
            assert memo.get(key) == judgement
        memo.close()
        again = Memo(Path(folder) / "memo.sqlite")
        assert {key: again.get(key) for key in kept} == kept
        again.close()


def test_our_own_faults_are_not_remembered(path: Path) -> None:
    memo = Memo(path)
    memo.put("key", Judgement(Outcome.GRADER_ERROR, "a full disk, perhaps"))
    assert memo.get("key") is None


def test_half_a_character_is_not_remembered_and_costs_nobody_anything(path: Path) -> None:
    memo = Memo(path)
    memo.put("bad", Judgement(Outcome.FAILED, "\ud800"))
    memo.put("good", FAILED)
    memo.close()
    again = Memo(path)
    assert (again.get("bad"), again.get("good")) == (None, FAILED)


def test_a_key_is_of_all_its_parts() -> None:
    keys = [
        Memo.key(*parts)
        for parts in (("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("x", "b", "c"))
    ]
    assert len({*keys, Memo.key("ab", "", "c")}) == 5


def test_without_a_file_it_remembers_for_this_run() -> None:
    memo = Memo(None)
    memo.put("key", FAILED)
    memo.save()
    assert memo.get("key") == FAILED


# ---- it stays small -----------------------------------------------------------------------------


@pytest.mark.parametrize("on_disk", [True, False])
def test_it_is_bounded_and_forgets_the_oldest(
    path: Path, monkeypatch: pytest.MonkeyPatch, on_disk: bool
) -> None:
    monkeypatch.setattr(memo_module, "MAX_ENTRIES", 100)
    memo = Memo(path if on_disk else None)
    for number in range(1000):
        memo.put(f"key {number}", FAILED)
        if number % 30 == 0:
            memo.save()
    memo.save()
    kept = [number for number in range(1000) if memo.get(f"key {number}")]
    assert 50 <= len(kept) <= 100
    assert kept == list(range(kept[0], 1000))


def test_a_long_message_is_not_kept(path: Path) -> None:
    memo = Memo(path)
    memo.put("long", Judgement(Outcome.FAILED, "x" * (MAX_MESSAGE + 1)))
    assert memo.get("long") is None


# ---- whatever happens to the file ---------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE memo SET outcome = 'passed'",
        "UPDATE memo SET message = ''",
        "UPDATE memo SET signature = 'fedcba9876543210'",
        "UPDATE memo SET outcome = 'asks something else'",
        "UPDATE memo SET outcome = 'excellent'",
        "UPDATE memo SET message = x'ff00'",
        "UPDATE memo SET digest = ''",
        "UPDATE memo SET key = 'key 9' WHERE key = 'key 1'",
        "DROP TABLE memo",
    ],
)
def test_a_changed_entry_is_not_used(path: Path, command: str) -> None:
    """A file that a bad disk or a shared one has spoilt gives no judgement but the one put in."""
    filled(path)
    change(path, command)
    memo = Memo(path)
    for number in range(10):
        found = memo.get(f"key {number}")
        assert found in (None, Judgement(Outcome.FAILED, f"message {number}"))
    assert memo.get("key 1") is None
    memo.put("new", PASSED)
    memo.close()


@pytest.mark.parametrize(
    "content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4000, b"\0" * 5000]
)
def test_what_is_no_memo_is_replaced(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    for _ in range(2):
        filled(path)
        assert Memo(path).get("key 1") == Judgement(Outcome.FAILED, "message 1")


@given(st.integers(0, 2**32), st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_flipped_bytes_never_become_another_judgement(seed: int, flips: int) -> None:
    """Corrupted anywhere, it is right, empty or replaced; and it heals."""
    import random
    import tempfile

    numbers = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memo.sqlite"
        filled(path, 60)
        raw = bytearray(path.read_bytes())
        for _ in range(flips):
            raw[numbers.randrange(len(raw))] = numbers.randrange(256)
        path.write_bytes(raw)
        for _ in range(3):
            memo = Memo(path)
            for number in range(60):
                found = memo.get(f"key {number}")
                assert found in (None, Judgement(Outcome.FAILED, f"message {number}"))
                memo.put(f"key {number}", Judgement(Outcome.FAILED, f"message {number}"))
            memo.close()


@pytest.mark.parametrize("version", [0, FORMAT - 1, FORMAT + 1])
def test_another_format_is_begun_anew(path: Path, version: int) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE memo (key TEXT PRIMARY KEY, outcome TEXT, message TEXT)")
    change(path, "INSERT INTO memo VALUES ('key 1', 'passed', '')")
    change(path, f"PRAGMA user_version = {version}")
    assert Memo(path).get("key 1") is None
    filled(path)
    assert Memo(path).get("key 1") == Judgement(Outcome.FAILED, "message 1")


def test_a_folder_in_its_place_or_no_folder_at_all(path: Path) -> None:
    path.mkdir(parents=True)
    memo = Memo(path)
    memo.put("key", FAILED)
    memo.close()
    assert path.is_dir()
    (path.parent.parent / "file").write_text("")
    Memo(path.parent.parent / "file" / "memo.sqlite").put("key", FAILED)


def test_a_log_of_a_removed_file_is_not_played_into_the_next(path: Path) -> None:
    filled(path)
    log = path.with_name(path.name + "-wal")
    path.write_bytes(b"no database")
    log.write_bytes(b"\x37\x7f\x06\x82" + b"\0" * 4000)
    filled(path)
    assert Memo(path).get("key 2") == Judgement(Outcome.FAILED, "message 2")


# ---- several at once ----------------------------------------------------------------------------


def test_a_memo_in_use_is_not_taken_for_a_broken_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes for longer than we wait: its file must not be thrown away."""
    monkeypatch.setattr(memo_module, "_WAIT", 0.05)
    filled(path)
    inode = path.stat().st_ino
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    memo = Memo(path)
    memo.put("key 1", PASSED)
    memo.save()
    other.execute("ROLLBACK")
    other.close()
    assert path.stat().st_ino == inode
    assert Memo(path).get("key 2") == Judgement(Outcome.FAILED, "message 2")


WRITER = """
import sys
from pathlib import Path
from grader.memo import Judgement, Memo
from grader.result import Outcome
memo = Memo(Path(sys.argv[1]))
print("begun", flush=True)
for number in range(int(sys.argv[3])):
    memo.put(f"{sys.argv[2]} {number}", Judgement(Outcome.FAILED, f"message {number}" * 50))
    if number % 10 == 9:
        memo.save()
        print(number, flush=True)
memo.close()
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_several_processes_write_at_once_and_nothing_is_lost(path: Path) -> None:
    processes = [writer(path, name, 500) for name in "abcd"]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    memo = Memo(path)
    for name in "abcd":
        for number in range(500):
            assert memo.get(f"{name} {number}") == Judgement(
                Outcome.FAILED, f"message {number}" * 50
            )


def test_killed_while_it_writes_it_keeps_what_was_saved(path: Path) -> None:
    for round_ in range(5):
        process = writer(path, f"{round_}", 100_000)
        said: list[str] = []
        assert process.stdout is not None
        reader = threading.Thread(target=said.extend, args=(process.stdout,))
        reader.start()
        time.sleep(0.6)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        reader.join()
        numbers = [int(line) for line in said if line.strip().isdigit()]
        memo = Memo(path)
        for number in range(0, numbers[-1] if numbers else 0, 7):
            assert memo.get(f"{round_} {number}") == Judgement(
                Outcome.FAILED, f"message {number}" * 50
            )
        memo.close()
