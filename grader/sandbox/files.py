"""Which files a worker must be able to read: the interpreter, its library, the shared libraries."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.child import SandboxUnavailable
from grader.sandbox.start import interpreter


@dataclass(frozen=True)
class PythonFiles:
    """Real paths, none of them below another, but for `hidden`."""

    executable: Path
    loader: Path  # the path that the executable names; may be a link
    libraries: tuple[Path, ...]  # folders of the system's, single files of others
    standard: tuple[Path, ...]  # the standard library
    hidden: tuple[Path, ...]  # folders of installed packages below any of these


@functools.cache
def python_files() -> PythonFiles:
    """What this machine's interpreter needs. Raises SandboxUnavailable where it can't be found."""
    executable = Path(interpreter()).resolve()
    loader = _loader(executable)
    standard = _outermost(
        Path(path).resolve()
        for path in (sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED"))
        if path
    )
    libraries = _outermost(_libraries(executable, loader))
    hidden = [
        folder
        for place in (*standard, *libraries)
        if place.is_dir()
        for pattern in ("*-packages", "python3*/*-packages")
        for folder in sorted(place.glob(pattern))
    ]
    return PythonFiles(executable, loader, libraries, standard, tuple(hidden))


def _loader(executable: Path) -> Path:
    """The program interpreter (PT_INTERP) that an ELF file names."""
    found = re.search(rb"\0(/[\x21-\x7e]*/ld-[\x21-\x7e]+)\0", executable.read_bytes()[: 1 << 16])
    if not found:
        raise SandboxUnavailable(
            f"{executable}: not a dynamically linked program; use a Python that is"
        )
    return Path(os.fsdecode(found[1]))


def _libraries(executable: Path, loader: Path) -> list[Path]:
    listing = subprocess.run(
        [str(loader), "--list", str(executable)], capture_output=True, text=True, check=False
    ).stdout
    files = [Path(path) for path in re.findall(r"=> (/\S+)", listing)]
    if not files:
        raise SandboxUnavailable(f"{loader}: it does not list the libraries of {executable}")
    system = {file.resolve().parent for file in files if re.match(r"(libc|ld-musl)[.-]", file.name)}
    others = [file for file in files if file.resolve().parent not in system]
    # libraries of extension modules (ssl, sqlite) lie beside libc, or in /usr/lib with musl
    if any(file.name.startswith("ld-musl") for file in files):
        system.add(Path("/usr/lib"))
    return [*system, *others]


def _outermost(paths: object) -> tuple[Path, ...]:
    """Without those that lie below another one."""
    unique = sorted(set(paths))  # type: ignore[call-overload]
    return tuple(path for path in unique if not any(up in unique for up in path.parents))
