"""No depth-first walk: a node is ready when all of its users have run (Kahn)."""


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


def backward(root):
    users, found = {root: 0}, [root]
    for node in found:
        for parent in node.parents:
            if parent not in users:
                users[parent] = 0
                found.append(parent)
            users[parent] += 1
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        node._backward()
        for parent in node.parents:
            users[parent] -= 1
            if users[parent] == 0:
                ready.append(parent)
