"""Inner gradients are reset when backward begins; leaves pile up."""

import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self._prev = data, 0.0, tuple(parents)
        self._backward = None

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data + o.data, (self, o))

        def f():
            self.grad += r.grad
            o.grad += r.grad
        r._backward = f
        return r

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data * o.data, (self, o))

        def f():
            self.grad += r.grad * o.data
            o.grad += r.grad * self.data
        r._backward = f
        return r

    def _one(self, y, d):
        r = Value(y, (self,))

        def f(): self.grad += r.grad * d()
        r._backward = f
        return r

    def __pow__(self, n): return self._one(self.data ** n, lambda: n * self.data ** (n - 1))
    def tanh(self): t = math.tanh(self.data); return self._one(t, lambda: 1 - t * t)
    def relu(self): return self._one(max(self.data, 0.0), lambda: 1.0 if self.data > 0 else 0.0)
    def exp(self): e = math.exp(self.data); return self._one(e, lambda: e)
    def log(self): return self._one(math.log(self.data), lambda: 1 / self.data)
    def sin(self): return self._one(math.sin(self.data), lambda: math.cos(self.data))

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def backward(self):
        order, seen = [], set()

        def go(v):
            if id(v) not in seen:
                seen.add(id(v))
                for p in v._prev: go(p)
                order.append(v)
        go(self)
        for v in order:
            if v._prev: v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            if v._backward: v._backward()
