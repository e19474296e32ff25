"""One step at a time: what a sum and a product hand on to their operands."""

import pytest

from grader.autograd import build, close, show

HELPER = """
def has_a_step(node):
    return callable(getattr(node, "_backward", None))
"""


def run_step(built, name, arriving=None):
    """Run the step of a node, after putting the gradient `arriving` on it if one is given."""
    node = built.nodes[name]
    if arriving is not None:
        node.grad = arriving
    step = node._backward
    if step is None or isinstance(step, int | float | str | tuple | list):
        raise AssertionError(
            f"built     {built.program}\n{name}._backward is {step!r}, not a function: "
            f"store the step itself (out._backward = step), without calling it"
        )
    step()


def expect_grads(built, when, **want):
    """Read all these gradients, then compare them."""
    got = {name: built.grad(name) for name in want}
    lines = [
        f"{name}.grad    expected {show(want[name])}, got {show(got[name], want[name])}"
        for name in want
        if not close(got[name], want[name])
    ]
    if lines:
        raise AssertionError("\n".join([f"built     {built.program}", f"ran       {when}", *lines]))


def expect_leaves(built, **want):
    """The leaves still hold their own numbers, once the graph is built and its steps have run."""
    got = {name: built.data(name) for name in want}
    for name, number in want.items():
        if not close(got[name], number):
            raise AssertionError(
                f"built     {built.program}\n{name}.data    is {show(got[name])}, it was made with "
                f"{show(number)}: every Value has a number of its own, and a step leaves it alone"
            )


@pytest.mark.points(0.5)
def test_a_sum_hands_its_gradient_to_both(submission):
    """c = a + b with 10 arriving at c: a and b each receive 10."""
    built = build(submission, "c = a + b", a=2.0, b=5.0)
    # compared with nothing: it tells a diagnosis whether there is a step at all
    submission.define(HELPER).has_a_step(built.nodes["c"])
    run_step(built, "c", 10.0)
    expect_grads(built, "the step of c with c.grad = 10", a=10.0, b=10.0)
    expect_leaves(built, a=2.0, b=5.0)


@pytest.mark.points(0.5)
def test_a_product_scales_by_the_other_number(submission):
    """c = a * b at 2 and 5 with 10 arriving at c: a receives 50, b receives 20."""
    built = build(submission, "c = a * b", a=2.0, b=5.0)
    run_step(built, "c", 10.0)
    expect_grads(built, "the step of c with c.grad = 10", a=50.0, b=20.0)


@pytest.mark.points(0.5)
def test_a_square_receives_twice(submission):
    """y = x * x at 3: x receives 3 from each side, 6 in all."""
    built = build(submission, "y = x * x", x=3.0)
    run_step(built, "y", 1.0)
    expect_grads(built, "the step of y with y.grad = 1", x=6.0)


@pytest.mark.points(0.5)
def test_two_results_of_one_operand_add_up(submission):
    """s = a + b and p = a * b: what arrives from p is added to what came from s."""
    built = build(submission, "s = a + b; p = a * b", a=2.0, b=5.0)
    run_step(built, "s", 1.0)
    run_step(built, "p", 1.0)
    expect_grads(built, "the steps of s and of p, each with 1 arriving", a=6.0, b=3.0)
