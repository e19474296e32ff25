"""backward and zero_grad as methods, each with a walk of its own."""


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
        self.grad = 1.0
        for node in reversed(self.history()):
            node._backward()

    def zero_grad(self):
        for node in self.history():
            node.grad = 0

    def history(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        return order


def training_step(w, b, x, target, rate):
    w.zero_grad()
    b.zero_grad()
    error = w * x + b + -target
    loss = error * error
    loss.backward()
    w.data -= rate * w.grad
    b.data -= rate * b.grad
    return loss.data
