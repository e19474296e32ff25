"""A thousand submissions in every layout, found, read and joined to a roster."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.find import Batched, find
from grader.course import read_course
from grader.submission import Source
from tests.grader.batch.exports import LAYOUTS, HandedIn, moment, write_export, write_roster
from tests.grader.conftest import SOLUTION, Folder

COUNT = 1000
ABSENT = 7  # of the roster, who hand in nothing
STRANGERS = 3  # hand in, and are not in the roster
TIMED = {"blackboard", "brightspace", "gradescope", "github"}


def text(number: int) -> str:
    return f"{SOLUTION}# student {number}\n"


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    """All but the strangers, by an id of the university's own where the platform has names."""
    path = tmp_path / "roster.csv"
    write_roster(path, [*range(STRANGERS, COUNT), *range(COUNT, COUNT + ABSENT)])
    return path


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_thousand_submissions_are_found_and_joined(
    tmp_path: Path, course: Folder, roster: Path, layout: str, zipped: bool
) -> None:
    path = tmp_path / ("export.zip" if zipped else "export")
    class_of = [HandedIn(n, "01_double", "value.py", text(n).encode()) for n in range(COUNT)]
    write_export(path, layout, class_of)
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
