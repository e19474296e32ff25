"""The operators come from a base class; Value supplies one way to apply a function with its
slopes. Also takes a Value as exponent and a number raised to a Value.
"""

import math
from abc import ABC, abstractmethod


class Arithmetic(ABC):
    @abstractmethod
    def apply(self, function, slopes, *others): ...

    def __add__(self, o): return self.apply(lambda a, b: a + b, lambda a, b: (1.0, 1.0), o)
    def __sub__(self, o): return self.apply(lambda a, b: a - b, lambda a, b: (1.0, -1.0), o)
    def __mul__(self, o): return self.apply(lambda a, b: a * b, lambda a, b: (b, a), o)
    def __truediv__(self, o): return self.apply(lambda a, b: a / b, lambda a, b: (1 / b, -a / b**2), o)
    def __radd__(self, o): return type(self)(o) + self
    def __rsub__(self, o): return type(self)(o) - self
    def __rmul__(self, o): return type(self)(o) * self
    def __rtruediv__(self, o): return type(self)(o) / self
    def __neg__(self): return 0 - self

    def __pow__(self, n):
        if isinstance(n, Arithmetic):
            return (self.log() * n).exp()
        return self.apply(lambda a: a**n, lambda a: (n * a ** (n - 1),))

    def __rpow__(self, base): return (self * math.log(base)).exp()
    def tanh(self): return self.apply(math.tanh, lambda a: ((1 - math.tanh(a)) * (1 + math.tanh(a)),))
    def relu(self): return self.apply(lambda a: (a + abs(a)) / 2, lambda a: (0.0 if a < 0 else 1.0,))
    def exp(self): return self.apply(math.exp, lambda a: (math.exp(a),))
    def log(self): return self.apply(math.log, lambda a: (1 / a,))
    def sin(self): return self.apply(math.sin, lambda a: (math.cos(a),))


class Value(Arithmetic):
    def __init__(self, data):
        self.data, self.grad, self._rule, self._inputs = float(data), 0.0, None, ()

    def apply(self, function, slopes, *others):
        inputs = (self, *[o if isinstance(o, Value) else Value(o) for o in others])
        out = Value(function(*[v.data for v in inputs]))
        out._rule, out._inputs = slopes, inputs
        return out

    def backward(self, gradient=1.0):
        users = {}
        stack = [self]
        while stack:
            v = stack.pop()
            for p in v._inputs:
                if p not in users:
                    users[p] = 0
                    stack.append(p)
                users[p] += 1
        self.grad = gradient
        ready = [self]
        while ready:
            v = ready.pop()
            slopes = v._rule(*[p.data for p in v._inputs]) if v._rule else ()
            for p, slope in zip(v._inputs, slopes):
                p.grad += slope * v.grad
                users[p] -= 1
                if not users[p]:
                    ready.append(p)
