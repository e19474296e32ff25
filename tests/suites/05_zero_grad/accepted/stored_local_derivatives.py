"""Each node stores its local derivatives; the gradient of the step is written with a loop over the weights."""


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

    def zero_grad(self):
        zero_grad(self)


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


def zero_grad(root):
    for node in topological_order(root):
        node.grad = 0.0


def training_step(w, b, x, target, rate):
    for weight in (w, b):
        weight.grad = 0.0
    error = w * x + b + -target
    loss = error * error
    backward(loss)
    for weight in (w, b):
        weight.data = weight.data - rate * weight.grad
    return loss.data
