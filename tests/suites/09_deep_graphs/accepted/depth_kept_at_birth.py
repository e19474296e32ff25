"""A result knows its depth and its birthday when it is made: no walk for depth, a sort for order."""
import itertools

CLOCK = itertools.count()


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), rule=None):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.rule = rule
        self.born = next(CLOCK)
        self.depth = 1 + max(p.depth for p in parents) if parents else 0

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "sum")

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), "product")

    __radd__, __rmul__ = __add__, __mul__

    def _backward(self):
        if self.rule == "sum":
            for p in self.parents:
                p.grad += self.grad
        elif self.rule == "product":
            a, b = self.parents
            a.grad += b.data * self.grad
            b.grad += a.data * self.grad


def topological_order(root):
    found, todo = {root}, [root]
    while todo:
        for p in todo.pop().parents:
            if p not in found:
                found.add(p)
                todo.append(p)
    return sorted(found, key=lambda n: n.born)


def depth(root):
    return root.depth


def backward(root):
    root.grad = 1.0
    for n in topological_order(root)[::-1]:
        n._backward()
