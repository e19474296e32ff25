"""Straight-line programs: what a check builds, written down once and run against anything.

A suite author writes `a = x*x; y = (a + 3)**2 / x.tanh()` (or `tanh(x)`). Parsing turns that into a
flat list of steps over numbered registers: the leaves come first, then one register for each
operation. The same steps run against the submission's objects, against reference numbers, or
against anything else that has the operators. Operators, operand order and the type of each number
stay as written, since `2 - x`, `x - 2` and `2.0 - x` reach three different corners of an engine.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Number = int | float
Visit = Callable[[int, Any], Any]

FUNCTIONS = ("tanh", "relu", "exp", "log", "sin")

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}

_APPLY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "**=": operator.ipow,
}


class ProgramError(ValueError):
    """A suite author's program that can't be read; says which part and what is allowed."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A register: the number of a leaf or of an earlier step."""

    index: int


Operand = Ref | int | float


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: `op` is an operator, `neg`, or the name of a function."""

    op: str
    operands: tuple[Operand, ...]
    text: str  # the expression as the author wrote it, for messages


@dataclass(frozen=True, slots=True)
class Program:
    """Leaves with their numbers, then steps; the last assigned name is the output."""

    leaves: tuple[tuple[str, Number], ...]
    steps: tuple[Step, ...]
    statements: tuple[str, ...]
    names: tuple[tuple[str, int], ...]  # every name and the register that it ends up with
    output: str  # the last assigned name

    @property
    def root(self) -> int:
        """The register of the output."""
        return dict(self.names)[self.output]

    def register(self, name: str) -> int:
        """The register that `name` ends up with; KeyError if there is no such name."""
        return dict(self.names)[name]

    def run(self, leaves: Sequence[Any], visit: Visit = lambda index, value: value) -> list[Any]:
        """Run every step, starting from objects for the leaves; returns all registers.

        `visit(register, value)` sees each value as it appears (leaves included) and may replace it.
        """
        registers = [visit(index, leaf) for index, leaf in enumerate(leaves)]
        for step in self.steps:
            operands = [registers[o.index] if isinstance(o, Ref) else o for o in step.operands]
            registers.append(visit(len(registers), _apply(step.op, operands)))
        return registers

    def with_leaves(self, **numbers: Number) -> Program:
        """The same steps at other numbers."""
        unknown = numbers.keys() - {name for name, _ in self.leaves}
        if unknown:
            raise ProgramError(f"no such leaf: {', '.join(sorted(unknown))}")
        leaves = tuple((name, numbers.get(name, old)) for name, old in self.leaves)
        return Program(leaves, self.steps, self.statements, self.names, self.output)

    def __str__(self) -> str:
        """On one line, as a student could type it: `x = 2;  a = x*x;  y = a + x`."""
        return ";  ".join([f"{n} = {number!r}" for n, number in self.leaves] + [*self.statements])

    def __repr__(self) -> str:
        return f"Program({str(self)!r})"


def parse(text: str, leaves: Mapping[str, Number]) -> Program:
    """Read assignments separated by `;` or new lines. Only ever given a suite author's own text."""
    try:
        tree = ast.parse("\n".join(line.strip() for line in text.strip().splitlines()))
    except SyntaxError as error:
        raise ProgramError(f"program {text!r} is not Python: {error.msg}") from None
    return _Reader(leaves).read(tree)


def _apply(op: str, operands: Sequence[Any]) -> Any:
    if op == "neg":
        return -operands[0]
    if op in _APPLY:
        return _APPLY[op](operands[0], operands[1])
    return getattr(operands[0], op)()


class _Reader:
    """Walks the syntax tree once, giving each operation the next register."""

    def __init__(self, leaves: Mapping[str, Number]) -> None:
        for name, number in leaves.items():
            if type(number) not in (int, float):
                raise ProgramError(f"leaf {name} needs a number, not {number!r}")
        self.leaves = tuple(leaves.items())
        self.names: dict[str, Operand] = {name: Ref(i) for i, name in enumerate(leaves)}
        self.steps: list[Step] = []

    def read(self, tree: ast.Module) -> Program:
        output = ""
        for statement in tree.body:
            output = self._statement(statement)
        names = {name: o.index for name, o in self.names.items() if isinstance(o, Ref)}
        if output not in names:
            raise ProgramError("a program ends with an assignment of something computed")
        return Program(
            self.leaves,
            tuple(self.steps),
            tuple(_tidy(s) for s in tree.body),
            tuple(names.items()),
            output,
        )

    def _statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.names[name] = self._expression(value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                # Python looks up the target before it evaluates the right-hand side
                old = self._expression(ast.Name(id=name))
                self.names[name] = self._add(
                    _symbol(op) + "=", (old, self._expression(value)), node
                )
            case _:
                raise ProgramError(f"only assignments to one name, not {ast.unparse(node)!r}")
        return name

    def _expression(self, node: ast.expr) -> Operand:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return number
            case ast.Name(id=name):
                if name not in self.names:
                    raise ProgramError(f"name {name!r} is not a leaf and not assigned before")
                return self.names[name]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                operand = self._expression(inner)
                return self._add("neg", (operand,), node) if isinstance(operand, Ref) else -operand
            case ast.BinOp(left=left, op=op, right=right):
                return self._add(
                    _symbol(op), (self._expression(left), self._expression(right)), node
                )
            case ast.Call(func=ast.Name(id=function), args=[inner], keywords=[]):
                return self._function(function, inner, node)
            case ast.Call(func=ast.Attribute(value=inner, attr=function), args=[], keywords=[]):
                return self._function(function, inner, node)
        raise ProgramError(f"can't use {ast.unparse(node)!r} in a program")

    def _function(self, function: str, inner: ast.expr, node: ast.expr) -> Operand:
        operand = self._expression(inner)
        if function not in FUNCTIONS or not isinstance(operand, Ref):
            raise ProgramError(f"{ast.unparse(node)!r}: one of {', '.join(FUNCTIONS)} of a Value")
        return self._add(function, (operand,), node)

    def _add(self, op: str, operands: tuple[Operand, ...], node: ast.AST) -> Operand:
        if not any(isinstance(o, Ref) for o in operands):  # numbers only: 1/3 is a number
            number = _apply(op.removesuffix("=") if op != "neg" else op, operands)
            if type(number) not in (int, float):
                raise ProgramError(f"{ast.unparse(node)!r} is not a real number")
            return number  # type: ignore[no-any-return]
        self.steps.append(Step(op, operands, _tidy(node)))
        return Ref(len(self.leaves) + len(self.steps) - 1)


def _symbol(op: ast.operator) -> str:
    symbol = _BINARY.get(type(op))
    if symbol is None:
        raise ProgramError(f"operator {type(op).__name__} is not one of + - * / **")
    return symbol


def _tidy(node: ast.AST) -> str:
    """Source text with the products drawn together: `a*b + c`, `x**-2`."""
    text = ast.unparse(node)
    for symbol in (" ** ", " * ", " / "):
        text = text.replace(symbol, symbol.strip())
    return re.sub(r"\*\*\((-[\d.]+)\)", r"**\1", text)
