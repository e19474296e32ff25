"""No closures: the step is a method that looks at op and parents."""


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
        out = Value(self.data + other.data, (self, other), "+")
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")
        return out

    def _backward(self):
        match self.op, self.parents:
            case "+", (left, right):
                left.grad += self.grad
                right.grad += self.grad
            case "*", (left, right):
                left.grad += right.data * self.grad
                right.grad += left.data * self.grad

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
