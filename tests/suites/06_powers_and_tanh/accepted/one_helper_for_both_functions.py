"""Power and tanh share one helper that takes a number and a slope; tanh is clamped where floats
can't tell it from 1.
"""

import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, list(parents)
        self.run = None

    def _of_one(self, number, slope):
        out = Value(number, [self])

        def run():
            self.grad = self.grad + slope * out.grad

        out.run = run
        return out

    def __pow__(self, n):
        slope = 0.0 if n == 0 else n * self.data ** (n - 1)
        return self._of_one(self.data**n, slope)

    def tanh(self):
        x = self.data
        if x > 20 or x < -20:
            return self._of_one(1.0 if x > 0 else -1.0, 0.0)
        e = math.exp(2 * x)
        return self._of_one((e - 1) / (e + 1), 4 * e / (e + 1) ** 2)

    def __add__(self, other):
        if not isinstance(other, Value):
            return self._of_one(self.data + other, 1.0)
        out = Value(self.data + other.data, [self, other])

        def run():
            for operand in (self, other):
                operand.grad = operand.grad + out.grad

        out.run = run
        return out

    def __mul__(self, other):
        if not isinstance(other, Value):
            return self._of_one(self.data * other, other)
        out = Value(self.data * other.data, [self, other])

        def run():
            left, right = other.data * out.grad, self.data * out.grad
            self.grad = self.grad + left
            other.grad = other.grad + right

        out.run = run
        return out

    def __radd__(self, number):
        return self + number

    def __rmul__(self, number):
        return self * number

    def backward(self):
        order, visited = [], set()

        def visit(node):
            if id(node) not in visited:
                visited.add(id(node))
                for parent in node.parents:
                    visit(parent)
                order.insert(0, node)

        visit(self)
        self.grad = 1.0
        for node in order:
            if node.run:
                node.run()
