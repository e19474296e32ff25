"""Exercise 13: neurons, layers and networks.

README.md beside this file is the lesson. Fill in the TODOs of Neuron, Layer and MLP, then run

    python -m grader -e 13_neurons

Given, finished: the engine of exercises 02 to 09.
"""

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
    """A weighted sum of its inputs plus a bias, squashed by tanh.

        neuron(x) = tanh(w[0]*x[0] + … + w[n_in-1]*x[n_in-1] + b)

    With `squash=False` it leaves the tanh out, and is linear.

    neuron = Neuron(2)        w = [0.5, -1.0] and b = 0.25, say
    neuron([3.0, 1.0])        Value(data=0.6351…): the sum is 1.5 - 1.0 + 0.25 = 0.75
    neuron.parameters()       the three Values w[0], w[1] and b, in any order
    """

    def __init__(self, n_in, squash=True):
        """Make the parameters, once: `n_in` weights and a bias, each a Value of its own.

        Weights start at random numbers that differ and lie on both sides of 0, the bias wherever
        you like: random.uniform(-1, 1) and 0.0 are good choices.
        """
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n_in)]
        self.b = Value(0.0)
        self.squash = squash

    def __call__(self, x):
        """The neuron's answer, a Value, to a list `x` of `n_in` numbers or Values."""
        total = self.b
        for w, xi in zip(self.w, x, strict=True):
            total = total + w * xi
        return total.tanh() if self.squash else total

    def parameters(self):
        """Everything that training may move: all weights and the bias, the Values themselves."""
        return [*self.w, self.b]


class Layer:
    """`n_out` neurons side by side: each sees all of `x`, each has weights of its own."""

    def __init__(self, n_in, n_out, squash=True):
        self.neurons = [Neuron(n_in, squash) for _ in range(n_out)]

    def __call__(self, x):
        """The answers of all neurons to `x`, a list of `n_out` Values."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """The parameters of all neurons in one flat list: Values, not lists of Values."""
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP:
    """Layers in a row: what one answers is what the next one sees.

    MLP(2, [4, 3, 1]) has 2 inputs, a layer of 4, a layer of 3, and a last layer of 1. All layers
    squash but the last, which is linear: it has to be able to answer 17.
    """

    def __init__(self, n_in, sizes):
        widths = [n_in, *sizes]
        last = len(sizes) - 1
        self.layers = [Layer(widths[i], widths[i + 1], squash=i != last) for i in range(len(sizes))]

    def __call__(self, x):
        """The answer of the last layer: a list of Values; where the last layer has one neuron,
        just that neuron's Value (a list of one is as good).
        """
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x

    def parameters(self):
        """The parameters of all layers in one flat list."""
        return [p for layer in self.layers for p in layer.parameters()]
