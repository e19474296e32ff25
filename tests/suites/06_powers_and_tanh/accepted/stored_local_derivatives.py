"""Each node stores its local derivatives, in slots; both slopes are known in the forward pass."""

import math


class Value:
    __slots__ = ("data", "grad", "_parents", "_slopes")

    def __init__(self, data, parents=(), slopes=()):
        self.data = data
        self.grad = 0.0
        self._parents = parents
        self._slopes = slopes

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, n):
        return Value(self.data**n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), (1 - t * t,))

    def backward(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((parent, False) for parent in node._parents)
        self.grad = 1.0
        for node in reversed(order):
            for parent, slope in zip(node._parents, node._slopes):
                parent.grad += slope * node.grad
