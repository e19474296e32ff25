"""The loss is the square root of the mean squared error. The mean itself is asked for: drop the root.
"""

import math
import random


def moons(n=60, noise=0.08, seed=14):
    draw = random.Random(seed)
    xs, ys = [], []
    for i in range(n):
        angle = math.pi * draw.random()
        if i % 2 == 0:
            x, y = [math.cos(angle), math.sin(angle)], -1.0
        else:
            x, y = [1 - math.cos(angle), 0.5 - math.sin(angle)], 1.0
        xs.append([coordinate + draw.gauss(0.0, noise) for coordinate in x])
        ys.append(y)
    return xs, ys


def mse(model, xs, ys):
    total = Value(0.0)
    for x, y in zip(xs, ys, strict=True):
        total = total + (model(x) - y) ** 2
    return (total / len(xs)) ** 0.5


def train(model, xs, ys, steps=20, lr=0.1):
    losses = []
    for _ in range(steps):
        for p in model.parameters():
            p.grad = 0.0

        loss = mse(model, xs, ys)

        loss.backward()

        for p in model.parameters():
            p.data -= lr * p.grad
        losses.append(loss.data)
    return losses


def accuracy(model, xs, ys):
    return sum((model(x).data > 0) == (y > 0) for x, y in zip(xs, ys, strict=True)) / len(xs)


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = tuple(parents)
        self._backward = lambda: None  # a leaf has nobody to hand its gradient to

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def __pow__(self, k):
        out = Value(self.data**k, (self,))

        def step():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = step
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def step():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = step
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __radd__(self, other):
        return as_value(other) + self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def backward(self):
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            node._backward()


def topological_order(root):
    order, visited, waiting = [], set(), [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            waiting.append((node, True))
            waiting.extend((parent, False) for parent in node.parents)
    return order


class Neuron:
    def __init__(self, n_in, squash=True):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n_in)]
        self.b = Value(0.0)
        self.squash = squash

    def __call__(self, x):
        total = self.b
        for w, xi in zip(self.w, x, strict=True):
            total = total + w * xi
        return total.tanh() if self.squash else total

    def parameters(self):
        return [*self.w, self.b]


class Layer:
    def __init__(self, n_in, n_out, squash=True):
        self.neurons = [Neuron(n_in, squash) for _ in range(n_out)]

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP:
    def __init__(self, n_in, sizes):
        widths = [n_in, *sizes]
        last = len(sizes) - 1
        self.layers = [Layer(widths[i], widths[i + 1], squash=i != last) for i in range(len(sizes))]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def plot(model, xs, ys, losses, file="moons.png"):
    try:
        import matplotlib
    except ImportError:
        print("no picture: matplotlib is not installed (pip install matplotlib)")
        return
    matplotlib.use("Agg")  # draws into files, needs no screen
    from matplotlib import pyplot

    across = [-1.6 + 0.1 * i for i in range(43)]
    up = [-1.1 + 0.1 * i for i in range(28)]
    answers = [[model([x, y]).data for x in across] for y in up]

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4))
    left.contourf(across, up, answers, levels=[-9, -1, -0.5, 0, 0.5, 1, 9], cmap="RdBu", alpha=0.6)
    left.contour(across, up, answers, levels=[0], colors="black")
    # told apart by shape as well as by colour
    for label, marker, colour in ((-1.0, "o", "tab:red"), (1.0, "^", "tab:blue")):
        chosen = [x for x, y in zip(xs, ys, strict=True) if y == label]
        left.scatter(
            *zip(*chosen, strict=True), c=colour, marker=marker, edgecolors="k", label=f"{label:+g}"
        )
    left.legend(title="label")
    left.set_title(f"decision boundary; {accuracy(model, xs, ys):.0%} on the right side")
    right.plot(losses)
    right.set(title="mean squared error", xlabel="step", yscale="log")
    figure.tight_layout()
    figure.savefig(file, dpi=120)
    print(f"drew {file}")


if __name__ == "__main__":
    random.seed(14)
    points, labels = moons()
    network = MLP(2, [8, 1])
    history = []
    for _ in range(10):
        history += train(network, points, labels, steps=20, lr=0.2)
        right_side = accuracy(network, points, labels)
        print(f"after {len(history):3} steps: loss {history[-1]:.4f}, {right_side:.0%} right")
    plot(network, points, labels, history)
