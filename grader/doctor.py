"""What this machine offers, in lines (`python -m grader doctor`)."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from grader.sandbox import LEVELS, SandboxUnavailable, choose

if TYPE_CHECKING:
    from rich.console import Console

NEEDED = (
    "pytest",
    "pytest-json-report",
    "hypothesis",
    "nbformat",
    "msgspec",
    "click",
    "rich",
    "watchfiles",
)
EXTRAS = {
    "course": ("numpy", "matplotlib"),
    "report": ("jinja2", "matplotlib"),
    "graph": ("pygraphviz",),
    "dask": ("distributed",),
}


def lines(console: Console) -> Iterator[str]:
    """Python, packages, sandbox and terminal."""
    yield f"Python      {platform.python_version()} ({sys.executable})"
    missing = [name for name in NEEDED if not _version(name)]
    known = ", ".join(f"{name} {_version(name)}" for name in NEEDED if _version(name))
    yield f"Packages    {known}"
    if missing:
        yield f"            missing: python -m pip install {' '.join(missing)}"
    for extra, names in EXTRAS.items():
        absent = [name for name in names if not _version(name)]
        have = f"missing: python -m pip install {' '.join(absent)}" if absent else "installed"
        yield f"  {extra:<9} {have}"
    for level in LEVELS:
        yield f"Sandbox     {level:<9}{_sandbox(level)}"
    yield f"  used      {choose('auto').name}"
    colours = console.color_system or "no colours"
    yield f"Terminal    {console.width} columns, {console.encoding}, {colours}"


def _sandbox(level: str) -> str:
    try:
        choose(level)
    except SandboxUnavailable as error:
        return f"not here: {error}"
    if level == "none":
        return "works: limits and deadlines only, for grading a file of one's own"
    return "works: self-test passed"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
