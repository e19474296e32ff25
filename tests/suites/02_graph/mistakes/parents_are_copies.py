"""The parents are fresh Values with the same numbers. They look right when printed, but a gradient that is
put on a copy never reaches the operand. Store the operands themselves, not copies of them.
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
        return Value(self.data + other.data, (Value(self.data), Value(other.data)), "+")

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (Value(self.data), Value(other.data)), "*")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
