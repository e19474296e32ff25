"""data and grad are read-only properties over private attributes."""

import math


class Value:
    def __init__(self, data, parents=()):
        self.__data, self.__grad, self._prev = data, 0.0, tuple(parents)
        self._rule = None

    @property
    def data(self): return self.__data

    @data.setter
    def data(self, v): self.__data = v

    @property
    def grad(self): return self.__grad

    def zero_grad(self): self.__grad = 0.0
    def _take(self, g): self.__grad += g

    @staticmethod
    def _v(x): return x if isinstance(x, Value) else Value(x)

    def _new(self, y, ps, rule): r = Value(y, ps); r._rule = rule; return r
    def __add__(self, o): o = Value._v(o); return self._new(self.data + o.data, (self, o), lambda g: (g, g))
    def __mul__(self, o): o = Value._v(o); return self._new(self.data * o.data, (self, o), lambda g: (g * o.data, g * self.data))
    def __pow__(self, n): return self._new(self.data ** n, (self,), lambda g: (g * n * self.data ** (n - 1),))
    def tanh(self): t = math.tanh(self.data); return self._new(t, (self,), lambda g: (g * (1 - t * t),))
    def relu(self): return self._new(max(self.data, 0.0), (self,), lambda g: (g if self.data > 0 else 0.0,))
    def exp(self): e = math.exp(self.data); return self._new(e, (self,), lambda g: (g * e,))
    def log(self): return self._new(math.log(self.data), (self,), lambda g: (g / self.data,))
    def sin(self): return self._new(math.sin(self.data), (self,), lambda g: (g * math.cos(self.data),))

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
        self.zero_grad(); self._take(1.0)
        for v in reversed(order):
            if v._rule:
                for p, g in zip(v._prev, v._rule(v.grad)): p._take(g)
