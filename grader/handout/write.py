"""Writes a handout: as a folder, as an archive, or over an earlier one, whose work is kept.

The same course gives the same bytes, names, times and modes. A file's time comes from its content,
so that a cache which knows a file by its time never takes a new version for the old one."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.cache import write_whole
from grader.errors import UsageError
from grader.handout.manifest import MANIFEST, Manifest, digest

_BEGINNING = 946_684_800  # 2000-01-01
_SPAN = 20 * 365 * 24 * 3600
WORK = "exercises/"  # what is a student's own


@dataclass
class Update:
    """What an update did with the files of a student, by path."""

    kept: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # the new version of one that was kept
    put_aside: list[str] = field(default_factory=list)  # a changed file that is no work


def write_tree(files: Mapping[str, bytes], folder: Path) -> None:
    """A new folder with these files."""
    folder.mkdir()
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        _settle(target, content)
    for place, _, _ in os.walk(folder):
        os.chmod(place, 0o755)  # noqa: S103 — a handout is for everybody to read
        os.utime(place, (_BEGINNING, _BEGINNING))


def write_zip(files: Mapping[str, bytes], top: str, target: Path) -> None:
    """An archive with one folder in it. Written whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(part, "w") as archive:  # packed as it is: no two zlibs agree
            for path, content in files.items():
                entry = zipfile.ZipInfo(f"{top}/{path}", time.gmtime(_time(content))[:6])
                entry.external_attr = 0o100644 << 16
                entry.create_system = 3
                archive.writestr(entry, content)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def update(files: Mapping[str, bytes], folder: Path, before: Manifest) -> Update:
    """Bring an earlier handout up to date. A student's work stays; a new version of a file that
    they have changed is put beside it. Can be stopped and started again at any point."""
    done = Update()
    for path in {*files, *before.files}:
        _refuse_links(folder, path)
    for path in sorted(before.files.keys() - files.keys()):
        target = folder / path
        if target.is_file():
            if digest(target.read_bytes()) == before.files[path]:
                target.unlink()
            else:
                done.kept.append(path)
    for path, content in files.items():
        if path != MANIFEST:
            _bring(path, content, folder, before.files.get(path), done)
    _bring(MANIFEST, files[MANIFEST], folder, None, Update())  # last: before it, all is as it was
    for cache in sorted(folder.glob("grader/**/__pycache__")):
        shutil.rmtree(cache, ignore_errors=True)
    return done


def _bring(path: str, content: bytes, folder: Path, was: str | None, done: Update) -> None:
    """Write one file of the new version, unless it is a student's work."""
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_file():
        here = target.read_bytes()
        changed = here != content and digest(here) != was
        if changed and path.startswith(WORK):
            done.kept.append(path)
            if digest(content) != was:
                # not *.new.py: what ends in .py in this folder could be taken for an answer
                target = target.with_name(f"{target.name}.new")
                done.beside.append(target.relative_to(folder).as_posix())
            else:
                return
        elif changed and path != MANIFEST:
            aside = target.with_name(f"{target.name}.bak")
            write_whole(aside, here)
            done.put_aside.append(aside.relative_to(folder).as_posix())
    write_whole(target, content)
    _settle(target, content)


def _refuse_links(folder: Path, path: str) -> None:
    """Nothing is written through a link to somewhere else."""
    for place in [folder / path, *(folder / path).parents]:
        if place == folder:
            return
        if place.is_symlink():
            raise UsageError(f"{place} is a symbolic link; put what it stands for in its place")


def _settle(target: Path, content: bytes) -> None:
    os.chmod(target, 0o644)
    os.utime(target, (_time(content), _time(content)))


def _time(content: bytes) -> int:
    """A time that belongs to this content, in whole steps of two seconds, as an archive has."""
    number = int.from_bytes(hashlib.sha256(content).digest()[:8], "big")
    return _BEGINNING + number % _SPAN // 2 * 2
