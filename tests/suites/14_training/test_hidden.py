"""The training loop: what only the instructor's copy checks.

The checks train small models of their own, so that every number on the way is known: the
references below are written out by hand and share nothing with a submission.
"""

import math
import random

import pytest

from grader.autograd import close, read_number, show
from grader.autograd.models import listed, same

# w[0]*x[0] + w[1]*x[1] + w[2], whose parameters() is the very list that the model uses
LINE = """
class Model:
    def __init__(self, *numbers):
        self.w = [Value(number) for number in numbers]

    def __call__(self, x):
        return self.w[0] * x[0] + self.w[1] * x[1] + self.w[2]

    def parameters(self):
        return self.w

    def zero_grad(self):
        for p in self.w:
            p.grad = 0.0
"""

# two tanh neurons with one input each, and a linear one on top
BEND = """
class Model:
    def __init__(self, numbers):
        self.a, self.b, self.c, self.d = [Value(number) for number in numbers]

    def __call__(self, x):
        return self.c * (self.a * x[0]).tanh() + (self.b * x[0] + self.d).tanh()

    def parameters(self):
        return [self.a, self.b, self.c, self.d]

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0
"""

# one weight; counts the Values that are alive each time that it is called
CENSUS = """
import gc

class Model:
    def __init__(self, w):
        self.w = Value(w)
        self.alive = []

    def __call__(self, x):
        gc.collect()
        self.alive.append(sum(issubclass(type(thing), Value) for thing in gc.get_objects()))
        return self.w * x[0]

    def parameters(self):
        return [self.w]

    def zero_grad(self):
        self.w.grad = 0.0
"""

XS = [[1.0, -2.0], [0.5, 1.5], [-1.25, 0.75]]
YS = [2.0, -1.0, 0.5]


def line_by_hand(w, steps, lr):
    """The losses and the parameters of LINE, trained on XS and YS."""
    w, losses = list(w), []
    for _ in range(steps):
        errors = [w[0] * x[0] + w[1] * x[1] + w[2] - y for x, y in zip(XS, YS, strict=True)]
        losses.append(sum(e * e for e in errors) / 3)
        slopes = [
            sum(2 * e * [*x, 1.0][i] for e, x in zip(errors, XS, strict=True)) / 3 for i in range(3)
        ]
        w = [value - lr * slope for value, slope in zip(w, slopes, strict=True)]
    return losses, w


def bend_by_hand(numbers, xs, ys, steps, lr):
    """The losses and the parameters of BEND."""
    a, b, c, d = numbers
    losses = []
    for _ in range(steps):
        loss, da, db, dc, dd = 0.0, 0.0, 0.0, 0.0, 0.0
        for [x], y in zip(xs, ys, strict=True):
            left, right = math.tanh(a * x), math.tanh(b * x + d)
            error = c * left + right - y
            loss += error * error / len(xs)
            up = 2 * error / len(xs)
            da += up * c * (1 - left**2) * x
            db += up * (1 - right**2) * x
            dc += up * left
            dd += up * (1 - right**2)
        losses.append(loss)
        a, b, c, d = a - lr * da, b - lr * db, c - lr * dc, d - lr * dd
    return losses, [a, b, c, d]


def read_all(parameters):
    return [read_number(p, "data", f"parameter {i}") for i, p in enumerate(parameters)]


def plain(losses, steps):
    """What train returned, as a list of floats. Raises AssertionError where it is not that."""
    assert isinstance(losses, list | tuple), (
        f"train should return a list of {steps} plain numbers (loss.data, not the loss itself)"
    )
    assert all(isinstance(loss, int | float) for loss in losses), (
        f"train should return {steps} plain numbers: {losses!r}"
    )
    assert len(losses) == steps, f"{steps} steps: expected {steps} losses, got {len(losses)}"
    return [float(loss) for loss in losses]


@pytest.mark.points(0.5)
def test_mse_leads_back_to_the_parameters(submission):
    """backward from mse reaches every parameter of the model."""
    model = submission.define(LINE).Model(0.5, -1.5, 0.25)
    loss = submission.mse(model, XS, YS)
    got_loss = read_number(loss, "data", "loss")
    submission.invoke("backward", loss * 2.0)
    [want_loss], after = line_by_hand([0.5, -1.5, 0.25], 1, 1.0)
    want = [2.0 * (start - end) for start, end in zip([0.5, -1.5, 0.25], after, strict=True)]
    got = [read_number(p, "grad", "a parameter", optional=True) or 0.0 for p in model.w]
    assert close(got_loss, want_loss), f"mse: expected {show(want_loss)}, got {show(got_loss)}"
    assert same(got, want), (
        f"backward from 2*mse: expected the gradients {listed(want)}, got {listed(got)}"
    )


@pytest.mark.points(0.5)
def test_five_steps_on_a_line(submission):
    """Five steps on three examples: every loss, every parameter."""
    model = submission.define(LINE).Model(1.0, 0.5, -0.75)
    losses = submission.train(model, XS, YS, 5, 0.08)
    got = read_all(model.w)
    for p in model.w:  # not compared, but it tells mistakes apart that leave the same numbers
        read_number(p, "grad", "a parameter", optional=True)
    want_losses, want = line_by_hand([1.0, 0.5, -0.75], 5, 0.08)
    losses = plain(losses, 5)
    assert same(losses, want_losses), (
        f"expected the losses {listed(want_losses)}, got {listed(losses)}"
    )
    assert same(got, want), f"expected the parameters {listed(want)}, got {listed(got)}"


