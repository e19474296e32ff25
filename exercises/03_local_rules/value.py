"""Exercise 03: every operation knows its own derivative.

README.md beside this file is the lesson. Fill in the two TODOs, then run

    python -m grader -e 03_local_rules

Given, finished: everything else of exercise 02. A leaf already has a step, which does nothing.
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
        """self + other, as in exercise 02, and the step that belongs to it.

        The forward part has not changed. Start with it:

            other = as_value(other)
            out = Value(self.data + other.data, (self, other), "+")

        Then define the step, a function without arguments; store it as `out._backward` (do not
        call it); and return `out`. When it is called, much later, it hands `out.grad` on:

            d(out)/d(self) = 1      self.grad  grows by  1 * out.grad
            d(out)/d(other) = 1     other.grad grows by  1 * out.grad

        With out.grad == 10.0, both grads grow by 10.0.
        """
        raise NotImplementedError("TODO: Value.__add__ makes the sum and its step")

    def __mul__(self, other):
        """self * other, as in exercise 02, and the step that belongs to it.

        The forward part again comes first:

            other = as_value(other)
            out = Value(self.data * other.data, (self, other), "*")

        The step hands on `out.grad`, scaled by the number of the *other* operand:

            d(out)/d(self) = other.data     self.grad  grows by  other.data * out.grad
            d(out)/d(other) = self.data     other.grad grows by  self.data * out.grad

        With self.data == 2.0, other.data == 5.0 and out.grad == 10.0, self.grad grows by 50.0
        and other.grad by 20.0.
        """
        raise NotImplementedError("TODO: Value.__mul__ makes the product and its step")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
