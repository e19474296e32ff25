"""The operator changes its left operand and returns it. Then `c = a + b` overwrites a, and a graph can't
hold a node that is its own parent. Make a new Value for every result.
"""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        self.data = self.data + other.data
        self.parents, self.op = (self, other), "+"
        return self

    def __mul__(self, other):
        other = as_value(other)
        self.data = self.data * other.data
        self.parents, self.op = (self, other), "*"
        return self

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
