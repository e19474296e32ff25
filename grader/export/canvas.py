"""The CSV that Canvas imports into its gradebook.

What the importer wants: the columns Student, ID, SIS User ID, SIS Login ID, Section in this
order; a row "Points Possible" that makes new columns assignments of so many points; a score in
each row. It takes a number in brackets at a column's end for the id of an assignment that is
there, overlooks columns with certain names, and finds a student by ID, else by SIS id, login or
name. A byte-order mark before the first quote would break it, so there is none."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.export.columns import Column
from grader.report.gradebook import Row, table
from grader.report.points import decimal
from grader.report.text import cell, one_line

STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# Canvas computes these columns itself and reads over any whose name holds one of them.
_COMPUTED = re.compile(
    r"\b(Current|Final|Override) (Score|Points|Grade|Status)\b", flags=re.IGNORECASE
)

Person = tuple[str, ...]  # what stands in the columns of STUDENT


def canvas(rows: Sequence[Row], columns: Sequence[Column], roster: Mapping[str, Person]) -> str:
    """The whole file. `roster` gives a student's own fields by any of their ids."""
    names = list(_names(columns))
    possible = ["    Points Possible", "", "", "", "", *(decimal(c.max_points) for c in columns)]
    lines: list[Sequence[str]] = [[*STUDENT, *names], possible]
    for number, item in enumerate(rows):
        person = roster.get(item.student) or _person(item.student)
        fields = [cell(one_line(field)) for field in person]
        lines.append([*fields, *(column.cells[number] for column in columns)])
    return table(lines)


def read_roster(path: Path) -> dict[str, Person]:
    """Canvas's own gradebook export: each student's fields, by each of their ids.

    Raises UsageError for a file that is none, or where an id is two students'."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            records = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    if not {"Student", "ID"} <= set(reader.fieldnames or ()):
        raise UsageError(
            f"{path}: has no columns Student and ID; give the file that Canvas's gradebook exports"
        )
    people: dict[str, Person] = {}
    for record in records:
        person = tuple((record.get(name) or "").strip() for name in STUDENT)
        if not person[1] or "Points Possible" in person[0]:
            continue
        for key in {*person[:4], (record.get("Integration ID") or "").strip()} - {""}:
            if people.setdefault(key, person) != person:
                raise UsageError(f"{path}: {key!r} is two students; make their ids differ")
    return people


def _person(student: str) -> Person:
    """Canvas's own ids are numbers, and its export names submissions by them; a name is a login."""
    if re.fullmatch(r"[0-9]{1,18}", student):
        return (student, student, "", "", "")
    return (student, "", "", student, "")


def _names(columns: Sequence[Column]) -> Iterator[str]:
    taken: set[str] = set(STUDENT)
    for column in columns:
        name = cell(one_line(column.name))
        name = _COMPUTED.sub(r"\1-\2", name)
        name = re.sub(r"\((\d+)\)$", r"[\1]", name.strip())
        number = 2
        unique = name
        while unique in taken:
            unique, number = f"{name} [{number}]", number + 1
        taken.add(unique)
        yield unique
