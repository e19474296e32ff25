"""Exercise 10: a gradient checker.

README.md beside this file is the lesson. Fill in the two TODOs at the end, then run

    python -m grader -e 10_gradient_check

Given, finished: the engine, and value_of. Nothing is wrong with it; the wrong operations that your
checker has to find are made by the grader.
"""

import math


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made: `data`, `grad`, `parents` and its step."""

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
        """Fill in `grad`, the derivative of `self` by it, in every Value it was computed from."""
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
    """The Value `data`, made from the parents in `slopes`: pairs (parent, slope by that parent)."""
    out = Value(data, [parent for parent, _ in slopes])

    def step():
        for parent, slope in slopes:
            parent.grad += slope * out.grad

    out._backward = step
    return out


def value_of(f, inputs):
    """The number f(...) at these inputs: f gets a new Value for each."""
    return f(*[Value(x) for x in inputs]).data


def numeric_gradients(f, inputs):
    """The slope of `f` by each input, in a list of floats, without any backward pass.

    f(v0, v1, ...) takes as many Values as there are inputs and gives a Value; `inputs` is a list of
    floats, which stays as it is. One input at a time is moved by a small step h to both sides:

        (f(x + h) - f(x - h)) / (2 * h)

    h is small beside x: h = 1e-5 * |x|, and 1e-5 where x is 0. A tenth of that, or ten times as
    much, will do as well.

    numeric_gradients(lambda x, y: x * x * y, [3.0, 2.0]) is close to [12.0, 9.0]
    """
    gradients = []
    for i, x in enumerate(inputs):
        h = 1e-5 * abs(x) if x else 1e-5
        above = [*inputs[:i], x + h, *inputs[i + 1 :]]
        below = [*inputs[:i], x - h, *inputs[i + 1 :]]
        gradients.append((value_of(f, above) - value_of(f, below)) / (2 * h))
    return gradients


def gradcheck(f, inputs):
    """True if backward through `f` gives the right gradient for every input, else False.

    Right is a finite number g that differs from the numeric one, n, by no more than

        1e-4 * max(|g|, |n|) + 1e-9

    The share, 1e-4, may be anything from 5e-5 to 2e-3, and the 1e-9 anything from 2e-10 to 3e-9.

    gradcheck(lambda x, y: x * y.tanh(), [3.0, 0.5]) is True
    """
    leaves = [Value(x) for x in inputs]
    f(*leaves).backward()
    for leaf, n in zip(leaves, numeric_gradients(f, inputs), strict=True):
        g = leaf.grad
        if not math.isfinite(g):
            return False
        if abs(g - n) > 1e-4 * max(abs(g), abs(n)) + 1e-9:
            return False
    return True
