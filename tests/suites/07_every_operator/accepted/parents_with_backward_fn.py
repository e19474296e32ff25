"""parents with backward_fn, functions for every operation, the operators attached at the end; a
function backward and no method.
"""

import math


class Value:
    def __init__(self, data, parents=(), backward_fn=None):
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.backward_fn = backward_fn


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def add(a, b):
    a, b = lift(a), lift(b)
    return Value(a.data + b.data, (a, b), lambda g: (g, g))


def sub(a, b):
    a, b = lift(a), lift(b)
    return Value(a.data - b.data, (a, b), lambda g: (g, -g))


def mul(a, b):
    a, b = lift(a), lift(b)
    return Value(a.data * b.data, (a, b), lambda g: (g * b.data, g * a.data))


def div(a, b):
    a, b = lift(a), lift(b)
    q = a.data / b.data
    return Value(q, (a, b), lambda g: (g / b.data, -g * q / b.data))


def neg(a):
    return Value(-a.data, (a,), lambda g: (-g,))


def power(a, n):
    return Value(a.data**n, (a,), lambda g: (g * n * a.data ** (n - 1),))


def tanh(a):
    t = math.tanh(a.data)
    return Value(t, (a,), lambda g: (g * (1 - t * t),))


def relu(a):
    return Value(max(a.data, 0.0), (a,), lambda g: (g if a.data > 0 else 0.0,))


def exp(a):
    r = math.exp(a.data)
    return Value(r, (a,), lambda g: (g * r,))


def log(a):
    return Value(math.log(a.data), (a,), lambda g: (g / a.data,))


def sin(a):
    return Value(math.sin(a.data), (a,), lambda g: (g * math.cos(a.data),))


def swapped(function):
    return lambda a, b: function(b, a)


for name, function in {"add": add, "sub": sub, "mul": mul, "truediv": div}.items():
    setattr(Value, f"__{name}__", function)
    setattr(Value, f"__r{name}__", swapped(function))
Value.__neg__ = neg
Value.__pow__ = power
for function in (tanh, relu, exp, log, sin):
    setattr(Value, function.__name__, function)


def topo_sort(root):
    order, seen = [], set()

    def visit(node):
        if id(node) in seen:
            return
        seen.add(id(node))
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(loss):
    loss.grad = 1.0
    for node in reversed(topo_sort(loss)):
        if node.backward_fn is not None:
            for parent, share in zip(node.parents, node.backward_fn(node.grad)):
                parent.grad += share
