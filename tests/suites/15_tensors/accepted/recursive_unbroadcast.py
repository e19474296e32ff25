"""unbroadcast calls itself, one axis at a time."""

import numpy as np


def as_tensor(x):
    """`x` itself if it is a Tensor, else a new leaf that holds the number or array `x`."""
    return x if isinstance(x, Tensor) else Tensor(x)


def unbroadcast(grad, shape):
    if grad.shape == tuple(shape):
        return grad
    if grad.ndim > len(shape):
        return unbroadcast(sum(grad), shape)  # python's sum goes along the first axis
    for axis in range(len(shape)):
        if shape[axis] == 1 < grad.shape[axis]:
            return unbroadcast(grad.sum(axis, keepdims=True), shape)
    raise ValueError((grad.shape, shape))


class Tensor:
    """An array that remembers how it was made.

    data       a numpy array of float64
    grad       an array of the same shape: how fast the result changes with each element of data
    parents    the Tensors it was computed from, in a tuple; () for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents

    In a step write `self.grad = self.grad + …`. `self.grad += …` would change an array in place
    that another Tensor may hold as well.
    """

    def __init__(self, data, parents=()):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self.parents = tuple(parents)
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Tensor(data={self.data.tolist()}, grad={self.grad.tolist()})"

    def __add__(self, other):
        """Elementwise, with broadcasting. With G = out.grad, which has the shape of the result:

        self.grad  += G, brought back to self's shape
        other.grad += G, brought back to other's shape
        """
        other = as_tensor(other)
        out = Tensor(self.data + other.data, (self, other))

        def step():
            self.grad = self.grad + unbroadcast(out.grad, self.data.shape)
            other.grad = other.grad + unbroadcast(out.grad, other.data.shape)

        out._backward = step
        return out

    def __mul__(self, other):
        """Elementwise, with broadcasting: self.grad += G * other, other.grad += G * self, each
        brought back to the operand's own shape.
        """
        other = as_tensor(other)
        out = Tensor(self.data * other.data, (self, other))

        def step():
            self.grad = self.grad + unbroadcast(out.grad * other.data, self.data.shape)
            other.grad = other.grad + unbroadcast(out.grad * self.data, other.data.shape)

        out._backward = step
        return out

    def __matmul__(self, other):
        """The matrix product of two 2-dimensional Tensors, (n, k) @ (k, m) -> (n, m).

        self.grad  (n, k) += G @ other.T     (n, m) @ (m, k)
        other.grad (k, m) += self.T @ G      (k, n) @ (n, m)
        """
        out = Tensor(self.data @ other.data, (self, other))

        def step():
            self.grad = self.grad + (other.data @ out.grad.T).T
            other.grad = other.grad + np.dot(np.transpose(self.data), out.grad)

        out._backward = step
        return out

    def sum(self, axis=None, keepdims=False):
        """The sum of all elements, or along one axis; `keepdims` leaves that axis there, of size 1.

        Every element counts once in its sum, so it gets that sum's gradient: G goes back to where
        it came from. For shape (2, 3) and axis=1, G has the shape (2,): make it (2, 1), and it
        broadcasts to (2, 3).
        """
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,))

        def step():
            grad = out.grad
            if axis is not None and not keepdims:
                grad = np.expand_dims(grad, axis)
            self.grad = self.grad + np.broadcast_to(grad, self.data.shape)

        out._backward = step
        return out

    def reshape(self, *shape):
        """The same elements in the same order in another shape: x.reshape(3, 2). One of the
        numbers may be -1, as in numpy. The gradient takes the way back.
        """
        out = Tensor(self.data.reshape(shape), (self,))

        def step():
            self.grad = self.grad + out.grad.reshape(self.data.shape)

        out._backward = step
        return out

    def relu(self):
        """Each element if it is above 0, else 0. G passes where the *input* was above 0."""
        out = Tensor(np.maximum(self.data, 0.0), (self,))

        def step():
            self.grad = self.grad + out.grad * (self.data > 0)

        out._backward = step
        return out

    def __getitem__(self, key):
        """self.data[key], for any key that numpy knows: x[0], x[[2, 0, 0]], x[[0, 1], [2, 2]].

        G goes back to the elements that were taken; an element that was taken twice gets both. For
        that numpy has np.add.at(array, key, G).
        """
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
