"""A dataclass without ==; operators are made from a table of functions and slopes."""

import math
import operator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    data: float
    grad: float = 0.0
    parents: tuple = field(default=(), repr=False)
    slopes: tuple = field(default=(), repr=False)

    def backward(self):
        order: dict = {}

        def visit(v):
            if v not in order:
                for p in v.parents:
                    visit(p)
                order[v] = None

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            for p, slope in zip(v.parents, v.slopes):
                p.grad += slope * v.grad


BINARY = {
    "add": (operator.add, lambda a, b: (1, 1)),
    "sub": (operator.sub, lambda a, b: (1, -1)),
    "mul": (operator.mul, lambda a, b: (b, a)),
    "truediv": (operator.truediv, lambda a, b: (1 / b, -a / b / b)),
}
UNARY = {
    "tanh": (math.tanh, lambda x: 1 / math.cosh(x) ** 2),
    "relu": (lambda x: x * (x > 0), lambda x: x > 0),
    "exp": (math.exp, math.exp),
    "log": (math.log, lambda x: 1 / x),
    "sin": (math.sin, math.cos),
    "__neg__": (operator.neg, lambda x: -1),
}


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def attach_binary(name, function, slopes):
    def forward(self, other):
        a, b = lift(self), lift(other)
        return Value(function(a.data, b.data), 0.0, (a, b), slopes(a.data, b.data))

    setattr(Value, f"__{name}__", forward)
    setattr(Value, f"__r{name}__", lambda self, other: forward(other, self))


def attach_unary(name, function, slope):
    setattr(Value, name, lambda self: Value(function(self.data), 0.0, (self,), (slope(self.data),)))


for name, rule in BINARY.items():
    attach_binary(name, *rule)
for name, rule in UNARY.items():
    attach_unary(name, *rule)


def power(self, n):
    if not isinstance(n, (int, float)):
        return NotImplemented
    return Value(self.data**n, 0.0, (self,), (n * self.data ** (n - 1),))


Value.__pow__ = power
