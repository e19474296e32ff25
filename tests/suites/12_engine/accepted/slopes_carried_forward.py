"""Each number carries its slopes by every leaf along; backward only writes them down."""
import math


class Value:
    def __init__(self, data, slopes=None):
        self.data = data
        self.grad = 0
        self.slopes = {self: 1.0} if slopes is None else slopes

    def _mix(self, data, *parts):
        slopes = {}
        for value, factor in parts:
            for leaf, slope in value.slopes.items():
                slopes[leaf] = slopes.get(leaf, 0.0) + factor * slope
        return Value(data, slopes)

    def _of(self, x):
        return x if isinstance(x, Value) else Value(x, {})

    def __add__(self, o):
        o = self._of(o)
        return self._mix(self.data + o.data, (self, 1), (o, 1))

    def __sub__(self, o):
        o = self._of(o)
        return self._mix(self.data - o.data, (self, 1), (o, -1))

    def __mul__(self, o):
        o = self._of(o)
        return self._mix(self.data * o.data, (self, o.data), (o, self.data))

    def __truediv__(self, o):
        o = self._of(o)
        return self._mix(self.data / o.data, (self, 1 / o.data), (o, -self.data / o.data**2))

    def __pow__(self, n):
        return self._mix(self.data**n, (self, n * self.data ** (n - 1)))

    def __neg__(self):
        return self._mix(-self.data, (self, -1))

    def __radd__(self, o):
        return self._of(o) + self

    def __rsub__(self, o):
        return self._of(o) - self

    def __rmul__(self, o):
        return self._of(o) * self

    def __rtruediv__(self, o):
        return self._of(o) / self

    def tanh(self):
        t = math.tanh(self.data)
        return self._mix(t, (self, 1 - t * t))

    def relu(self):
        return self._mix(max(self.data, 0.0), (self, 1.0 if self.data > 0 else 0.0))

    def exp(self):
        e = math.exp(self.data)
        return self._mix(e, (self, e))

    def log(self):
        return self._mix(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return self._mix(math.sin(self.data), (self, math.cos(self.data)))

    def backward(self):
        for leaf, slope in self.slopes.items():
            leaf.grad += slope
