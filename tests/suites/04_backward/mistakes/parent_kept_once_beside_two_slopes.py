"""Each parent is kept once, but there are two local derivatives, and zip stops at the shorter list. In x * x one share gets
lost (with a set of parents shares may also reach the wrong operand). Keep both operands, in their order: a tuple.
"""


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = list(dict.fromkeys(parents))
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
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        for parent, slope in zip(node.parents, node.slopes):
            parent.grad += slope * node.grad
