"""A new exercise with everything that `verify` wants: small, whole, and to be written over."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from grader.cache import write_whole
from grader.course import FILE, read_course
from grader.errors import UsageError

_FUNCTION = '''\
def scaled(numbers, factor):
    """Every number times the factor, in a new list.

    scaled([1, 2], 3) == [3, 6]
    """
    {body}
'''
_TODO = 'raise NotImplementedError("TODO: scaled multiplies every number")'
_BODY = "return [number * factor for number in numbers]"
_MODULE = '''\
"""{title}. README.md beside this file is the lesson.

Fill in the TODO, then run

    python -m grader -e {id}
"""


'''
_MISTAKE = '''\
"""Only the first number is multiplied: the list is complete after one round of the loop. When does
the function come to its `return`?
"""


def scaled(numbers, factor):
    result = list(numbers)
    for place, number in enumerate(numbers):
        result[place] = number * factor
        return result
    return result
'''
_ACCEPTED = '''\
"""A loop in place of a comprehension."""


def scaled(numbers, factor):
    result = []
    for number in numbers:
        result.append(factor * number)
    return result
'''
_PUBLIC = '''\
"""The example of the lesson."""

import pytest


@pytest.mark.points(1)
def test_every_number_is_multiplied(submission):
    """1 and 2 times 3 are 3 and 6"""
    found = submission.scaled([1, 2], 3)
    assert found == [3, 6], f"scaled([1, 2], 3)  expected [3, 6], got {found!r}"
'''
_HIDDEN = '''\
"""Other numbers, and what may not change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.points(1)
def test_nothing_to_multiply(submission):
    """An empty list stays empty"""
    assert submission.scaled([], 7) == [], "scaled([], 7) is not []"


@pytest.mark.points(2)
@given(numbers=st.lists(st.integers(-50, 50), min_size=2, max_size=8), factor=st.integers(2, 9))
def test_any_numbers(submission, numbers, factor):
    """Up to eight numbers, negative ones too"""
    expected = [number * factor for number in numbers]
    found = submission.scaled(numbers, factor)
    assert found == expected, f"scaled({numbers}, {factor})  expected {expected}, got {found!r}"
'''
_LESSON = """\
# {title}

*20 minutes, 4 points.*

## The idea

One page in your own words. What is the one thing that a student can do afterwards?

## An example

With its numbers, so that it can be followed on paper: 1 and 2, scaled by 3, are 3 and 6.

## What to do

Open `{file}` and write `scaled`. Then run `python -m grader -e {id}`.

## How it is checked

With longer lists, negative numbers, and an empty list.

## What people get wrong

- The loop returns after its first round.
"""
_TABLE = """
[[exercise]]
id = {id}
title = {title}
file = {file}
points = 4
minutes = 20
difficulty = 1
hints = [
    "What has to happen to each number, and where do the results go?",
    "A list comprehension makes a new list: one expression, for each number.",
    "The expression is number * factor.",
]
"""


def find_root(start: Path) -> Path:
    """The course folder that this is in; the course may still have no exercise.

    Raises UsageError."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / FILE).is_file():
            return folder
    raise UsageError(f"no {FILE} in {start} or above it; run this inside a course folder")


def new_exercise(root: Path, name: str, title: str | None = None) -> list[str]:
    """Write the files of a new exercise and its table in course.toml; the paths, relative to root.

    Raises UsageError, and then nothing was written."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_]*", name):
        raise UsageError(f"{name!r} cannot be the id of an exercise; use a-z, 0-9 and _")
    table = root / FILE
    text = table.read_text(encoding="utf-8")
    try:
        known = [item.get("id") for item in tomllib.loads(text).get("exercise", [])]
    except (tomllib.TOMLDecodeError, AttributeError) as error:
        raise UsageError(f"{FILE}: not valid: {error}; put it right first") from error
    if name in known:
        raise UsageError(f'{FILE}: exercise "{name}" is there already; choose another id')
    for place in ("exercises", "solutions", "tests/suites"):
        if (root / place / name).exists():
            raise UsageError(f"{place}/{name} is there already; move it away or choose another id")
    files = _files(name, title or _title(name))
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(root / path, content.encode())
    added = _TABLE.format(
        id=json.dumps(name),
        title=json.dumps(title or _title(name), ensure_ascii=False),
        file=json.dumps(_file(name)),
    )
    write_whole(table, f"{text.rstrip()}\n{added}".encode())  # last: until then nobody sees it
    read_course(root)
    return [*files, FILE]


def _files(name: str, title: str) -> dict[str, str]:
    file = _file(name)
    module = _MODULE.format(title=title, id=name)
    suite = f"tests/suites/{name}"
    return {
        f"exercises/{name}/{file}": module + _FUNCTION.format(body=_TODO),
        f"exercises/{name}/README.md": _LESSON.format(title=title, file=file, id=name),
        f"solutions/{name}/{file}": module + _FUNCTION.format(body=_BODY),
        f"{suite}/test_public.py": _PUBLIC,
        f"{suite}/test_hidden.py": _HIDDEN,
        f"{suite}/mistakes/returns_too_early.py": _MISTAKE,
        f"{suite}/accepted/loop.py": _ACCEPTED,
    }


def _title(name: str) -> str:
    words = re.sub(r"^\d+_", "", name).replace("_", " ").strip()
    return words[:1].upper() + words[1:] or name


def _file(name: str) -> str:
    stem = re.sub(r"^\d+_", "", name)
    return f"{stem}.py" if re.fullmatch(r"[a-z_]\w*", stem) else "exercise.py"
