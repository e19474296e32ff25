"""Every number is a numpy float64, and so is every gradient."""

import numpy as np


class Value:
    def __init__(self, data, children=(), rule=lambda g: ()):
        self.data = np.float64(data)
        self.grad = np.float64(0.0)
        self._children = children
        self._rule = rule

    def __repr__(self):
        return f"Value({self.data:.4f})"

    @staticmethod
    def of(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.of(other)
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        other = Value.of(other)
        return Value(
            self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data)
        )

    def __pow__(self, n):
        slope = n * np.power(self.data, float(n - 1))
        return Value(np.power(self.data, float(n)), (self,), lambda g: (g * slope,))

    def _unary(self, data, slope):
        return Value(data, (self,), lambda g: (g * slope,))

    def tanh(self):
        t = np.tanh(self.data)
        return self._unary(t, 1 - np.square(t))

    def relu(self):
        return self._unary(np.maximum(self.data, 0), np.heaviside(self.data, 0.0))

    def exp(self):
        e = np.exp(self.data)
        return self._unary(e, e)

    def log(self):
        return self._unary(np.log(self.data), np.reciprocal(self.data))

    def sin(self):
        return self._unary(np.sin(self.data), np.cos(self.data))

    def __neg__(self):
        return self._unary(np.negative(self.data), -1)

    def __sub__(self, other):
        return self + -Value.of(other)

    def __truediv__(self, other):
        return self * Value.of(other) ** -1

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return Value.of(other) - self

    def __rtruediv__(self, other):
        return Value.of(other) / self

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = np.ones_like(self.data)
        while order:
            node = order.pop()
            for child, share in zip(node._children, node._rule(node.grad), strict=True):
                child.grad = child.grad + share
