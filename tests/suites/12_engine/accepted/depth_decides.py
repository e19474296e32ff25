"""Each node knows its longest way to a leaf; the deepest run first."""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.links = ()
        self.depth = 0

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
        nodes, todo = {}, [self]
        while todo:
            v = todo.pop()
            if id(v) not in nodes:
                nodes[id(v)] = v
                todo += [p for p, _ in v.links]
        for v in nodes.values():
            v.grad = 0.0
        self.grad = 1.0
        for v in sorted(nodes.values(), key=lambda v: v.depth, reverse=True):
            for p, slope in v.links:
                p.grad += slope * v.grad


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    out.depth = 1 + max(p.depth for p, _ in links)
    return out
