"""Forward along every path: each share is passed down as it is, without an order. Slow, and right."""


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
        out.slopes = (1, 1)
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


def backward(root, share=1.0):
    root.grad += share
    for parent, slope in zip(root.parents, root.slopes):
        backward(parent, slope * share)
