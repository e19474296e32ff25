"""A share is passed down at once, together with everything that came before: the total so far. Pass on only what has
just arrived, or wait until everything has (that is what the order is for).
"""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self.slopes = ()

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")
        out.slopes = (1.0, 1.0)
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")
        out.slopes = (other.data, self.data)
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def backward(self):
        backward(self)


def backward(node, arriving=1.0):
    node.grad += arriving
    for parent, slope in zip(node.parents, node.slopes):
        backward(parent, slope * node.grad)
