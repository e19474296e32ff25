"""Each operation is a subclass with its own _backward; whole numbers stay ints."""


class Value:
    def __init__(self, data):
        self.data, self.grad, self.parents, self.op = data, 0, (), ""

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

    def __radd__(self, other):
        return Sum(other, self)

    def __rmul__(self, other):
        return Product(other, self)

    def _backward(self):
        pass


class Sum(Value):
    def __init__(self, *operands):
        self.parents = a, b = [x if isinstance(x, Value) else Value(x) for x in operands]
        self.data, self.grad, self.op = a.data + b.data, 0, "+"

    def _backward(self):
        for parent in self.parents:
            parent.grad += self.grad


class Product(Value):
    def __init__(self, *operands):
        self.parents = a, b = [x if isinstance(x, Value) else Value(x) for x in operands]
        self.data, self.grad, self.op = a.data * b.data, 0, "*"

    def _backward(self):
        a, b = self.parents
        a.grad, b.grad = (
            (a.grad + 2 * a.data * self.grad,) * 2
            if a is b
            else (a.grad + b.data * self.grad, b.grad + a.data * self.grad)
        )
