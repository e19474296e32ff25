"""Softmax and cross-entropy: what only the instructor's copy checks."""

import numpy as np
import pytest

from grader.autograd.arrays import check_tensors, expect, leaf, read_array, sample


def log_softmax(z, axis=-1):
    """The reference: for complex numbers too, as large as you like."""
    shifted = z - np.max(np.real(z), axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax(z, axis=-1):
    return np.exp(log_softmax(z, axis))


def cross_entropy(z, targets):
    return -np.mean(log_softmax(z)[np.arange(len(targets)), targets])


@pytest.mark.points(0.25)
def test_log_softmax_along_each_axis(submission):
    """log_softmax along the axis that is asked for, also of a square."""
    check_tensors(
        submission,
        "z.log_softmax(), shape (2, 2, 3)",
        lambda z: z.log_softmax(),
        log_softmax,
        z=sample(2, 2, 3, seed=1.5),
    )
    for shape, axis in (((3, 3), 0), ((3, 3), 1), ((2, 3, 4), 1), ((4,), 0)):
        check_tensors(
            submission,
            f"(z * z).log_softmax(axis={axis}), shape {shape}",
            lambda z, axis=axis: (z * z).log_softmax(axis=axis),
            lambda z, axis=axis: log_softmax(z * z, axis),
            z=sample(*shape, seed=0.3),
        )


@pytest.mark.points(0.25)
def test_softmax_along_each_axis(submission):
    """softmax along the axis that is asked for, also of a square."""
    check_tensors(
        submission,
        "z.softmax(), shape (2, 2, 3)",
        lambda z: z.softmax(),
        softmax,
        z=sample(2, 2, 3, seed=0.75),
    )
    for shape, axis in (((3, 3), 0), ((3, 3), 1), ((2, 4, 3), 1), ((5,), -1)):
        check_tensors(
            submission,
            f"(z * z).softmax(axis={axis}), shape {shape}",
            lambda z, axis=axis: (z * z).softmax(axis=axis),
            lambda z, axis=axis: softmax(z * z, axis),
            z=sample(*shape, seed=1.7),
        )


@pytest.mark.points(0.25)
def test_cross_entropy_passes_on_what_arrives(submission):
    """The gradient of cross_entropy is what arrives times (p - y)/n."""
    for shape, targets in (((4, 3), [2, 0, 0, 1]), ((1, 4), [3]), ((3, 3), [1, 1, 2])):
        check_tensors(
            submission,
            f"-2.5 * z.cross_entropy({targets}), shape {shape}",
            lambda z, targets=targets: -2.5 * z.cross_entropy(targets),
            lambda z, targets=targets: -2.5 * cross_entropy(z, targets),
            z=sample(*shape, seed=2.5),
        )


@pytest.mark.points(0.25)
def test_classifier_gradients(submission):
    """cross_entropy of x @ w + b: the gradients of w and b."""
    targets = [1, 3, 0, 0, 2]
    check_tensors(
        submission,
        f"(x @ w + b).cross_entropy({targets}), shapes (5, 2), (2, 4), (4,)",
        lambda x, w, b: (x @ w + b).cross_entropy(targets),
        lambda x, w, b: cross_entropy(x @ w + b, targets),
        x=sample(5, 2, seed=0.6),
        w=sample(2, 4, seed=1.9),
        b=sample(4, seed=2.2),
    )


@pytest.mark.points(0.25)
def test_log_softmax_of_extreme_logits(submission):
    """softmax and its log, one row at 1000, the next at -1000."""
    z = np.array(
        [
            [1000.0, 998.5, -1000.0],
            [-1000.0, -1001.0, -999.25],
            [0.0, 0.0, 1000.0],
            [-1000.0, 1000.0, -1000.0],
        ]
    )
    check_tensors(
        submission,
        "z.log_softmax(), logits between -1000 and 1000",
        lambda z: z.log_softmax(),
        log_softmax,
        z=z,
    )
    check_tensors(
        submission,
        "z.softmax(), logits between -1000 and 1000",
        lambda z: z.softmax(),
        softmax,
        z=z,
    )
    check_tensors(
        submission,
        "z.log_softmax(axis=0), logits between -1000 and 1000",
        lambda z: z.log_softmax(axis=0),
        lambda z: log_softmax(z, 0),
        z=z,
    )


@pytest.mark.points(0.25)
def test_cross_entropy_of_extreme_logits(submission):
    """cross_entropy is exact where the target's share is 0."""
    check_tensors(
        submission,
        "z.cross_entropy([1, 0, 1, 0]), logits between -1000 and 1000",
        lambda z: z.cross_entropy([1, 0, 1, 0]),
        lambda z: cross_entropy(z, [1, 0, 1, 0]),
        z=np.array([[1000.0, 0.0], [1000.0, 1000.0], [-1000.0, -1002.0], [-1000.0, 1000.0]]),
    )


@pytest.mark.points(0.25)
def test_logits_used_more_than_once(submission):
    """Logits used again get all their gradients, added up."""
    targets = [0, 2]
    check_tensors(
        submission,
        "z.softmax() * z.log_softmax() + z.cross_entropy([0, 2]) * z, shape (2, 3)",
        lambda z: z.softmax() * z.log_softmax() + z.cross_entropy(targets) * z,
        lambda z: softmax(z) * log_softmax(z) + cross_entropy(z, targets) * z,
        z=sample(2, 3, seed=0.95),
    )
    check_tensors(
        submission,
        "z * z.softmax(), shape (2, 3)",
        lambda z: z * z.softmax(),
        lambda z: z * softmax(z),
        z=sample(2, 3, seed=2.05),
    )
    check_tensors(
        submission,
        "z * z.log_softmax(), shape (2, 3)",
        lambda z: z * z.log_softmax(),
        lambda z: z * log_softmax(z),
        z=sample(2, 3, seed=0.15),
    )


@pytest.mark.points(0.25)
def test_targets_may_be_an_array(submission):
    """Targets may be a numpy array."""
    data, targets = sample(3, 4, seed=1.35), np.array([3, 1, 1])
    z = leaf(submission, "z", data)
    first, second = z.cross_entropy(targets), z.cross_entropy(targets)
    submission.invoke("backward", first.node)
    losses = [read_array(loss.node, "data", "loss") for loss in (first, second)]
    got = read_array(z.node, "grad", "z")
    when = f"z.cross_entropy(numpy.array({targets.tolist()})), shape (3, 4)"
    for loss in losses:
        expect(loss, cross_entropy(data, targets), "loss.data", when)
    expect(got, (softmax(data) - np.eye(4)[targets]) / 3, "z.grad", when)
