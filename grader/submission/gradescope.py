"""`submission_metadata.yml` of a Gradescope export: who handed in which folder, and when.

Only the few lines that matter are looked at. The file also carries the results and the whole
history of each submission, which can be hundreds of megabytes, and what students printed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from grader.submission.layouts import parse_time, tidy

METADATA = "submission_metadata.yml"
_LINE = 2_000  # characters of a line that are looked at
_TOP = re.compile(r"([^\s:#-][^:]*|'[^']+'|\"[^\"]+\"):\s*")
_FIELD = re.compile(r"  :(\w+):\s*(.*)")
_PERSON = re.compile(r"(?:  - |    |  {4,6}):(name|sid|email):\s*(.*)")


@dataclass(slots=True)
class Handed:
    """One submission of the export; a group's has several people."""

    people: list[dict[str, str]] = field(default_factory=list)  # name, sid, email
    created_at: datetime | None = None


def read_metadata(lines: Iterable[str]) -> dict[str, Handed]:
    """By folder name."""
    handed: dict[str, Handed] = {}
    current: Handed | None = None
    section = ""
    for line in lines:
        line = line[:_LINE].rstrip("\r\n")
        if line[:1] not in (" ", "-", "#", ""):
            found = _TOP.fullmatch(line)
            current = handed.setdefault(_plain(found[1]), Handed()) if found else None
            section = ""
            continue
        if current is None:
            continue
        about = _FIELD.fullmatch(line)
        if about:
            section = about[1]
            if section == "created_at":
                current.created_at = parse_time(_plain(about[2]))
            continue
        if section == "submitters":
            person = _PERSON.fullmatch(line)
            if line.startswith("  - "):
                current.people.append({})
            if person and current.people:
                current.people[-1][person[1]] = tidy(_plain(person[2]))
    return handed


def _plain(value: str) -> str:
    """A YAML scalar without its quotes."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return str(json.loads(value))  # YAML's escapes are those of JSON, and a few more
        except ValueError:
            return value[1:-1]
    return "" if value in ("null", "~") else value
