"""All Values share one list of parents, because a default argument is made once, when the class is
defined. After the first operation every leaf seems to have parents. Let the default be the empty tuple.
"""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=[], op=""):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.op = op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, op="+")
        out.parents += [self, other]
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, op="*")
        out.parents += [self, other]
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
