"""Where the nodes of a syntax tree hang, so that one can be replaced and put back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A field of a parent, or an item of a field that is a list."""

    parent: ast.AST
    field: str
    index: int | None

    @property
    def node(self) -> ast.AST:
        value = getattr(self.parent, self.field)
        found: ast.AST = value if self.index is None else value[self.index]
        return found

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def statements(parent: ast.AST) -> Iterator[Place]:
    """The statements in the blocks of one, and in theirs; no docstrings."""
    for place in _children(parent):
        node = place.node
        if not isinstance(node, ast.stmt):
            continue
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield place
            yield from statements(node)


def inside(parent: ast.AST) -> Iterator[Place]:
    """Everything in a node but the statements of its blocks, and what an f-string shows."""
    for place in _children(parent):
        if not isinstance(place.node, (ast.stmt, ast.expr_context, ast.JoinedStr)):
            yield place
            yield from inside(place.node)


def _children(parent: ast.AST) -> Iterator[Place]:
    for field, value in ast.iter_fields(parent):
        if isinstance(value, ast.AST):
            yield Place(parent, field, None)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield Place(parent, field, index)
