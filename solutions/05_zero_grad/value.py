"""Exercise 05: gradients pile up until you reset them.

README.md beside this file is the lesson. Fill in the two TODOs at the end, then run

    python -m grader -e 05_zero_grad

Given, finished: the engine of exercises 02 to 04. Its backward adds to what is there: leave it so.
"""


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


def zero_grad(root):
    """Set `grad` to 0.0 in `root` and in every Value it was computed from: the leaves, and
    the results in between. Nothing else changes: not `data`, and no Value outside this graph.

    a = Value(2.0)
    y = a * a
    backward(y)      a.grad == 4.0
    zero_grad(y)     a.grad == 0.0
    backward(y)      a.grad == 4.0, as if nothing had happened before
    """
    for node in topological_order(root):
        node.grad = 0.0


def training_step(w, b, x, target, rate):
    """Move the weights `w` and `b` one step towards w*x + b = target; return the loss before it.

    `w` and `b` are Values that live on from step to step; `x`, `target` and `rate` are numbers.

    1. reset   w.grad and b.grad to 0.0, whatever earlier steps left there
    2. forward     error = w*x + b - target      loss = error * error
    3. backward from loss
    4. update  w.data by -rate * w.grad, and b.data by -rate * b.grad (in place)
    5. return  loss.data, a plain number

    Value has no minus yet, but `target` is a number: add `-target`.

    With w = 1, b = 0, x = 2, target = 5 and rate = 0.1 the error is -3 and the loss 9.0;
    w.grad == -12.0 and b.grad == -6.0, so afterwards w.data is 2.2 and b.data is 0.6.
    """
    zero_grad(w)
    zero_grad(b)

    error = w * x + b + -target
    loss = error * error

    backward(loss)

    w.data -= rate * w.grad
    b.data -= rate * b.grad
    return loss.data
