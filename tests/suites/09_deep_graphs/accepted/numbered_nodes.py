"""Every Value gets a number when it is made, and knows its depth: parents always have smaller numbers."""

import itertools


def as_value(x):
    """`x` itself if it is a Value, else a new leaf that holds the number `x`."""
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data       the number itself
    grad       how fast the final result changes when this number does; it starts at 0.0
    parents    the Values it was computed from, in a tuple; () for a leaf
    op         the sign of the operation that made it, "+" or "*"; "" for a leaf
    _backward  its step: a function without arguments that hands `grad` on to the parents
    """

    numbers = itertools.count()

    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.number = next(Value.numbers)
        self.depth = 1 + max(p.depth for p in self.parents) if self.parents else 0
        self.op = op
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def backward(self):
        """The method form: `loss.backward()` does what `backward(loss)` does."""
        backward(self)


def backward(root):
    """Fill in `grad`, the derivative of `root` by it, in every Value that it was made of."""
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()


def topological_order(root):
    """List every Value that `root` was computed from, and `root`: each of them once, and each
    after all of its parents. Without recursion: `root` may be 100,000 operations deep.

    Keep a stack of your own, a list. Going down to a node, push a note "put it into the order" and,
    on top of it, its parents; when the note comes back to the top, all of them are in the order.
    Look at the parents of a node once, however many ways lead to it.

    For c = a * b and y = c + a it is [a, b, c, y] (or [b, a, c, y]).
    """
    found, stack = {root}, [root]
    while stack:
        for parent in stack.pop().parents:
            if parent not in found:
                found.add(parent)
                stack.append(parent)
    return sorted(found, key=lambda node: node.number)


def depth(root):
    """The number of operations on the longest way from a leaf to `root`: 0 for a leaf itself.

    Without recursion, and with a look at each node once: where parents come first, the depths of
    a node's parents are known when its own is asked for.

    For c = a * b and y = c + a it is 2: the way b, c, y has two operations.
    """
    return root.depth
