"""The small course that attacks are aimed at. Its exercise allows every import, so that walls and
protocol have to hold by themselves, without the guard on imports."""

import json
import sys
from pathlib import Path

MAX_POINTS = 10
SECONDS, TOTAL_SECONDS = 1, 1
MEMORY_MB = 256
SECRET = "SECRET-HIDDEN-4f1c"  # stands in the hidden suite
HIDDEN_NUMBERS = ("8191.25", "8193.75", "1237.5")  # what only hidden checks ask or expect

SOLUTION = '''
import math


class Value:
    """A number that remembers where it came from."""

    def __init__(self, data, left=None, back=None):
        self.data = data
        self.grad = 0.0
        self.left = left
        self.back = back

    def _other(self, other):
        return other if isinstance(other, Value) else Value(other)

    def __add__(self, other):
        other = self._other(other)

        def _b():
            return [(self, 1.0), (other, 1.0)]

        return Value(self.data + other.data, self, _b)

    __radd__ = __add__

    def __mul__(self, other):
        other = self._other(other)

        def _b():
            return [(self, other.data), (other, self.data)]

        return Value(self.data * other.data, self, _b)

    __rmul__ = __mul__

    def __pow__(self, power):
        return Value(self.data**power, self, lambda: [(self, power * self.data ** (power - 1))])

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, self, lambda: [(self, 1 - t * t)])

    def __len__(self):
        return 3

    def __str__(self):
        return f"Value({self.data})"

    def backward(self):
        todo = [(self, 1.0)]
        while todo:
            node, slope = todo.pop()
            node.grad += slope
            if node.back:
                todo.extend((parent, slope * local) for parent, local in node.back())
'''
STUB = '''
class Value:
    """A number that remembers where it came from."""

    def __init__(self, data):
        raise NotImplementedError("TODO: Value")
'''
PUBLIC = '''
import pytest


@pytest.mark.points(1)
def test_lesson(submission):
    """The lesson's own example: 2 * -3 + 10."""
    assert (submission.Value(2.0) * submission.Value(-3.0) + submission.Value(10.0)).data == 4.0


@pytest.mark.points(1)
def test_chain(submission):
    """A chain of sums."""
    total = submission.Value(1.0)
    for _ in range(3):
        total = total + 1.0
    assert total.data == 4.0
'''
HIDDEN = f'''
# {SECRET}
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.points(1)
@pytest.mark.hint("Add the two numbers.")
def test_sum(submission):
    """A sum."""
    assert (submission.Value(8191.25) + 2.5).data == 8193.75


@pytest.mark.points(1)
def test_gradient(submission):
    """The slope of a square."""
    x = submission.Value(3.25)
    y = x * x
    submission.invoke("backward", y)
    assert abs(float(x.grad) - 6.5) < 1e-6


@pytest.mark.points(1)
@settings(max_examples=5)
@given(st.integers(3, 9), st.integers(3, 9))
def test_products(submission, a, b):
    """Products of whole numbers."""
    assert (submission.Value(a) * submission.Value(b)).data == a * b


@pytest.mark.points(1)
def test_tanh(submission):
    """The hyperbolic tangent."""
    assert submission.Value(0.5).tanh().data == pytest.approx(0.46211715726, rel=1e-6)


@pytest.mark.points(1)
def test_operand_is_kept(submission):
    """A sum knows its first operand."""
    x = submission.Value(5.5)
    y = x + 1.0
    assert y.left is x and (y + 0.25).data == 6.75


@pytest.mark.points(1)
def test_conversions(submission):
    """Length, text and truth of a Value."""
    y = submission.Value(1237.5) + 1.0
    assert len(y) == 3 and str(y) == "Value(1238.5)" and bool(y)


@pytest.mark.points(1)
def test_live(submission):
    """A question that depends on an earlier answer."""
    y = submission.Value(4.5) + 1.25
    if y.data != 5.75:
        assert (y + 1.0).data == 6.75
    assert y.data == 5.75


@pytest.mark.points(1)
def test_power(submission):
    """A third power."""
    y = submission.Value(7.5) ** 3
    assert y.data == 421.875
'''


def write(root: Path, **limits: int) -> None:
    """The course, below `root`."""
    name = "01_value"
    imports = json.dumps(sorted(sys.stdlib_module_names | {"pytest"}))
    chosen = {
        "seconds": SECONDS, "total_seconds": TOTAL_SECONDS, "memory_mb": MEMORY_MB,
        "output_kb": 16, "processes": 8, **limits,
    }  # fmt: skip
    toml = '[course]\nid = "target"\ntitle = "A target"\n\n[limits]\n'
    toml += "".join(f"{key} = {value}\n" for key, value in chosen.items())
    toml += f"""
[[exercise]]
id = "{name}"
title = "A target"
file = "value.py"
points = {MAX_POINTS}
minutes = 5
difficulty = 1
hints = ["none"]
imports = {imports}
"""
    for path, text in {
        "course.toml": toml,
        f"exercises/{name}/value.py": STUB,
        f"exercises/{name}/README.md": "A target.\n",
        f"solutions/{name}/value.py": SOLUTION,
        f"tests/suites/{name}/test_public.py": PUBLIC,
        f"tests/suites/{name}/test_hidden.py": HIDDEN,
    }.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def other_numbers(text: str) -> str:
    """The hidden suite with other numbers, asked and expected, and the same outcomes for whoever is
    wrong everywhere."""
    for here, there in (("8191.25", "6011.75"), ("8193.75", "6014.25"), ("1237.5", "9873.5")):
        text = text.replace(here, there)
    return text.replace("1238.5", "9874.5").replace("(4.5)", "(2.25)").replace("5.75", "3.5")
