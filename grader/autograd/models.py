"""Asking a submission's neurons, layers and networks, whatever containers they answer in.

Which parameter comes first is the submission's own business, so a check may not rely on it: what
helps is to set all of them to one number, or to change one at a time and compare what comes out
in sorted order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grader.autograd.numbers import close, is_by_value, read_number, show


def parameters_of(model: Any, name: str) -> list[Any]:
    """`model.parameters()` as a list of distinct Values; `name` is what messages call the model.

    Raises AssertionError where it is anything else than Values, or holds one of them twice.
    """
    found = model.parameters()
    if is_by_value(found) and not isinstance(found, list | tuple):
        raise AssertionError(f"{name}.parameters() gives {found!r}, not a list of Values")
    parameters = list(found)
    for number, parameter in enumerate(parameters):
        if is_by_value(parameter) or not _has_data(parameter):
            raise AssertionError(
                f"{name}.parameters()[{number}] is not a Value: one flat list of Values is asked"
            )
    if len({id(parameter) for parameter in parameters}) < len(parameters):
        raise AssertionError(f"{name}.parameters() lists the same Value more than once")
    return parameters


def answers_of(model: Any, x: Any, name: str) -> list[Any]:
    """What `model(x)` answers, as a list of Values; a single Value counts as a list of one."""
    answer = model(x)
    if is_by_value(answer) and not isinstance(answer, list | tuple):
        raise AssertionError(f"{name}(x) gives {answer!r}, not a Value")
    if not is_by_value(answer) and _has_data(answer):
        return [answer]
    return list(answer)


def answer_of(model: Any, x: Any, name: str) -> Any:
    """The one Value that `model(x)` answers, be it in a list or not. Raises AssertionError."""
    answers = answers_of(model, x, name)
    if len(answers) != 1 or is_by_value(answers[0]):
        raise AssertionError(f"{name}(x) should answer one Value, not {len(answers)} things")
    return answers[0]


def read_answers(model: Any, x: Any, name: str) -> list[float]:
    """The numbers that `model(x)` answers with."""
    answers = answers_of(model, x, name)
    return [_number(answer, f"{name}(x)", index) for index, answer in enumerate(answers)]


def set_all(parameters: Iterable[Any], number: float) -> None:
    """Give every parameter the same number."""
    for parameter in parameters:
        parameter.data = number


def same(got: Sequence[float], want: Sequence[float]) -> bool:
    """Equal up to rounding, element by element."""
    return len(got) == len(want) and all(map(close, got, want))


def same_in_any_order(got: Sequence[float], want: Sequence[float]) -> bool:
    """The same numbers up to rounding, whatever belongs to which parameter. NaN is never right."""
    return all(number == number for number in got) and same(sorted(got), sorted(want))


def listed(numbers: Iterable[float]) -> str:
    """Numbers for a message."""
    return "[" + ", ".join(show(number) for number in numbers) + "]"


def _number(answer: Any, label: str, index: int) -> float:
    if is_by_value(answer):
        raise AssertionError(f"{label}[{index}] is {answer!r}, not a Value")
    number = read_number(answer, "data", f"{label}[{index}]")
    assert number is not None
    return number


def _has_data(thing: Any) -> bool:
    try:
        thing.data  # noqa: B018 — asked for its absence
    except AttributeError:
        return False
    return True
