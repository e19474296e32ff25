"""How learning platforms name what they export: who, which attempt, when, and the file's own name.

Nothing here opens a file. Each pattern stands beside an example of what it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from grader.submission.names import shown


@dataclass(frozen=True, slots=True)
class Label:
    """What a name in an export says."""

    student: str  # the platform's id where the name has one, else the student's name
    name: str  # the student's name as the platform writes it; "" when it does not
    file: str  # the file as the student called it; "" when the rest is a folder
    attempt: int = 1
    submitted_at: datetime | None = None  # with a time zone
    late: bool | None = None  # None: the layout does not tell
    assignment: str = ""
    is_text: bool = False  # typed into a form of the platform, not a file


Reader = Callable[[str, "tzinfo | None"], "Label | None"]

# lovelaceada_LATE_4711_90210_value-2.py; with anonymous marking the first id is 5 letters
_CANVAS = re.compile(
    r"(?P<name>[^_]+(?:_[^_]+)*?)_(?P<late>LATE_)?(?P<id>\d+|anon_[A-Za-z0-9]{5})_"
    r"(?:(?P<upload>\d+)_(?P<file>.+)|(?P<text>text|link|question_\d+_\d+_.+)\.html)"
)
_AGAIN = re.compile(r"-(\d{1,3})(?=(?:\.[A-Za-z0-9]{1,8})*$)")  # Canvas: the third upload is -2

# Ada Lovelace_657693_assignsubmission_file_/value.py, or the same with the file's name behind it
_MOODLE = re.compile(
    r"(?:(?P<group>[^-_]+)-)?(?P<name>.+?)_(?P<id>\d+)_assignsubmission_"
    r"(?P<kind>file|onlinetext)_?(?P<file>.*)"
)

# Lab 4_ada1_attempt_2027-01-31-23-58-01_value.py, and a receipt without the file's name
_BLACKBOARD = re.compile(
    r"(?P<assignment>.+)_(?P<id>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)"
)

# 271836-442356 - Ada Lovelace - Jan 31, 2027 1158 PM[ - value.py]
_BRIGHTSPACE = re.compile(
    r"(?P<id>\d+)-\d+ ?- ?(?P<name>.+?) ?- ?"
    r"(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>\d{1,2}, \d{4}) (?P<clock>\d{3,4} [AP]M)"
    r"(?: ?- ?(?P<file>.+))?"
)

# Date Submitted: Sunday, January 31, 2027 11:58:01 PM GMT
_RECEIPT = re.compile(
    r"^Date Submitted: (?:\w+, )?(?P<time>[A-Z][a-z]{2,8} \d{1,2}, \d{4} "
    r"\d{1,2}:\d\d:\d\d [AP]M) (?P<zone>[A-Z]{2,5})\s*$",
    re.MULTILINE,
)
# hours from UTC; abbreviations that mean two places (CST, IST) are left out
_HOURS = (
    "UTC 0 GMT 0 WET 0 BST 1 CET 1 CEST 2 EET 2 EEST 3 EST -5 EDT -4 CDT -5 MST -7 MDT -6 PST -8 "
    "PDT -7 HKT 8 SGT 8 AWST 8 JST 9 AEST 10 AEDT 11 NZST 12 NZDT 13"
).split()
_ZONES = {
    name: timezone(timedelta(hours=int(hours)))
    for name, hours in zip(_HOURS[::2], _HOURS[1::2], strict=True)
}

# ada_attempt_2, ada (attempt 2)
_ATTEMPT = re.compile(
    r"(?P<student>.+?)[ _-]+\(?attempt[ _-]*(?P<number>\d{1,4})\)?", re.IGNORECASE
)

# Sakai: Lovelace, Ada(ada1)
_SAKAI = re.compile(r"(?P<name>[^()]+, [^()]+)\((?P<id>[^()\s]*[A-Za-z@][^()\s]*)\)")

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?"
)


def canvas(name: str, zone: tzinfo | None = None) -> Label | None:
    """Of Canvas' "Download submissions"; the late mark is the platform's own judgement."""
    found = _CANVAS.fullmatch(name[:400])
    if not found:
        return None
    original = found["file"] or f"{found['text']}.html"
    again = _AGAIN.search(original)
    if again:
        original = original[: again.start()] + original[again.end() :]
    return Label(
        student=found["id"],
        name=found["name"],
        file=original,
        attempt=int(again[1]) + 1 if again else 1,
        late=bool(found["late"]),
        is_text=found["file"] is None,
    )


def moodle(name: str, zone: tzinfo | None = None) -> Label | None:
    """Of Moodle's "Download all submissions", in folders or not. It holds no times."""
    found = _MOODLE.fullmatch(name[:400])
    if not found:
        return None
    return Label(
        student=found["id"],
        name=found["name"],
        file=found["file"],
        is_text=found["kind"] == "onlinetext",
    )


