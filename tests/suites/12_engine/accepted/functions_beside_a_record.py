"""A plain record; operations and backward are functions, attached as operators at the end."""

import math


class Value:
    def __init__(self, data, parents=(), backward_fn=None):
        self.data, self.grad = float(data), 0.0
        self.parents, self.backward_fn = parents, backward_fn


def lift(x): return x if isinstance(x, Value) else Value(x)


def node(y, parents, rule): return Value(y, parents, rule)


def add(a, b): a, b = lift(a), lift(b); return node(a.data + b.data, (a, b), lambda g: (g, g))
def mul(a, b): a, b = lift(a), lift(b); return node(a.data * b.data, (a, b), lambda g: (g * b.data, g * a.data))
def power(a, n): return node(a.data ** n, (a,), lambda g: (g * n * a.data ** (n - 1),))
def tanh(a): t = math.tanh(a.data); return node(t, (a,), lambda g: (g * (1 - t * t),))
def relu(a): return node(max(a.data, 0.0), (a,), lambda g: (g if a.data > 0 else 0.0,))
def exp(a): e = math.exp(a.data); return node(e, (a,), lambda g: (g * e,))
def log(a): return node(math.log(a.data), (a,), lambda g: (g / a.data,))
def sin(a): return node(math.sin(a.data), (a,), lambda g: (g * math.cos(a.data),))
def neg(a): return mul(a, -1.0)
def sub(a, b): return add(a, neg(lift(b)))
def div(a, b): return mul(a, power(lift(b), -1))


def topo_sort(root):
    out, seen = [], set()

    def go(n):
        if id(n) in seen: return
        seen.add(id(n))
        for p in n.parents: go(p)
        out.append(n)
    go(root)
    return out


def backward(loss):
    order = topo_sort(loss)
    loss.grad = 1.0
    for n in reversed(order):
        if n.backward_fn:
            for p, g in zip(n.parents, n.backward_fn(n.grad)): p.grad += g


Value.__add__ = add; Value.__radd__ = lambda a, b: add(b, a)
Value.__mul__ = mul; Value.__rmul__ = lambda a, b: mul(b, a)
Value.__sub__ = sub; Value.__rsub__ = lambda a, b: sub(b, a)
Value.__truediv__ = div; Value.__rtruediv__ = lambda a, b: div(b, a)
Value.__neg__ = neg; Value.__pow__ = power
Value.tanh, Value.relu, Value.exp, Value.log, Value.sin = tanh, relu, exp, log, sin
