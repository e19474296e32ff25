"""Values are immutable named tuples; gradients live in one table beside them."""
import math
from collections import defaultdict
from typing import NamedTuple

GRADS = defaultdict(float)


class Value(NamedTuple):
    data: float
    edges: tuple = ()

    @property
    def grad(self):
        return GRADS[id(self)]

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __add__(self, o):
        o = as_value(o)
        return keep(Value(self.data + o.data, ((self, 1.0), (o, 1.0))))

    def __mul__(self, o):
        o = as_value(o)
        return keep(Value(self.data * o.data, ((self, o.data), (o, self.data))))

    def __pow__(self, n):
        return keep(Value(self.data**n, ((self, n * self.data ** (n - 1)),)))

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + as_value(o) * -1

    def __truediv__(self, o):
        return self * as_value(o) ** -1

    def __radd__(self, o):
        return as_value(o) + self

    def __rmul__(self, o):
        return as_value(o) * self

    def __rsub__(self, o):
        return as_value(o) - self

    def __rtruediv__(self, o):
        return as_value(o) / self

    def tanh(self):
        return unary(self, math.tanh, lambda x, y: 1 - y * y)

    def relu(self):
        return unary(self, lambda x: x if x > 0 else 0.0, lambda x, y: 1.0 if x > 0 else 0.0)

    def exp(self):
        return unary(self, math.exp, lambda x, y: y)

    def log(self):
        return unary(self, math.log, lambda x, y: 1 / x)

    def sin(self):
        return unary(self, math.sin, lambda x, y: math.cos(x))


ALIVE = []  # a table by id needs its keys to stay alive


def keep(v):
    ALIVE.append(v)
    return v


def as_value(x):
    return x if isinstance(x, Value) else keep(Value(x))


def unary(v, f, slope):
    y = f(v.data)
    return keep(Value(y, ((v, slope(v.data, y)),)))


def backward(root):
    order, seen = [], set()

    def visit(v):
        if id(v) not in seen:
            seen.add(id(v))
            for p, _ in v.edges:
                visit(p)
            order.append(v)

    visit(root)
    flowing = defaultdict(float, {id(root): 1.0})
    for v in reversed(order):
        for p, slope in v.edges:
            flowing[id(p)] += slope * flowing[id(v)]
    for v in order:
        GRADS[id(v)] += flowing[id(v)]
