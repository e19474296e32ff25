"""The fields are properties over private names; grad is read-only."""
from __future__ import annotations


def as_value(x: Value | float) -> Value:
    match x:
        case Value():
            return x
        case int() | float():
            return Value(x)
    raise TypeError(x)


class Value:
    __slots__ = ("__data", "__grad", "__parents", "__op")

    def __init__(self, data: float, parents: tuple[Value, ...] = (), op: str = "") -> None:
        self.__data, self.__grad, self.__parents, self.__op = data, 0.0, parents, op

    data = property(lambda self: self.__data)
    grad = property(lambda self: self.__grad)
    parents = property(lambda self: self.__parents)
    op = property(lambda self: self.__op)

    def __repr__(self) -> str:
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    def __add__(self, other):
        return Value(self.data + as_value(other).data, (self, as_value(other)), "+")

    def __mul__(self, other):
        other = as_value(other)
        return type(self)(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other


if __name__ == "__main__":
    print(Value(2) + 3 * Value(4))
