"""The examples that hypothesis asks of every submission: generated once, then only asked.

Generating takes twenty times as long as asking, and with fixed seeds it gives the same examples
every time. So a check's examples are collected by running hypothesis with a test that only writes
down what it is given, and the check itself is then called with each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Example = tuple[tuple[Any, ...], dict[str, Any]]


def collect(item: pytest.Function) -> list[Example] | None:
    """The examples of a hypothesis check, or None where there is none to collect beforehand: an
    ordinary check, or one that draws while it runs (`st.data()`)."""
    handle = getattr(item.obj, "hypothesis", None)
    if handle is None:
        return None
    examples: list[Example] = []
    original = handle.inner_test

    def write_down(*arguments: Any, **values: Any) -> None:
        examples.append((arguments, values))

    fixtures = dict.fromkeys(item._fixtureinfo.argnames)
    handle.inner_test = write_down
    try:
        item.obj(**fixtures)
    finally:
        handle.inner_test = original
    if any(_draws(value) for _, values in examples for value in values.values()):
        return None
    return [
        (arguments, {name: value for name, value in values.items() if name not in fixtures})
        for arguments, values in examples
    ]


def call(item: pytest.Function, examples: list[Example]) -> None:
    """Call the check with each example in turn; the first failure ends it, as in hypothesis."""
    test: Callable[..., None] = item.obj.hypothesis.inner_test
    fixtures = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    for arguments, values in examples:
        test(*arguments, **fixtures, **values)


def _draws(value: Any) -> bool:
    from hypothesis.strategies import DataObject

    return isinstance(value, DataObject)
