"""A step is an object with __call__; a subclass for results has _backward as a property."""
from dataclasses import dataclass, field


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


@dataclass(eq=False)
class Value:
    data: float
    parents: tuple = ()
    op: str = ""
    grad: float = field(default=0.0, init=False)

    @property
    def _backward(self):
        return Step(self)

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self


@dataclass
class Step:
    node: Value

    def slopes(self):
        if self.node.op == "+":
            return 1, 1
        a, b = self.node.parents
        return b.data, a.data

    def __call__(self):
        if not self.node.parents:
            return
        for parent, slope in zip(self.node.parents, self.slopes()):
            parent.grad += slope * self.node.grad
