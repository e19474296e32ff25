"""Softmax and cross-entropy: what the handout checks."""

import numpy as np
import pytest

from grader.autograd.arrays import check_tensors, expect, leaf, read_array


def log_softmax(z):
    """Along the last axis; for complex numbers too."""
    return z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))


@pytest.mark.points(0.5)
def test_log_softmax_of_rows(submission):
    """log_softmax of two rows, and its gradient."""
    check_tensors(
        submission,
        "z.log_softmax(), shape (2, 3)",
        lambda z: z.log_softmax(),
        log_softmax,
        z=np.array([[0.5, 1.0, -2.0], [3.0, 0.25, 1.0]]),
    )


@pytest.mark.points(0.5)
def test_softmax_of_rows(submission):
    """softmax of two rows, and its gradient."""
    check_tensors(
        submission,
        "z.softmax(), shape (2, 3)",
        lambda z: z.softmax(),
        lambda z: np.exp(log_softmax(z)),
        z=np.array([[1.5, -1.0, 0.5], [0.0, 2.0, 0.75]]),
    )


@pytest.mark.points(0.5)
def test_cross_entropy_is_a_mean(submission):
    """cross_entropy of three rows, and its gradient (p - y)/3."""
    check_tensors(
        submission,
        "z.cross_entropy([1, 0, 1]), shape (3, 2)",
        lambda z: z.cross_entropy([1, 0, 1]),
        lambda z: -np.mean(log_softmax(z)[[0, 1, 2], [1, 0, 1]]),
        z=np.array([[1.0, 2.0], [0.5, -0.5], [-1.5, 0.25]]),
    )


@pytest.mark.points(0.5)
def test_large_logits_stay_finite(submission):
    """Logits of 900 and -900: results and gradients are finite."""
    z = leaf(submission, "z", [[900.0, -900.0]])
    loss = z.cross_entropy([1])
    submission.invoke("backward", loss.node)
    log_p = z.log_softmax()
    got = read_array(log_p.node, "data", "z.log_softmax()")
    got_loss = read_array(loss.node, "data", "loss")
    got_grad = read_array(z.node, "grad", "z")
    expect(got, [[0, -1800]], "result.data", "z.log_softmax() at z = [[900, -900]]")
    expect(got_loss, 1800, "loss.data", "z.cross_entropy([1]) at z = [[900, -900]]")
    expect(got_grad, [[1, -1]], "z.grad", "z.cross_entropy([1]) at z = [[900, -900]]")
