"""The same made-up class as each platform would export it: same students, same files."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

FIRST = ["Ada", "Bob", "Çelik", "Đặng", "Eve", "Fatou", "Grace", "Hana", "Iñaki", "Jürgen"]
LAST = [
    "Lovelace",
    "O'Neil",
    "van der Berg",
    "Ng",
    "García",
    "Åström",
    "Smith-Jones",
    "Li",
    "Wu",
    "Ōe",
]
START = datetime(2027, 1, 31, 12, 0, tzinfo=UTC)
Files = Iterable[tuple[str, bytes]]


@dataclass(frozen=True)
class HandedIn:
    """One student's answer to one exercise."""

    number: int
    exercise: str
    file: str  # as the student calls it
    data: bytes

    @property
    def id(self) -> int:
        """As platforms know them."""
        return 70000 + self.number

    @property
    def name(self) -> str:
        return name(self.number)

    @property
    def stem(self) -> str:
        return self.file.rpartition(".")[0]

    @property
    def extension(self) -> str:
        return self.file.rpartition(".")[2]


def name(number: int) -> str:
    return f"{FIRST[number % 10]} {LAST[number // 10 % len(LAST)]} {number:04}"


def moment(number: int) -> datetime:
    return START + timedelta(minutes=number)


def canvas(one: HandedIn) -> Files:
    plain = "".join(c for c in one.name.lower() if c.isalnum())
    late = "LATE_" if one.number % 10 == 0 else ""
    again = f"-{one.number % 3}" if one.number % 3 else ""
    place = f"{plain}_{late}{one.id}_{90000 + one.number}"
    yield f"{place}_{one.stem}{again}.{one.extension}", one.data


def moodle(one: HandedIn) -> Files:
    yield f"{one.name}_{one.id}_assignsubmission_file_/{one.file}", one.data


def moodle_flat(one: HandedIn) -> Files:
    yield f"{one.name}_{one.id}_assignsubmission_file_{one.file}", one.data


def blackboard(one: HandedIn) -> Files:
    """Every fifth student twice: first something else, a day before."""
    for attempt in range(1 + (one.number % 5 == 0)):
        at = moment(one.number) - timedelta(days=1 - attempt if one.number % 5 == 0 else 0)
        stem = f"Lab 4_s{one.id}_attempt_{at:%Y-%m-%d-%H-%M-%S}"
        yield f"{stem}_{one.file}", one.data if attempt or one.number % 5 else b"old = 1\n"
        receipt = (
            f"Name: {one.name} (s{one.id})\nAssignment: Lab 4\n"
            f"Date Submitted: {at:%A, %B} {at.day}, {at.year} {at:%I:%M:%S %p} UTC\n"
        )
        yield f"{stem}.txt", receipt.encode()


def brightspace(one: HandedIn) -> Files:
    at = moment(one.number)
    stem = f"{one.id}-442356 - {one.name} - {at:%b} {at.day}, {at.year} {at:%I%M %p}"
    yield f"{stem}/{one.file}", one.data


def gradescope(one: HandedIn) -> Files:
    yield f"submission_{90000 + one.number}/{one.file}", one.data


def github(one: HandedIn) -> Files:
    yield f"lab-4-user{one.number}/exercises/{one.exercise}/{one.file}", one.data
    yield f"lab-4-user{one.number}/README.md", b"# Lab 4\n"


def folders(one: HandedIn) -> Files:
    yield f"{one.id}/{one.exercise}/{one.file}", one.data


def flat(one: HandedIn) -> Files:
    yield f"{one.id}.{one.extension}", one.data


LAYOUTS: dict[str, Callable[[HandedIn], Files]] = {
    "canvas": canvas, "moodle": moodle, "moodle flat": moodle_flat, "blackboard": blackboard,
    "brightspace": brightspace, "gradescope": gradescope, "github": github, "folders": folders,
    "files": flat,
}  # fmt: skip


def beside(layout: str, count: int) -> Files:
    """What a platform puts beside all submissions."""
    if layout == "gradescope":
        lines = []
        for number in range(count):
            lines.append(
                f"submission_{90000 + number}:\n  :submitters:\n"
                f"  - :name: {json.dumps(name(number))}\n"
                f"    :sid: '{70000 + number}'\n    :email: u{number}@example.org\n"
                f"  :created_at: {moment(number):%Y-%m-%d %H:%M:%S}.000000000 Z\n"
            )
        yield "submission_metadata.yml", ("---\n" + "".join(lines)).encode()
    if layout == "github":
        rows = ["student_repository_name,github_username,roster_identifier,submission_timestamp"]
        rows += [
            f"lab-4-user{number},user{number},{70000 + number},"
            f"{moment(number):%Y-%m-%d %H:%M:%S} UTC"
            for number in range(count)
        ]
        yield "grades.csv", ("\n".join(rows) + "\n").encode()


def write_export(path: Path, layout: str, handed_in: Sequence[HandedIn]) -> None:
    """As a folder, or as one zip archive where `path` says so."""
    files = [*beside(layout, len(handed_in))]
    for one in handed_in:
        files += LAYOUTS[layout](one)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in files:
                archive.writestr(member, content)
        return
    for member, content in files:
        (path / member).parent.mkdir(parents=True, exist_ok=True)
        (path / member).write_bytes(content)


def write_roster(path: Path, numbers: Iterable[int]) -> None:
    """By an id of the university's own, which no platform knows."""
    rows = ["sis id,id,login,name,email"]
    rows += [f'uni{n:04},{70000 + n},s{70000 + n},"{name(n)}",u{n}@example.org' for n in numbers]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
