"""__slots__, and reflected operators that are the same functions: parents of 3 + a in the order (a, 3)."""


class Value:
    __slots__ = ("data", "grad", "parents", "op")

    def __init__(self, data, parents=(), op=""):
        self.data, self.grad, self.parents, self.op = data, 0.0, parents, op

    def __repr__(self):
        return f"{type(self).__name__}(data={self.data!r}, grad={self.grad!r})"

    def _lift(self, other):
        if isinstance(other, Value):
            return other
        if isinstance(other, (int, float)):
            return Value(other)
        return None

    def __add__(self, other):
        other = self._lift(other)
        if other is None:
            return NotImplemented
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = self._lift(other)
        if other is None:
            return NotImplemented
        return Value(self.data * other.data, (self, other), "*")

    __radd__ = __add__
    __rmul__ = __mul__
