"""Each operation is a subclass of Value whose rule returns a tuple."""

import math


class Value:
    def __init__(self, data, *inputs):
        self.data, self.grad, self.inputs = data, 0.0, inputs

    @staticmethod
    def wrap(x): return x if isinstance(x, Value) else Value(x)

    def _backward(self, g): return ()
    def __add__(self, o): return Add(self, Value.wrap(o))
    def __mul__(self, o): return Mul(self, Value.wrap(o))
    def __pow__(self, n): return Pow(self, n)
    def tanh(self): return Tanh(self)
    def relu(self): return Relu(self)
    def exp(self): return Exp(self)
    def log(self): return Log(self)
    def sin(self): return Sin(self)

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def backward(self):
        order, seen = [], set()

        def go(v):
            if v in seen: return
            seen.add(v)
            for i in v.inputs: go(i)
            order.append(v)
        go(self)
        self.grad = 1.0
        while order:
            v = order.pop()
            for i, g in zip(v.inputs, v._backward(v.grad)): i.grad += g


class Add(Value):
    def __init__(self, a, b): super().__init__(a.data + b.data, a, b)
    def _backward(self, g): return g, g


class Mul(Value):
    def __init__(self, a, b): super().__init__(a.data * b.data, a, b)
    def _backward(self, g): a, b = self.inputs; return g * b.data, g * a.data


class Pow(Value):
    def __init__(self, a, n): super().__init__(a.data ** n, a); self.n = n
    def _backward(self, g): return (g * self.n * self.inputs[0].data ** (self.n - 1),)


class Tanh(Value):
    def __init__(self, a): super().__init__(math.tanh(a.data), a)
    def _backward(self, g): return (g * (1 - self.data ** 2),)


class Relu(Value):
    def __init__(self, a): super().__init__(a.data if a.data > 0 else 0.0, a)
    def _backward(self, g): return (g if self.data > 0 else 0.0,)


class Exp(Value):
    def __init__(self, a): super().__init__(math.exp(a.data), a)
    def _backward(self, g): return (g * self.data,)


class Log(Value):
    def __init__(self, a): super().__init__(math.log(a.data), a)
    def _backward(self, g): return (g / self.inputs[0].data,)


class Sin(Value):
    def __init__(self, a): super().__init__(math.sin(a.data), a)
    def _backward(self, g): return (g * math.cos(self.inputs[0].data),)
