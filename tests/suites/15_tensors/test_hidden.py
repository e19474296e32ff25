"""Tensors: what only the instructor's copy checks.

Each check builds on Tensors, runs backward with an upstream gradient that differs from element to
element, and compares with derivatives of a numpy function (`grader.autograd.arrays`). Shapes are
compared exactly.
"""

import numpy as np
import pytest

from grader.autograd.arrays import backward, check_tensors, expect, leaf, read_array, relu, sample


@pytest.mark.points(0.25)
def test_broadcast_over_leading_axes(submission):
    """A row is used for every row: new axes in front."""
    for left, right in (((4, 3), (3,)), ((3,), (5, 3)), ((2, 4, 3), (4, 3)), ((3,), (2, 2, 3))):
        check_tensors(
            submission,
            f"x * y + y, shapes {left} and {right}",
            lambda x, y: x * y + y,
            lambda x, y: x * y + y,
            x=sample(*left, seed=1.1),
            y=sample(*right, seed=2.3),
        )


@pytest.mark.points(0.25)
def test_broadcast_over_axes_of_size_one(submission):
    """A column is used for every column: axes of size 1."""
    for left, right in (
        ((3, 4), (3, 1)),
        ((3, 1), (1, 4)),
        ((1, 1), (2, 5)),
        ((2, 3, 2), (2, 1, 2)),
    ):
        check_tensors(
            submission,
            f"x * y + x, shapes {left} and {right}",
            lambda x, y: x * y + x,
            lambda x, y: x * y + x,
            x=sample(*left, seed=0.7),
            y=sample(*right, seed=1.9),
        )


@pytest.mark.points(0.25)
def test_broadcast_in_both_ways_at_once(submission):
    """New axes in front and axes of size 1 in one operation."""
    for left, right in (
        ((2, 3, 4), (3, 1)),
        ((4, 1), (2, 1, 3)),
        ((1, 3), (4, 2, 1)),
        ((2, 1), (2, 2, 3)),
    ):
        check_tensors(
            submission,
            f"x + y * x, shapes {left} and {right}",
            lambda x, y: x + y * x,
            lambda x, y: x + y * x,
            x=sample(*left, seed=2.2),
            y=sample(*right, seed=0.9),
        )


@pytest.mark.points(0.25)
def test_broadcast_when_sizes_are_one_anyway(submission):
    """Shapes that hold a 1 on both sides keep it."""
    for left, right in (((1, 3), (1, 3)), ((1,), (4, 1)), ((1, 1), (1,))):
        check_tensors(
            submission,
            f"x * y + y, shapes {left} and {right}",
            lambda x, y: x * y + y,
            lambda x, y: x * y + y,
            x=sample(*left, seed=1.3),
            y=sample(*right, seed=2.6),
        )


@pytest.mark.points(0.25)
def test_numbers_and_tensors_without_axes(submission):
    """Plain numbers on either side, and a Tensor of shape ()."""
    check_tensors(
        submission,
        "3 * x - 0.5 + s * x + 1.25, shapes (2, 3) and ()",
        lambda x, s: 3 * x - 0.5 + s * x + 1.25,
        lambda x, s: 3 * x - 0.5 + s * x + 1.25,
        x=sample(2, 3, seed=0.2),
        s=np.array(-1.75),
    )


@pytest.mark.points(0.25)
def test_matrix_product_of_other_shapes(submission):
    """x @ w where no two sizes are the same."""
    for left, right in (((4, 3), (3, 5)), ((1, 4), (4, 3)), ((3, 2), (2, 1))):
        check_tensors(
            submission,
            f"x @ w, shapes {left} and {right}",
            lambda x, w: x @ w,
            lambda x, w: x @ w,
            x=sample(*left, seed=1.6),
            w=sample(*right, seed=0.3),
        )


@pytest.mark.points(0.25)
def test_matrix_product_of_squares(submission):
    """x @ w of squares, where every order of factors fits."""
    check_tensors(
        submission,
        "(x * w) @ (w + x), shapes (3, 3)",
        lambda x, w: (x * w) @ (w + x),
        lambda x, w: (x * w) @ (w + x),
        x=sample(3, 3, seed=2.9),
        w=sample(3, 3, seed=0.8),
    )


@pytest.mark.points(0.25)
def test_sum_along_each_axis(submission):
    """sum along the first, a middle and the last axis."""
    for shape, axis in (((3, 4), 0), ((3, 3), 0), ((3, 3), 1), ((2, 3, 2), 1), ((3, 2), -1)):
        check_tensors(
            submission,
            f"(x * x).sum(axis={axis}), shape {shape}",
            lambda x, axis=axis: (x * x).sum(axis=axis),
            lambda x, axis=axis: (x * x).sum(axis=axis),
            x=sample(*shape, seed=1.2),
        )


