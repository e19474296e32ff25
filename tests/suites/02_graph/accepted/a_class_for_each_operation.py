"""Each operation is a subclass of Value and computes its own number."""


class Value:
    op = ""

    def __init__(self, data, *parents):
        self.data = data
        self.grad = 0.0
        self.parents = parents

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

    def __radd__(self, other):
        return Sum(other, self)

    def __rmul__(self, other):
        return Product(other, self)


class Binary(Value):
    def __init__(self, left, right):
        left, right = (x if isinstance(x, Value) else Value(x) for x in (left, right))
        super().__init__(self.compute(left.data, right.data), left, right)


class Sum(Binary):
    op = "+"

    @staticmethod
    def compute(x, y):
        return x + y


class Product(Binary):
    op = "*"

    @staticmethod
    def compute(x, y):
        return x * y
