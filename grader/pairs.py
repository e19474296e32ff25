"""Stub and solution are one program, but for the bodies of what is TODO in the stub."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.course import Course, Exercise


def pair_difference(course: Course, exercise: Exercise) -> str | None:
    """Where stub and solution differ beyond the TODO bodies, in one line; None where nowhere."""
    stub, solution = course.stub(exercise), course.solution(exercise)
    if not solution.is_file():
        return f"has no solutions/{exercise.id}/{exercise.file}"
    try:
        left, right = (ast.parse(path.read_bytes()) for path in (stub, solution))
    except SyntaxError as error:
        return f"does not parse: {error}"
    open_names = {name for name, node in definitions(left) if is_open(node)}
    if not open_names:
        return "its stub has no TODO"
    for name, node in definitions(right):
        if is_todo(node):
            return f"{name} is still TODO in the solution"
    before, after = (_blanked(tree, open_names) for tree in (left, right))
    for one, other in zip(before, after, strict=False):
        if one != other:
            return f"differs outside the TODO bodies: {_shorten(one)} / {_shorten(other)}"
    if len(before) != len(after):
        return "stub and solution have a different number of top-level statements"
    return None


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Functions by qualified name, and assignments at the top level by their first name."""

    def walk(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.stmt]]:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield prefix + node.targets[0].id, node

    return walk(tree.body, "")


def is_open(node: ast.stmt) -> bool:
    """What a student may rewrite: a TODO, or a function decorated with @todo, which holds a bug."""
    decorators = getattr(node, "decorator_list", [])
    return is_todo(node) or any(getattr(item, "id", None) == "todo" for item in decorators)


def is_todo(node: ast.stmt) -> bool:
    """A function that raises NotImplementedError("TODO: …"), or `name = TODO`."""
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Name) and node.value.id == "TODO"
    body = getattr(node, "body", [])
    last = body[-1] if body else None
    return (
        isinstance(last, ast.Raise)
        and isinstance(last.exc, ast.Call)
        and isinstance(last.exc.func, ast.Name)
        and last.exc.func.id == "NotImplementedError"
        and bool(last.exc.args)
        and isinstance(last.exc.args[0], ast.Constant)
        and str(last.exc.args[0].value).startswith("TODO")
    )


def _blanked(tree: ast.Module, open_names: set[str]) -> list[str]:
    """The top-level statements as text, with the bodies of the open functions emptied."""
    for name, node in definitions(tree):
        if name not in open_names:
            continue
        if isinstance(node, ast.Assign):
            node.value = ast.Constant("TODO")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [ast.Pass()]
    return [ast.dump(node) for node in _without_docstring(tree.body)]


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """A module's docstring speaks to the student in one file and to the reader in the other."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return body[1:]
    return body


def _shorten(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
