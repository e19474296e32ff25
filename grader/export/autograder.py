"""Gradescope's `autograder.zip`: the course without its solutions, the grader, and the two programs
that Gradescope runs. The same course gives the same bytes."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path

import grader
from grader.course import Course, Exercise
from grader.errors import UsageError
from grader.export.gradescope import Visibility

_DISTRIBUTION = "autograd-exercise-kit"
_FILES = Path(__file__).parent / "gradescope_files"
_SUFFIXES = {".py", ".json", ".html", ".css", ".js", ".sh", ".typed", ".toml"}
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip archive knows


def autograder(course: Course, exercises: Sequence[Exercise], hidden: Visibility) -> bytes:
    """The archive, for these exercises.

    Raises UsageError where a file cannot be read."""
    only = " ".join(f"-e {item.id}" for item in exercises)
    if len(exercises) == len(course.exercises):
        only = ""
    run = _program("run_autograder.sh").replace("@ONLY@", only).replace("@HIDDEN@", hidden)
    files = {
        "setup.sh": _program("setup.sh").encode(),
        "run_autograder": run.encode(),
        "requirements.txt": "".join(f"{item}\n" for item in requirements(exercises)).encode(),
    }
    try:
        files |= dict(_course(course))
        files |= dict(_tree(Path(grader.__file__).parent, "course/grader"))
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return _archive(files)


def requirements(exercises: Sequence[Exercise]) -> list[str]:
    """What the grader and these exercises need, at the versions that are installed here: other
    versions of hypothesis would ask other questions."""
    names = set()
    for line in requires(_DISTRIBUTION) or ():
        if "extra ==" not in line:
            names.add(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0])
    providers = packages_distributions()
    for exercise in exercises:
        for module in exercise.limits.imports:
            if module not in sys.stdlib_module_names:
                names.add(providers.get(module, [module])[0])
    return sorted(_pinned(name) for name in names)


def _pinned(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:
        return name


def _course(course: Course) -> Iterator[tuple[str, bytes]]:
    """All exercises, because course.toml names them; never a solution."""
    yield "course/course.toml", (course.root / "course.toml").read_bytes()
    for item in course.exercises:
        stub = course.root / "exercises" / item.id / item.file
        yield f"course/exercises/{item.id}/{item.file}", stub.read_bytes()
    yield from _tree(course.root / "tests" / "suites", "course/tests/suites")


def _tree(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        skipped = any(part.startswith((".", "__pycache__")) for part in inside.parts)
        if path.is_file() and path.suffix in _SUFFIXES and not skipped:
            yield f"{name}/{inside.as_posix()}", path.read_bytes()


def _program(name: str) -> str:
    """A shell script, with Unix line ends whatever a checkout made of them."""
    return (_FILES / name).read_text(encoding="utf-8")


def _archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    # stored, not deflated: compressors differ from machine to machine
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3  # Unix, so that the mode counts
            runs = name in ("setup.sh", "run_autograder")
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
