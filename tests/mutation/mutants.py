"""The mutants of a solution: one small change each, inside what its stub leaves open."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

from grader.pairs import definitions, is_open
from tests.mutation.operators import replacements
from tests.mutation.places import Place, inside, statements

_Change = tuple[str, str, str]  # a statement before and after, and the program with it


@dataclass(frozen=True, slots=True)
class Mutant:
    """A solution with one change."""

    name: str  # "Value.__add__: self.grad += out.grad -> self.grad = out.grad"; unique
    source: str  # the whole program


def mutants(stub: str, solution: str) -> list[Mutant]:
    """All mutants of `solution` that compile, and are not the same program as it or another."""
    open_names = {name for name, node in definitions(ast.parse(stub)) if is_open(node)}
    tree = ast.parse(solution)
    seen = {program_of(ast.unparse(tree))}  # laid out as the mutants are: classes know their line
    counts: Counter[str] = Counter()
    found: list[Mutant] = []
    for name, before, after, source in _changes(tree, open_names):
        try:
            program = program_of(source)
        except SyntaxError:
            continue
        if program in seen:
            continue
        seen.add(program)
        text = f"{name}: {before} -> {after}"
        counts[text] += 1
        found.append(Mutant(text if counts[text] == 1 else f"{text} #{counts[text]}", source))
    return found


def program_of(source: str) -> object:
    """What is executed, without line numbers and docstrings: equal for equal programs."""
    return _code(compile(source, "<mutant>", "exec", optimize=2, dont_inherit=True))


def _code(code: CodeType) -> object:
    constants = tuple(
        _code(item) if isinstance(item, CodeType) else (type(item).__name__, repr(item))
        for item in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_name, code.co_code, constants, names, code.co_exceptiontable


def _changes(tree: ast.Module, open_names: set[str]) -> Iterator[tuple[str, str, str, str]]:
    opened = [(name, node) for name, node in definitions(tree) if name in open_names]
    blanks = [node for _, node in opened if isinstance(node, ast.Assign)]
    words = sorted({word for word in map(_answer, blanks) if isinstance(word, str)})
    for name, node in opened:
        if isinstance(node, ast.FunctionDef):
            for change in _function(tree, node):
                yield name, *change
        elif isinstance(node, ast.Assign):
            for change in _blank(tree, node, words):
                yield name, *change


def _function(tree: ast.Module, function: ast.FunctionDef) -> Iterator[_Change]:
    names = frozenset(item.id for item in ast.walk(function) if isinstance(item, ast.Name))
    names |= {item.arg for item in ast.walk(function) if isinstance(item, ast.arg)}
    for place in list(statements(function)):
        statement = place.node
        before = _line(statement)
        for spot in [place, *inside(statement)]:
            node = spot.node
            for new in list(replacements(node, names)):
                if isinstance(new, ast.UnaryOp) and not _may_have_a_sign(spot):
                    continue
                spot.put(ast.copy_location(new, node))
                after = _line(new if node is statement else statement)
                source = ast.unparse(tree)
                spot.put(node)
                yield before, after, source


def _may_have_a_sign(place: Place) -> bool:
    """False for what is only on the way to something else, as in (-math).tanh or (-x.data).shape,
    and for names that need not be numbers."""
    if isinstance(place.parent, ast.Attribute) or place.field == "func":
        return False
    sums = (ast.BinOp, ast.AugAssign, ast.Return)
    return not isinstance(place.node, ast.Name) or isinstance(place.parent, sums)


def _blank(tree: ast.Module, node: ast.Assign, words: list[str]) -> Iterator[_Change]:
    """Another answer in a blank: another number, or the word of another blank."""
    old, before, value = node.value, _line(node), _answer(node)
    others: list[str | float] = [word for word in words if word != value]
    if not isinstance(value, str):
        others = [value + 1, value - 1, -value, 2 * value, value / 2, value + 0.001, 0, 1]
    for other in others:
        node.value = ast.Constant(other)
        yield before, _line(node), ast.unparse(tree)
        node.value = old


def _answer(node: ast.Assign) -> str | float:
    answer: str | float = ast.literal_eval(node.value)
    return answer


def _line(node: ast.AST) -> str:
    """The first line of a statement."""
    return ast.unparse(node).partition("\n")[0]
