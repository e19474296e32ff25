"""Parents and operation are written on the left operand. They belong to the result: it is the result that
was computed from something.
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
        self.parents, self.op = (self, other), "+"
        return Value(self.data + other.data)

    def __mul__(self, other):
        other = as_value(other)
        self.parents, self.op = (self, other), "*"
        return Value(self.data * other.data)

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
