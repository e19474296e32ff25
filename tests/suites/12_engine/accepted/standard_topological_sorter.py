"""The order comes from graphlib in the standard library."""

import graphlib
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

    def backward(self):
        graph, todo = {}, [self]
        while todo:
            v = todo.pop()
            if v not in graph:
                graph[v] = [p for p, _ in v.links]
                todo.extend(graph[v])
        order = list(graphlib.TopologicalSorter(graph).static_order())
        self.grad = 1
        for v in order[::-1]:
            for p, slope in v.links:
                p.grad += slope * v.grad


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def node(data, *links):
    out = Value(data)
    out.links = links
    return out
