"""The function is called but backward is not, so all gradients are still 0 when they are compared.
Call .backward() on what f gives back.
"""

import math


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        return result(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return result(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, n):
        return result(self.data**n, (self, n * self.data ** (n - 1)))

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -as_value(other)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, number):
        return as_value(number) + self

    def __rmul__(self, number):
        return as_value(number) * self

    def __rsub__(self, number):
        return as_value(number) - self

    def __rtruediv__(self, number):
        return as_value(number) / self

    def tanh(self):
        t = math.tanh(self.data)
        return result(t, (self, 1 - t * t))

    def exp(self):
        e = math.exp(self.data)
        return result(e, (self, e))

    def log(self):
        return result(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return result(math.sin(self.data), (self, math.cos(self.data)))

    def relu(self):
        return result(max(0.0, self.data), (self, 1.0 if self.data > 0 else 0.0))

    def backward(self):
        order, visited, stack = [], set(), [(self, False)]
        while stack:
            node, parents_are_listed = stack.pop()
            if parents_are_listed:
                order.append(node)
            elif node not in visited:
                visited.add(node)
                stack.append((node, True))
                stack.extend((parent, False) for parent in node.parents)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


def result(data, *slopes):
    out = Value(data, [parent for parent, _ in slopes])

    def step():
        for parent, slope in slopes:
            parent.grad += slope * out.grad

    out._backward = step
    return out


def value_of(f, inputs):
    return f(*[Value(x) for x in inputs]).data


def numeric_gradients(f, inputs):
    gradients = []
    for i, x in enumerate(inputs):
        h = 1e-5 * abs(x) if x else 1e-5
        above = [*inputs[:i], x + h, *inputs[i + 1 :]]
        below = [*inputs[:i], x - h, *inputs[i + 1 :]]
        gradients.append((value_of(f, above) - value_of(f, below)) / (2 * h))
    return gradients


def gradcheck(f, inputs):
    leaves = [Value(x) for x in inputs]
    f(*leaves)
    for leaf, n in zip(leaves, numeric_gradients(f, inputs), strict=True):
        g = leaf.grad
        if not math.isfinite(g):
            return False
        if abs(g - n) > 1e-4 * max(abs(g), abs(n)) + 1e-9:
            return False
    return True
