"""The neuron takes the number out of each input before it multiplies. The answer is right, but in a
network the gradient ends here: the layers before it learn nothing. Multiply the inputs as they come.
"""

import math
import random


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
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
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            node._backward()


def topological_order(root):
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
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n_in)]
        self.b = Value(0.0)
        self.squash = squash

    def __call__(self, x):
        total = self.b
        for w, xi in zip(self.w, x, strict=True):
            total = total + w * getattr(xi, "data", xi)
        return total.tanh() if self.squash else total

    def parameters(self):
        return [*self.w, self.b]


class Layer:
    def __init__(self, n_in, n_out, squash=True):
        self.neurons = [Neuron(n_in, squash) for _ in range(n_out)]

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP:
    def __init__(self, n_in, sizes):
        widths = [n_in, *sizes]
        last = len(sizes) - 1
        self.layers = [Layer(widths[i], widths[i + 1], squash=i != last) for i in range(len(sizes))]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]
