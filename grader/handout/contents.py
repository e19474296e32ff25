"""Which files a handout has, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grader
from grader import handed_out
from grader.course import FILE, Course, Exercise
from grader.errors import UsageError
from grader.handout import pages
from grader.handout.manifest import MANIFEST, manifest_of
from grader.host import choose_sandbox, insist_on_packages
from grader.session import Session, with_session

LICENCES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING")
_LEFT_OVER = (".pyc", ".pyo", ".bak", ".orig", ".rej", ".swp", "~")


def contents(course: Course, sandbox: str) -> dict[str, bytes]:
    """The files of a handout by path, the manifest among them.

    Raises UsageError for a course that cannot be handed out, GraderError for a faulty suite."""
    insist_on_packages(course.exercises)
    for exercise in course.exercises:
        if not course.solution(exercise).is_file():
            raise UsageError(
                f"{exercise.id} has no solutions/{exercise.id}/{exercise.file}; "
                "a handout is cut from the instructor's copy of a course"
            )
    files = {FILE: (course.root / FILE).read_bytes()}
    files["README.md"] = pages.readme(course).encode()
    files["pyproject.toml"] = pages.pyproject(course).encode()
    for name in LICENCES:
        if (course.root / name).is_file():
            files[name] = _content(course.root / name)
    for exercise in course.exercises:
        folder = course.stub(exercise).parent
        for path in _below(folder):
            files[path.relative_to(course.root).as_posix()] = _content(path)
        public = course.suite(exercise) / "test_public.py"
        files[public.relative_to(course.root).as_posix()] = _content(public)
    own = Path(grader.__file__).parent
    for path in _below(own):
        files[f"grader/{path.relative_to(own).as_posix()}"] = _content(path)
    files |= _observations(course, sandbox)
    files[MANIFEST] = manifest_of(course, files)
    return dict(sorted(files.items()))


def _observations(course: Course, sandbox: str) -> dict[str, bytes]:
    """What the public checks ask, and what mistakes answer to them, for every exercise."""

    def work(session: Session) -> dict[str, bytes]:
        return {
            f"tests/suites/{item.id}/{handed_out.FILE}": _observed(course, item, session)
            for item in course.exercises
        }

    return with_session(course, choose_sandbox(sandbox), work)


def _observed(course: Course, exercise: Exercise, session: Session) -> bytes:
    programs = session.plans[exercise.id].programs
    asked = {check: program.requests for check, program in sorted(programs.items())}
    return handed_out.encode(course, exercise, asked, session.known_mistakes(exercise))


def _below(folder: Path) -> Iterator[Path]:
    """The files below a folder, sorted. What starts with a dot, caches and what tools left over
    stay out."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name.endswith(_LEFT_OVER):
            continue
        if path.is_dir() and not path.is_symlink():
            if path.name != "__pycache__":
                yield from _below(path)
        else:
            yield path


def _content(path: Path) -> bytes:
    if path.is_symlink() or not path.is_file():
        raise UsageError(f"{path} is no plain file; put a copy of what it stands for in its place")
    return path.read_bytes()
