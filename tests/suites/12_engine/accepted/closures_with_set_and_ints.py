"""Closures, parents in a set, gradients that start as the int 0, exponents that must be
numbers. A second backward piles up everywhere.
"""

import math


class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad = data, 0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        r = Value(self.data + other.data, (self, other), '+')

        def f():
            self.grad += r.grad
            other.grad += r.grad
        r._backward = f
        return r

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        r = Value(self.data * other.data, (self, other), '*')

        def f():
            self.grad += other.data * r.grad
            other.grad += self.data * r.grad
        r._backward = f
        return r

    def __pow__(self, n):
        assert isinstance(n, (int, float)), 'numbers only'
        r = Value(self.data ** n, (self,), '**')

        def f(): self.grad += n * self.data ** (n - 1) * r.grad
        r._backward = f
        return r

    def _unary(self, y, slope):
        r = Value(y, (self,))

        def f(): self.grad += slope * r.grad
        r._backward = f
        return r

    def tanh(self): t = math.tanh(self.data); return self._unary(t, 1 - t * t)
    def relu(self): return self._unary(0 if self.data < 0 else self.data, self.data > 0)
    def exp(self): e = math.exp(self.data); return self._unary(e, e)
    def log(self): return self._unary(math.log(self.data), 1 / self.data)
    def sin(self): return self._unary(math.sin(self.data), math.cos(self.data))

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for p in v._prev: visit(p)
                order.append(v)
        visit(self)
        self.grad = 1
        for v in reversed(order): v._backward()

    def __repr__(self): return f'Value(data={self.data}, grad={self.grad})'
