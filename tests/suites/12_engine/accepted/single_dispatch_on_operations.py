"""singledispatch decides by the operand's kind, and the rules are found by the operation's class."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import singledispatch, singledispatchmethod
from typing import Any


@dataclass(frozen=True)
class Add:
    pass


@dataclass(frozen=True)
class Mul:
    pass


@dataclass(frozen=True)
class Pow:
    n: float


@dataclass(frozen=True)
class Fn:
    name: str


@singledispatch
def rule(op: Any, out: Value, g: float) -> tuple[float, ...]:
    raise TypeError(op)


@rule.register
def _(op: Add, out, g):
    return g, g


@rule.register
def _(op: Mul, out, g):
    a, b = out.inputs
    return g * b.data, g * a.data


@rule.register
def _(op: Pow, out, g):
    (a,) = out.inputs
    return (g * op.n * a.data ** (op.n - 1),)


@rule.register
def _(op: Fn, out, g):
    (a,) = out.inputs
    match op.name:
        case "tanh":
            return (g * (1 - out.data**2),)
        case "exp":
            return (g * out.data,)
        case "log":
            return (g / a.data,)
        case "sin":
            return (g * math.cos(a.data),)
        case "relu":
            return (g if a.data > 0 else 0.0,)


@dataclass(eq=False, slots=True)
class Value:
    data: float
    op: Any = None
    inputs: list[Value] = field(default_factory=list, repr=False)
    grad: float = field(default=0.0, init=False)

    @singledispatchmethod
    def __add__(self, other) -> Value:
        return Value(self.data + other.data, Add(), [self, other])

    @__add__.register(int)
    @__add__.register(float)
    def _(self, other):
        return self + Value(other)

    @singledispatchmethod
    def __mul__(self, other) -> Value:
        return Value(self.data * other.data, Mul(), [self, other])

    @__mul__.register(int)
    @__mul__.register(float)
    def _(self, other):
        return self * Value(other)

    def __pow__(self, n: float) -> Value:
        return Value(self.data**n, Pow(n), [self])

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other) -> Value:
        return self + -other

    def __rsub__(self, other) -> Value:
        return -self + other

    def __radd__(self, other) -> Value:
        return self + other

    def __rmul__(self, other) -> Value:
        return self * other

    def __truediv__(self, other) -> Value:
        return self * other**-1 if isinstance(other, Value) else self * (1.0 / other)

    def __rtruediv__(self, other) -> Value:
        return self**-1 * other

    def _fn(self, name: str, data: float) -> Value:
        return Value(data, Fn(name), [self])

    def tanh(self) -> Value:
        return self._fn("tanh", math.tanh(self.data))

    def exp(self) -> Value:
        return self._fn("exp", math.exp(self.data))

    def log(self) -> Value:
        return self._fn("log", math.log(self.data))

    def sin(self) -> Value:
        return self._fn("sin", math.sin(self.data))

    def relu(self) -> Value:
        return self._fn("relu", max(self.data, 0))

    def backward(self) -> None:
        def below(v: Value, seen: set[int]):
            if id(v) in seen:
                return
            seen.add(id(v))
            for i in v.inputs:
                yield from below(i, seen)
            yield v

        order = [*below(self, set())]
        self.grad = 1.0
        while order:
            v = order.pop()
            if v.op is None:
                continue
            for i, share in zip(v.inputs, rule(v.op, v, v.grad), strict=True):
                i.grad += share


def test_myself() -> None:
    x = Value(3.0)
    (x * x + x).backward()
    assert x.grad == 7.0


test_myself()
print("all good")
