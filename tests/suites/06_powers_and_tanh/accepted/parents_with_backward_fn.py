"""parents with backward_fn, a function backward and no method; tanh from exp, safe on both sides.
"""

import math


class Value:
    def __init__(self, data, parents=(), backward_fn=None):
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.backward_fn = backward_fn

    def __add__(self, other):
        other = lift(other)
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        other = lift(other)
        return Value(
            self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data)
        )

    def __radd__(self, other):
        return lift(other) + self

    def __rmul__(self, other):
        return lift(other) * self

    def __pow__(self, n):
        return Value(self.data**n, (self,), lambda g: (g * n * self.data ** (n - 1),))

    def tanh(self):
        u = math.exp(-2 * abs(self.data))
        t = math.copysign((1 - u) / (1 + u), self.data)
        return Value(t, (self,), lambda g: (g * (1 - t) * (1 + t),))


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def topo_sort(root):
    order, seen = [], set()

    def visit(node):
        if id(node) in seen:
            return
        seen.add(id(node))
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(loss):
    loss.grad = 1.0
    for node in reversed(topo_sort(loss)):
        if node.backward_fn is not None:
            for parent, share in zip(node.parents, node.backward_fn(node.grad)):
                parent.grad += share
