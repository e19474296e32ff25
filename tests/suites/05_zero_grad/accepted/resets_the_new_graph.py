"""Resets the graph of the new loss, which reaches the weights; and once more at the end."""


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data       the number itself
    grad       how fast the final result changes when this number does; it starts at 0.0
    parents    the Values it was computed from, in a tuple; () for a leaf
    op         the sign of the operation that made it, "+" or "*"; "" for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents
    """

    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

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
        """The method form: `loss.backward()` does what `backward(loss)` does."""
        backward(self)

    def zero_grad(self):
        """The method form: `loss.zero_grad()` does what `zero_grad(loss)` does."""
        zero_grad(self)


def topological_order(root):
    """Every Value that `root` was computed from, and `root`; parents first."""
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
    """Add d(root)/d(node) to the grad of every node that `root` was computed from."""
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()


def zero_grad(*roots):
    """Any number of roots; None is never left."""
    for root in roots:
        for node in {id(n): n for n in topological_order(root)}.values():
            node.grad = 0.0


def training_step(w, b, x, target, rate):
    loss = (w * x + b + (-target)) * (x * w + b + -1.0 * target)
    loss.zero_grad()  # reaches w and b
    loss.backward()
    before = loss.data
    update([w, b], rate)
    return before


def update(parameters, rate):
    for p in parameters:
        p.data += -rate * p.grad
    zero_grad(*parameters)
