"""Each node keeps pairs of parent and slope; numbers are no nodes; backward is a method that counts
users instead of sorting.
"""

import math
from collections import Counter


def number_of(x):
    return x.data if isinstance(x, Value) else x


class Value:
    def __init__(self, data, *pairs):
        self.data = data
        self.grad = 0
        self.pairs = [(parent, slope) for parent, slope in pairs if isinstance(parent, Value)]

    def __add__(self, other):
        return Value(self.data + number_of(other), (self, 1), (other, 1))

    def __sub__(self, other):
        return Value(self.data - number_of(other), (self, 1), (other, -1))

    def __rsub__(self, other):
        return Value(other - self.data, (self, -1))

    def __mul__(self, other):
        return Value(self.data * number_of(other), (self, number_of(other)), (other, self.data))

    def __truediv__(self, other):
        b = number_of(other)
        return Value(self.data / b, (self, 1 / b), (other, -self.data / b**2))

    def __rtruediv__(self, other):
        return Value(other / self.data, (self, -other / self.data**2))

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self):
        return Value(-self.data, (self, -1))

    def __pow__(self, n):
        return Value(self.data**n, (self, n * self.data ** (n - 1)))

    def tanh(self):
        return Value(math.tanh(self.data), (self, 1 - math.tanh(self.data) ** 2))

    def relu(self):
        return Value(max(self.data, 0), (self, int(self.data > 0)))

    def exp(self):
        return Value(math.exp(self.data), (self, math.exp(self.data)))

    def log(self):
        return Value(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return Value(math.sin(self.data), (self, math.cos(self.data)))

    def backward(self):
        users, seen, stack = Counter(), set(), [self]
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            for parent, _ in node.pairs:
                users[id(parent)] += 1
                stack.append(parent)
        self.grad = 1
        ready = [self]
        while ready:
            node = ready.pop()
            for parent, slope in node.pairs:
                parent.grad += slope * node.grad
                users[id(parent)] -= 1
                if users[id(parent)] == 0:
                    ready.append(parent)
