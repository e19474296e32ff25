"""A dataclass that is compared by identity; the operators are functions, attached afterwards."""

from dataclasses import dataclass, field
from operator import add, mul


@dataclass(eq=False)
class Value:
    data: float
    grad: float = field(default=0.0)
    parents: tuple = field(default=(), repr=False)
    op: str = field(default="", repr=False)


def operation(sign, compute):
    def apply(left, right):
        operands = tuple(x if isinstance(x, Value) else Value(x) for x in (left, right))
        return Value(compute(*(x.data for x in operands)), 0.0, operands, sign)

    return apply


plus, times = operation("+", add), operation("*", mul)
Value.__add__, Value.__radd__ = plus, lambda self, other: plus(other, self)
Value.__mul__, Value.__rmul__ = times, lambda self, other: times(other, self)
