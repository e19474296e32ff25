"""Arrays of a submission's tensors, and gradients to compare them with (needs numpy).

The reference knows nothing of any engine: it is a numpy function, written by the suite's author,
and its derivatives are taken by the complex step. For a function that numpy can carry out on
complex numbers, the imaginary part of f(x + ih) / h is f'(x), and as nothing is subtracted, h can
be so small that the result is exact to the last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.autograd.numbers import ABSOLUTE, RELATIVE, is_by_value

Floats = NDArray[np.float64]
STEP = 1e-30


def sample(*shape: int, seed: float) -> Floats:
    """Numbers between -2 and 2 with three decimals, the same on every machine."""
    count = int(np.prod(shape, dtype=int))
    values = 2 * np.sin(seed + 1.7 * np.arange(count) + 0.3 * np.arange(count) ** 2)
    # an exact 0 would sit on the kink of relu and hide a factor
    return np.where(values == 0, 0.5, np.round(values, 3)).reshape(shape)


def relu(x: Any) -> Any:
    """max(x, 0), for complex numbers too: what counts is the real part."""
    return np.where(np.real(x) > 0, x, 0)


def read_array(node: Any, field: str, name: str) -> Floats:
    """`node.field` as an array; `name` is what messages call the node.

    Raises AssertionError, with a message for the student, where it is no array of numbers.
    """
    label = f"{name}.{field}"
    try:
        value = getattr(node, field)
    except AttributeError:
        raise AssertionError(
            f"{label} is not there: a Tensor keeps its {field} as .{field}"
        ) from None
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "f":
            raise AssertionError(f"{label} holds {value.dtype} numbers; float64 is asked")
        return value.astype(np.float64)
    if isinstance(value, float | int) and not isinstance(value, bool):
        return np.array(float(value))
    if not is_by_value(value):
        try:
            return np.array(float(value))  # a numpy scalar, as array.sum() gives
        except (TypeError, ValueError, AttributeError):
            raise AssertionError(f"{label} is not a numpy array") from None
    kind = "None" if value is None else f"a {type(value).__name__}"
    raise AssertionError(f"{label} is {kind}, not a numpy array")


def expect(got: Floats, want: Any, label: str, when: str) -> None:
    """The same shape and, up to rounding, the same numbers. NaN and infinities never are.

    Raises AssertionError that shows both; `when` says what was asked."""
    want = np.asarray(want, dtype=np.float64)
    if got.shape != want.shape:
        raise AssertionError(f"{when}: {label} should have the shape {want.shape}, not {got.shape}")
    with np.errstate(invalid="ignore"):
        right = np.isfinite(got) & (np.abs(got - want) <= RELATIVE * np.abs(want) + ABSOLUTE)
    if not np.all(right):
        raise AssertionError(
            f"{when}:\n  {label} expected {_show(want)}\n  {label} got      {_show(got)}"
        )


def gradients(
    reference: Callable[..., Any], arrays: Mapping[str, Floats], upstream: Floats
) -> dict[str, Floats]:
    """d(sum(upstream * reference(**arrays))) / d(each array), by the complex step."""
    found = {}
    for name, array in arrays.items():
        slopes = np.zeros(array.shape)
        for index in np.ndindex(array.shape):
            moved = array.astype(complex)
            moved[index] += STEP * 1j
            value = np.sum(upstream * reference(**{**arrays, name: moved}))
            slopes[index] = np.imag(value) / STEP
        found[name] = slopes
    return found


class Expression:
    """A Tensor of the submission, and how it was made: use it as you would the Tensor.

    Each operation's answer is looked at as it comes. An operation that forgets its `return` answers
    None, and that is the student's to learn, not a TypeError in the suite.
    """

    __slots__ = ("node", "text")

    def __init__(self, node: Any, text: str) -> None:
        if is_by_value(node) or isinstance(node, np.ndarray):
            kind = "None" if node is None else f"a {type(node).__name__}"
            hint = ": is `return` missing?" if node is None else ""
            raise AssertionError(f"{text} gives {kind}, not a Tensor{hint}")
        self.node = node
        self.text = text

    def __getattr__(self, name: str) -> Callable[..., Expression]:
        def call(*arguments: Any, **keywords: Any) -> Expression:
            shown = [str(item) for item in arguments]
            shown += [f"{key}={item}" for key, item in keywords.items()]
            made = getattr(self.node, name)(*arguments, **keywords)
            return Expression(made, f"{self.text}.{name}({', '.join(shown)})")

        return call

    def __getitem__(self, key: Any) -> Expression:
        return Expression(self.node[key], f"{self.text}[{key}]")

    def __neg__(self) -> Expression:
        return Expression(-self.node, f"(-{self.text})")

    def __add__(self, other: Any) -> Expression:
        return Expression(self.node + _node(other), f"({self.text} + {_text(other)})")

    def __radd__(self, other: Any) -> Expression:
        return Expression(_node(other) + self.node, f"({_text(other)} + {self.text})")

    def __sub__(self, other: Any) -> Expression:
        return Expression(self.node - _node(other), f"({self.text} - {_text(other)})")

    def __rsub__(self, other: Any) -> Expression:
        return Expression(_node(other) - self.node, f"({_text(other)} - {self.text})")

    def __mul__(self, other: Any) -> Expression:
        return Expression(self.node * _node(other), f"{self.text} * {_text(other)}")

    def __rmul__(self, other: Any) -> Expression:
        return Expression(_node(other) * self.node, f"{_text(other)} * {self.text}")

    def __matmul__(self, other: Any) -> Expression:
        return Expression(self.node @ _node(other), f"{self.text} @ {_text(other)}")


def leaf(submission: Any, name: str, data: Any) -> Expression:
    """A new Tensor of the submission, by the name that messages call it."""
    return Expression(submission.Tensor(data), name)


def backward(submission: Any, out: Expression, upstream: Floats) -> None:
    """Run backward so that `upstream` is what arrives at `out`: it is weighted and summed up."""
    weighted = out * leaf(submission, "weights", upstream)
    submission.invoke("backward", weighted.sum().node)


def check_tensors(
    submission: Any,
    when: str,
    built: Callable[..., Any],
    reference: Callable[..., Any],
    *,
    seed: float = 0.4,
    **arrays: Floats,
) -> None:
    """Build on Tensors, run backward with an upstream gradient that is not 1, compare everything.

    `built` takes the leaves as Tensors, `reference` the same as arrays; both by name. The result is
    weighted with fixed numbers and summed up, so that every element's gradient counts. Compared
    are: the result, each leaf's gradient and shape, and that no leaf's data has changed.
    """
    leaves = {name: leaf(submission, name, array) for name, array in arrays.items()}
    out = built(**leaves)
    want = np.asarray(reference(**arrays), dtype=np.float64)
    expect(read_array(out.node, "data", "result"), want, "result.data", when)
    upstream = sample(*want.shape, seed=seed)
    backward(submission, out, upstream)
    after = {name: read_array(item.node, "data", name) for name, item in leaves.items()}
    got = {name: read_array(item.node, "grad", name) for name, item in leaves.items()}
    for name, array in arrays.items():
        expect(after[name], array, f"{name}.data", f"{when}: an operation changed its operand")
    for name, slopes in gradients(reference, arrays, upstream).items():
        expect(got[name], slopes, f"{name}.grad", when)


def _node(operand: Any) -> Any:
    return operand.node if isinstance(operand, Expression) else operand


def _text(operand: Any) -> str:
    return operand.text if isinstance(operand, Expression) else str(operand)


def _show(array: Floats) -> str:
    text = np.array2string(array, precision=5, suppress_small=True, threshold=24, separator=", ")
    return " ".join(text.split())
