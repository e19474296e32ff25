"""parents with backward_fn: the slopes are computed in the backward pass; a function backward and
no method.
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

    def __pow__(self, n):
        return Value(self.data**n, (self,), lambda g: (g * n * self.data ** (n - 1),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), lambda g: (g * (1 - t * t),))

    def relu(self):
        return Value(max(self.data, 0.0), (self,), lambda g: (g * (self.data > 0),))

    def exp(self):
        r = math.exp(self.data)
        return Value(r, (self,), lambda g: (g * r,))

    def log(self):
        return Value(math.log(self.data), (self,), lambda g: (g / self.data,))

    def sin(self):
        return Value(math.sin(self.data), (self,), lambda g: (g * math.cos(self.data),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -lift(other)

    def __truediv__(self, other):
        return self * lift(other) ** -1

    def __radd__(self, other):
        return lift(other) + self

    def __rsub__(self, other):
        return lift(other) - self

    def __rmul__(self, other):
        return lift(other) * self

    def __rtruediv__(self, other):
        return lift(other) / self


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def backward(loss):
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for parent in node.parents:
                visit(parent)
            order.append(node)

    visit(loss)
    loss.grad = 1.0
    for node in reversed(order):
        if node.backward_fn is not None:
            for parent, share in zip(node.parents, node.backward_fn(node.grad)):
                parent.grad += share
