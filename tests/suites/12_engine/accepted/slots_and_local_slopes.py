"""__slots__, a tuple of children and a tuple of slopes computed in the forward pass."""

import math


class Value:
    __slots__ = ('data', 'grad', '_children', '_local_grads')

    def __init__(self, data, children=(), local_grads=()):
        self.data, self.grad = data, 0
        self._children, self._local_grads = children, local_grads

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data + o.data, (self, o), (1, 1))

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data * o.data, (self, o), (o.data, self.data))

    def __pow__(self, n): return Value(self.data ** n, (self,), (n * self.data ** (n - 1),))
    def tanh(self): t = math.tanh(self.data); return Value(t, (self,), (1 - t ** 2,))
    def relu(self): return Value(max(0, self.data), (self,), (float(self.data > 0),))
    def exp(self): e = math.exp(self.data); return Value(e, (self,), (e,))
    def log(self): return Value(math.log(self.data), (self,), (1 / self.data,))
    def sin(self): return Value(math.sin(self.data), (self,), (math.cos(self.data),))

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
                for c in v._children: visit(c)
                order.append(v)
        visit(self)
        self.grad = 1
        for v in reversed(order):
            for c, g in zip(v._children, v._local_grads):
                c.grad += g * v.grad
