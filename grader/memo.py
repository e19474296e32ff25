"""How a check judged an observation, remembered: the second submission with the same observation
never runs pytest.

The judgement is a function of (suite, check, observation) only, so a memo can change how fast a
score is found, never which. It is one SQLite file, because several processes write it at once and
any of them may be killed: SQLite keeps it whole. What a broken disk or a shared one does to it all
the same is found out by a digest in each entry, and such an entry is as good as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path
from typing import NamedTuple

from grader.result import Outcome

FORMAT = 3
MAX_ENTRIES = 200_000  # about 60 MB
MAX_MESSAGE = 8_000  # characters
# SQLite quotes what it cannot read, and that need not be text
_BROKEN = (sqlite3.DatabaseError, UnicodeDecodeError)
_WAIT = 5.0  # seconds for another process that is writing

_ELSE = "asks something else"  # as an outcome, in the file


class Judgement(NamedTuple):
    """What an observation means."""

    outcome: Outcome | None  # None: after these answers the check asks what was not recorded
    message: str = ""
    signature: str = ""  # of the observation, where it did not pass


class Memo:
    """Judgements by key; a memo that cannot be opened or read is an empty one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._fresh: dict[str, Judgement] = {}
        self._database = _open(path) if path is not None else None
        self._unchecked = MAX_ENTRIES  # entries written since it was last looked at how many

    @staticmethod
    def key(recording: str, check: str, observation: str) -> str:
        """`recording` is its key: it stands for suite, course, grader and versions."""
        return hashlib.sha256(f"{recording}\0{check}\0{observation}".encode()).hexdigest()

    def get(self, key: str) -> Judgement | None:
        if key in self._fresh:
            return self._fresh[key]
        if self._database is None:
            return None
        try:
            row = self._database.execute(
                "SELECT outcome, message, signature, digest FROM memo WHERE key = ?", (key,)
            ).fetchone()
            if row is not None and row[3] == _digest(key, *row[:3]):
                outcome = None if row[0] == _ELSE else Outcome(row[0])
                return Judgement(outcome, row[1], row[2])
        except sqlite3.OperationalError:  # busy: it is only a memo
            pass
        except _BROKEN:
            self._give_up()
        except (ValueError, TypeError, AttributeError):  # a value of another kind than was written
            pass
        return None

    def put(self, key: str, judgement: Judgement) -> None:
        """Remember; written with the next `save`."""
        if judgement.outcome is Outcome.GRADER_ERROR or len(judgement.message) > MAX_MESSAGE:
            return
        with contextlib.suppress(UnicodeEncodeError):  # half a character: SQLite takes none
            judgement.message.encode()
            self._fresh[key] = judgement

    def save(self) -> None:
        """Write what is new. What cannot be written is forgotten: it can be found again."""
        if self._database is None:
            self._fresh = dict(list(self._fresh.items())[-MAX_ENTRIES:])
            return
        fresh, self._fresh = self._fresh, {}
        if not fresh:
            return
        rows = []
        for key, (outcome, *rest) in fresh.items():
            texts = (str(outcome or _ELSE), *rest)
            rows.append((key, *texts, _digest(key, *texts)))
        try:
            with self._database:
                self._database.executemany(
                    "INSERT OR REPLACE INTO memo VALUES (?, ?, ?, ?, ?)", rows
                )
                self._unchecked += len(rows)
                if self._unchecked > MAX_ENTRIES // 100:  # counting takes longer than writing
                    self._unchecked = 0
                    self._shorten(self._database)
        except sqlite3.OperationalError:  # busy, or the disk is full
            pass
        except _BROKEN:
            self._give_up()

    @staticmethod
    def _shorten(database: sqlite3.Connection) -> None:
        """The oldest go: rowid grows with every insert."""
        (count,) = database.execute("SELECT count(*) FROM memo").fetchone()
        if count > MAX_ENTRIES:
            database.execute(
                "DELETE FROM memo WHERE rowid IN (SELECT rowid FROM memo ORDER BY rowid LIMIT ?)",
                (count - MAX_ENTRIES // 2,),
            )

    def close(self) -> None:
        """Write what is new, and let go of the file."""
        self.save()
        if self._database is not None:
            self._database.close()
            self._database = None

    def _give_up(self) -> None:
        """The file is broken: the next run begins a new one, and this one needs none."""
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._path is not None:
            _remove(self._path)


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def _open(path: Path) -> sqlite3.Connection | None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        try:
            return _connect(path)
        except sqlite3.OperationalError:  # cannot be written, or is in use for too long: not broken
            return None
        except _BROKEN:
            _remove(path)
    return None


def _connect(path: Path) -> sqlite3.Connection:
    """Raises sqlite3.Error."""
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level="DEFERRED")
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != FORMAT:
            database.execute("BEGIN IMMEDIATE")
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version != FORMAT:  # and nobody was faster
                database.execute("DROP TABLE IF EXISTS memo")
                database.execute(
                    "CREATE TABLE memo (key TEXT PRIMARY KEY, outcome TEXT NOT NULL, "
                    "message TEXT NOT NULL, signature TEXT NOT NULL, digest TEXT NOT NULL)"
                )
                database.execute(f"PRAGMA user_version = {FORMAT}")
            database.commit()
    except (sqlite3.Error, UnicodeDecodeError):
        database.close()
        raise
    return database


def _remove(path: Path) -> None:
    """With its companions: a log that is left would be played into the next file."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(OSError):
            path.with_name(name).unlink()
