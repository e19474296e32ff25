"""All slopes in one triangular matrix: backward solves a system of linear equations with it."""

from __future__ import annotations

import math

import numpy as np


class Value:
    def __init__(self, data: float, slopes: list[tuple[Value, float]] | None = None) -> None:
        self.data = data
        self.grad: float = 0.0
        self.slopes = slopes or []

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other: Value | float) -> Value:
        other = lift(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other: Value | float) -> Value:
        other = lift(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def __truediv__(self, other: Value | float) -> Value:
        other = lift(other)
        q = self.data / other.data
        return Value(q, [(self, 1 / other.data), (other, -q / other.data)])

    def __sub__(self, other: Value | float) -> Value:
        other = lift(other)
        return Value(self.data - other.data, [(self, 1.0), (other, -1.0)])

    def __radd__(self, other: float) -> Value:
        return lift(other) + self

    def __rmul__(self, other: float) -> Value:
        return lift(other) * self

    def __rsub__(self, other: float) -> Value:
        return lift(other) - self

    def __rtruediv__(self, other: float) -> Value:
        return lift(other) / self

    def __neg__(self) -> Value:
        return 0 - self

    def __pow__(self, n: float) -> Value:
        return Value(self.data**n, [(self, n * self.data ** (n - 1))])

    def tanh(self) -> Value:
        return Value(math.tanh(self.data), [(self, math.cosh(self.data) ** -2)])

    def relu(self) -> Value:
        return Value(max(0, self.data), [(self, float(self.data > 0))])

    def exp(self) -> Value:
        return Value(math.exp(self.data), [(self, math.exp(self.data))])

    def log(self) -> Value:
        return Value(math.log(self.data), [(self, 1 / self.data)])

    def sin(self) -> Value:
        return Value(math.sin(self.data), [(self, math.cos(self.data))])

    def backward(self) -> None:
        place: dict[int, int] = {}
        nodes: list[Value] = []
        found = [self]
        while found:
            node = found.pop()
            if id(node) not in place:
                place[id(node)] = len(nodes)
                nodes.append(node)
                found += [parent for parent, _ in node.slopes]
        # adjoints g satisfy: g = seed + D @ g, where D[i, j] is the slope of node j by node i
        slopes = np.zeros((len(nodes), len(nodes)))
        for node in nodes:
            for parent, slope in node.slopes:
                slopes[place[id(parent)], place[id(node)]] += slope
        seed = np.zeros(len(nodes))
        seed[0] = 1.0
        adjoints = np.linalg.solve(np.eye(len(nodes)) - slopes, seed)
        for node, adjoint in zip(nodes, adjoints.tolist(), strict=True):
            node.grad += adjoint


def lift(x: Value | float) -> Value:
    return x if isinstance(x, Value) else Value(x)
