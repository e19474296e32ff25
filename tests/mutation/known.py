"""The mutants that hidden checks rightly let pass, as equivalent.toml lists them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "equivalent.toml"
KINDS = ("same", "free")  # computes the same; differs in what the exercise leaves open
_KEYS = {"exercise", "kind", "because", "mutants"}

Listed = dict[str, str]  # the kind of each mutant, by its name


def read(file: Path = FILE) -> dict[str, Listed]:
    """The list, by exercise. Raises ValueError where an entry is not whole, or is there twice."""
    known: dict[str, Listed] = {}
    for entry in tomllib.loads(file.read_text("utf-8")).get("equivalent", []):
        exercise, kind, names = _fields(entry)
        listed = known.setdefault(exercise, {})
        for name in names:
            if name in listed:
                raise ValueError(f"{file.name}: {exercise} lists {name!r} twice")
            listed[name] = kind
    return known


def _fields(entry: dict[str, Any]) -> tuple[str, str, list[str]]:
    if set(entry) != _KEYS or not all(entry.values()) or entry["kind"] not in KINDS:
        raise ValueError(f"{FILE.name}: {entry} needs exercise, kind, because and mutants")
    return entry["exercise"], entry["kind"], entry["mutants"]
