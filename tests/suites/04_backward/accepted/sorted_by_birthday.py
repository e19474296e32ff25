"""Every Value gets a number when it is made. Parents are older than children: sorting by it is a topological order."""


from itertools import count


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


births = count()


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self.birth = next(births)
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


def topological_order(root):
    found = [root]
    for node in found:
        found += [parent for parent in node.parents if parent not in found]
    return sorted(set(found), key=lambda node: node.birth)


def backward(root):
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()
