"""The root has its 1 and every slope is right, but nothing comes down from it. Either the loop begins
below the root, or it adds to the node where it should add to the parent.
"""

import math


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), local_gradients=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.local_gradients = tuple(local_gradients)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), (1.0 - t**2,))

    def log(self):
        return Value(math.log(self.data), (self,), (1.0 / self.data,))

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent):
        slope = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (slope,))

    def relu(self):
        if self.data > 0:
            return Value(self.data, (self,), (1.0,))
        return Value(0.0, (self,), (0.0,))

    def sin(self):
        return Value(math.sin(self.data), (self,), (math.cos(self.data),))

    def exp(self):
        r = math.exp(self.data)
        return Value(r, (self,), (r,))

    # Said with the operations above: no new node, no new slope.

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -as_value(other)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def backward(self):
        backward(self)

    def zero_grad(self):
        zero_grad(self)


def topological_order(root):
    order = []
    visited = set()

    def visit(node):
        if node in visited:
            return
        visited.add(node)
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(root):
    root.grad = 1.0
    for node in reversed(topological_order(root)[:-1]):
        for parent, slope in zip(node.parents, node.local_gradients, strict=True):
            parent.grad += slope * node.grad


def zero_grad(root):
    for node in topological_order(root):
        node.grad = 0.0
