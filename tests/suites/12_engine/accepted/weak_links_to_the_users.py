"""A node knows who uses it, weakly: each gradient is asked for from above, and kept by root."""
import math
import weakref


class Value:
    def __init__(self, data, parents={}):
        self.data = data
        self.grad = None
        self.parents = dict(parents)  # parent -> slope; a parent that is used twice adds up
        self.users = weakref.WeakSet()
        for p in self.parents:
            p.users.add(self)

    @staticmethod
    def make(data, *pairs):
        slopes = {}
        for p, s in pairs:
            slopes[p] = slopes.get(p, 0) + s
        return Value(data, slopes)

    def __add__(self, o):
        o = lift(o)
        return Value.make(self.data + o.data, (self, 1), (o, 1))

    def __mul__(self, o):
        o = lift(o)
        return Value.make(self.data * o.data, (self, o.data), (o, self.data))

    def __pow__(self, n):
        return Value.make(self.data**n, (self, n * self.data ** (n - 1)))

    __radd__ = lambda self, o: self + o
    __rmul__ = lambda self, o: self * o
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, o: self + lift(o) * -1
    __rsub__ = lambda self, o: lift(o) + self * -1
    __truediv__ = lambda self, o: self * lift(o) ** -1
    __rtruediv__ = lambda self, o: lift(o) * self**-1

    def tanh(self):
        t = math.tanh(self.data)
        return Value.make(t, (self, 1 - t**2))

    def relu(self):
        return Value.make(max(0.0, self.data), (self, float(self.data > 0)))

    def exp(self):
        return Value.make(math.exp(self.data), (self, math.exp(self.data)))

    def log(self):
        return Value.make(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return Value.make(math.sin(self.data), (self, math.cos(self.data)))

    def backward(self):
        below, todo = {self}, [self]
        while todo:
            for p in todo.pop().parents:
                if p not in below:
                    below.add(p)
                    todo.append(p)
        memo = {self: 1.0}

        def ask(node):
            if node not in memo:
                memo[node] = sum(
                    u.parents[node] * ask(u) for u in node.users if u in below
                )
            return memo[node]

        for node in below:
            node.grad = (node.grad or 0.0) + ask(node)


def lift(x):
    return x if isinstance(x, Value) else Value(x)
