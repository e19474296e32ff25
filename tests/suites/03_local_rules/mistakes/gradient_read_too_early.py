"""out.grad is read when the result is made, and then it is still 0. The step has to look it up when it is
called: use out.grad inside the step. (If yours does, look whether the step is stored: out._backward = step.)
"""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        arrived = out.grad

        def step():
            self.grad += arrived
            other.grad += arrived

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        arrived = out.grad

        def step():
            self.grad += other.data * arrived
            other.grad += self.data * arrived

        out._backward = step
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self
