"""Exercise 02: a value remembers its history.

README.md beside this file is the lesson. Fill in every TODO, then run

    python -m grader -e 02_graph
"""


def as_value(x):
    """Give back `x` if it is a Value, else a new leaf that holds the number `x`.

    The operators below call it on their other operand, so that `a + 3` works like `a + Value(3)`.

    as_value(a) is a              as_value(3.0).data == 3.0
    """
    return x if isinstance(x, Value) else Value(x)


class Value:
    """A number that remembers how it was made.

    data     the number itself
    grad     how fast a later result changes when this number does; 0.0 until that is asked
    parents  the Values it was computed from, in a tuple; () for a leaf
    op       the sign of the operation that made it, "+" or "*"; "" for a leaf
    """

    def __init__(self, data, parents=(), op=""):
        """Store the four fields under the names above; `grad` starts at 0.0.

        You write `Value(2.0)` for a leaf. Only the operators pass `parents` and `op`.
        """
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self.op = op

    def __repr__(self):
        """Return (do not print) the text `Value(data=…, grad=…)`.

        repr(Value(2.0)) == "Value(data=2.0, grad=0.0)"
        """
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """self + other: a new Value whose data is the sum, whose parents are the two operands
        themselves, and whose op is "+". `other` may be a plain number.

        a, b = Value(2.0), Value(5.0)
        c = a + b        c.data == 7.0     c.parents == (a, b)     c.op == "+"
        """
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        """self * other: a new Value whose data is the product, with the operands as parents
        and "*" as its op. `other` may be a plain number.

        a, b = Value(2.0), Value(5.0)
        c = a * b        c.data == 10.0    c.parents == (a, b)     c.op == "*"
        """
        other = as_value(other)
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        """other + self, where `other` is a plain number: Python comes here for `3 + a`.

        3 + Value(2.0) is a Value with data 5.0 and op "+".
        """
        return as_value(other) + self

    def __rmul__(self, other):
        """other * self, where `other` is a plain number: Python comes here for `3 * a`.

        3 * Value(2.0) is a Value with data 6.0 and op "*".
        """
        return as_value(other) * self
