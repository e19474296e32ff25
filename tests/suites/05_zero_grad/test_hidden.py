"""Resetting other graphs, all of them and nothing else; training for longer."""

import pytest
from hypothesis import given, settings

from grader.autograd import Reference, build, close, programs, read_number, show


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
def test_backward_alone_piles_up(submission):
    """Without a reset a second backward adds to the first, in the results in between as well."""
    built = build(submission, "p = u*v; y = p*w", u=1.5, v=-2.0, w=0.5)
    built.backward()
    built.backward()
    built.expect_grads({"u": -3.0, "v": 2.25, "w": -6.0}, when="after backward, backward")
    submission.invoke("zero_grad", built.nodes["y"])
    built.backward()
    when = "after backward, backward, zero_grad(y), backward"
    built.expect_grads({"u": -1.0, "v": 0.75, "w": -3.0}, when=when)


@pytest.mark.points(0.5)
def test_a_reset_reaches_the_results_in_between(submission):
    """A stale gradient on an inner node would be handed on again."""
    built = build(submission, "s = u + v; p = s*u; q = p*s; y = q + p", u=1.5, v=0.5)
    for _ in range(3):
        built.backward()
        submission.invoke("zero_grad", built.nodes["y"])
    built.backward()
    when = "after three times backward, zero_grad(y), and a last backward"
    built.expect_grads({"u": 13.5, "v": 7.5}, when=when)


@pytest.mark.points(0.25)
def test_every_leaf_is_back_at_zero(submission):
    """After the reset all leaves read 0.0, near the root or far from it."""
    built = build(submission, "p = u*v; s = p + w; q = s*p; y = q*z", u=1.5, v=-2.0, w=0.5, z=4.0)
    built.backward()
    submission.invoke("zero_grad", built.nodes["y"])
    grads = {name: read_number(built.nodes[name], "grad", name) for name in "uvwz"}
    for name, got in grads.items():
        if got != 0:
            raise AssertionError(
                f"built     {built.program}\n{name}.grad    is {got} after zero_grad(y), not 0.0"
            )


@pytest.mark.points(0.25)
def test_another_graph_keeps_its_gradients(submission):
    """zero_grad(y) leaves Values alone that y was not computed from."""
    first = build(submission, "p = u*v; y = p*u", u=1.5, v=-2.0)
    second = build(submission, "q = u*v; z = q + v", u=-0.5, v=4.0)
    first.backward()
    second.backward()
    submission.invoke("zero_grad", first.nodes["y"])
    second.expect_grads({"u": 4.0, "v": 0.5}, when="after zero_grad of the root of another graph")
    first.expect_grads({"u": 0.0, "v": 0.0}, when="after zero_grad(y)")


@pytest.mark.points(0.25)
def test_a_reset_changes_no_data(submission):
    """zero_grad touches gradients only."""
    built = build(submission, "s = u + v; y = s*u", u=1.5, v=-4.0)
    built.backward()
    submission.invoke("zero_grad", built.nodes["y"])
    datas = {name: built.data(name) for name in ("u", "v", "s", "y")}
    for name, want in (("u", 1.5), ("v", -4.0), ("s", -2.5), ("y", -3.75)):
        if not close(datas[name], want):
            raise AssertionError(
                f"built     {built.program}\n"
                f"{name}.data    is {datas[name]} after zero_grad(y), and was {want}"
            )


@pytest.mark.points(0.5)
def test_two_losses_at_other_numbers(submission):
    """Two losses share two nodes: reset after the first, and the second has its own gradients."""
    program = "s = u + v; r = s*u; p = r*w; q = r + s"
    built = build(submission, program, u=1.5, v=-4.0, w=3.0)
    built.backward("p")
    built.expect_grads({"u": -3.0, "v": 4.5, "w": -3.75}, when="backward from p")
    submission.invoke("zero_grad", built.nodes["p"])
    built.backward("q")
    when = "backward from p, zero_grad(p), backward from q"
    built.expect_grads({"u": 0.0, "v": 2.5, "w": 0.0}, when=when)
    first = build(submission, program, u=1.5, v=-4.0, w=3.0)
    first.backward("p")
    submission.invoke("zero_grad", first.nodes["q"])
    first.backward("q")
    when = "backward from p, zero_grad(q), backward from q"
    first.expect_grads({"u": 0.0, "v": 2.5, "w": -3.75}, when=when)


@pytest.mark.points(0.25)
def test_a_loss_that_is_used_again(submission):
    """The root itself is reset, too: later it may be a node inside a larger graph."""
    built = build(submission, "p = u*v; y = p*w", u=1.5, v=-2.0, w=-0.5)
    built.backward("p")
    submission.invoke("zero_grad", built.nodes["p"])
    built.backward("y")
    when = "backward from p, zero_grad(p), backward from y"
    built.expect_grads({"u": 1.0, "v": -0.75, "w": -3.0}, when=when)


@pytest.mark.points(0.25)
def test_a_leaf_is_a_graph_of_one_node(submission):
    """zero_grad of a leaf resets that leaf, and not the others."""
    built = build(submission, "y = u*v", u=1.5, v=-2.0)
    built.backward()
    submission.invoke("zero_grad", built.nodes["u"])
    built.expect_grads({"u": 0.0, "v": 1.5}, when="after backward and zero_grad(u)")


@pytest.mark.points(0.25)
@settings(max_examples=30)
@given(program=programs("+*", leaves=3, steps=6))
def test_random_graphs_start_afresh(submission, program):
    """On random graphs a reset backward gives what the first one gave."""
    built = build(submission, program)
    built.backward()
    submission.invoke("zero_grad", built.nodes[program.output])
    built.backward()
    reference = Reference(program)
    want = {name: reference.grad(name) for name, _ in program.leaves}
    built.expect_grads(want, when=f"after backward, zero_grad({program.output}), backward")


@pytest.mark.points(0.5)
def test_five_training_steps(submission):
    """Five steps on one example go where gradient descent in plain floats goes."""
    weights = submission.Value(-0.5), submission.Value(2.0)
    examples = [(-1.5, 0.75)] * 5
    expect_descent(train(submission, weights, examples, 0.04), (-0.5, 2.0), examples, 0.04)


@pytest.mark.points(0.25)
def test_training_on_several_examples(submission):
    """Each step uses its own example and the weights that the step before left."""
    weights = submission.Value(0.25), submission.Value(-1.0)
    examples = [(1.5, 2.0), (-0.5, 3.0), (2.5, -1.25), (0.75, 0.5)]
    expect_descent(train(submission, weights, examples, 0.06), (0.25, -1.0), examples, 0.06)


@pytest.mark.points(0.25)
def test_a_step_starts_from_clean_gradients(submission):
    """What an earlier backward left on the weights does not move them."""
    built = build(submission, "y = w*b; z = y*w", w=1.25, b=-3.0)
    built.backward()
    weights = built.nodes["w"], built.nodes["b"]
    examples = [(0.5, 1.0)]
    expect_descent(train(submission, weights, examples, 0.1), (1.25, -3.0), examples, 0.1)
