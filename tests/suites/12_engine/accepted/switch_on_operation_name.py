"""No closures: the name of the operation is stored, one function switches on it."""

import math


class Value:
    def __init__(self, data, op=None, prev=(), extra=None):
        self.data, self.grad, self.op, self.prev, self.extra = data, 0.0, op, prev, extra

    @staticmethod
    def _v(x): return x if isinstance(x, Value) else Value(x)

    def __add__(self, o): o = Value._v(o); return Value(self.data + o.data, '+', (self, o))
    def __mul__(self, o): o = Value._v(o); return Value(self.data * o.data, '*', (self, o))
    def __pow__(self, n): return Value(self.data ** n, '**', (self,), n)
    def tanh(self): return Value(math.tanh(self.data), 'tanh', (self,))
    def relu(self): return Value(max(self.data, 0.0), 'relu', (self,))
    def exp(self): return Value(math.exp(self.data), 'exp', (self,))
    def log(self): return Value(math.log(self.data), 'log', (self,))
    def sin(self): return Value(math.sin(self.data), 'sin', (self,))

    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return (-self) + o
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * (o ** -1 if isinstance(o, Value) else 1.0 / o)
    def __rtruediv__(self, o): return (self ** -1) * o

    def _push(self):
        g = self.grad
        match self.op, self.prev:
            case '+', (a, b): a.grad += g; b.grad += g
            case '*', (a, b): a.grad += g * b.data; b.grad += g * a.data
            case '**', (a,): a.grad += g * self.extra * a.data ** (self.extra - 1)
            case 'tanh', (a,): a.grad += g * (1 - self.data ** 2)
            case 'relu', (a,): a.grad += g if a.data > 0 else 0.0
            case 'exp', (a,): a.grad += g * self.data
            case 'log', (a,): a.grad += g / a.data
            case 'sin', (a,): a.grad += g * math.cos(a.data)

    def backward(self):
        order, seen = [], set()

        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v.prev: go(p)
                order.append(v)
        go(self)
        self.grad = 1.0
        for v in order[::-1]: v._push()
