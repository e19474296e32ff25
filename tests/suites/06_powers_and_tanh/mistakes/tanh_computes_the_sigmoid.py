"""1 / (1 + e**-x) is the sigmoid, which goes from 0 to 1. tanh goes from -1 to 1, and is 0 at 0."""

import math


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

    def __pow__(self, exponent):
        out = Value(self.data**exponent, (self,), "**")

        def step():
            slope = exponent * self.data ** (exponent - 1)
            self.grad += slope * out.grad

        out._backward = step
        return out

    def tanh(self):
        u = math.exp(-abs(self.data))
        t = 1 / (1 + u) if self.data >= 0 else u / (1 + u)
        out = Value(t, (self,), "tanh")

        def step():
            slope = t * (1.0 - t)
            self.grad += slope * out.grad

        out._backward = step
        return out

    def backward(self):
        backward(self)


def topological_order(root):
    order = []
    visited = set()

    def visit(node):
        if node in visited:
            return
        visited.add(node)
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(root):
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()
