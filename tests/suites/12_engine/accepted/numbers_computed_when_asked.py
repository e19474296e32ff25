"""Numbers are computed when they are first asked for (cached properties), and so are the orders."""
import math
import operator
from functools import cached_property, partial


class Value:
    def __init__(self, data=None, fn=None, args=()):
        if fn is None:
            self.data = data
        self.fn, self.args = fn, args
        self.grad = 0.0

    @cached_property
    def data(self):
        return FORWARD[self.fn](*(a.data for a in self.args))

    @cached_property
    def order(self):
        out, seen = [], set()

        def go(v):
            if v in seen:
                return
            seen.add(v)
            list(map(go, v.args))
            out.append(v)

        go(self)
        return out

    def backward(self):
        self.data
        self.grad = 1.0
        for v in self.order[::-1]:
            if v.fn:
                slopes = SLOPES[v.fn](v.data, *(a.data for a in v.args))
                for a, s in zip(v.args, slopes):
                    a.grad += s * v.grad


FORWARD = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow, "neg": operator.neg, "tanh": math.tanh, "exp": math.exp,
    "log": math.log, "sin": math.sin, "relu": partial(max, 0.0),
}
SLOPES = {
    "+": lambda y, a, b: (1, 1),
    "-": lambda y, a, b: (1, -1),
    "*": lambda y, a, b: (b, a),
    "/": lambda y, a, b: (1 / b, -y / b),
    "**": lambda y, a, n: (n * a ** (n - 1), 0),
    "neg": lambda y, a: (-1,),
    "tanh": lambda y, a: (1 - y * y,),
    "exp": lambda y, a: (y,),
    "log": lambda y, a: (1 / a,),
    "sin": lambda y, a: (math.cos(a),),
    "relu": lambda y, a: (a > 0,),
}


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def _install(name, sign):
    setattr(Value, f"__{name}__", lambda s, o: Value(None, sign, (s, lift(o))))
    if sign != "**":
        setattr(Value, f"__r{name}__", lambda s, o: Value(None, sign, (lift(o), s)))


for _name, _sign in dict(add="+", sub="-", mul="*", truediv="/", pow="**").items():
    _install(_name, _sign)
for _name in ("tanh", "exp", "log", "sin", "relu"):
    setattr(Value, _name, lambda s, f=_name: Value(None, f, (s,)))
Value.__neg__ = lambda s: Value(None, "neg", (s,))
