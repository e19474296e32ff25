"""Each node has a serial number; a heap runs the youngest first, which is a topological order."""

import heapq
import itertools
import math

serial = itertools.count()


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.links = ()
        self.born = next(serial)

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

    def backward(self):
        self.grad = 1.0
        heap, waiting = [(-self.born, self)], {self.born}
        while heap:
            _, v = heapq.heappop(heap)
            for p, slope in v.links:
                p.grad += slope * v.grad
                if p.born not in waiting:
                    waiting.add(p.born)
                    heapq.heappush(heap, (-p.born, p))


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    return out