@pytest.mark.points(0.25)
def test_sum_that_keeps_the_axis(submission):
    """sum with keepdims=True, and of all elements."""
    for axis in (0, 1):
        check_tensors(
            submission,
            f"x * x.sum(axis={axis}, keepdims=True), shape (3, 3)",
            lambda x, axis=axis: x * x.sum(axis=axis, keepdims=True),
            lambda x, axis=axis: x * x.sum(axis=axis, keepdims=True),
            x=sample(3, 3, seed=2.1),
        )
    check_tensors(
        submission,
        "x * x.sum(), shape (2, 3)",
        lambda x: x * x.sum(),
        lambda x: x * x.sum(),
        x=sample(2, 3, seed=0.6),
    )


@pytest.mark.points(0.25)
def test_reshape_keeps_the_order(submission):
    """reshape there and back again, flat, and with -1."""
    for shape, new in (((2, 6), (4, 3)), ((3, 3), (9,)), ((2, 3, 2), (3, -1)), ((4,), (2, 1, 2))):
        check_tensors(
            submission,
            f"(x * x).reshape{new}, shape {shape}",
            lambda x, new=new: (x * x).reshape(*new),
            lambda x, new=new: (x * x).reshape(*new),
            x=sample(*shape, seed=1.8),
        )


@pytest.mark.points(0.25)
def test_relu_looks_at_its_input(submission):
    """relu looks at the sign of its input, not of the gradient."""
    check_tensors(
        submission,
        "(2 * x).relu() * x.relu(), shape (3, 4)",
        lambda x: (2 * x).relu() * x.relu() - x.relu(),
        lambda x: relu(2 * x) * relu(x) - relu(x),
        x=sample(3, 4, seed=0.5),
    )


@pytest.mark.points(0.25)
def test_elements_taken_more_than_once(submission):
    """A row that is taken twice gets both gradients."""
    x = sample(3, 2, seed=2.4)
    rows, one, two = [2, 0, 2, 2], [0, 1, 0], [1, 1, 1]
    check_tensors(submission, f"x[{rows}]", lambda x: x[rows], lambda x: x[rows], x=x)
    check_tensors(
        submission,
        f"(x * x)[{one}, {two}] * x[2, 0]",
        lambda x: (x * x)[one, two] * x[2, 0],
        lambda x: (x * x)[one, two] * x[2, 0],
        x=x,
    )
    check_tensors(submission, "x[1]", lambda x: x[1], lambda x: x[1], x=x)


@pytest.mark.points(0.25)
def test_two_linear_layers(submission):
    """Two linear layers: each gradient in its parameter's shape."""
    check_tensors(
        submission,
        "(x @ w + b).relu() @ v + c, shapes (5, 3), (3, 4), (4,), (4, 2), (2,)",
        lambda x, w, b, v, c: (x @ w + b).relu() @ v + c,
        lambda x, w, b, v, c: relu(x @ w + b) @ v + c,
        x=sample(5, 3, seed=0.1),
        w=sample(3, 4, seed=1.4),
        b=sample(4, seed=2.7),
        v=sample(4, 2, seed=0.35),
        c=sample(2, seed=1.05),
    )


@pytest.mark.points(0.25)
def test_tensors_used_more_than_once(submission):
    """A Tensor used again gets all its gradients, added up."""
    check_tensors(
        submission,
        "x @ x * x + x, shape (3, 3)",
        lambda x: x @ x * x + x + x.sum(axis=0) * x.relu() + x.reshape(3, 3)[[0, 0, 1]],
        lambda x: x @ x * x + x + x.sum(axis=0) * relu(x) + x.reshape(3, 3)[[0, 0, 1]],
        x=sample(3, 3, seed=1.15),
    )
    a = leaf(submission, "a", [[1, -2], [3, 4]])
    b = leaf(submission, "b", [[0.5, 2.0], [1.0, -1.0]])
    upstream = sample(2, 2, seed=0.9)
    backward(submission, (a + b) + b, upstream)
    got = read_array(a.node, "grad", "a"), read_array(b.node, "grad", "b")
    when = "(a + b) + b, with a made of integers"
    expect(read_array(a.node, "data", "a"), [[1.0, -2.0], [3.0, 4.0]], "a.data", when)
    expect(got[0], upstream, "a.grad", when)
    expect(got[1], 2 * upstream, "b.grad", when)