def blackboard(name: str, zone: tzinfo | None = None) -> Label | None:
    """Of Blackboard's "Assignment file download"; its times are the server's, without a zone."""
    found = _BLACKBOARD.fullmatch(name[:400])
    if not found:
        return None
    try:
        moment = datetime.strptime(found["time"], "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None
    return Label(
        student=found["id"],
        name="",
        file=found["file"] or "",
        submitted_at=moment.replace(tzinfo=zone) if zone else None,
        assignment=found["assignment"],
        attempt=int(moment.replace(tzinfo=UTC).timestamp()),  # orders attempts; numbered later
        is_text=found["file"] is None,
    )


def blackboard_receipt(text: str) -> tuple[str, datetime | None]:
    """Name and time from the text file that Blackboard puts beside each attempt."""
    name = re.search(r"^Name: (.{1,200}?) \([^()\n]*\)\s*$", text[:4_000], re.MULTILINE)
    found = _RECEIPT.search(text[:4_000])
    moment = None
    if found and found["zone"] in _ZONES:
        moment = _moment(found["time"], "%B %d, %Y %I:%M:%S %p")
        moment = moment and moment.replace(tzinfo=_ZONES[found["zone"]])
    return (name[1] if name else ""), moment


def brightspace(name: str, zone: tzinfo | None = None) -> Label | None:
    """Of Brightspace's (D2L) download of an assignment's submissions; times without a zone."""
    found = _BRIGHTSPACE.fullmatch(name[:400])
    if not found:
        return None
    clock = found["clock"].rjust(7, "0")  # 932 AM is 0932 AM
    moment = _moment(f"{found['month']} {found['day']} {clock}", "%b %d, %Y %I%M %p")
    if moment is None:
        return None
    return Label(
        student=found["id"],
        name=found["name"],
        file=found["file"] or "",
        submitted_at=moment.replace(tzinfo=zone) if zone else None,
        attempt=int(moment.replace(tzinfo=UTC).timestamp()),
    )


def plain(name: str, zone: tzinfo | None = None) -> Label:
    """A folder that is called as the student is, perhaps with an attempt behind it."""
    found = _ATTEMPT.fullmatch(name[:400])
    if found:
        return Label(found["student"], "", "", attempt=int(found["number"]))
    sakai = _SAKAI.fullmatch(name[:400])
    if sakai:
        return Label(sakai["id"], sakai["name"], "")
    return Label(name, "", "")


LAYOUTS: dict[str, Reader] = {
    "moodle": moodle,  # before Canvas, whose pattern its names would fit as well
    "blackboard": blackboard,
    "brightspace": brightspace,
    "canvas": canvas,
}


def layout_of(names: list[str]) -> str | None:
    """The platform whose pattern nearly all of the names fit; None when it is none of them."""
    for layout, read in LAYOUTS.items():
        fitting = sum(read(name, None) is not None for name in names)
        if fitting and fitting >= 0.8 * len(names):
            return layout
    return None


def shared_slug(names: list[str]) -> str:
    """What all folder names of a GitHub Classroom begin with, "lab-4-" in lab-4-ada, lab-4-bob."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    length = 0
    while length < min(len(first), len(last)) and first[length] == last[length]:
        length += 1
    slug = first[:length].rpartition("-")
    return slug[0] + slug[1] if len(slug[0]) >= 3 else ""


def parse_time(text: str, zone: tzinfo | None = None) -> datetime | None:
    """ISO times as Gradescope and GitHub write them; None for one without a time zone (unless
    `zone` says which it is) and for everything else."""
    text = text.strip().strip("'\"")
    found = _ISO.fullmatch(text)
    if not found:
        return None
    offset = "+00:00" if found[3] in ("Z", "UTC", "GMT") else found[3] or ""
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{offset}")
    except ValueError:
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone) if zone else None
    return moment


def _moment(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None


def tidy(text: str) -> str:
    """A name in one printable line."""
    return shown(" ".join(text.split()), 100)
