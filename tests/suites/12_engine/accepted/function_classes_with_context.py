"""Functions are classes with forward and backward and a context; leaves alone keep a gradient,
None before.
"""

import math
from itertools import count

_ids = count()


class Ctx:
    def save(self, *v): self.saved = v


class History:
    def __init__(self, fn=None, ctx=None, inputs=()): self.fn, self.ctx, self.inputs = fn, ctx, inputs


class Value:
    def __init__(self, data, history=None):
        self.unique_id, self.data, self.derivative, self.history = next(_ids), float(data), None, history or History()

    grad = property(lambda s: s.derivative)

    def is_leaf(self): return self.history.fn is None
    def accumulate_derivative(self, x): self.derivative = x if self.derivative is None else self.derivative + x

    def chain_rule(self, d):
        h = self.history
        gs = h.fn.backward(h.ctx, d)
        return list(zip(h.inputs, gs if isinstance(gs, tuple) else (gs,)))

    def __add__(self, o): return apply(AddF, self, o)
    def __mul__(self, o): return apply(MulF, self, o)
    def __pow__(self, n): return apply(type('PowF', (), dict(forward=staticmethod(lambda c, a: (c.save(a), a ** n)[1]), backward=staticmethod(lambda c, d: d * n * c.saved[0] ** (n - 1)))), self)
    def tanh(self): return apply(TanhF, self)
    def relu(self): return apply(ReluF, self)
    def exp(self): return apply(ExpF, self)
    def log(self): return apply(LogF, self)
    def sin(self): return apply(SinF, self)

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def backward(self, d_output=1.0): backpropagate(self, d_output)


def apply(fn, *xs):
    xs = [x if isinstance(x, Value) else Value(x) for x in xs]
    ctx = Ctx()
    return Value(fn.forward(ctx, *[x.data for x in xs]), History(fn, ctx, xs))


class AddF:
    forward = staticmethod(lambda c, a, b: a + b)
    backward = staticmethod(lambda c, d: (d, d))


class MulF:
    forward = staticmethod(lambda c, a, b: (c.save(a, b), a * b)[1])
    backward = staticmethod(lambda c, d: (d * c.saved[1], d * c.saved[0]))


class TanhF:
    forward = staticmethod(lambda c, a: (c.save(math.tanh(a)), math.tanh(a))[1])
    backward = staticmethod(lambda c, d: d * (1 - c.saved[0] ** 2))


class ReluF:
    forward = staticmethod(lambda c, a: (c.save(a), max(a, 0.0))[1])
    backward = staticmethod(lambda c, d: d if c.saved[0] > 0 else 0.0)


class ExpF:
    forward = staticmethod(lambda c, a: (c.save(math.exp(a)), math.exp(a))[1])
    backward = staticmethod(lambda c, d: d * c.saved[0])


class LogF:
    forward = staticmethod(lambda c, a: (c.save(a), math.log(a))[1])
    backward = staticmethod(lambda c, d: d / c.saved[0])


class SinF:
    forward = staticmethod(lambda c, a: (c.save(a), math.sin(a))[1])
    backward = staticmethod(lambda c, d: d * math.cos(c.saved[0]))


def topological_sort(v):
    out, seen = [], set()

    def go(n):
        if n.unique_id in seen: return
        seen.add(n.unique_id)
        for p in n.history.inputs: go(p)
        out.insert(0, n)
    go(v)
    return out


def backpropagate(v, d):
    table = {v.unique_id: d}
    for n in topological_sort(v):
        g = table[n.unique_id]
        if n.is_leaf(): n.accumulate_derivative(g)
        else:
            for p, pg in n.chain_rule(g): table[p.unique_id] = table.get(p.unique_id, 0.0) + pg
