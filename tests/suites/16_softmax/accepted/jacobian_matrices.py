"""The Jacobian of each row, written out; cross-entropy from indexing and mean."""

import numpy as np


def as_tensor(x):
    """`x` itself if it is a Tensor, else a new leaf that holds the number or array `x`."""
    return x if isinstance(x, Tensor) else Tensor(x)


def unbroadcast(grad, shape):
    """Sum the array `grad` over the axes along which an operand of `shape` was broadcast."""
    new_axes = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(new_axes)))
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad


class Tensor:
    """An array that remembers how it was made.

    data       a numpy array of float64
    grad       an array of the same shape: how fast the result changes with each element of data
    parents    the Tensors it was computed from, in a tuple; () for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents
    """

    def __init__(self, data, parents=()):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self.parents = tuple(parents)
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Tensor(data={self.data.tolist()}, grad={self.grad.tolist()})"

    def log_softmax(self, axis=-1):
        z = np.moveaxis(self.data, axis, -1)
        z = z - z.max(-1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(-1, keepdims=True))
        out = Tensor(np.moveaxis(log_p, -1, axis), (self,))

        def step():
            g = np.moveaxis(out.grad, axis, -1)
            k = g.shape[-1]
            jacobian = np.eye(k) - np.exp(log_p)[..., None, :]  # [i, j]: of log p_i by z_j
            back = np.einsum("...i,...ij->...j", g, jacobian)
            self.grad = self.grad + np.moveaxis(back, -1, axis)

        out._backward = step
        return out

    def softmax(self, axis=-1):
        p = np.exp(self.log_softmax(axis).data)
        out = Tensor(p, (self,))

        def step():
            g, q = np.moveaxis(out.grad, axis, -1), np.moveaxis(p, axis, -1)
            jacobian = q[..., :, None] * (np.eye(q.shape[-1]) - q[..., None, :])
            back = np.einsum("...i,...ij->...j", g, jacobian)
            self.grad = self.grad + np.moveaxis(back, -1, axis)

        out._backward = step
        return out

    def cross_entropy(self, targets):
        log_p = self.log_softmax(axis=1)
        return -log_p[np.arange(len(targets)), list(targets)].mean()

    def mean(self):
        return self.sum() * (1 / self.data.size)

    def __getitem__(self, key):
        out = Tensor(self.data[key], (self,))

        def step():
            grad = np.zeros(self.data.shape)
            np.add.at(grad, key, out.grad)
            self.grad = self.grad + grad

        out._backward = step
        return out

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
        other = as_tensor(other)
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
        """Add d(sum of self)/d(node) to the grad of every node that `self` was computed from."""
        self.grad = np.ones_like(self.data)
        for node in reversed(topological_order(self)):
            node._backward()


def topological_order(root):
    """Every Tensor that `root` was computed from, and `root`; parents first."""
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
