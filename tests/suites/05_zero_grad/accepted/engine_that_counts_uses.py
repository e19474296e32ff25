"""Own engine: slopes, zero_grad as a method only, recursion on a memo."""
from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    data: float
    edges: list = field(default_factory=list)
    grad: float = 0.0

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data + o.data, [(self, 1.0), (o, 1.0)])

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data * o.data, [(self, o.data), (o, self.data)])

    __radd__ = __add__
    __rmul__ = __mul__

    def walk(self):
        """Children before parents, by counting uses."""
        uses, stack, seen = {}, [self], {id(self)}
        while stack:
            for p, _ in stack.pop().edges:
                uses[id(p)] = uses.get(id(p), 0) + 1
                if id(p) not in seen:
                    seen.add(id(p))
                    stack.append(p)
        ready = [self]
        while ready:
            node = ready.pop()
            yield node
            for p, _ in node.edges:
                uses[id(p)] -= 1
                if uses[id(p)] == 0:
                    ready.append(p)

    def backward(self):
        self.grad = 1.0
        for node in self.walk():
            for p, s in node.edges:
                p.grad += s * node.grad

    def zero_grad(self):
        for node in list(self.walk()):
            node.grad = 0.0


def training_step(w, b, x, target, rate):
    w.zero_grad(), b.zero_grad()
    error = w * x + b + -target
    loss = error * error
    loss.backward()
    for p in (w, b):
        p.data -= rate * p.grad
    return loss.data
