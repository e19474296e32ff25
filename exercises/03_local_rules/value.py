"""Exercise 03: every operation knows its own derivative.

README.md beside this file is the lesson. Fill in the two TODOs, then run

    python -m grader -e 03_local_rules

Given, finished: everything from exercise 02, and the lines that attach each step to its result.
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
            """Hand `out.grad` on to the two operands of out = self + other.

            d(out)/d(self) = 1 and d(out)/d(other) = 1, so by the chain rule each operand
            receives out.grad * 1. Receiving means that it is added to the operand's grad.

            With out.grad == 10.0 both operands' grads grow by 10.0.
            """
            raise NotImplementedError("TODO: the step of __add__ hands out.grad to both operands")

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def step():
            """Hand `out.grad` on to the two operands of out = self * other.

            d(out)/d(self) = other.data and d(out)/d(other) = self.data: each operand receives
            out.grad times the number of the *other* one, added to its grad.

            With self.data == 2.0, other.data == 5.0 and out.grad == 10.0,
            self.grad grows by 50.0 and other.grad by 20.0.
            """
            raise NotImplementedError("TODO: the step of __mul__ hands on scaled gradients")

        out._backward = step
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
