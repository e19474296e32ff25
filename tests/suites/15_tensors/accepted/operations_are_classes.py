"""Operations are classes with forward and backward; einsum, np.add.reduce, explicit loops."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def unbroadcast(grad: ArrayLike, shape: tuple[int, ...]) -> Array:
    grad = np.asarray(grad, dtype=float)
    padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, (g, s) in enumerate(zip(grad.shape, padded)) if s == 1 and g != 1)
    return np.add.reduce(grad, axis=axes, keepdims=True).reshape(shape) if axes else grad.reshape(shape)


class Op:
    def __init__(self, *inputs: Tensor, **options) -> None:
        self.inputs, self.options = inputs, options

    def __call__(self) -> Tensor:
        out = Tensor(self.forward(*(i.data for i in self.inputs), **self.options))
        out.op = self
        return out


class Add(Op):
    def forward(self, a, b):
        return np.add(a, b)

    def backward(self, g):
        return [unbroadcast(g, i.data.shape) for i in self.inputs]


class Mul(Op):
    def forward(self, a, b):
        return np.multiply(a, b)

    def backward(self, g):
        a, b = (i.data for i in self.inputs)
        return [unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)]


class MatMul(Op):
    def forward(self, a, b):
        return np.einsum("ik,km->im", a, b)

    def backward(self, g):
        a, b = (i.data for i in self.inputs)
        return [np.einsum("im,km->ik", g, b), np.einsum("ik,im->km", a, g)]


class Sum(Op):
    def forward(self, a, axis, keepdims):
        return np.sum(a, axis=axis, keepdims=keepdims)

    def backward(self, g):
        (x,) = self.inputs
        axis = self.options["axis"]
        if axis is None:
            return [np.full(x.data.shape, np.asarray(g).reshape(()))]
        kept = list(x.data.shape)
        kept[axis] = 1
        return [np.ones_like(x.data) * np.reshape(g, kept)]


class Reshape(Op):
    def forward(self, a, shape):
        return a.reshape(shape)

    def backward(self, g):
        return [g.reshape(self.inputs[0].data.shape)]


class Relu(Op):
    def forward(self, a):
        return np.where(a > 0, a, 0.0)

    def backward(self, g):
        return [np.where(self.inputs[0].data > 0, g, 0.0)]


class Take(Op):
    def forward(self, a, key):
        return a[key]

    def backward(self, g):
        (x,) = self.inputs
        places = np.arange(x.data.size).reshape(x.data.shape)[self.options["key"]]
        flat = np.bincount(np.ravel(places), weights=np.ravel(g), minlength=x.data.size)
        return [flat.reshape(x.data.shape)]


class Tensor:
    __array_priority__ = 100

    def __init__(self, data):
        self.data = np.array(data, dtype=np.float64)
        self.grad = np.zeros(self.data.shape)
        self.op = None

    def __add__(self, o): return Add(self, as_tensor(o))()
    def __radd__(self, o): return Add(as_tensor(o), self)()
    def __mul__(self, o): return Mul(self, as_tensor(o))()
    def __rmul__(self, o): return Mul(as_tensor(o), self)()
    def __matmul__(self, o): return MatMul(self, as_tensor(o))()
    def __neg__(self): return self * -1.0
    def __sub__(self, o): return self + as_tensor(o) * -1.0
    def __rsub__(self, o): return as_tensor(o) + self * -1.0
    def sum(self, axis=None, keepdims=False): return Sum(self, axis=axis, keepdims=keepdims)()
    def mean(self): return self.sum() * (1 / self.data.size)
    def reshape(self, *shape): return Reshape(self, shape=shape)()
    def relu(self): return Relu(self)()
    def __getitem__(self, key): return Take(self, key=key)()

    def backward(self):
        order, seen = [], set()

        def visit(t):
            if t in seen:
                return
            seen.add(t)
            for i in t.op.inputs if t.op else ():
                visit(i)
            order.append(t)

        visit(self)
        self.grad = np.ones(self.data.shape)
        for t in reversed(order):
            if t.op:
                for i, g in zip(t.op.inputs, t.op.backward(t.grad)):
                    i.grad = i.grad + g


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)
