"""A Value is a row number in a list of records; data and grad are looked up there."""

import math

ROWS = []


class Value:
    def __init__(self, data, *links):
        self.row = len(ROWS)
        ROWS.append([data, 0.0, links])

    @property
    def data(self): return ROWS[self.row][0]

    @data.setter
    def data(self, number): ROWS[self.row][0] = number

    @property
    def grad(self): return ROWS[self.row][1]

    @grad.setter
    def grad(self, number): ROWS[self.row][1] = number

    def __add__(self, other):
        other = lift(other)
        return Value(self.data + other.data, (self.row, 1.0), (other.row, 1.0))

    def __mul__(self, other):
        other = lift(other)
        return Value(self.data * other.data, (self.row, other.data), (other.row, self.data))

    def __pow__(self, n): return Value(self.data ** n, (self.row, n * self.data ** (n - 1)))
    def tanh(self): return Value(math.tanh(self.data), (self.row, 1 - math.tanh(self.data) ** 2))
    def relu(self): return Value(max(0, self.data), (self.row, self.data > 0))
    def exp(self): return Value(math.exp(self.data), (self.row, math.exp(self.data)))
    def log(self): return Value(math.log(self.data), (self.row, 1 / self.data))
    def sin(self): return Value(math.sin(self.data), (self.row, math.cos(self.data)))

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -lift(other)
    def __truediv__(self, other): return self * lift(other) ** -1
    def __radd__(self, other): return lift(other) + self
    def __rsub__(self, other): return lift(other) - self
    def __rmul__(self, other): return lift(other) * self
    def __rtruediv__(self, other): return lift(other) / self

    def backward(self):
        arrived = {self.row: 1.0}
        for row in range(self.row, -1, -1):
            if row in arrived:
                for parent, slope in ROWS[row][2]:
                    arrived[parent] = arrived.get(parent, 0.0) + slope * arrived[row]
        for row, gradient in arrived.items():
            ROWS[row][1] += gradient


def lift(x):
    return x if isinstance(x, Value) else Value(x)
