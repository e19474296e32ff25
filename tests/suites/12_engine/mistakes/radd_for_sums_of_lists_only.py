"""__radd__ answers only where the number is 0, which is what sum() begins with. 2 + x has to work as well:
number + self is self + number.
"""

import math


class Value:
    def __init__(self, data, *history):
        self.data = data
        self.grad = 0.0
        self.history = history  # pairs: a parent, and the slope of this result by that parent

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, 1.0), (other, 1.0))

    def __radd__(self, number):
        return self if number == 0 else NotImplemented

    def __neg__(self):
        return Value(-self.data, (self, -1.0))

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, number):
        return -self + number

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other.data), (other, self.data))

    def __rmul__(self, number):
        return self * number

    def __truediv__(self, other):
        return self * (other**-1 if isinstance(other, Value) else 1 / other)

    def __rtruediv__(self, number):
        return self**-1 * number

    def __pow__(self, n):
        return Value(self.data**n, (self, n * self.data ** (n - 1)))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self, 1 - t**2))

    def relu(self):
        return Value(max(self.data, 0.0), (self, 1.0 if self.data > 0 else 0.0))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self, e))

    def log(self):
        return Value(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return Value(math.sin(self.data), (self, math.cos(self.data)))

    def backward(self):
        order, seen = [], set()
        todo = [(self, False)]
        while todo:  # a node is listed once all of its parents are
            node, parents_listed = todo.pop()
            if parents_listed:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                todo.append((node, True))
                todo.extend((parent, False) for parent, _ in node.history)

        self.grad = 1.0
        for node in reversed(order):  # so a node's gradient is complete before it is passed on
            for parent, slope in node.history:
                parent.grad += slope * node.grad
