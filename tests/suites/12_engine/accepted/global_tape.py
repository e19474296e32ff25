"""Every operation appends itself to a tape; backward runs the tape from the output down."""

import math

TAPE = []


class Value:
    def __init__(self, data): self.data, self.grad = data, 0.0

    @staticmethod
    def _v(x): return x if isinstance(x, Value) else Value(x)

    @staticmethod
    def _rec(y, pairs):
        r = Value(y)
        TAPE.append((r, pairs))
        return r

    def __add__(self, o): o = Value._v(o); return Value._rec(self.data + o.data, [(self, 1.0), (o, 1.0)])
    def __mul__(self, o): o = Value._v(o); return Value._rec(self.data * o.data, [(self, o.data), (o, self.data)])
    def __pow__(self, n): return Value._rec(self.data ** n, [(self, n * self.data ** (n - 1))])
    def tanh(self): t = math.tanh(self.data); return Value._rec(t, [(self, 1 - t * t)])
    def relu(self): return Value._rec(max(self.data, 0.0), [(self, 1.0 if self.data > 0 else 0.0)])
    def exp(self): e = math.exp(self.data); return Value._rec(e, [(self, e)])
    def log(self): return Value._rec(math.log(self.data), [(self, 1 / self.data)])
    def sin(self): return Value._rec(math.sin(self.data), [(self, math.cos(self.data))])

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def backward(self):
        live = {id(self): 1.0}
        for node, pairs in reversed(TAPE):
            g = live.get(id(node))
            if g is None: continue
            for p, d in pairs: live[id(p)] = live.get(id(p), 0.0) + g * d
        for node in {id(v): v for r, ps in TAPE for v in [r] + [p for p, _ in ps]}.values():
            if id(node) in live: node.grad += live[id(node)]
