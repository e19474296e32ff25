"""A stand-in for the `submission` fixture: the same API, in this process."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ENGINE = """
import math

class Value:
    def __init__(self, data, parents=(), slopes=()):
        self.data, self.grad = data, 0.0
        self.parents, self.slopes = parents, slopes

    @staticmethod
    def lift(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.lift(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = Value.lift(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Value(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), (1 - t * t,))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self,), (e,))

    def relu(self):
        return Value(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def log(self):
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def sin(self):
        return Value(math.sin(self.data), (self,), (math.cos(self.data),))

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -Value.lift(other)
    def __truediv__(self, other): return self * Value.lift(other) ** -1
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __rsub__(self, other): return Value.lift(other) - self
    def __rtruediv__(self, other): return Value.lift(other) / self

    def backward(self):
        order, seen = [], set()
        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent in node.parents:
                    visit(parent)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for parent, slope in zip(node.parents, node.slopes):
                parent.grad += slope * node.grad
"""


class StandIn:
    """What a suite sees of a submission, without a worker."""

    def __init__(self, source: str) -> None:
        self.module = ModuleType("value")
        exec(source, self.module.__dict__)  # noqa: S102 — the tests' own text
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def invoke(self, name: str, node: Any, *arguments: Any) -> Any:
        self.asked.append(name)
        method = getattr(node, name, None)
        return method(*arguments) if method else getattr(self.module, name)(node, *arguments)


@pytest.fixture
def engine_text() -> str:
    """The source of a right engine."""
    return ENGINE


@pytest.fixture
def right() -> StandIn:
    """A right engine."""
    return StandIn(ENGINE)


@pytest.fixture
def engine() -> Any:
    """Makes engines: `engine(old, new)` is the right one with some text replaced."""

    def make(*changes: str, extra: str = "") -> StandIn:
        text = ENGINE
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in text, old
            text = text.replace(old, new)
        return StandIn(text + extra)

    return make


@pytest.fixture
def nothing() -> SimpleNamespace:
    """An object without any of the names that a Value has."""
    return SimpleNamespace()
