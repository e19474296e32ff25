"""Hypothesis strategies: random programs that are fair to ask a right engine and hard for a wrong
one.

Programs are built, not filtered: each step is chosen among those whose result stays in range, and
what nothing uses yet is folded into the output, so that operands are shared and no step is idle.
Inputs are not round; relu stays away from 0, tanh from its flat ends, sin from its turning points.
A last look with the reference drops the few programs in which some gradient is small enough to hide
a mistake.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from grader.autograd.program import FUNCTIONS, Number, Operand, Program, Ref, parse
from grader.autograd.reference import KinkError, Reference

OPERATORS = ("+", "-", "*", "/", "**")
_TOKEN = re.compile(r"\*\*|[-+*/]|[a-z]+")
_INTS: tuple[Number, ...] = (2, 3, 5, -1, -3, 10)
_FLOATS: tuple[Number, ...] = (0.7, 1.6, -0.45, 2.5, -1.3)
_EXPONENTS: tuple[Number, ...] = (2, 3, -1, -2, 0.5, 1.5, -0.5, 4)
_SMALLEST, _LARGEST = 0.05, 40.0


def programs(
    ops: str = "+*",
    leaves: int = 2,
    steps: int = 5,
    *,
    numbers: bool = False,
    negative: bool = True,
) -> st.SearchStrategy[Program]:
    """Random programs with `leaves` leaves (a, b, …) and at most `steps` steps before the last
    fold.

    `ops` names what may be used: any of `+ - * / **`, `neg`, `tanh`, `relu`, `exp`, `log`, `sin`.
    `numbers` lets plain ints and floats be an operand, on either side; `**` always has a number as
    its exponent. `negative` lets leaves be negative.
    """
    tokens = _TOKEN.findall(ops)
    unknown = [t for t in tokens if t not in (*OPERATORS, "neg", *FUNCTIONS)]
    if unknown or not tokens:
        raise ValueError(f"ops {ops!r}: use + - * / ** neg {' '.join(FUNCTIONS)}")
    if not {"+", "*", "-"} & set(tokens):
        raise ValueError(f"ops {ops!r}: one of + - * is needed to join what was built")
    if not (1 <= leaves <= 8 and 1 <= steps <= 100):
        raise ValueError("1 to 8 leaves and 1 to 100 steps: graphs stay well under depth 200")
    return _programs(tuple(tokens), leaves, steps, numbers, negative)


@st.composite
def _programs(
    draw: st.DrawFn, ops: tuple[str, ...], leaves: int, steps: int, numbers: bool, negative: bool
) -> Program:
    count = draw(st.integers((steps + 1) // 2, steps))
    # One number decides the rest: examples differ in everything, and a failing one shrinks fast.
    chance = Random(draw(st.integers(0, 2**32 - 1)))  # noqa: S311 — not a secret
    choose = partial(chance.randrange, 2**20)
    builder = _Builder([_leaf(choose, negative) for _ in range(leaves)])
    for _ in range(count):
        builder.grow(ops, numbers, choose)
    for _ in range(leaves + steps):
        idle = builder.idle()
        if len(idle) == 1:
            break
        builder.join([op for op in ops if op in ("+", "*", "-")], idle[0], idle[1], choose)
    program = builder.program()
    assume(_tells_something(program))
    return program


def _leaf(choose: Callable[[], int], negative: bool) -> float:
    """0.31 to 2.56 in steps that are not round, of either sign."""
    size = round(0.3137 + 0.0113 * (choose() % 200), 4)
    return -size if negative and choose() % 2 else size


class _Builder:
    """A program under construction: statements, and the value of each register so far."""

    def __init__(self, leaves: Sequence[float]) -> None:
        self.leaves = {"abcdefgh"[i]: number for i, number in enumerate(leaves)}
        self.names = list(self.leaves)
        self.values: list[float] = list(leaves)
        self.used: set[int] = set()
        self.statements: list[str] = []

    def idle(self) -> list[int]:
        return [i for i in range(len(self.values)) if i not in self.used]

    def grow(self, ops: Sequence[str], numbers: bool, choose: Callable[[], int]) -> None:
        """Add one step: a drawn operation if it has an operand in range, else the next that has."""
        first = choose()
        for shift in range(len(ops)):
            op = ops[(first + shift) % len(ops)]
            fitting = [
                o for o in self._operands(op, numbers, choose) if self._result(op, o) is not None
            ]
            if fitting:
                self._add(op, fitting[choose() % len(fitting)])
                return

    def join(self, ops: Sequence[str], left: int, right: int, choose: Callable[[], int]) -> None:
        first = choose()
        for shift in range(len(ops)):
            op = ops[(first + shift) % len(ops)]
            if self._result(op, (Ref(left), Ref(right))) is not None:
                self._add(op, (Ref(left), Ref(right)))
                return
        assume(False)

    def program(self) -> Program:
        assume(self.statements)
        last = self.statements[-1].split(" = ", 1)[1]
        return parse("; ".join([*self.statements[:-1], f"y = {last}"]), self.leaves)

    def _operands(
        self, op: str, numbers: bool, choose: Callable[[], int]
    ) -> list[tuple[Operand, ...]]:
        refs = [Ref(i) for i in range(len(self.values))]
        if op not in OPERATORS:
            return [(r,) for r in refs]
        if op == "**":
            return [(r, k) for r in refs for k in _EXPONENTS]
        if numbers and choose() % 3 == 0:
            pool = _INTS if choose() % 2 else _FLOATS
            number = pool[choose() % len(pool)]
            return [(r, number) for r in refs] + [(number, r) for r in refs]
        one = refs[choose() % len(refs)]  # one operand is fixed, so that the work stays linear
        return [*((one, r) for r in refs), *((r, one) for r in refs)]

    def _result(self, op: str, operands: tuple[Operand, ...]) -> float | None:
        """The value of the step, or None where it would be out of range, flat, or near a kink."""
        numbers = [self.values[o.index] if isinstance(o, Ref) else o for o in operands]
        x, y = numbers[0], numbers[-1]
        if op in ("-", "/") and operands[0] == operands[1]:
            return None  # x - x and x/x have gradient 0
        match op:
            case "+":
                value = x + y
            case "-":
                value = x - y
            case "*":
                value = x * y
            case "/" if abs(y) >= 0.2:
                value = x / y
            case "**" if x > 0 or type(y) is int:
                value = math.copysign(abs(x) ** y, x if y % 2 else 1.0)
            case "neg":
                value = -x
            case "tanh" if 0.2 < abs(x) < 1.6:
                value = math.tanh(x)
            case "relu" if x > 0.1:
                value = x
            case "exp" if -2.0 < x < 3.0:
                value = math.exp(x)
            case "log" if x > 0.2:
                value = math.log(x)
            case "sin" if abs(math.cos(x)) > 0.25 and abs(x) < 10:
                value = math.sin(x)
            case _:
                return None
        return value if _SMALLEST <= abs(value) <= _LARGEST else None

    def _add(self, op: str, operands: tuple[Operand, ...]) -> None:
        value = self._result(op, operands)
        assert value is not None
        texts = [self.names[o.index] if isinstance(o, Ref) else repr(o) for o in operands]
        self.used |= {o.index for o in operands if isinstance(o, Ref)}
        name = f"v{len(self.statements) + 1}"
        self.statements.append(f"{name} = {_text(op, texts)}")
        self.names.append(name)
        self.values.append(value)


def _text(op: str, operands: list[str]) -> str:
    if op == "neg":
        return f"-{operands[0]}"
    if op in OPERATORS:
        return f"{operands[0]} {op} {operands[1]}"
    return f"{op}({operands[0]})"


def _tells_something(program: Program) -> bool:
    """No register whose gradient is so small, or so large, that a mistake could hide in it."""
    try:
        reference = Reference(program)
        slopes = [reference.slope(program.root, i) for i in range(len(reference.registers))]
    except KinkError:
        return False
    return all(0.02 <= abs(slope) <= 1e4 for slope in slopes)
