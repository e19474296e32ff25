"""Proves that a handout holds nothing that it should not: looks at every file of it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from grader.course import Course, read_course
from grader.handout import code, reading
from grader.handout.manifest import MANIFEST
from grader.handout.reading import Reading
from grader.handout.secrets import Secret, Secrets
from grader.pairs import definitions, is_open

_FOLDERS = {
    "__pycache__": "a cache",
    "node_modules": "a cache",
    "build": "a product of an installation",
    "solutions": "solutions",
    "mistakes": "sources of mistakes",
    "accepted": "sources of accepted variants",
}
_WORD = re.compile(r"\w+")
_ENDINGS = (".pyc", ".pyo", ".egg-info", ".bak", ".orig", ".rej", ".swp")


def leaks(folder: Path, secrets: Secrets, origin: Course) -> list[str]:
    """What is wrong with the handout in this folder, a line for each; empty where nothing is.

    `origin` is the course that it was cut from."""
    found: list[str] = []
    for path, shown in walk(folder):
        strange = _strange(path, shown)
        if strange:
            found.append(f"{shown} {strange}")
        elif path.is_file():
            content = reading.read(path, shown)
            found += [f"{shown} {problem}" for problem in content.problems]
            found += [f"{shown} {what}" for what in _told(content, shown, secrets)]
            found += [f"{shown} {what}" for what in _paths(content, origin)]
    if not found:
        found += _stubs(read_course(folder))
    return found


def walk(folder: Path) -> Iterator[tuple[Path, str]]:
    """Everything below a folder and its path in it, sorted; no symlink is followed."""
    for path in sorted(folder.iterdir()):
        yield path, path.name
        if path.is_dir() and not path.is_symlink():
            yield from ((below, f"{path.name}/{shown}") for below, shown in walk(path))


def _strange(path: Path, shown: str) -> str:
    """What is wrong with a file or folder before it is opened."""
    if path.is_symlink():
        return "is a symbolic link"
    if not path.is_dir() and not path.is_file():
        return "is neither a file nor a folder"
    if path.name.startswith(".") and shown != MANIFEST:
        return "is out of sight: version control, a cache, or settings of somebody"
    if path.is_dir() and path.name in _FOLDERS:
        return f"is a folder of {_FOLDERS[path.name]}"
    if path.name.endswith(_ENDINGS):
        return "is left over from something"
    if path.name.startswith("test_hidden"):
        return "is a hidden suite"
    return ""


def _told(content: Reading, shown: str, secrets: Secrets) -> Iterator[str]:
    """The secrets that stand in a file."""
    bodies = "\n".join(text for tree in content.code for text in code.dumps(tree))
    for body, secret in secrets.bodies.items():
        if body in bodies and _applies(secret, shown):
            yield f"holds {secret.origin}"
    searched = content.searched
    for line, secret in secrets.lines.items():
        if line in searched and _applies(secret, shown):
            yield f"holds {secret.origin}: {_cut(line)}"
    for name in sorted(secrets.names.keys() & set(_WORD.findall(content.text))):
        yield f"holds {secrets.names[name].origin}: {name}"
    for number in sorted(code.numbers_in(content.text) & secrets.numbers.keys()):
        yield f"holds {secrets.numbers[number].origin}: {number!r}"


def _applies(secret: Secret, shown: str) -> bool:
    return shown.startswith(secret.within)


def _paths(content: Reading, origin: Course) -> Iterator[str]:
    """Folders of this machine."""
    for folder in {str(origin.root), str(Path.home()) + os.sep, sys.prefix + os.sep}:
        if len(folder) > 5 and (folder in content.text or repr(folder)[1:-1] in content.text):
            yield f"holds a path of this machine: {folder}"


def _stubs(course: Course) -> Iterator[str]:
    for exercise in course.exercises:
        path = course.stub(exercise)
        tree = code.parse(path.read_text(encoding="utf-8"))
        if tree is None or not any(is_open(node) for _, node in definitions(tree)):
            yield f"{path.relative_to(course.root).as_posix()} has no TODO"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
