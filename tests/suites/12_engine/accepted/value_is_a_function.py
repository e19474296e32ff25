"""Value is a function that makes nodes; the class behind it has another name."""
import math


class _Node:
    __slots__ = ("data", "grad", "_pull", "_inputs", "__weakref__")

    def __init__(self, data, inputs=(), pull=None):
        self.data = data
        self.grad = 0.0
        self._inputs = inputs
        self._pull = pull

    def __add__(self, other):
        other = Value(other)
        return _Node(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        other = Value(other)
        return _Node(
            self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data)
        )

    def __sub__(self, other):
        other = Value(other)
        return _Node(self.data - other.data, (self, other), lambda g: (g, -g))

    def __truediv__(self, other):
        other = Value(other)
        b = other.data
        return _Node(self.data / b, (self, other), lambda g: (g / b, -g * self.data / b / b))

    def __pow__(self, n):
        assert isinstance(n, (int, float)), "only numbers as exponents"
        x = self.data
        return _Node(x**n, (self,), lambda g: (g * n * x ** (n - 1),))

    def __neg__(self):
        return _Node(-self.data, (self,), lambda g: (-g,))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, number):
        return Value(number) - self

    def __rtruediv__(self, number):
        return Value(number) / self

    def __repr__(self):
        return f"<{self.data:g} ∂{self.grad:g}>"

    def tanh(self):
        t = math.tanh(self.data)
        return _Node(t, (self,), lambda g: (g - g * t * t,))

    def relu(self):
        if self.data <= 0:
            return _Node(0, (self,), lambda g: (0,))
        return _Node(self.data, (self,), lambda g: (g,))

    def exp(self):
        e = math.e**self.data
        return _Node(e, (self,), lambda g: (g * e,))

    def log(self):
        return _Node(math.log(self.data), (self,), lambda g: (g / self.data,))

    def sin(self):
        return _Node(math.sin(self.data), (self,), lambda g: (g * math.cos(self.data),))


def Value(x):
    return x if isinstance(x, _Node) else _Node(x)


def backward(loss, seed=1.0):
    users = {}
    stack, seen = [loss], {loss}
    while stack:
        node = stack.pop()
        for i in node._inputs:
            users[i] = users.get(i, 0) + 1
            if i not in seen:
                seen.add(i)
                stack.append(i)
    loss.grad += seed - loss.grad
    ready = {loss}
    while ready:
        node = ready.pop()
        if node._pull is None:
            continue
        for i, share in zip(node._inputs, node._pull(node.grad)):
            i.grad += share
            users[i] -= 1
            if not users[i]:
                ready.add(i)


if __name__ == "__main__":
    a, b = Value(2.0), Value(-3.0)
    backward((a * b + 1) / a)
    print(a.grad, b.grad)
