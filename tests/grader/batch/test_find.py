"""A thousand submissions in every layout, found, read and joined to a roster."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.batch.find import Batched, find
from grader.course import read_course
from grader.submission import Source
from tests.grader.conftest import SOLUTION, Folder

COUNT = 1000
ABSENT = 7  # of the roster, who hand in nothing
STRANGERS = 3  # hand in, and are not in the roster
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
Files = Iterable[tuple[str, str]]


def name(number: int) -> str:
    return f"{FIRST[number % 10]} {LAST[number // 10 % len(LAST)]} {number:04}"


def text(number: int) -> str:
    return f"{SOLUTION}# student {number}\n"


def moment(number: int) -> datetime:
    return START + timedelta(minutes=number)


def canvas(number: int) -> Files:
    plain = "".join(c for c in name(number).lower() if c.isalnum())
    late = "LATE_" if number % 10 == 0 else ""
    again = f"-{number % 3}" if number % 3 else ""
    yield f"{plain}_{late}{70000 + number}_{90000 + number}_value{again}.py", text(number)


def moodle(number: int) -> Files:
    yield f"{name(number)}_{70000 + number}_assignsubmission_file_/value.py", text(number)


def moodle_flat(number: int) -> Files:
    yield f"{name(number)}_{70000 + number}_assignsubmission_file_value.py", text(number)


def blackboard(number: int) -> Files:
    for attempt in range(1 + (number % 5 == 0)):
        at = moment(number) - timedelta(days=1 - attempt if number % 5 == 0 else 0)
        stem = f"Lab 4_s{70000 + number}_attempt_{at:%Y-%m-%d-%H-%M-%S}"
        yield f"{stem}_value.py", text(number) if attempt or number % 5 else "old = 1\n"
        yield (
            f"{stem}.txt",
            f"Name: {name(number)} (s{70000 + number})\nAssignment: Lab 4\n"
            f"Date Submitted: {at:%A, %B} {at.day}, {at.year} {at:%I:%M:%S %p} UTC\n",
        )


def brightspace(number: int) -> Files:
    at = moment(number)
    stem = f"{70000 + number}-442356 - {name(number)} - {at:%b} {at.day}, {at.year} {at:%I%M %p}"
    yield f"{stem}/value.py", text(number)


def gradescope(number: int) -> Files:
    yield f"submission_{90000 + number}/value.py", text(number)


def github(number: int) -> Files:
    yield f"lab-4-user{number}/exercises/01_double/value.py", text(number)
    yield f"lab-4-user{number}/README.md", "# Lab 4\n"


def folders(number: int) -> Files:
    yield f"{70000 + number}/01_double/value.py", text(number)


def flat(number: int) -> Files:
    yield f"{70000 + number}.py", text(number)


def beside(layout: str) -> Files:
    """What a platform puts beside all submissions."""
    if layout == "gradescope":
        lines = []
        for number in range(COUNT):
            lines.append(
                f"submission_{90000 + number}:\n  :submitters:\n"
                f"  - :name: {json.dumps(name(number))}\n"
                f"    :sid: '{70000 + number}'\n    :email: u{number}@example.org\n"
                f"  :created_at: {moment(number):%Y-%m-%d %H:%M:%S}.000000000 Z\n"
            )
        yield "submission_metadata.yml", "---\n" + "".join(lines)
    if layout == "github":
        rows = ["student_repository_name,github_username,roster_identifier,submission_timestamp"]
        rows += [
            f"lab-4-user{number},user{number},{70000 + number},"
            f"{moment(number):%Y-%m-%d %H:%M:%S} UTC"
            for number in range(COUNT)
        ]
        yield "grades.csv", "\n".join(rows) + "\n"


LAYOUTS: dict[str, Callable[[int], Files]] = {
    "canvas": canvas, "moodle": moodle, "moodle flat": moodle_flat, "blackboard": blackboard,
    "brightspace": brightspace, "gradescope": gradescope, "github": github, "folders": folders,
    "files": flat,
}  # fmt: skip
TIMED = {"blackboard", "brightspace", "gradescope", "github"}


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    """All but the strangers, by an id of the university's own where the platform has names."""
    path = tmp_path / "roster.csv"
    rows = ["sis id,id,login,name,email"]
    for number in [*range(STRANGERS, COUNT), *range(COUNT, COUNT + ABSENT)]:
        rows.append(
            f'uni{number:04},{70000 + number},s{70000 + number},"{name(number)}",'
            f"u{number}@example.org"
        )
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_thousand_submissions_are_found_and_joined(
    tmp_path: Path, course: Folder, roster: Path, layout: str, zipped: bool
) -> None:
    files = [*beside(layout), *(item for n in range(COUNT) for item in LAYOUTS[layout](n))]
    path = tmp_path / ("export.zip" if zipped else "export")
    if zipped:
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in files:
                archive.writestr(member, content)
    else:
        for member, content in files:
            (path / member).parent.mkdir(parents=True, exist_ok=True)
            (path / member).write_text(content, encoding="utf-8")
    found = find(path, read_course(course.root), (), str(roster), "UTC")
    assert len(found.entries) == COUNT
    assert f"from {COUNT:,} students" in found.summary
    unknown, missing = (line for line in found.closing if "1 submissions" not in line)
    assert unknown.startswith(f"Not in the roster: {STRANGERS} (")
    assert missing.startswith(f"Handed in nothing: {ABSENT} (uni1000 ")
    assert len([e for e in found.entries if e.student.startswith("uni")]) == COUNT - STRANGERS
    _read_and_compare(found, layout)


def _read_and_compare(found: Batched, layout: str) -> None:
    """The right file under the right student, and the time at which it was handed in."""
    for entry in found.entries:
        if not entry.student.startswith("uni"):
            continue
        number = int(entry.student.removeprefix("uni"))
        if layout in TIMED:
            assert entry.submitted_at is not None
            assert entry.submitted_at.replace(second=0) == moment(number)
        if number % 20 == 0:  # reading takes its time
            answer = entry.read().answers["01_double"]
            assert isinstance(answer, Source)
            assert answer.cells[0].text == text(number)
    if layout == "canvas":
        assert sum(bool(entry.late) for entry in found.entries) == COUNT // 10
    if layout == "blackboard":
        assert sum(entry.attempts == 2 for entry in found.entries) == COUNT // 5


def test_the_roster_s_own_id_counts_before_somebody_s_mail_address(
    tmp_path: Path, course: Folder
) -> None:
    """ "li" is one student's id, and the beginning of another's address."""
    for student in ("li", "wu"):
        course.submit(SOLUTION, student=student)
    (tmp_path / "roster.csv").write_text(
        "id,name,email\nli,Li One,one@example.org\nwu,Wu Two,li@example.org\n"
    )
    path = course.root / "handed_in"
    found = find(path, read_course(course.root), (), str(tmp_path / "roster.csv"), None)
    assert [(entry.student, entry.name) for entry in found.entries] == [
        ("li", "Li One"),
        ("wu", "Wu Two"),
    ]
    assert found.closing == ()