@pytest.mark.points(0.5)
def test_four_steps_through_tanh(submission):
    """Four steps through tanh: every loss, every parameter."""
    xs, ys = [[0.8], [-1.1], [1.7], [0.2]], [0.5, -0.25, 1.2, 0.9]
    start = [0.6, -0.9, 1.4, 0.3]
    model = submission.define(BEND).Model(start)
    losses = submission.train(model, xs, ys, 4, 0.3)
    got = read_all(model.parameters())
    want_losses, want = bend_by_hand(start, xs, ys, 4, 0.3)
    losses = plain(losses, 4)
    assert same(losses, want_losses), (
        f"expected the losses {listed(want_losses)}, got {listed(losses)}"
    )
    assert same(got, want), f"expected the parameters {listed(want)}, got {listed(got)}"


@pytest.mark.points(0.25)
def test_first_step_forgets_old_gradients(submission):
    """Gradients from before training have no part in it."""
    model = submission.define(LINE).Model(0.2, 0.3, 0.4)
    for p in model.w:
        p.grad = 7.0
    submission.train(model, XS, YS, 1, 0.1)
    got = read_all(model.w)
    _, want = line_by_hand([0.2, 0.3, 0.4], 1, 0.1)
    assert same(got, want), (
        "every grad was 7 before: expected the parameters "
        f"{listed(want)} after one step, got {listed(got)}"
    )


@pytest.mark.points(0.25)
def test_parameters_stay_the_same_objects(submission):
    """The update changes p.data; p stays the same Value."""
    model = submission.define(LINE).Model(0.7, -0.2, 0.1)
    before = list(model.w)
    submission.train(model, XS, YS, 3, 0.1)
    after = list(model.w)
    read_all(after)
    got = read_all(before)
    _, want = line_by_hand([0.7, -0.2, 0.1], 3, 0.1)
    assert all(one is other for one, other in zip(before, after, strict=True)), (
        "the update put new Values in place of the parameters, with all their history: "
        "change p.data, a number, and keep p"
    )
    assert same(got, want), f"expected the parameters {listed(want)}, got {listed(got)}"


@pytest.mark.points(0.25)
def test_graph_does_not_grow(submission):
    """No graph of an earlier step stays alive."""
    model = submission.define(CENSUS).Model(0.5)
    submission.train(model, [[1.5]], [1.0], 12, 0.01)
    alive = list(model.alive)
    assert len(alive) >= 12, f"12 steps called the model {len(alive)} times"
    assert max(alive[-4:]) <= max(alive[:-4]), (
        f"Values alive as each step begins: {alive}; something keeps the graphs of earlier steps"
    )


@pytest.mark.points(0.25)
def test_losses_are_from_before_each_update(submission):
    """Each loss is from before its step's update."""
    model = submission.define(LINE).Model(-0.6, 1.1, 0.9)
    losses = plain(submission.train(model, XS, YS), 20)
    want, _ = line_by_hand([-0.6, 1.1, 0.9], 20, 0.1)
    assert same(losses, want), f"expected the losses {listed(want)}, got {listed(losses)}"


@pytest.mark.points(0.25)
def test_training_can_go_on(submission):
    """Training twice for two steps is training for four."""
    model = submission.define(LINE).Model(0.9, 0.8, -0.4)
    first = submission.train(model, XS, YS, 2, 0.05)
    second = submission.train(model, XS, YS, 2, 0.05)
    got = read_all(model.w)
    want_losses, want = line_by_hand([0.9, 0.8, -0.4], 4, 0.05)
    losses = plain(first, 2) + plain(second, 2)
    assert same(losses, want_losses), (
        f"expected the losses {listed(want_losses)}, got {listed(losses)}"
    )
    assert same(got, want), f"expected the parameters {listed(want)}, got {listed(got)}"


@pytest.mark.points(0.25)
@pytest.mark.seconds(20)
def test_network_separates_two_moons(submission):
    """A network of 5 + 1 neurons learns 12 points of two moons."""
    xs, ys = two_moons(12, random.Random(5))
    losses = plain(submission.train(submission.MLP(2, [5, 1]), xs, ys, 25, 0.1), 25)
    assert losses[-1] < 0.6, f"after 25 steps: expected a loss below 0.6, got {show(losses[-1])}"
    assert losses[-1] < losses[0], (
        f"the loss should fall: it went from {show(losses[0])} to {show(losses[-1])}"
    )


def two_moons(n, draw):
    xs, ys = [], []
    for i in range(n):
        angle, sign = math.pi * draw.random(), 1 - i % 2 * 2
        x = [sign * math.cos(angle) + i % 2, sign * math.sin(angle) + 0.5 * (i % 2)]
        xs.append([coordinate + draw.gauss(0.0, 0.1) for coordinate in x])
        ys.append(-float(sign))
    return xs, ys
