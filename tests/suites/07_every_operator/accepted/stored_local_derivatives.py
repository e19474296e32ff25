"""Each node stores its local derivatives; numbers are no nodes at all, so an operation with a
number has one parent.
"""

import math


class Value:
    def __init__(self, data, *edges):
        self.data = data
        self.grad = 0.0
        self.edges = edges

    def _binary(self, other, data, left, right):
        if isinstance(other, Value):
            return Value(data, (self, left), (other, right))
        return Value(data, (self, left))

    @staticmethod
    def _number(x):
        return x.data if isinstance(x, Value) else x

    def __add__(self, other):
        return self._binary(other, self.data + self._number(other), 1.0, 1.0)

    def __sub__(self, other):
        return self._binary(other, self.data - self._number(other), 1.0, -1.0)

    def __mul__(self, other):
        b = self._number(other)
        return self._binary(other, self.data * b, b, self.data)

    def __truediv__(self, other):
        b = self._number(other)
        return self._binary(other, self.data / b, 1 / b, -self.data / (b * b))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, number):
        return Value(number - self.data, (self, -1.0))

    def __rtruediv__(self, number):
        return Value(number / self.data, (self, -number / self.data**2))

    def __neg__(self):
        return Value(-self.data, (self, -1.0))

    def __pow__(self, n):
        return Value(self.data**n, (self, n * self.data ** (n - 1)))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self, 1 - t * t))

    def relu(self):
        return Value(self.data, (self, 1.0)) if self.data > 0 else Value(0.0, (self, 0.0))

    def exp(self):
        return Value(math.exp(self.data), (self, math.exp(self.data)))

    def log(self):
        return Value(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return Value(math.sin(self.data), (self, math.sin(self.data + math.pi / 2)))

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent, _ in node.edges:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        while order:
            node = order.pop()
            for parent, slope in node.edges:
                parent.grad += slope * node.grad
