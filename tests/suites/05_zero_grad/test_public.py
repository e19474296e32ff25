"""Resetting: what backward leaves behind, and how to start afresh."""

import pytest

from grader.autograd import build, close, read_number, show


def train(submission, weights, examples, rate):
    """Run one training_step for each (x, target); what each returned, and the weights after it.

    The gradients are read, too, and not compared: they tell a diagnosis why weights did not move.
    """
    w, b = weights
    seen = []
    for x, target in examples:
        loss = submission.training_step(w, b, x, target, rate)
        seen.append((loss, read_number(w, "data", "w"), read_number(b, "data", "b")))
        read_number(w, "grad", "w", optional=True)
        read_number(b, "grad", "b", optional=True)
    return seen


def expect_descent(seen, start, examples, rate):
    """Compare with the same descent in plain floats: the derivatives are 2*error*x and 2*error."""
    w, b = start
    for number, (x, target) in enumerate(examples):
        loss, got_w, got_b = seen[number]
        error = w * x + b - target
        w, b = w - rate * 2 * error * x, b - rate * 2 * error
        where = f"training_step {number + 1} with x = {x}, target = {target}, rate = {rate}"
        if not isinstance(loss, int | float):
            raise AssertionError(f"{where}\nreturned {loss!r}; return loss.data, a plain number")
        for label, want, got in (("loss", error**2, loss), ("w", w, got_w), ("b", b, got_b)):
            if not close(got, want):
                line = f"{label:<9} expected {show(want)}, got {show(got, want)}"
                raise AssertionError(f"{where}, from w = {start[0]}, b = {start[1]}\n{line}")


@pytest.mark.points(0.5)
def test_sixty_then_fifteen_again(submission):
    """Backward twice on (a*b + c)*d gives a.grad = 60; after zero_grad it gives 15 again."""
    built = build(submission, "loss = (a*b + c)*d", a=2.0, b=3.0, c=4.0, d=5.0)
    built.backward()
    built.expect_grads({"a": 15.0}, when="after the first backward")
    built.backward()
    built.expect_grads({"a": 60.0}, when="after a second backward, without a reset")
    submission.invoke("zero_grad", built.nodes["loss"])
    built.expect_grads({"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}, when="after zero_grad(loss)")
    built.backward()
    want = {"a": 15.0, "b": 10.0, "c": 5.0, "d": 10.0}
    built.expect_grads(want, when="after zero_grad(loss) and one more backward")


@pytest.mark.points(0.5)
def test_two_losses_with_a_common_part(submission):
    """p and q both use s: with a reset between them, each has its own gradients."""
    built = build(submission, "s = a*b; p = s*c; q = s*d", a=2.0, b=3.0, c=4.0, d=5.0)
    built.backward("p")
    submission.invoke("zero_grad", built.nodes["p"])
    built.backward("q")
    when = "backward from p, zero_grad(p), backward from q"
    built.expect_grads({"a": 15.0, "b": 10.0, "d": 6.0}, when=when)


@pytest.mark.points(0.5)
def test_one_training_step(submission):
    """From w = 1, b = 0, one step at x = 2, target = 5, rate = 0.1 gives w = 2.2 and b = 0.6."""
    weights = submission.Value(1.0), submission.Value(0.0)
    examples = [(2.0, 5.0)]
    expect_descent(train(submission, weights, examples, 0.1), (1.0, 0.0), examples, 0.1)


@pytest.mark.points(0.5)
def test_two_training_steps(submission):
    """The second step starts from clean gradients and from the weights of the first."""
    weights = submission.Value(1.0), submission.Value(0.0)
    examples = [(2.0, 5.0)] * 2
    expect_descent(train(submission, weights, examples, 0.05), (1.0, 0.0), examples, 0.05)
