"""Exercise 04: backward is a reversed topological sort.

README.md beside this file is the lesson. Fill in the two TODOs at the end, then run

    python -m grader -e 04_backward

Given, finished: Value with `+` and `*`, and the step of each result (exercises 02 and 03).
"""


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data       the number itself
    grad       how fast the final result changes when this number does; it starts at 0.0
    parents    the Values it was computed from, in a tuple; () for a leaf
    op         the sign of the operation that made it, "+" or "*"; "" for a leaf
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

    def backward(self):
        """The method form: `loss.backward()` does what `backward(loss)` does."""
        backward(self)


def topological_order(root):
    """List every Value that `root` was computed from, and `root`: each of them once, and each
    after all of its parents. So the leaves come early and `root` comes last.

    Go depth first: to visit a node, visit its parents, and only then append the node itself.
    A node that was visited before is not visited again.

    For c = a * b and y = c + a it is [a, b, c, y] (or [b, a, c, y]).
    """
    raise NotImplementedError("TODO: topological_order lists parents before children")


def backward(root):
    """Fill in `grad`, the derivative of `root` by it, in every Value that `root` was computed from.

    d(root)/d(root) = 1, so start with root.grad = 1.0. Then call the step `node._backward()` of
    every node, from `root` down to the leaves: a node runs only after everything that uses it.

    a, b, c, d = Value(2.0), Value(3.0), Value(4.0), Value(5.0)
    backward((a * b + c) * d)     a.grad == 15.0   b.grad == 10.0   c.grad == 5.0   d.grad == 10.0
    """
    raise NotImplementedError("TODO: backward seeds the root and runs every step in reversed order")
