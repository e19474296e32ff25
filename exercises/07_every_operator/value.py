"""Exercise 07: every operator.

README.md beside this file is the lesson. Fill in the TODOs, one operator after the other, and run

    python -m grader -e 07_every_operator

as often as you like: each operator has checks of its own.

Given, finished: Value with `+`, `*`, `**` and tanh, backward and zero_grad (exercises 02 to 06).
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
    op         the sign or name of the operation that made it: "+", "relu"; "" for a leaf
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
        """`self ** exponent`; the exponent is a plain int or float, not a Value."""
        out = Value(self.data**exponent, (self,), "**")

        def step():
            slope = exponent * self.data ** (exponent - 1)
            self.grad += slope * out.grad

        out._backward = step
        return out

    def tanh(self):
        """The hyperbolic tangent."""
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def step():
            slope = 1.0 - t**2
            self.grad += slope * out.grad

        out._backward = step
        return out

    def __neg__(self):
        """`-self`: a new Value; `self` keeps its sign.

        Forward    data is -self.data
        Slope      d(-x)/dx = -1

        You may store a step, as `__mul__` does, or say it with an operation that exists: then its
        step does the work.

        x = Value(3.0)
        y = -x              y.data == -3.0      after backward(y):  x.grad == -1.0
        """
        raise NotImplementedError("TODO: __neg__ gives a new Value with the opposite sign")

    def __sub__(self, other):
        """`self - other`; `other` is a Value or a number.

        Forward    data is self.data - other.data
        Slopes     d(a - b)/da = 1        d(a - b)/db = -1

        a, b = Value(5.0), Value(2.0)
        y = a - b           y.data == 3.0       after backward(y):  a.grad == 1.0   b.grad == -1.0
        """
        raise NotImplementedError("TODO: __sub__ takes other from self")

    def __rsub__(self, other):
        """`other - self`, where `other` is a number: Python comes here for `10 - x`.

        Python tries `(10).__sub__(x)` first. An int knows nothing of Values, so Python turns
        to the right operand and calls `x.__rsub__(10)`: `self` stands on the right of the minus.

        x = Value(3.0)
        y = 10 - x          y.data == 7.0       after backward(y):  x.grad == -1.0
        """
        raise NotImplementedError("TODO: __rsub__ takes self from other")

    def __truediv__(self, other):
        """`self / other`; `other` is a Value or a number.

        Forward    data is self.data / other.data
        Slopes     d(a/b)/da = 1/b        d(a/b)/db = -a / b**2

        a, b = Value(6.0), Value(2.0)
        y = a / b           y.data == 3.0       after backward(y):  a.grad == 0.5   b.grad == -1.5
        """
        raise NotImplementedError("TODO: __truediv__ divides self by other")

    def __rtruediv__(self, other):
        """`other / self`, where `other` is a number: Python comes here for `10 / x`.

        x = Value(4.0)
        y = 10 / x          y.data == 2.5       after backward(y):  x.grad == -0.625
        """
        raise NotImplementedError("TODO: __rtruediv__ divides other by self")

    def relu(self):
        """The rectified linear unit: positive numbers pass, negative ones become 0.

        Forward    data is self.data if it is positive, else 0.0
        Slope      1 if self.data is positive, else 0   (at 0 itself either will do)

        The input decides, not the gradient that arrives: a negative gradient passes, too.

        x = Value(3.0)      x.relu().data == 3.0
        x = Value(-3.0)     x.relu().data == 0.0
        """
        raise NotImplementedError("TODO: relu lets positive numbers through")

    def exp(self):
        """e to the power of this Value. `math.exp` gives the number.

        Forward    r = e**x at x = self.data
        Slope      dr/dx = r: the result is its own slope

        x = Value(1.0)
        r = x.exp()         r.data == 2.718281828459045     after backward(r):  x.grad is the same
        """
        raise NotImplementedError("TODO: exp raises e to this Value")

    def log(self):
        """The natural logarithm of this Value, which is positive. `math.log` gives the number.

        Forward    data is log(x) at x = self.data
        Slope      d(log x)/dx = 1/x: the input, not the result, goes below the line

        x = Value(4.0)
        y = x.log()         y.data == 1.3862943611198906    after backward(y):  x.grad == 0.25
        """
        raise NotImplementedError("TODO: log takes the natural logarithm")

    def sin(self):
        """The sine of this Value, an angle in radians. `math.sin` and `math.cos` give the numbers.

        Forward    data is sin(x) at x = self.data
        Slope      d(sin x)/dx = cos x, at the input

        x = Value(0.0)
        y = x.sin()         y.data == 0.0       after backward(y):  x.grad == 1.0
        """
        raise NotImplementedError("TODO: sin takes the sine")

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
