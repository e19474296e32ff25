"""How a check judged an observation, remembered: the second submission with the same observation
never runs pytest.

The judgement is a function of (suite, check, observation) only, so a memo can change how fast a
score is found, never which. It is one SQLite file, because several processes write it at once and
any of them may be killed: SQLite keeps it whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from grader.result import Outcome

FORMAT = 1
MAX_ENTRIES = 200_000  # about 60 MB
MAX_MESSAGE = 8_000  # characters

Judgement = tuple[Outcome, str]


class Memo:
    """Judgements by key; a memo that cannot be opened or read is an empty one."""

    def __init__(self, path: Path | None) -> None:
        self._fresh: dict[str, Judgement] = {}
        self._database = _open(path) if path is not None else None

    @staticmethod
    def key(recording: str, check: str, observation: str) -> str:
        """`recording` is its key: it stands for suite, course, grader and versions."""
        return hashlib.sha256(f"{recording}\0{check}\0{observation}".encode()).hexdigest()

    def get(self, key: str) -> Judgement | None:
        if key in self._fresh:
            return self._fresh[key]
        if self._database is None:
            return None
        with contextlib.suppress(sqlite3.Error, ValueError):
            row = self._database.execute(
                "SELECT outcome, message FROM memo WHERE key = ?", (key,)
            ).fetchone()
            if row is not None:
                return Outcome(row[0]), str(row[1])
        return None

    def put(self, key: str, judgement: Judgement) -> None:
        """Remember; written with the next `save`."""
        if judgement[0] is not Outcome.GRADER_ERROR and len(judgement[1]) <= MAX_MESSAGE:
            self._fresh[key] = judgement

    def save(self) -> None:
        """Write what is new. What cannot be written is forgotten: it can be found again."""
        fresh, self._fresh = self._fresh, {}
        if self._database is None or not fresh:
            if self._database is None:
                self._fresh = dict(list(fresh.items())[-MAX_ENTRIES:])
            return
        rows = [(key, str(outcome), message) for key, (outcome, message) in fresh.items()]
        with contextlib.suppress(sqlite3.Error), self._database:
            self._database.executemany("INSERT OR REPLACE INTO memo VALUES (?, ?, ?)", rows)
            (count,) = self._database.execute("SELECT count(*) FROM memo").fetchone()
            if count > MAX_ENTRIES:  # the oldest go: rowid grows with every insert
                self._database.execute(
                    "DELETE FROM memo WHERE rowid IN "
                    "(SELECT rowid FROM memo ORDER BY rowid LIMIT ?)",
                    (count - MAX_ENTRIES // 2,),
                )


@contextlib.contextmanager
def _closing_on_error(database: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error:
        database.close()
        raise


def _open(path: Path) -> sqlite3.Connection | None:
    for _ in range(2):
        with contextlib.suppress(sqlite3.Error, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=5.0, isolation_level="DEFERRED")
            with _closing_on_error(database):
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute(
                    "CREATE TABLE IF NOT EXISTS memo "
                    "(key TEXT PRIMARY KEY, outcome TEXT NOT NULL, message TEXT NOT NULL)"
                )
                (version,) = database.execute("PRAGMA user_version").fetchone()
                if version not in (0, FORMAT):
                    database.execute("DELETE FROM memo")
                database.execute(f"PRAGMA user_version = {FORMAT}")
                database.commit()
            return database
        with contextlib.suppress(OSError):  # not a database, or broken: begin again
            path.unlink()
    return None
