"""`course.toml` into frozen, validated values.

Every error is one UsageError that names the file, the key and the remedy; nothing is graded from
a course that is not whole.
"""

from __future__ import annotations

import hashlib
import math
import re
import tomllib
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UsageError

FILE = "course.toml"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a submission may use; an exercise may override any of them."""

    seconds: float = 5.0  # one check
    total_seconds: float = 60.0  # one exercise
    memory_mb: int = 512
    output_kb: int = 64
    processes: int = 16
    imports: tuple[str, ...] = ()  # top-level names that a submission may import


class LatePolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lateness costs."""

    per_day: float = 0.0  # share of the score lost per started day
    days: int = 0  # after that many the score is 0
    grace_minutes: int = 0


class Exercise(msgspec.Struct, frozen=True):
    """One folder that a student works in."""

    id: str
    title: str
    file: str
    points: Fraction
    minutes: int
    difficulty: int  # 1 to 5
    hints: tuple[str, ...]
    limits: Limits
    due: datetime | None = None


class Course(msgspec.Struct, frozen=True, dict=True):
    """The whole course; `root` is the folder of its course.toml."""

    root: Path
    id: str
    title: str
    limits: Limits
    late: LatePolicy | None
    exercises: tuple[Exercise, ...]

    def exercise(self, wanted: str) -> Exercise:
        """By id, or by the number that the id begins with. Raises UsageError."""
        for item in self.exercises:
            if item.id == wanted:
                return item
        short = [item for item in self.exercises if item.id.split("_")[0] == wanted.zfill(2)]
        if len(short) == 1:
            return short[0]
        known = ", ".join(item.id for item in self.exercises)
        raise UsageError(f"exercise {wanted!r} is not in {FILE}; it has {known}")

    def stub(self, exercise: Exercise) -> Path:
        return self.root / "exercises" / exercise.id / exercise.file

    def solution(self, exercise: Exercise) -> Path:
        return self.root / "solutions" / exercise.id / exercise.file

    def suite(self, exercise: Exercise) -> Path:
        return self.root / "tests" / "suites" / exercise.id

    def suite_files(self, exercise: Exercise) -> tuple[Path, ...]:
        """The suite's files in order: public first. A handout has no hidden one."""
        found = (self.suite(exercise) / f"test_{name}.py" for name in ("public", "hidden"))
        return tuple(path for path in found if path.is_file())

    @cached_property
    def digest(self) -> str:
        """Of everything that decides a score: course.toml and all suites."""
        return self._digest(public_only=False)

    @cached_property
    def public_digest(self) -> str:
        """Of what a student has: tells nothing about hidden checks."""
        return self._digest(public_only=True)

    def suite_digest(self, exercise: Exercise) -> str:
        return digest_files(self.root, self.suite_files(exercise))

    def _digest(self, *, public_only: bool) -> str:
        return digest_files(self.root, [self.root / FILE, *self._suites(public_only)])

    def _suites(self, public_only: bool) -> Iterator[Path]:
        for exercise in self.exercises:
            for path in self.suite_files(exercise):
                if not public_only or path.name == "test_public.py":
                    yield path


def digest_files(root: Path, paths: Any) -> str:
    """`sha256:…` over names and contents."""
    total = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        total.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        total.update(content)
    return f"sha256:{total.hexdigest()}"


# ---- reading -----------------------------------------------------------------------------------


class _CourseTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str


class _ExerciseTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str
    file: str
    points: int | float
    minutes: int
    difficulty: int
    hints: tuple[str, ...]
    due: datetime | None = None
    imports: tuple[str, ...] | None = None
    seconds: float | None = None
    total_seconds: float | None = None
    memory_mb: int | None = None
    output_kb: int | None = None
    processes: int | None = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    course: _CourseTable
    exercise: tuple[_ExerciseTable, ...]
    limits: Limits = Limits()
    late: LatePolicy | None = None


def find_course(start: Path | None = None, *, whole: bool = True) -> Course:
    """The course of this folder or of the nearest one above it; with `whole` false, also one that
    lacks a stub, for who is about to put it back. Raises UsageError."""
    folder = (start or Path.cwd()).resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / FILE).is_file():
            return read_course(candidate, whole=whole)
    raise UsageError(f"no {FILE} in {folder} or above it; run this inside a course folder")


