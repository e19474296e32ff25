"""a / b is computed as b / a: the power -1 belongs to the operand on the right of the bar, other.
"""

import math


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

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
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def step():
            slope = 1.0 - t**2
            self.grad += slope * out.grad

        out._backward = step
        return out

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -as_value(other)

    def __rsub__(self, other):
        return as_value(other) - self

    def __truediv__(self, other):
        return as_value(other) * self**-1

    def __rtruediv__(self, other):
        return as_value(other) / self

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def step():
            slope = 1.0 if self.data > 0 else 0.0
            self.grad += slope * out.grad

        out._backward = step
        return out

    def exp(self):
        r = math.exp(self.data)
        out = Value(r, (self,), "exp")

        def step():
            slope = r
            self.grad += slope * out.grad

        out._backward = step
        return out

    def log(self):
        out = Value(math.log(self.data), (self,), "log")

        def step():
            slope = 1.0 / self.data
            self.grad += slope * out.grad

        out._backward = step
        return out

    def sin(self):
        out = Value(math.sin(self.data), (self,), "sin")

        def step():
            slope = math.cos(self.data)
            self.grad += slope * out.grad

        out._backward = step
        return out

    def backward(self):
        backward(self)

    def zero_grad(self):
        zero_grad(self)


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


def zero_grad(root):
    for node in topological_order(root):
        node.grad = 0.0
