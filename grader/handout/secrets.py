"""What may not stand in a handout: the ways to solve an exercise, and what hidden checks ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import Course, Exercise
from grader.handout import code
from grader.handout.given import FUNCTIONS, Given, functions
from grader.pairs import definitions, is_open

SHORTEST_LINE = 24  # characters without blanks; what is shorter says nothing by itself
SHORTEST_BODY = 24
LONG_BODY = 60
SHORTEST_TEXT = 20
FEWEST_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """One of them. `within` is the only folder where it is one; "" stands for everywhere."""

    origin: str
    within: str = ""


@dataclass
class Secrets:
    """All of a course, by what is searched for."""

    bodies: dict[str, Secret] = field(default_factory=dict)  # see code.dump
    lines: dict[str, Secret] = field(default_factory=dict)  # squeezed
    names: dict[str, Secret] = field(default_factory=dict)
    numbers: dict[float, Secret] = field(default_factory=dict)


def secrets(course: Course) -> Secrets:
    """Everything that no handout of this course may hold."""
    found = Secrets()
    stubs, public = Given(), Given()
    own = {item.id: Given() for item in course.exercises}
    for item in course.exercises:
        stub = _read(course.stub(item))
        for given in (stubs, public, own[item.id]):
            given.add(stub)
        own[item.id].add_texts(stub)  # its docstrings may say how to begin: lines, never a body
        suite = _read(course.suite(item) / "test_public.py")
        public.add(suite)
        public.add_texts(suite)
    for item in course.exercises:
        _solution(course, item, stubs, own[item.id], found)
    for item in course.exercises:
        _hidden(course, item, public, found)
        for kind in ("mistakes", "accepted"):
            for path in sorted((course.suite(item) / kind).glob("*.py")):
                _variant(course, path, public, found)
    return found


def _solution(course: Course, exercise: Exercise, stubs: Given, own: Given, found: Secrets) -> None:
    """What is open in the stub, as the solution has it."""
    source, stub = _read(course.solution(exercise)), _read(course.stub(exercise))
    tree, before = code.parse(source), code.parse(stub)
    if tree is None or before is None:
        return
    origin = _name(course, course.solution(exercise))
    wanted = {name for name, node in definitions(before) if is_open(node)}
    for name, node in definitions(tree):
        if name not in wanted or not isinstance(node, FUNCTIONS):
            continue
        for item in ast.walk(node):
            if isinstance(item, FUNCTIONS) and _length(item) >= SHORTEST_BODY:
                dumped = code.dump(code.without_docstring(item.body))
                secret = _secret(dumped, f"the body of {name} in {origin}", exercise, own.bodies)
                _put(found.bodies, dumped, secret, dumped in stubs.bodies)
        text = "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno])
        for line in _telling_lines(text):
            secret = _secret(line, f"a line of {origin}", exercise, own.lines)
            _put(found.lines, line, secret, line in stubs.lines)


def _secret(text: str, origin: str, exercise: Exercise, own: str) -> Secret | None:
    """A piece of a solution, unless the exercise's own stub gives it."""
    return None if text in own else Secret(origin, f"exercises/{exercise.id}/")


def _put(where: dict[str, Secret], text: str, secret: Secret | None, given: bool) -> None:
    """What a later exercise gives is a secret in the folder of its own exercise only."""
    if secret is None:
        return
    if not given:
        where[text] = Secret(secret.origin)
    else:
        where.setdefault(text, secret)


def _hidden(course: Course, exercise: Exercise, public: Given, found: Secrets) -> None:
    """The texts, names and telling numbers of the hidden checks."""
    path = course.suite(exercise) / "test_hidden.py"
    source = _read(path)
    tree = code.parse(source)
    if tree is None:
        return
    origin = _name(course, path)
    docstrings, texts, numbers = code.constants(tree)
    lines = [code.squeezed(line) for text in [*docstrings, *texts] for line in text.splitlines()]
    lines = [line for line in lines if len(line) >= SHORTEST_TEXT]
    remarks = [code.squeezed(item) for item in code.comments(source)]
    lines += [line for line in remarks if len(line) >= SHORTEST_LINE and line.strip("-─=")]
    spoken = (line for line in _telling_lines(source) if '"' in line or any(map(str.isdigit, line)))
    for line in [*lines, *spoken]:
        if line not in public.lines:
            found.lines.setdefault(line, Secret(f"a line of {origin}"))
    for name in functions(tree) - public.names:
        if name.startswith("test_"):
            found.names[name] = Secret(f"the name of a check of {origin}")
    own = Given()
    own.add_texts(_read(course.suite(exercise) / "test_public.py"))
    asked = {abs(item) for item in numbers}.union(*map(code.numbers_in, texts))
    for number in asked - own.numbers:
        if code.digits(number) >= FEWEST_DIGITS and not _is_power_of_two(number):
            found.numbers.setdefault(number, Secret(f"a number of {origin}"))


def _variant(course: Course, path: Path, given: Given, found: Secrets) -> None:
    """The code of a mistake or an accepted variant: whole bodies, because a lesson may well show
    the one line that people get wrong. A mistake's docstring is given: it is the hint."""
    tree = code.parse(_read(path))
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, FUNCTIONS):
            body = code.dump(code.without_docstring(node.body))
            if _length(node) >= LONG_BODY and body not in given.bodies:
                origin = f"the body of {node.name} in {_name(course, path)}"
                found.bodies.setdefault(body, Secret(origin))


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = code.without_docstring(node.body)
    return len(code.squeezed(ast.unparse(ast.Module(body, []))))


def _telling_lines(source: str) -> Iterator[str]:
    for line in code.logical_lines(source):
        if len(line) >= SHORTEST_LINE and not line.startswith(("import", "from", "def", "@pytest")):
            yield line


def _is_power_of_two(number: float) -> bool:
    """Those stand in every program: 1024."""
    return number.is_integer() and number > 0 and int(number).bit_count() == 1


def _name(course: Course, path: Path) -> str:
    return path.relative_to(course.root).as_posix()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
