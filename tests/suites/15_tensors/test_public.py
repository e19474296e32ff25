"""Tensors: what the handout checks."""

import numpy as np
import pytest

from grader.autograd.arrays import check_tensors, relu


@pytest.mark.points(0.5)
def test_elementwise_without_broadcasting(submission):
    """x * y + x, all of one shape."""
    check_tensors(
        submission,
        "x * y + x",
        lambda x, y: x * y + x,
        lambda x, y: x * y + x,
        x=np.array([[1.0, -2.0], [0.5, 3.0]]),
        y=np.array([[2.0, 0.25], [-1.0, 1.5]]),
    )


@pytest.mark.points(0.5)
def test_bias_is_summed_over_the_rows(submission):
    """x + b with x of shape (4, 2) and b of shape (2,)."""
    check_tensors(
        submission,
        "x + b, shapes (4, 2) and (2,)",
        lambda x, b: x + b,
        lambda x, b: x + b,
        x=np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 1.5], [-2.0, 0.25]]),
        b=np.array([0.5, -0.75]),
    )


@pytest.mark.points(0.5)
def test_matrix_product(submission):
    """x @ w with shapes (2, 3) and (3, 2)."""
    check_tensors(
        submission,
        "x @ w, shapes (2, 3) and (3, 2)",
        lambda x, w: x @ w,
        lambda x, w: x @ w,
        x=np.array([[1.0, -1.0, 2.0], [0.5, 3.0, -2.0]]),
        w=np.array([[2.0, 1.0], [-1.0, 0.5], [0.25, 4.0]]),
    )


@pytest.mark.points(0.5)
def test_sum_along_an_axis(submission):
    """x.sum(axis=1): each row's gradient goes to all of it."""
    check_tensors(
        submission,
        "x.sum(axis=1), shape (2, 3)",
        lambda x: x.sum(axis=1),
        lambda x: x.sum(axis=1),
        x=np.array([[1.0, 2.0, -4.0], [0.5, 1.5, 3.0]]),
    )


@pytest.mark.points(0.5)
def test_reshape_relu_and_rows(submission):
    """Rows of a reshaped Tensor, through relu."""
    check_tensors(
        submission,
        "x.reshape(3, 2)[[0, 2]].relu(), shape (2, 3)",
        lambda x: x.reshape(3, 2)[[0, 2]].relu(),
        lambda x: relu(x.reshape(3, 2)[[0, 2]]),
        x=np.array([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]]),
    )
