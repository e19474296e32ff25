"""functools.partial as the step; slots; ints stay ints."""
from functools import partial


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


def _noop():
    """nothing"""


def _add_step(a, b, out):
    for node in (a, b):
        node.grad = node.grad + out.grad


def _mul_step(a, b, out):
    g = out.grad
    a.grad, b.grad = (a.grad + b.data * g, b.grad + a.data * g) if a is not b else (a.grad + 2 * a.data * g,) * 2


class Value:
    __slots__ = ("data", "grad", "parents", "op", "_backward")

    def __init__(self, data, parents=(), op=""):
        self.data, self.grad, self.parents, self.op, self._backward = data, 0, parents, op, _noop

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._backward = partial(_add_step, self, other, out)
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._backward = partial(_mul_step, self, other, out)
        return out

    __radd__ = __add__

    def __rmul__(self, other):
        return as_value(other) * self
