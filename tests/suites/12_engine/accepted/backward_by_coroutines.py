"""Each node has a generator that waits for its gradient and sends it on; in-place operators are
spelled out.
"""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.links = ()

    def __add__(self, other):
        other = lift(other)
        return node(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = lift(other)
        return node(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, n): return node(self.data ** n, (self, n * self.data ** (n - 1)))
    def tanh(self): return node(math.tanh(self.data), (self, 1 - math.tanh(self.data) ** 2))
    def relu(self): return node(max(0, self.data), (self, self.data > 0))
    def exp(self): return node(math.exp(self.data), (self, math.exp(self.data)))
    def log(self): return node(math.log(self.data), (self, 1 / self.data))
    def sin(self): return node(math.sin(self.data), (self, math.cos(self.data)))

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -lift(other)
    def __truediv__(self, other): return self * lift(other) ** -1
    def __radd__(self, other): return lift(other) + self
    def __rsub__(self, other): return lift(other) - self
    def __rmul__(self, other): return lift(other) * self
    def __rtruediv__(self, other): return lift(other) / self

    __iadd__ = __add__
    def __isub__(self, other): return self - other

    def _passing_on(self):
        gradient = yield
        for p, slope in self.links:
            p.grad = p.grad + slope * gradient
        yield

    def backward(self, retain_graph=False, *, verbose=False):
        order, seen = [], set()

        def listing(v):
            seen.add(id(v))
            for p, _ in v.links:
                if id(p) not in seen:
                    listing(p)
            order.insert(0, v)

        listing(self)
        self.grad = type(self.data)(1)
        for v in order:
            step = v._passing_on()
            next(step)
            step.send(v.grad)
            if verbose:
                print(v.data, v.grad)


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    return out
