"""Only functions; the walk collects the nodes last-first."""


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

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self


def topological_order(root, order=None, seen=None):
    order, seen = ([], set()) if order is None else (order, seen)
    if root not in seen:
        seen.add(root)
        for parent in root.parents[::-1]:
            topological_order(parent, order, seen)
        order.insert(0, root)
    return order


def backward(root):
    root.grad = 1.0
    for node in topological_order(root):
        node._backward()
