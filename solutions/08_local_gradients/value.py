"""Exercise 08: local gradients, the other engine.

README.md beside this file is the lesson. Fill in the TODOs, then run

    python -m grader -e 08_local_gradients

Given, finished: what needs no new idea (exercises 02 to 07), and tanh and log as examples of how a
node is made here.
"""

import math


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers what it was made of, and how fast it follows each of its parents.

    data             the number itself
    grad             how fast the final result changes when this number does; it starts at 0.0
    parents          the Values it was computed from, in order; () for a leaf
    local_gradients  for each parent, in the same order, a plain number: the slope of this node by
                     that parent, computed in the forward pass

    Both are tuples, and the first slope belongs to the first parent. A parent that was used twice
    stands there twice: for x * x they are (x, x) and (x.data, x.data).
    """

    def __init__(self, data, parents=(), local_gradients=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.local_gradients = tuple(local_gradients)

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def tanh(self):
        """An example. The slope is a number as soon as the result is: 1 - t**2."""
        t = math.tanh(self.data)
        return Value(t, (self,), (1.0 - t**2,))

    def log(self):
        """Another. `(self,)` with its comma is a tuple of one; `(self)` would be no tuple."""
        return Value(math.log(self.data), (self,), (1.0 / self.data,))

    def __add__(self, other):
        """`self + other`: two parents, two local gradients.

        Slopes     d(a + b)/da = 1        d(a + b)/db = 1
        """
        other = as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        """`self * other`: two parents, two local gradients.

        Slopes     d(a * b)/da = b        d(a * b)/db = a

        p = Value(2.0) * Value(5.0)         p.data == 10.0      p.local_gradients == (5.0, 2.0)
        """
        other = as_value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent):
        """`self ** exponent`, where the exponent is a plain int or float: one parent.

        Slope      d(x**n)/dx = n * x**(n - 1)

        y = Value(3.0) ** 2                 y.data == 9.0       y.local_gradients == (6.0,)
        """
        slope = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, (self,), (slope,))

    def relu(self):
        """Positive numbers pass, negative ones become 0.0.

        Slope      1 where self.data is positive, else 0
        """
        if self.data > 0:
            return Value(self.data, (self,), (1.0,))
        return Value(0.0, (self,), (0.0,))

    def sin(self):
        """The sine, in radians.

        Slope      d(sin x)/dx = cos x
        """
        return Value(math.sin(self.data), (self,), (math.cos(self.data),))

    def exp(self):
        """e to the power of this Value.

        Slope      d(e**x)/dx = e**x: the result itself
        """
        r = math.exp(self.data)
        return Value(r, (self,), (r,))

    # Said with the operations above: no new node, no new slope.

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -as_value(other)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

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
    """Fill in `grad`, the derivative of `root` by it, in every Value that `root` was computed from.

    One loop for every operation. Start with root.grad = 1.0 and go through the nodes, from `root`
    down to the leaves. To each parent add

        local gradient of the node by this parent  *  the node's own grad

    x1, x2, x3 = Value(2.0), Value(3.0), Value(4.0)
    y = ((x1 + x2) * x3).sin()          y.data == 0.9129452507276277
    backward(y)         x1.grad and x2.grad == 1.6323282472535678      x3.grad == 2.0404103090669596
    """
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        for parent, slope in zip(node.parents, node.local_gradients, strict=True):
            parent.grad += slope * node.grad


def zero_grad(root):
    """Set `grad` to 0.0 in every node that `root` was computed from, and in `root`."""
    for node in topological_order(root):
        node.grad = 0.0