def read_course(root: Path, *, whole: bool = True) -> Course:
    """Read and validate `root/course.toml`. Raises UsageError."""
    path = root / FILE
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; is this a course folder?") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{FILE}: not valid TOML: {error}") from error
    try:
        tables = msgspec.convert(raw, _File)
    except msgspec.ValidationError as error:
        raise UsageError(f"{FILE}: {_place(raw, str(error))}") from error
    _validate_limits(tables.limits, "[limits]")
    if tables.late:
        _validate_late(tables.late)
    if not tables.exercise:
        raise UsageError(f"{FILE}: has no exercise; add an [[exercise]] table")
    exercises = tuple(_exercise(root, table, tables.limits, whole) for table in tables.exercise)
    seen: set[str] = set()
    for exercise in exercises:
        if exercise.id in seen:
            raise _wrong(exercise.id, "is there twice", "give each exercise an id of its own")
        seen.add(exercise.id)
    course = tables.course
    return Course(root, course.id, course.title, tables.limits, tables.late, exercises)


def _exercise(root: Path, table: _ExerciseTable, limits: Limits, whole: bool) -> Exercise:
    name = table.id
    if not re.fullmatch(r"[a-z0-9][a-z0-9_]*", name):
        raise _wrong(name, "has an id that is no plain folder name", "use a-z, 0-9 and _")
    if not re.fullmatch(r"[A-Za-z_]\w*\.py", table.file):
        raise _wrong(name, f"has the file {table.file!r}", 'name a module, such as "value.py"')
    if not table.title.strip():
        raise _wrong(name, "has no title", 'add title = "…"')
    if not math.isfinite(table.points) or table.points <= 0:
        raise _wrong(name, f"has {table.points} points", "give it more than 0")
    if table.minutes <= 0:
        raise _wrong(name, f"has minutes = {table.minutes}", "give it more than 0")
    if not 1 <= table.difficulty <= 5:
        raise _wrong(name, f"has difficulty {table.difficulty}", "use 1 to 5")
    if not table.hints or not all(hint.strip() for hint in table.hints):
        raise _wrong(name, "has no hints", 'add hints = ["…"]')
    if table.due is not None and table.due.tzinfo is None:
        raise _wrong(name, "has a due time without a time zone", "write …T23:59:00+01:00")
    overrides = {
        field: value
        for field in Limits.__struct_fields__
        if (value := getattr(table, field)) is not None
    }
    own = msgspec.structs.replace(limits, **overrides)
    _validate_limits(own, f'exercise "{name}"')
    if whole and not (root / "exercises" / name / table.file).is_file():
        remedy = f"add the stub, or put it back with: python -m grader reset {name}"
        raise _wrong(name, f"has no exercises/{name}/{table.file}", remedy)
    if not (root / "tests" / "suites" / name / "test_public.py").is_file():
        raise _wrong(name, f"has no tests/suites/{name}/test_public.py", "add the public suite")
    return Exercise(
        id=name,
        title=table.title,
        file=table.file,
        points=Fraction(str(table.points)),
        minutes=table.minutes,
        difficulty=table.difficulty,
        hints=table.hints,
        limits=own,
        due=table.due,
    )


def _validate_limits(limits: Limits, place: str) -> None:
    for field in ("seconds", "total_seconds", "memory_mb", "output_kb", "processes"):
        value = getattr(limits, field)
        if not 0 < value < 1e6:
            raise UsageError(f"{FILE}: {place} has {field} = {value}; use a number above 0")
    for name in limits.imports:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise UsageError(f"{FILE}: {place} imports {name!r}; use top-level module names")


def _validate_late(late: LatePolicy) -> None:
    if not 0 <= late.per_day <= 1:
        raise UsageError(f"{FILE}: [late] has per_day = {late.per_day}; use a share from 0 to 1")
    if late.days < 0 or late.grace_minutes < 0:
        raise UsageError(f"{FILE}: [late] has a negative number; use 0 or more")


def _wrong(exercise: str, what: str, remedy: str) -> UsageError:
    return UsageError(f'{FILE}: exercise "{exercise}" {what}; {remedy}')


def _place(raw: dict[str, Any], error: str) -> str:
    """msgspec's `… - at `$.exercise[3].points`` with the exercise's id in place of its number."""
    what, _, where = error.partition(" - at ")
    where = where.strip("`").removeprefix("$").removeprefix(".")
    match = re.match(r"exercise\[(\d+)\]\.?(.*)", where)
    if match:
        tables = raw.get("exercise")
        index = int(match[1])
        table = tables[index] if isinstance(tables, list) and index < len(tables) else {}
        name = table.get("id", f"number {index + 1}") if isinstance(table, dict) else index
        where = f'exercise "{name}"' + (f", key {match[2]}" if match[2] else "")
    elif where:
        where = f"key {where}"
    what = what.replace("Object", "the table").replace("`", '"')
    what = what[0].lower() + what[1:]
    return f"{where}: {what}; see README.md for the keys" if where else f"{what}; see README.md"
