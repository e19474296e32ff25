"""Reading a number that a submission keeps, and comparing it with the right one.

Right engines keep their numbers as int, float, bool, or as something that `float()` takes. What
they may not do is keep them under another name or behind a call: the message then names the
difference.
"""

from __future__ import annotations

import math
from typing import Any

from grader.raised import found_instead

RELATIVE = 1e-6  # an engine that spells e as 2.7182818 is not wrong
ABSOLUTE = 1e-9  # for a right answer of exactly 0

_BY_VALUE = (bool, int, float, str, list, tuple, set, frozenset, dict, type(None))


def is_by_value(thing: Any) -> bool:
    """Whether `thing` came over as plain data: then it is no object of the submission."""
    return type(thing) in _BY_VALUE


def close(got: float | None, want: float) -> bool:
    """Equal up to rounding. NaN and infinities never are; None only stands for an exact 0."""
    if got is None:
        return want == 0
    return math.isfinite(got) and abs(got - want) <= RELATIVE * abs(want) + ABSOLUTE


def show(number: float | None, beside: float | None = None) -> str:
    """A number for a message: six digits, or all of them where six don't tell it from `beside`."""
    if number is None:
        return "None"
    text = f"{number:.6g}"
    if beside is not None and beside != number and f"{beside:.6g}" == text:
        return repr(number)
    return text


def read_number(node: Any, field: str, name: str, *, optional: bool = False) -> float | None:
    """`node.field` as a float; `name` is what messages call the node.

    With `optional`, a field that is absent or None gives None: a node that nothing reached.
    Raises AssertionError, with a message for the student, where there is no number.
    """
    label = f"{name}.{field}"
    try:
        value = getattr(node, field)
    except AttributeError as error:
        if optional:
            return None
        names = getattr(getattr(error, "raised", None), "names", ())
        raise AssertionError(
            f"{label} is not there: a node keeps its {field} as .{field}{found_instead(names)}"
        ) from None
    if value is None and optional:
        return None
    if is_by_value(value):
        return _plain(value, label)
    return _converted(value, label, field)


def _plain(value: Any, label: str) -> float:
    if isinstance(value, int | float):  # bool is an int
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    kind = "None" if value is None else f"a {type(value).__name__}"
    raise AssertionError(f"{label} is {kind}, not a number")


def _converted(value: Any, label: str, field: str) -> float:
    """A number of the submission's own kind, such as a Fraction, or the reason why it is none."""
    if _has(value, "grad"):
        raise AssertionError(f"{label} is itself a Value, not a number: use .data inside the rule")
    try:
        return float(value)
    except (TypeError, ValueError, AttributeError, OverflowError):
        pass
    try:
        called = value()
    except (TypeError, AttributeError):
        raise AssertionError(f"{label} is not a number") from None
    shown = f" ({label}() gives {show(float(called))})" if isinstance(called, int | float) else ""
    raise AssertionError(
        f"{field} is a method here{shown}: the grader reads {label}, without a call, as a number"
    )


def _has(value: Any, field: str) -> bool:
    try:
        getattr(value, field)
    except AttributeError:
        return False
    return True
