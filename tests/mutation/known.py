"""The mutants that no fair check can kill, each listed with the reason (equivalent.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True)
class Known:
    """By exercise: the names of mutants that are right programs, and why."""

    reasons: dict[str, dict[str, str]]

    def of(self, exercise: str) -> dict[str, str]:
        return self.reasons.get(exercise, {})


def read(file: Path = FILE) -> Known:
    """The list. Raises ValueError where an entry is not whole, or is there twice."""
    reasons: dict[str, dict[str, str]] = {}
    for entry in tomllib.loads(file.read_text("utf-8")).get("equivalent", []):
        exercise, because, names = _fields(entry)
        listed = reasons.setdefault(exercise, {})
        for name in names:
            if name in listed:
                raise ValueError(f"{file.name}: {exercise} lists {name!r} twice")
            listed[name] = because
    return Known(reasons)


def _fields(entry: dict[str, Any]) -> tuple[str, str, list[str]]:
    exercise, because, names = (entry.get(key) for key in ("exercise", "because", "mutants"))
    if not (isinstance(exercise, str) and isinstance(because, str) and isinstance(names, list)):
        raise ValueError(f"equivalent.toml: {entry} needs exercise, because and mutants")
    if not because.strip() or not names or set(entry) != {"exercise", "because", "mutants"}:
        raise ValueError(f"equivalent.toml: {entry} needs a reason and mutants, and no more")
    return exercise, because, names
