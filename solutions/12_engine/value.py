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
        self.data = data
        self.grad = 0.0
        self.history = history  # pairs: a parent, and the slope of this result by that parent

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """self + other"""
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, 1.0), (other, 1.0))

    def __radd__(self, number):
        """number + self"""
        return self + number

    def __neg__(self):
        """-self"""
        return Value(-self.data, (self, -1.0))

    def __sub__(self, other):
        """self - other"""
        return self + -other

    def __rsub__(self, number):
        """number - self"""
        return -self + number

    def __mul__(self, other):
        """self * other"""
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other.data), (other, self.data))

    def __rmul__(self, number):
        """number * self"""
        return self * number

    def __truediv__(self, other):
        """self / other"""
        return self * (other**-1 if isinstance(other, Value) else 1 / other)

    def __rtruediv__(self, number):
        """number / self"""
        return self**-1 * number

    def __pow__(self, n):
        """self ** n for a plain number n: the slope is n * self ** (n - 1)"""
        return Value(self.data**n, (self, n * self.data ** (n - 1)))

    def tanh(self):
        """The hyperbolic tangent t: the slope is 1 - t**2."""
        t = math.tanh(self.data)
        return Value(t, (self, 1 - t**2))

    def relu(self):
        """self where it is positive, else 0: the slope is 1 or 0."""
        return Value(max(self.data, 0.0), (self, 1.0 if self.data > 0 else 0.0))

    def exp(self):
        """e to the power self, which is its own slope."""
        e = math.exp(self.data)
        return Value(e, (self, e))

    def log(self):
        """The natural logarithm: the slope is 1 / self."""
        return Value(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        """The sine: the slope is the cosine."""
        return Value(math.sin(self.data), (self, math.cos(self.data)))

    def backward(self):
        """Add d(self)/d(node) to the .grad of every node that self depends on."""
        order, seen = [], set()
        todo = [(self, False)]
        while todo:  # a node is listed once all of its parents are
            node, parents_listed = todo.pop()
            if parents_listed:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                todo.append((node, True))
                todo.extend((parent, False) for parent, _ in node.history)

        self.grad = 1.0
        for node in reversed(order):  # so a node's gradient is complete before it is passed on
            for parent, slope in node.history:
                parent.grad += slope * node.grad
