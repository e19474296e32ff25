"""A Value is a float: the number itself, with a memory."""
from __future__ import annotations
import math
import itertools

_clock = itertools.count()


class Value(float):
    def __new__(cls, number, *_):
        return super().__new__(cls, number)

    def __init__(self, number, edges=()):
        self.edges = tuple(edges)
        self.grad = 0
        self.born = next(_clock)

    data = property(lambda self: float(self))

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    @classmethod
    def of(cls, x) -> Value:
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, o):
        o = Value.of(o)
        return Value(float(self) + float(o), [(self, 1), (o, 1)])

    def __mul__(self, o):
        o = Value.of(o)
        return Value(float(self) * float(o), [(self, float(o)), (o, float(self))])

    def __pow__(self, n):
        return Value(float(self) ** n, [(self, n * float(self) ** (n - 1))])

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -Value.of(o)

    def __truediv__(self, o):
        return self * Value.of(o) ** -1

    def __radd__(self, o):
        return Value.of(o) + self

    def __rmul__(self, o):
        return Value.of(o) * self

    def __rsub__(self, o):
        return Value.of(o) - self

    def __rtruediv__(self, o):
        return Value.of(o) / self

    def tanh(self):
        t = math.tanh(self)
        return Value(t, [(self, 1 - t * t)])

    def relu(self):
        return Value(max(0.0, float(self)), [(self, float(float(self) > 0))])

    def exp(self):
        e = math.exp(self)
        return Value(e, [(self, e)])

    def log(self):
        return Value(math.log(self), [(self, 1 / float(self))])

    def sin(self):
        return Value(math.sin(self), [(self, math.cos(self))])

    def backward(self):
        seen = {self}
        todo = [self]
        while todo:
            for p, _ in todo.pop().edges:
                if p not in seen:
                    seen.add(p)
                    todo.append(p)
        self.grad = 1
        for node in sorted(seen, key=lambda v: -v.born):
            for p, s in node.edges:
                p.grad += s * node.grad
