"""The gradients are 0 when the update reads them, so the weights never move. Either the reset comes
between backward and the update: reset at the beginning of the step. Or the error was made from numbers
(w.data), and backward finds no way to the weights.
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
        node._backward()


def zero_grad(root):
    for node in topological_order(root):
        node.grad = 0.0


def training_step(w, b, x, target, rate):
    error = w * x + b + -target
    loss = error * error
    backward(loss)
    zero_grad(w)
    zero_grad(b)
    w.data -= rate * w.grad
    b.data -= rate * b.grad
    return loss.data
