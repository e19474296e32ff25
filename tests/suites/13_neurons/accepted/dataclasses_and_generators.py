"""Dataclasses, a set and a generator of parameters, normally distributed weights, a tuple of answers."""

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


from dataclasses import dataclass, field
from itertools import chain, pairwise


@dataclass
class Neuron:
    n_in: int
    squash: bool = True
    weights: list = field(init=False)
    bias: Value = field(init=False)

    def __post_init__(self):
        self.weights = [Value(random.gauss(0, 1)) for _ in range(self.n_in)]
        self.bias = Value(random.gauss(0, 1))

    def __call__(self, x):
        z = sum((w * xi for w, xi in zip(self.weights, x)), start=self.bias)
        return z.tanh() if self.squash else z

    def parameters(self):
        return {self.bias, *self.weights}


class Layer(list):
    def __init__(self, n_in, n_out, squash=True):
        super().__init__(Neuron(n_in, squash) for _ in range(n_out))

    def __call__(self, x):
        return tuple(n(x) for n in self)

    def parameters(self):
        return list(chain.from_iterable(n.parameters() for n in self))


class MLP:
    def __init__(self, n_in, sizes):
        *hidden, last = pairwise([n_in, *sizes])
        self.layers = [Layer(a, b) for a, b in hidden] + [Layer(*last, squash=False)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        yield from chain.from_iterable(layer.parameters() for layer in self.layers)
