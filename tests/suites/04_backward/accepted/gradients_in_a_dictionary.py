"""backward_fn on each node; gradients travel in a dictionary and arrive at the leaves only."""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self.backward_fn = None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")
        out.backward_fn = lambda g: (g, g)
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")
        out.backward_fn = lambda g: (g * other.data, g * self.data)
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def backward(self):
        backward(self)


def topological_order(root):
    order = []
    visited = set()

    def visit(node):
        if node in visited:
            return
        visited.add(node)
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(root):
    arrived = {root: 1.0}
    for node in reversed(topological_order(root)):
        gradient = arrived[node]
        if node.backward_fn is None:
            node.grad += gradient
            continue
        for parent, share in zip(node.parents, node.backward_fn(gradient)):
            arrived[parent] = arrived.get(parent, 0.0) + share
