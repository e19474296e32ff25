"""A module that finds its parameters by looking at its attributes; drawn smaller for more inputs."""

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


import functools


class Module:
    """Finds parameters by looking at its attributes."""

    def parameters(self):
        return tuple(self._find(vars(self)))

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0

    @classmethod
    def _find(cls, thing):
        match thing:
            case Value():
                yield thing
            case dict():
                for v in thing.values():
                    yield from cls._find(v)
            case list() | tuple():
                for v in thing:
                    yield from cls._find(v)
            case Module():
                yield from cls._find(vars(thing))


class Neuron(Module):
    def __init__(self, n_in, squash=True):
        scale = n_in**-0.5
        self.theta = [Value(scale * random.uniform(-1, 1)) for _ in range(n_in + 1)]
        self.act = Value.tanh if squash else (lambda v: v)

    def __call__(self, x):
        terms = [w * xi for w, xi in zip(self.theta, [*x, 1.0])]
        return self.act(functools.reduce(lambda a, b: a + b, terms))


class Layer(Module):
    def __init__(self, n_in, n_out, squash=True):
        self.neurons = tuple(Neuron(n_in, squash=squash) for _ in range(n_out))

    def __call__(self, x):
        outs = [n(x) for n in self.neurons]
        return outs[0] if len(outs) == 1 else outs


class MLP(Module):
    def __init__(self, n_in, sizes):
        self.layers = []
        for k, size in enumerate(sizes):
            self.layers.append(Layer(n_in, size, squash=k + 1 < len(sizes)))
            n_in = size

    def __call__(self, x):
        return functools.reduce(lambda value, layer: layer(value), self.layers, x)
