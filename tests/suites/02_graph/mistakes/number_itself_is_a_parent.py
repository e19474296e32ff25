"""The number was wrapped for its data, but the parent that is stored is the number as it came.
Call as_value once, at the beginning, and use what it gives back for both.
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
        return Value(self.data + as_value(other).data, (self, other), "+")

    def __mul__(self, other):
        return Value(self.data * as_value(other).data, (self, other), "*")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
