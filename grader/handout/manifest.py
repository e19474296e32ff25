"""What a handout says of itself: which files it brought, so that an update knows what a student
has changed, and the stubs, so that `reset` can put them back."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.course import Course, Exercise

MANIFEST = ".handout.json"
FORMAT = 1


class Manifest(msgspec.Struct, frozen=True):
    """By path in the handout, with slashes."""

    format: int
    course: str
    files: dict[str, str]  # "sha256:…"
    stubs: dict[str, str]  # the text of each exercise's stub, by exercise id


def manifest_of(course: Course, files: Mapping[str, bytes]) -> bytes:
    """The manifest of these files, as it is written."""
    stubs = {
        item.id: files[path].decode("utf-8")
        for item in course.exercises
        if (path := f"exercises/{item.id}/{item.file}") in files
    }
    digests = {path: digest(content) for path, content in sorted(files.items())}
    made = Manifest(FORMAT, course.id, digests, stubs)
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def read(folder: Path) -> Manifest | None:
    """The manifest of a handout; None where this folder is none."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        made = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
        return made if made.format == FORMAT else None
    return None


def original_stub(course: Course, exercise: Exercise) -> bytes | None:
    """The stub as it was handed out; None in the instructor's own copy."""
    made = read(course.root)
    if made is None or exercise.id not in made.stubs:
        return None
    return made.stubs[exercise.id].encode("utf-8")


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
