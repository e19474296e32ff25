"""Packages that only the reports need: missing ones are named, with the remedy."""

from __future__ import annotations

from importlib.util import find_spec

from grader.errors import UsageError

EXTRA = ("jinja2", "matplotlib")


def need(package: str) -> None:
    """Raises UsageError where a package is not installed."""
    if find_spec(package) is None:
        missing = [name for name in EXTRA if find_spec(name) is None]
        raise UsageError(
            f"the report needs {' and '.join(missing)}, not installed here; "
            f"run: python -m pip install {' '.join(missing)}"
        )
