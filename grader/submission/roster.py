"""A class list: joins the ids that a platform exports to the students one knows."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.submission.decode import decode
from grader.submission.layouts import tidy
from grader.submission.lms import Found
from grader.submission.model import RefusedError

_BYTES = 20 << 20

# headings in lower case without blanks and signs; the first that is there gives the student's id
_IDS = (
    *("studentid", "sisuserid", "sisid", "sid", "idnumber", "orgdefinedid", "matriculationnumber"),
    *("id", "login", "sisloginid", "username", "userid", "githubusername", "rosteridentifier"),
    *("identifier", "email", "emailaddress", "mail"),
)
_NAMES = ("name", "fullname", "studentname", "displayname")
_FIRST = ("firstname", "givenname", "first")
_LAST = ("lastname", "surname", "familyname", "last")
_NOBODY = ("points possible", "student, test", "test student")  # rows of Canvas' gradebook


@dataclass(frozen=True, slots=True)
class Person:
    """A line of the roster."""

    student: str  # the id under which scores are kept
    name: str
    ids: frozenset[str]  # everything that may identify them, in lower case


@dataclass(frozen=True, slots=True)
class Joined:
    """Submissions and roster, joined."""

    found: tuple[Found, ...]  # under the roster's ids; those that are not in it keep their own
    missing: tuple[Person, ...]  # in the roster, but handed in nothing
    unknown: tuple[Found, ...]  # handed in, but not in the roster
    notes: tuple[str, ...] = ()


def read_roster(path: Path) -> tuple[Person, ...]:
    """Any CSV with a heading for ids or names: a platform's own export, or one made by hand.

    Commas, semicolons or tabs, any encoding. Raises UsageError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    try:
        if len(data) > _BYTES:
            raise RefusedError("it is too big for a class list")
        text, _ = decode(data)
    except RefusedError as refused:
        raise UsageError(f"{path}: {refused}; give a CSV file with a heading") from refused
    heading = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=heading.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError(f"{path}: is not a CSV file ({error}); save it again as CSV") from error
    columns = [re.sub(r"[^a-z]", "", cell.lower()) for cell in rows[0]]
    if not {*columns} & {"student", *_IDS, *_NAMES, *_LAST}:
        raise UsageError(
            f"{path}: its first line names no known column; use for example student,name,email"
        )
    people = [person for row in rows[1:] if (person := _person(columns, row))]
    if not people:
        raise UsageError(f"{path}: there is nobody in it; add a line for each student")
    seen: set[str] = set()
    for person in people:
        if person.student in seen:
            raise UsageError(f"{path}: {person.student} is there twice; keep one line")
        seen.add(person.student)
    return tuple(people)


def join(found: Sequence[Found], roster: Sequence[Person]) -> Joined:
    """By id first, then by name where only one student has it. Pure."""
    own = _index((person.student.lower(), person) for person in roster)
    by_id = _index((key, person) for person in roster for key in person.ids)
    by_name = _index((key, person) for person in roster for key in _name_keys(person.name))
    claimed: dict[str, list[Found]] = {}
    unknown: list[Found] = []
    for one in found:
        ids = (one.student, *one.also)
        # an id that is another's mail address up to the @ is still the id of whom it belongs to
        person = _first(own, ids) or _first(by_id, ids) or _by_name(by_name, one)
        if person is None:
            unknown.append(one)
        else:
            claimed.setdefault(person.student, []).append(one.called(person.student, person.name))
    notes = []
    joined = []
    for student, several in claimed.items():
        several.sort(key=lambda f: (f.submitted_at.timestamp() if f.submitted_at else 0, f.attempt))
        joined.append(several[-1])
        if len(several) > 1:
            notes.append(f"{student} has {len(several)} submissions; the latest counts")
    everybody = sorted([*joined, *unknown], key=lambda one: one.student)
    missing = tuple(person for person in roster if person.student not in claimed)
    return Joined(tuple(everybody), missing, tuple(unknown), tuple(notes))


def _person(columns: Sequence[str], row: Sequence[str]) -> Person | None:
    cells: dict[str, str] = {}
    for column, cell in zip(columns, row, strict=False):
        cells.setdefault(column, tidy(cell))
    first, last = _pick(cells, _FIRST), _pick(cells, _LAST)
    name = " ".join(part for part in (first, last) if part) or _pick(cells, _NAMES)
    student = _pick(cells, _IDS)
    if name or not student:  # "student" beside a name is an id
        student = cells.get("student") or student or name
    else:  # beside an id it is the name, as in Canvas' gradebook
        name = cells.get("student", "")
    if not student or name.lower() in _NOBODY or student.lower() in _NOBODY:
        return None
    ids = {student.lower(), *(cells[column].lower() for column in _IDS if cells.get(column))}
    ids |= {value.partition("@")[0] for value in ids if "@" in value}
    ids |= {found[1] for value in ids if (found := re.fullmatch(r"participant (\d+)", value))}
    return Person(student, name, frozenset(ids))


def _pick(cells: dict[str, str], columns: Sequence[str]) -> str:
    return next((cells[column] for column in columns if cells.get(column)), "")


def _index(pairs: Iterable[tuple[str, Person]]) -> dict[str, Person | None]:
    """None where two people share a key: then it tells nothing."""
    index: dict[str, Person | None] = {}
    for key, person in pairs:
        index[key] = person if index.get(key, person) is person else None
    return index


def _first(index: dict[str, Person | None], keys: Sequence[str]) -> Person | None:
    for key in keys:
        person = index.get(key.lower()) or index.get(key.lower().partition("@")[0])
        if person is not None:
            return person
    return None


def _by_name(index: dict[str, Person | None], one: Found) -> Person | None:
    for name in (one.name, one.student, *one.also):
        for key in _name_keys(name):
            person = index.get(key)
            if person is not None:
                return person
    return None


def _name_keys(name: str) -> list[str]:
    """The letters of a name, from each of its words on: "ada lovelace" and "lovelace, ada" share
    one, and so does Canvas' "lovelaceada"."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c)))
    words = [word for part in words for word in part.split("_") if word][:6]
    return ["".join(words[at:] + words[:at]) for at in range(len(words))]
