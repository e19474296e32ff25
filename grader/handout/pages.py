"""The two files that a handout has of its own: the student's README and a pyproject.toml."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata

from grader.course import Course
from grader.errors import UsageError

PACKAGE = "autograd-exercise-kit"

_README = """\
# {title}

{count}. You fill in what is missing; the grader in this folder says what is right, and
helps with what is not. Everything runs on your own machine.

## Once

You need Python {python} or newer. In this folder:

    python -m venv .venv
    . .venv/bin/activate            # on Windows: .venv\\Scripts\\activate
    python -m pip install -e .
{extra}
## Every day

{commands}

Begin with `exercises/{first}/README.md`: it explains the idea on one page. Then open
`exercises/{first}/{file}`, fill in what says `TODO`, save, and run the grader. The exercises do
not build on your files: what an earlier one asked for is there, finished, in a later one. So one
that beats you does not stop you.

| exercise | | minutes |
| --- | --- | --- |
{table}

## What the grader says

- `todo`: not written yet. `missing`: a name is not there, often a spelling.
- `failed`: what was built, what was expected and what came out.
- `error`: your code raised something; the line of your file is shown.
- `timeout`: it ran too long, most often round a loop that does not end.

When your numbers are those of a known mistake, it tells you what people who get them usually think.
Your instructor grades with more checks, and points, than you have here: the same ideas, other
numbers. So write what is right, not what passes.

Only files below `exercises/` are yours to change. A newer version of this folder keeps them.
"""

_COMMANDS = (
    ("", "grade everything, and say what to do next"),
    (" watch", "the same on every save; Ctrl-C ends it"),
    (" -e {first}", "only the first exercise, every check of it"),
    (" hint {first}", "stuck? the next hint, a little further each time"),
    (" list", "all exercises, and how far you are"),
    (" reset {first}", "begin again; what you wrote is kept"),
)

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"
description = {description}
requires-python = "{python}"
dependencies = [
{dependencies}
]

[project.optional-dependencies]
{extras}

[project.entry-points.pytest11]
grader = "grader.plugin"

[tool.setuptools.packages.find]
include = ["grader*"]

[tool.setuptools.package-data]
grader = ["py.typed", "**/*.json", "**/*.html", "**/*.css", "**/*.js", "**/*.sh"]
"""


def readme(course: Course) -> str:
    """What a student reads first."""
    packages = sorted(
        {
            name
            for item in course.exercises
            for name in item.limits.imports
            if name not in sys.stdlib_module_names
        }
    )
    extra = ""
    if packages:
        users = [
            item.id
            for item in course.exercises
            if not set(packages).isdisjoint(item.limits.imports)
        ]
        needs = "need" if len(users) > 1 else "needs"
        names = " ".join(packages)
        extra = f"\nAnd for {_and(users)}, which {needs} it: `python -m pip install {names}`.\n"
    first = course.exercises[0]
    many = len(course.exercises)
    return _README.format(
        title=course.title,
        count=f"{many} exercise{'s' if many > 1 else ''}",
        python=_minimum(),
        extra=extra,
        commands=_commands(course),
        first=first.id,
        file=first.file,
        table="\n".join(
            f"| [{item.id}](exercises/{item.id}/) | {item.title} | {item.minutes} |"
            for item in course.exercises
        ),
    )


def pyproject(course: Course) -> str:
    """How a student's copy is installed: with what the grader itself needs.

    Raises UsageError where the grader was never installed, so that nobody knows."""
    try:
        known = metadata(PACKAGE)
    except PackageNotFoundError as error:
        raise UsageError(
            f"{PACKAGE} is not installed; run: python -m pip install -e . in its folder"
        ) from error
    needed: list[str] = []
    extras: dict[str, list[str]] = {}
    for item in known.get_all("Requires-Dist") or []:
        requirement, _, marker = item.partition(";")
        match = re.search(r"extra\s*==\s*[\"']([\w-]+)[\"']", marker)
        if match is None:
            needed.append(item.strip())
        elif match[1] != "test":  # those are for work on the grader
            extras.setdefault(match[1], []).append(requirement.strip())
    return _PYPROJECT.format(
        name=PACKAGE,
        version=known["Version"],
        description=json.dumps(course.title, ensure_ascii=False),
        python=known["Requires-Python"],
        dependencies="\n".join(f"    {json.dumps(item)}," for item in needed),
        extras="\n".join(f"{name} = {json.dumps(items)}" for name, items in extras.items()),
    )


def _commands(course: Course) -> str:
    first = course.exercises[0].id
    if re.fullmatch(r"01_\w+", first):
        first = "1"  # its number is enough
    lines = [(f"python -m grader{what.format(first=first)}", why) for what, why in _COMMANDS]
    width = max(len(what) for what, _ in lines)
    return "\n".join(f"    {what:<{width}}   # {why}" for what, why in lines)


def _minimum() -> str:
    try:
        return metadata(PACKAGE)["Requires-Python"].removeprefix(">=")
    except PackageNotFoundError:
        return "3.11"


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
