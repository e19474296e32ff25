"""The twelve questions that every grader in the benchmark asks, free of any test framework.

`m` is the submission: its module, or this project's proxy of it. Ten are plain; the last two are
properties, each asked for 100 seeds.
"""

import functools
import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

SEEDS = 100


def close(got: Any, want: float) -> None:
    number = float(got)
    assert abs(number - want) <= 1e-6 * abs(want) + 1e-9, f"expected {want!r}, got {number!r}"


def addition(m: Any) -> None:
    """a + b passes its gradient to both."""
    a, b, c = m.Value(2.5), m.Value(-1.5), m.Value(3.0)
    y = (a + b) * c
    y.backward()
    close(y.data, 3.0)
    close(a.grad, 3.0)
    close(b.grad, 3.0)


def multiplication(m: Any) -> None:
    """a * b passes each the other factor."""
    a, b = m.Value(2.5), m.Value(-1.5)
    y = (a * b) * -2.0
    y.backward()
    close(a.grad, 3.0)
    close(b.grad, -5.0)


def square_by_itself(m: Any) -> None:
    """x * x at 3 gives 6."""
    x = m.Value(3.0)
    y = x * x
    y.backward()
    close(x.grad, 6.0)


def squared_affine(m: Any) -> None:
    """(a*b + 3)**2"""
    a, b = m.Value(1.5), m.Value(-3.0)
    y = (a * b + 3.0) ** 2
    y.backward()
    close(y.data, 2.25)
    close(a.grad, 9.0)
    close(b.grad, -4.5)


def diamond(m: Any) -> None:
    """A node that feeds two operations gets both contributions."""
    x = m.Value(2.0)
    a = x * x
    b = a * x
    y = (a + b) * a
    y.backward()
    close(x.grad, 112.0)


def reflected(m: Any) -> None:
    """10 - x and 10 / x"""
    x = m.Value(4.0)
    y = (10.0 - x) * (10.0 / x)
    y.backward()
    close(y.data, 15.0)
    close(x.grad, -2.5 - 6.0 * 10.0 / 16.0)


def division(m: Any) -> None:
    """a / b"""
    a, b = m.Value(6.0), m.Value(-4.0)
    y = (a / b) * 3.0
    y.backward()
    close(a.grad, -0.75)
    close(b.grad, -18.0 / 16.0)


def powers(m: Any) -> None:
    """x**-2 and x**0.5"""
    x = m.Value(4.0)
    y = x**-2 + 3.0 * x**0.5
    y.backward()
    close(x.grad, -2.0 * 4.0**-3 + 0.75)


def tanh(m: Any) -> None:
    """2 tanh(x) + x"""
    x = m.Value(0.5)
    y = x.tanh() * 2.0 + x
    y.backward()
    close(x.grad, 2.0 * (1.0 - math.tanh(0.5) ** 2) + 1.0)


def zeroed_graphs(m: Any) -> None:
    """A second, unrelated graph leaves the first alone."""
    x, w = m.Value(3.0), m.Value(2.0)
    y = x * x
    y.backward()
    z = w * 5.0
    z.backward()
    close(x.grad, 6.0)
    close(w.grad, 5.0)


SUMS, MIXTURES = "+*", "+*-t"


def random_sums(m: Any, seed: int) -> None:
    """Random graphs of + and *"""
    _random_graph(m, seed, SUMS)


def random_mixtures(m: Any, seed: int) -> None:
    """Random graphs of + * - and tanh"""
    _random_graph(m, seed, MIXTURES)


def _random_graph(m: Any, seed: int, ops: str) -> None:
    """A drawn graph, built and differentiated by the submission."""
    graph = draw_graph(seed, ops)
    leaves = [m.Value(number) for number in graph.leaves]
    nodes = list(leaves)
    for op, i, j in graph.steps:
        if op == "+":
            nodes.append(nodes[i] + nodes[j])
        elif op == "*":
            nodes.append(nodes[i] * nodes[j])
        elif op == "-":
            nodes.append(nodes[i] - nodes[j])
        else:
            nodes.append(nodes[i].tanh())
    nodes[-1].backward()
    close(nodes[-1].data, graph.value)
    for leaf, want in zip(leaves, graph.slopes, strict=True):
        if abs(want) > 1e-3:
            close(leaf.grad, want)


class Graph(NamedTuple):
    """Two leaves, then an operation for each further node, on nodes before it."""

    leaves: tuple[float, float]
    steps: tuple[tuple[str, int, int], ...]
    value: float  # of the last node
    slopes: tuple[float, float]  # its derivatives


@functools.cache
def draw_graph(seed: int, ops: str) -> Graph:
    """Six steps, and what forward-mode dual numbers make of them."""
    draw = random.Random(seed)
    leaves = draw.uniform(0.3, 1.2), draw.uniform(-1.2, -0.3)
    duals = [(leaves[0], (1.0, 0.0)), (leaves[1], (0.0, 1.0))]
    steps = []
    for _ in range(6):
        step = draw.choice(ops), draw.randrange(len(duals)), draw.randrange(len(duals))
        op, i, j = step
        (x, (xa, xb)), (y, (ya, yb)) = duals[i], duals[j]
        if op == "+":
            dual = (x + y, (xa + ya, xb + yb))
        elif op == "*":
            dual = (x * y, (xa * y + x * ya, xb * y + x * yb))
        elif op == "-":
            dual = (x - y, (xa - ya, xb - yb))
        else:
            t = math.tanh(x)
            dual = (t, (xa * (1 - t * t), xb * (1 - t * t)))
        steps.append(step)
        duals.append(dual)
    return Graph(leaves, tuple(steps), *duals[-1])


PLAIN: tuple[Callable[[Any], None], ...] = (
    addition, multiplication, square_by_itself, squared_affine, diamond, reflected, division,
    powers, tanh, zeroed_graphs,
)  # fmt: skip
PROPERTIES: tuple[Callable[[Any, int], None], ...] = (random_sums, random_mixtures)
