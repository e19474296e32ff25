"""A layer owns a matrix of weights, a neuron is a layer of one, and a network is a layer and a network."""

import math
import random


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data       the number itself
    grad       how fast the final result changes when this number does; it starts at 0.0
    parents    the Values it was computed from, in a tuple; () for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents
    """

    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def __pow__(self, k):
        """`self` to the power of a plain number `k`."""
        out = Value(self.data**k, (self,))

        def step():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = step
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def step():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = step
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def backward(self):
        """Add d(self)/d(node) to the grad of every node that `self` was computed from."""
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            node._backward()


def topological_order(root):
    """Every Value that `root` was computed from, and `root`; parents first, without recursion."""
    order, visited, waiting = [], set(), [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            waiting.append((node, True))
            waiting.extend((parent, False) for parent in node.parents)
    return order


class Neuron:
    def __init__(self, n_in, squash=True):
        self.layer = Layer(n_in, 1, squash)

    def __call__(self, x):
        [out] = self.layer(x)
        return out

    def parameters(self):
        return self.layer.parameters()


class Layer:
    """The weights as a matrix, row by row."""

    def __init__(self, n_in, n_out, squash=True):
        draw = lambda: Value(2 * random.random() - 1)
        self.w = [[draw() for _ in range(n_in)] for _ in range(n_out)]
        self.b = [draw() for _ in range(n_out)]
        self.squash = squash

    def __call__(self, x):
        out = []
        for row, b in zip(self.w, self.b):
            s = 0.0
            for wi, xi in zip(row, x):
                s = wi * xi + s
            s = s + b
            out.append(s.tanh() if self.squash else s)
        return out

    def parameters(self):
        return self.b + [w for row in self.w for w in row]


class MLP:
    def __init__(self, n_in, sizes):
        self.first, self.rest = Layer(n_in, sizes[0], len(sizes) > 1), None
        if len(sizes) > 1:
            self.rest = MLP(sizes[0], sizes[1:])

    def __call__(self, x):
        y = self.first(x)
        if self.rest:
            return self.rest(y)
        return y[0] if len(y) == 1 else y

    def parameters(self):
        return self.first.parameters() + (self.rest.parameters() if self.rest else [])
