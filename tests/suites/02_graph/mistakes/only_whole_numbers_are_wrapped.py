"""as_value wraps whole numbers only, so 0.5 stays a plain number without data. Ask whether x is a
Value, and wrap everything else.
"""

def as_value(x):
    return Value(x) if isinstance(x, int) else x


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
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
