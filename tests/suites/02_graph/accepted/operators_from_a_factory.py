"""Parents in a frozenset, operators made by a factory, numbers turned into floats."""
import operator


class Value:
    def __init__(self, data, parents=(), op=""):
        vars(self).update(data=float(data), grad=0, parents=frozenset(parents), op=op)

    def __repr__(self):
        return f"{type(self).__name__}({self.data=}, {self.grad=})".replace("self.", "")


def _make(sign, f):
    def method(self, other):
        other = as_value(other)
        return Value(f(self.data, other.data), {self, other}, sign)

    return method


for _name, _sign in (("add", "+"), ("mul", "*")):
    _method = _make(_sign, getattr(operator, _name))
    setattr(Value, f"__{_name}__", _method)
    setattr(Value, f"__r{_name}__", _method)


def as_value(x):
    return x if isinstance(x, Value) else Value(x)
