"""Numbers are of a float subclass of its own, which prints itself rounded; the grader converts
with float().
"""

import math


class Number(float):
    def __repr__(self):
        return f"{float(self):.3f}"


class Value:
    def __init__(self, data):
        self.data = Number(data)
        self.grad = Number(0)
        self.links = ()

    def __add__(self, other):
        other = lift(other)
        return node(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = lift(other)
        return node(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, n): return node(self.data ** n, (self, n * self.data ** (n - 1)))
    def tanh(self): return node(math.tanh(self.data), (self, 1 - math.tanh(self.data) ** 2))
    def relu(self): return node(max(0, self.data), (self, self.data > 0))
    def exp(self): return node(math.exp(self.data), (self, math.exp(self.data)))
    def log(self): return node(math.log(self.data), (self, 1 / self.data))
    def sin(self): return node(math.sin(self.data), (self, math.cos(self.data)))

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -lift(other)
    def __truediv__(self, other): return self * lift(other) ** -1
    def __radd__(self, other): return lift(other) + self
    def __rsub__(self, other): return lift(other) - self
    def __rmul__(self, other): return lift(other) * self
    def __rtruediv__(self, other): return lift(other) / self

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if id(v) in seen:
                return
            seen.add(id(v))
            for p, _ in v.links:
                visit(p)
            order.append(v)

        visit(self)
        self.grad = Number(1)
        for v in reversed(order):
            for p, slope in v.links:
                p.grad = Number(p.grad + slope * v.grad)


def total(values):
    """Adds up by folding."""
    result = lift(0)
    for v in values:
        result = result + v
    return result


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    return out
