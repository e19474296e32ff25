"""What students are given anyway, and what therefore is no secret."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from grader.handout import code
from grader.pairs import definitions, is_todo

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Given:
    """Of one exercise, or of several."""

    lines: str = ""
    bodies: str = ""
    names: set[str] = field(default_factory=set)
    numbers: set[float] = field(default_factory=set)

    def add(self, source: str) -> None:
        """Code that is given: all lines, and the bodies of all functions that are not TODO. (A
        TODO may begin with a given line; what stands in it is not given as a whole.)"""
        tree = code.parse(source)
        if tree is None:
            return
        self.lines += "\n".join([*code.logical_lines(source), ""])
        self.names |= functions(tree)
        for _, node in definitions(tree):
            if is_todo(node) and isinstance(node, FUNCTIONS):
                node.body = [ast.Pass()]
        self.bodies += "\n".join(code.dumps(tree))

    def add_texts(self, source: str) -> None:
        tree = code.parse(source)
        if tree is None:
            return
        docstrings, texts, numbers = code.constants(tree)
        said = [*docstrings, *texts, *code.comments(source), ""]
        self.lines += "\n".join(map(code.squeezed, said))
        self.numbers |= {abs(item) for item in numbers}
        for text in texts:
            self.numbers |= code.numbers_in(text)


def functions(tree: ast.Module) -> set[str]:
    """The names of all functions in a tree."""
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
