"""Nodes keep a forward step as well, and recompute after a leaf has changed."""

import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self._prev = data, 0.0, tuple(parents)
        self._backward = self._forward = lambda: None

    @staticmethod
    def _node(parents, f, dfs):
        r = Value(f(*[p.data for p in parents]), parents)

        def fwd(): r.data = f(*[p.data for p in parents])

        def bwd():
            xs = [p.data for p in parents]
            for p, df in zip(parents, dfs): p.grad += r.grad * df(*xs)
        r._forward, r._backward = fwd, bwd
        return r

    @staticmethod
    def _v(x): return x if isinstance(x, Value) else Value(x)

    def __add__(self, o): return Value._node((self, Value._v(o)), lambda a, b: a + b, (lambda a, b: 1.0, lambda a, b: 1.0))
    def __mul__(self, o): return Value._node((self, Value._v(o)), lambda a, b: a * b, (lambda a, b: b, lambda a, b: a))
    def __pow__(self, n): return Value._node((self,), lambda a: a ** n, (lambda a: n * a ** (n - 1),))
    def tanh(self): return Value._node((self,), math.tanh, (lambda a: 1 - math.tanh(a) ** 2,))
    def relu(self): return Value._node((self,), lambda a: max(a, 0.0), (lambda a: 1.0 if a > 0 else 0.0,))
    def exp(self): return Value._node((self,), math.exp, (math.exp,))
    def log(self): return Value._node((self,), math.log, (lambda a: 1 / a,))
    def sin(self): return Value._node((self,), math.sin, (math.cos,))

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def topo(self):
        out, seen = [], set()

        def go(v):
            if id(v) not in seen:
                seen.add(id(v))
                for p in v._prev: go(p)
                out.append(v)
        go(self)
        return out

    def forward(self):
        for v in self.topo(): v._forward()
        return self.data

    def backward(self, reverse_topo=None):
        order = self.topo()[::-1] if reverse_topo is None else reverse_topo
        self.grad = 1.0
        for v in order: v._backward()
