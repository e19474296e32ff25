"""Engine 3 answers number - x with a new node that has no parents: the number is right, and no gradient
comes back. Make a node of the number, and let the engine subtract.
"""

import math


class Blank:
    def __str__(self):
        raise NotImplementedError("no word yet: put one in place of TODO")


TODO = Blank()

wrong_1 = "chain"
wrong_2 = "order"
wrong_3 = "sides"
wrong_4 = "twice"
wrong_5 = "late"
wrong_6 = "memory"


def todo(function):
    return function


# ---- shared by the engines, and right ----------------------------------------------------------


class Node:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self._backward = lambda: None

    def __repr__(self):
        return f"{type(self).__name__}(data={self.data}, grad={self.grad})"

    def backward(self):
        order, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for parent in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


# ---- engine 1: + * tanh ------------------------------------------------------------------------


class Engine1(Node):
    @todo
    def __add__(self, other):
        out = Engine1(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    @todo
    def __mul__(self, other):
        out = Engine1(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    @todo
    def tanh(self):
        t = math.tanh(self.data)
        out = Engine1(t, (self,))

        def step():
            self.grad += (1 - t**2) * out.grad

        out._backward = step
        return out


# ---- engine 2: + * and its own backward --------------------------------------------------------


class Engine2(Node):
    @todo
    def __add__(self, other):
        out = Engine2(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    @todo
    def __mul__(self, other):
        out = Engine2(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    @todo
    def backward(self):
        order, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for parent in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


# ---- engine 3: + * - with numbers on either side -----------------------------------------------


def as_engine3(x):
    return x if isinstance(x, Engine3) else Engine3(x)


class Engine3(Node):
    @todo
    def __add__(self, other):
        other = as_engine3(other)
        out = Engine3(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    @todo
    def __mul__(self, other):
        other = as_engine3(other)
        out = Engine3(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    @todo
    def __sub__(self, other):
        return self + as_engine3(other) * -1.0

    @todo
    def __radd__(self, number):
        return self + number

    @todo
    def __rmul__(self, number):
        return self * number

    @todo
    def __rsub__(self, number):
        return Engine3(number - self.data)


# ---- engine 4: + * with the slopes kept beside the parents -------------------------------------


class Engine4(Node):
    @todo
    def __init__(self, data, parents=(), slopes=()):
        super().__init__(data, parents)
        self.slopes = list(zip(parents, slopes, strict=True))
        self._backward = self.hand_on

    @todo
    def hand_on(self):
        for parent, slope in self.slopes:
            parent.grad += slope * self.grad

    @todo
    def __add__(self, other):
        return Engine4(self.data + other.data, (self, other), (1.0, 1.0))

    @todo
    def __mul__(self, other):
        return Engine4(self.data * other.data, (self, other), (other.data, self.data))


# ---- engine 5: * and a sum of many nodes, each times a number ----------------------------------


class Engine5(Node):
    @todo
    def __mul__(self, other):
        out = Engine5(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    @staticmethod
    @todo
    def weighted_sum(weights, nodes):
        pairs = list(zip(weights, nodes, strict=True))
        out = Engine5(sum(weight * node.data for weight, node in pairs), nodes)
        steps = []
        for weight, node in pairs:

            def step(weight=weight, node=node):
                node.grad += weight * out.grad

            steps.append(step)

        def all_steps():
            for step in steps:
                step()

        out._backward = all_steps
        return out


# ---- engine 6: + * and a backward that starts from 0 each time ---------------------------------


class Engine6(Node):
    @todo
    def __add__(self, other):
        out = Engine6(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    @todo
    def __mul__(self, other):
        out = Engine6(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    @todo
    def order(self, visited=set()):
        if self in visited:
            return []
        visited.add(self)
        found = []
        for parent in self.parents:
            found += parent.order(visited)
        return [*found, self]

    @todo
    def backward(self):
        order = self.order(set())
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
