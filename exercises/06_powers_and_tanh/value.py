"""Exercise 06: powers and tanh.

README.md beside this file is the lesson. Fill in the two TODOs, `__pow__` and `tanh`, then run

    python -m grader -e 06_powers_and_tanh

Given, finished: Value with `+` and `*`, backward and zero_grad (exercises 02 to 05).
"""

import math


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data       the number itself
    grad       how fast the final result changes when this number does; it starts at 0.0
    parents    the Values it was computed from, in a tuple; () for a leaf
    op         the sign or name of the operation that made it: "+", "*", "**", "tanh"; "" for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents
    """

    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def __pow__(self, exponent):
        """`self ** exponent`, where the exponent is a plain int or float: 3, -2 and 0.5 alike.

        Forward    data is self.data to the power of `exponent`
        Slope      d(x**n)/dx = n * x**(n - 1), at x = self.data
        Step       self.grad receives the slope times out.grad, on top of what is there

        The exponent is no Value: it is no parent, and it gets no gradient.

        x = Value(2.0)
        y = x**3            y.data == 8.0       after backward(y):  x.grad == 12.0
        z = x**-1           z.data == 0.5       the slope here is -1 * 2.0**-2 == -0.25
        """
        raise NotImplementedError("TODO: __pow__ raises to a number and stores the step")

    def tanh(self):
        """The hyperbolic tangent of this Value: an S-curve from -1 to 1, through 0 at 0.

        Forward    t = (e**x - e**-x) / (e**x + e**-x) at x = self.data, without overflow: at
                   x = 1000 it is 1.0 and at x = -1000 it is -1.0. `math.tanh` does that.
        Slope      dt/dx = 1 - t**2, where t is the result and not the input
        Step       self.grad receives the slope times out.grad, on top of what is there

        x = Value(0.5)
        t = x.tanh()        t.data is about 0.46212
        backward(t)         x.grad is about 0.78645, which is 1 - t.data**2
        """
        raise NotImplementedError("TODO: tanh computes the hyperbolic tangent and stores the step")

    def backward(self):
        """The method form: `loss.backward()` does what `backward(loss)` does."""
        backward(self)

    def zero_grad(self):
        """The method form: `loss.zero_grad()` does what `zero_grad(loss)` does."""
        zero_grad(self)


def topological_order(root):
    """Every Value that `root` was computed from, and `root`; parents first."""
    order = []
    visited = set()

    def visit(node):
        if node in visited:
            return
        visited.add(node)
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(root):
    """Add d(root)/d(node) to the grad of every node that `root` was computed from."""
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()


def zero_grad(root):
    """Set `grad` to 0.0 in every node that `root` was computed from, and in `root`."""
    for node in topological_order(root):
        node.grad = 0.0
