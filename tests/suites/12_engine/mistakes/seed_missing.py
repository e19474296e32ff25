"""Nothing starts: dy/dy = 1 has to be put into the output before the first step (into self, not
into a variable of some other cell), otherwise every step passes on 0.
"""

import math


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self._parents = tuple(parents)
        self._op = op
        self._backward = lambda: None

    @staticmethod
    def _lift(x):
        return x if isinstance(x, Value) else Value(x)

    def __repr__(self):
        return f"Value({self.data!r}, grad={self.grad!r})"

    def __add__(self, other):
        other = Value._lift(other)
        res = Value(self.data + other.data, (self, other), "+")

        def step():
            self.grad += res.grad
            other.grad += res.grad
        res._backward = step
        return res

    def __mul__(self, other):
        other = Value._lift(other)
        res = Value(self.data * other.data, (self, other), "*")

        def step():
            self.grad += res.grad * other.data
            other.grad += res.grad * self.data
        res._backward = step
        return res

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("exponent has to be a plain number")
        res = Value(self.data ** k, (self,), f"**{k}")

        def step():
            self.grad += res.grad * k * self.data ** (k - 1)
        res._backward = step
        return res

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-Value._lift(other))

    def __truediv__(self, other):
        return self * Value._lift(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value._lift(other) - self

    def __rtruediv__(self, other):
        return Value._lift(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        res = Value(t, (self,), "tanh")

        def step():
            self.grad += res.grad * (1 - t * t)
        res._backward = step
        return res

    def relu(self):
        res = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def step():
            self.grad += res.grad * (1.0 if self.data > 0 else 0.0)
        res._backward = step
        return res

    def exp(self):
        res = Value(math.exp(self.data), (self,), "exp")

        def step():
            self.grad += res.grad * res.data
        res._backward = step
        return res

    def log(self):
        res = Value(math.log(self.data), (self,), "log")

        def step():
            self.grad += res.grad / self.data
        res._backward = step
        return res

    def sin(self):
        res = Value(math.sin(self.data), (self,), "sin")

        def step():
            self.grad += res.grad * math.cos(self.data)
        res._backward = step
        return res

    def zero_grad(self):
        for node in self._order():
            node.grad = 0.0

    def _order(self):
        """Parents first, self last; each node once, by identity; no recursion."""
        done, out, todo = set(), [], [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                out.append(node)
            elif id(node) not in done:
                done.add(id(node))
                todo.append((node, True))
                todo.extend((p, False) for p in node._parents)
        return out

    def backward(self):
        order = self._order()
        for node in reversed(order):
            node._backward()
