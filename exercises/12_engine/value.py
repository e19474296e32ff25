"""A whole engine from a blank page.

Write a class `Value` that computes with numbers and can say, afterwards, how its result depends on
each of them. Any design will do: a closure in each result, a rule named by its operation, or the
local slopes kept beside the parents. The grader uses only this:

    Value(number)            a leaf; .data is its number, .grad a number that starts at 0
    + - * /                  between two Values, or a Value and an int or float, on either side
    -x    x ** number        the exponent is an int or a float: 3, 0.5, -2
    x.tanh()  x.relu()  x.exp()  x.log()  x.sin()
    y.backward()             or a function backward(y): leaves dy/dx in the .grad of every leaf x

Example: with a = Value(2.0), b = Value(-3.0) and y = (a*b + 1) / a, y.backward() leaves
a.grad = -0.25 and b.grad = 1.0.

The names after `data` in `__init__`, and everything behind an underscore that you add, are yours.
If you also write a function `total(values)` that adds up a list of Values in one node, it is
checked as well.
"""

import math


class Value:
    def __init__(self, data, *history):
        """Keep the number, a gradient of 0 and, for a result, whatever backward will need."""
        raise NotImplementedError("TODO: Value(data): keep the number and a gradient of 0")

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """self + other"""
        raise NotImplementedError("TODO: self + other")

    def __radd__(self, number):
        """number + self"""
        raise NotImplementedError("TODO: number + self")

    def __neg__(self):
        """-self"""
        raise NotImplementedError("TODO: -self")

    def __sub__(self, other):
        """self - other"""
        raise NotImplementedError("TODO: self - other")

    def __rsub__(self, number):
        """number - self"""
        raise NotImplementedError("TODO: number - self")

    def __mul__(self, other):
        """self * other"""
        raise NotImplementedError("TODO: self * other")

    def __rmul__(self, number):
        """number * self"""
        raise NotImplementedError("TODO: number * self")

    def __truediv__(self, other):
        """self / other"""
        raise NotImplementedError("TODO: self / other")

    def __rtruediv__(self, number):
        """number / self"""
        raise NotImplementedError("TODO: number / self")

    def __pow__(self, n):
        """self ** n for a plain number n: the slope is n * self ** (n - 1)"""
        raise NotImplementedError("TODO: self ** n for a plain number n")

    def tanh(self):
        """The hyperbolic tangent t: the slope is 1 - t**2."""
        raise NotImplementedError("TODO: tanh()")

    def relu(self):
        """self where it is positive, else 0: the slope is 1 or 0."""
        raise NotImplementedError("TODO: relu()")

    def exp(self):
        """e to the power self, which is its own slope."""
        raise NotImplementedError("TODO: exp()")

    def log(self):
        """The natural logarithm: the slope is 1 / self."""
        raise NotImplementedError("TODO: log()")

    def sin(self):
        """The sine: the slope is the cosine."""
        raise NotImplementedError("TODO: sin()")

    def backward(self):
        """Add d(self)/d(node) to the .grad of every node that self depends on."""
        raise NotImplementedError("TODO: backward(): gradients of everything that self depends on")
