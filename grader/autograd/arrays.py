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
    leaves = {name: submission.Tensor(array) for name, array in arrays.items()}
    out = built(**leaves)
    want = np.asarray(reference(**arrays), dtype=np.float64)
    expect(read_array(out, "data", "result"), want, "result.data", when)
    upstream = sample(*want.shape, seed=seed)
    submission.invoke("backward", (out * submission.Tensor(upstream)).sum())
    after = {name: read_array(leaf, "data", name) for name, leaf in leaves.items()}
    got = {name: read_array(leaf, "grad", name) for name, leaf in leaves.items()}
    for name, array in arrays.items():
        expect(after[name], array, f"{name}.data", f"{when}: an operation changed its operand")
    for name, slopes in gradients(reference, arrays, upstream).items():
        expect(got[name], slopes, f"{name}.grad", when)


def _show(array: Floats) -> str:
    text = np.array2string(array, precision=5, suppress_small=True, threshold=24, separator=", ")
    return " ".join(text.split())
