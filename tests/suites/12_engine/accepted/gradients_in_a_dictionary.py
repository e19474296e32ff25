"""Gradients travel in a dictionary keyed by id, and are written into .grad, which was None, at
the end.
"""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = None
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


def sort(root):
    done, stack = {}, [root]
    while stack:
        v = stack[-1]
        missing = [p for p, _ in v.links if id(p) not in done]
        if missing:
            stack.extend(missing)
        else:
            done[id(stack.pop())] = v
    return list(done.values())


def backward(root):
    order = sort(root)
    table = {id(v): 0.0 for v in order}
    table[id(root)] = 1.0
    for v in reversed(order):
        for p, slope in v.links:
            table[id(p)] += slope * table[id(v)]
    for v in order:
        v.grad = table[id(v)]


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    return out
