"""Nothing is pushed: each node lists its users, and a gradient is what its users pull through."""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.links = ()
        self.users = []

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
        below, todo = set(), [self]
        while todo:
            v = todo.pop()
            if id(v) not in below:
                below.add(id(v))
                todo += [p for p, _ in v.links]
                v.known = None
        nodes = [self]
        self.known = 1.0

        def pull(v):
            if v.known is None:
                v.known = sum(pull(u) * slope for u, slope in v.users if id(u) in below)
            return v.known

        seen = set()
        while nodes:
            v = nodes.pop()
            if id(v) not in seen:
                seen.add(id(v))
                v.grad += pull(v)
                nodes += [p for p, _ in v.links]


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    for p, slope in links:
        p.users.append((out, slope))
    return out
