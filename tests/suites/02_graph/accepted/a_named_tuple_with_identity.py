"""typing.NamedTuple with identity."""
from typing import NamedTuple


class Value(NamedTuple):
    data: float
    parents: tuple = ()
    op: str = ""
    grad: float = 0.0

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        o = as_value(other)
        return Value(self.data + o.data, (self, o), "+")

    def __mul__(self, other):
        o = as_value(other)
        return Value(self.data * o.data, (self, o), "*")

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self


def as_value(x):
    return x if isinstance(x, Value) else Value(x)
