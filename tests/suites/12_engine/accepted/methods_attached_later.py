"""The class starts almost empty; operators are attached one by one afterwards."""

import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self._prev, self._backward = data, 0.0, tuple(parents), lambda: None


def _binary(name, f, da, db):
    def op(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(f(self.data, o.data), (self, o))

        def step():
            self.grad += r.grad * da(self.data, o.data)
            o.grad += r.grad * db(self.data, o.data)
        r._backward = step
        return r
    setattr(Value, name, op)


def _unary(name, f, d):
    def op(self, *k):
        r = Value(f(self.data, *k), (self,))

        def step(): self.grad += r.grad * d(self.data, *k)
        r._backward = step
        return r
    setattr(Value, name, op)


_binary('__add__', lambda a, b: a + b, lambda a, b: 1.0, lambda a, b: 1.0)
_binary('__sub__', lambda a, b: a - b, lambda a, b: 1.0, lambda a, b: -1.0)
_binary('__mul__', lambda a, b: a * b, lambda a, b: b, lambda a, b: a)
_binary('__truediv__', lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / b ** 2)
_unary('__pow__', lambda a, n: a ** n, lambda a, n: n * a ** (n - 1))
_unary('tanh', math.tanh, lambda a: 1 - math.tanh(a) ** 2)
_unary('relu', lambda a: max(a, 0.0), lambda a: 1.0 if a > 0 else 0.0)
_unary('exp', math.exp, math.exp)
_unary('log', math.log, lambda a: 1 / a)
_unary('sin', math.sin, math.cos)
for dunder, base in (('__radd__', '__add__'), ('__rsub__', '__sub__'), ('__rmul__', '__mul__'), ('__rtruediv__', '__truediv__')):
    setattr(Value, dunder, (lambda b: lambda self, o: getattr(Value(o), b)(self))(base))
Value.__neg__ = lambda self: self * -1.0


def backward(self):
    order, seen = [], set()

    def go(v):
        if v not in seen:
            seen.add(v)
            for p in v._prev: go(p)
            order.append(v)
    go(self)
    self.grad = 1.0
    for v in reversed(order): v._backward()


Value.backward = backward
