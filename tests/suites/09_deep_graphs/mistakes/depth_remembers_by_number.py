"""The depths are kept under the nodes' numbers. Two nodes may hold the same number and lie at
different depths; then one takes the other's. Keep them under the nodes themselves.
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


def backward(root):
    root.grad = 1.0
    for node in reversed(topological_order(root)):
        node._backward()


def topological_order(root):
    order = []
    visited = set()
    stack = [(root, False)]
    while stack:
        node, parents_are_listed = stack.pop()
        if parents_are_listed:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            stack.append((node, True))  # comes back when everything above it is done
            for parent in node.parents:
                stack.append((parent, False))
    return order


def depth(root):
    longest = {}
    for node in topological_order(root):
        if node.parents:
            longest[node.data] = 1 + max(longest[parent.data] for parent in node.parents)
        else:
            longest[node.data] = 0
    return longest[root.data]
