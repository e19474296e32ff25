"""The training loop: what the handout checks."""

import math
import random

import pytest

from grader.autograd import close, read_number, show

# What a check trains: one weight, no bias.
WEIGHT = """
class Model:
    def __init__(self, w):
        self.w = Value(w)

    def __call__(self, x):
        return self.w * x[0]

    def parameters(self):
        return [self.w]

    def zero_grad(self):
        self.w.grad = 0.0
"""


@pytest.mark.points(0.5)
def test_mse_is_the_mean(submission):
    """mse is the mean of the squared errors."""
    model = submission.define(WEIGHT).Model(3.0)
    loss = submission.mse(model, [[1.0], [2.0], [-1.0], [0.5]], [2.0, 8.0, -3.0, 0.5])
    got = read_number(loss, "data", "loss")
    assert close(got, 1.5), (
        "model(x) = 3*x[0]; the errors are 1, -2, 0 and 1: "
        f"expected (1 + 4 + 0 + 1)/4 = 1.5, got {show(got)}"
    )


@pytest.mark.points(0.5)
def test_one_step_goes_downhill(submission):
    """One step moves the weight by -lr times its gradient."""
    model = submission.define(WEIGHT).Model(1.0)
    submission.train(model, [[2.0]], [5.0], 1, 0.05)
    got = read_number(model.w, "data", "w")
    assert close(got, 1.6), (
        "w = 1, x = 2, y = 5, lr = 0.05: the gradient is 2*(1*2 - 5)*2 = -12, "
        f"expected w = 1.6, got {show(got)}"
    )


@pytest.mark.points(0.5)
def test_gradients_do_not_pile_up(submission):
    """The second step uses the second gradient, not the sum of both."""
    model = submission.define(WEIGHT).Model(2.0)
    submission.train(model, [[1.0]], [1.0], 2, 0.25)
    got = read_number(model.w, "data", "w")
    assert close(got, 1.25), (
        f"w = 2, x = 1, y = 1, lr = 0.25: w should go 2, 1.5, 1.25; after two steps got {show(got)}"
    )


@pytest.mark.points(0.5)
@pytest.mark.seconds(20)  # a quarter of a second, on a machine with nothing else to do
def test_loss_falls_on_two_moons(submission):
    """A network of 4 + 1 neurons learns 12 points of two moons."""
    xs, ys = two_moons(12, random.Random(99))
    losses = submission.train(submission.MLP(2, [4, 1]), xs, ys, 25, 0.1)
    assert isinstance(losses, list | tuple), "train should return a list of 25 plain numbers"
    assert all(isinstance(loss, int | float) for loss in losses), f"not plain numbers: {losses!r}"
    assert len(losses) == 25, f"25 steps: expected 25 losses, got {len(losses)}"
    assert losses[-1] < 0.5, (
        "labels are -1 and 1, so answering 0 for all has a loss of 1; after 25 steps "
        f"expected less than 0.5, got {show(losses[-1])} (the first loss was {show(losses[0])})"
    )


def two_moons(n, draw):
    xs, ys = [], []
    for i in range(n):
        angle, sign = math.pi * draw.random(), 1 - i % 2 * 2
        x = [sign * math.cos(angle) + i % 2, sign * math.sin(angle) + 0.5 * (i % 2)]
        xs.append([coordinate + draw.gauss(0.0, 0.1) for coordinate in x])
        ys.append(-float(sign))
    return xs, ys
