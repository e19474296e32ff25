"""The same rules with other numbers and signs, in graphs, and in every order."""

import pytest
from hypothesis import given, settings

from grader.autograd import Reference, build, close, programs, show


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


def parents_of(built, name):
    """The names of a node's parents, each once; a tuple, list or set of them is fine."""
    names = {id(node): label for label, node in built.nodes.items()}
    found = {names.get(id(parent), "another Value") for parent in built.nodes[name].parents}
    return " and ".join(sorted(found)) or "none"


@pytest.mark.points(0.25)
def test_the_forward_part_is_that_of_exercise_02(submission):
    """Results still know their operands, and plain numbers may take part."""
    built = build(submission, "s = u + v; p = s * u; q = p + 2.5; r = q * -1.5", u=1.5, v=-0.5)
    want = {"s": "u and v", "p": "s and u", "q": "another Value and p", "r": "another Value and q"}
    got = {name: parents_of(built, name) for name in want}
    for name, right in want.items():
        if got[name] != right:
            raise AssertionError(
                f"built     {built.program}\n{name}.parents  expected {right}, got {got[name]}"
            )
    run_step(built, "r", 2.0)
    run_step(built, "q")
    expect_grads(built, "the step of r with r.grad = 2, and that of q", q=-3.0, p=-3.0)


@pytest.mark.points(0.25)
def test_a_negative_gradient_through_a_sum(submission):
    """A sum hands on a negative gradient unchanged."""
    built = build(submission, "s = u + v", u=-1.5, v=0.25)
    run_step(built, "s", -2.75)
    expect_grads(built, "the step of s with s.grad = -2.75", u=-2.75, v=-2.75)
    expect_leaves(built, u=-1.5, v=0.25)


@pytest.mark.points(0.5)
def test_a_negative_gradient_through_a_product(submission):
    """A product scales a negative gradient by the other number, signs included."""
    built = build(submission, "p = u * v", u=-1.5, v=0.25)
    run_step(built, "p", -3.0)
    expect_grads(built, "the step of p with p.grad = -3", u=-0.75, v=4.5)
    zero = build(submission, "p = u * v", u=0.0, v=-2.5)
    run_step(zero, "p", -3.0)
    expect_grads(zero, "the step of p with p.grad = -3", u=7.5, v=0.0)


@pytest.mark.points(0.25)
def test_a_doubled_operand_receives_twice(submission):
    """x + x hands its gradient to x twice."""
    built = build(submission, "s = x + x", x=0.75)
    run_step(built, "s", -1.5)
    expect_grads(built, "the step of s with s.grad = -1.5", x=-3.0)


@pytest.mark.points(0.5)
def test_a_negative_square(submission):
    """x * x at a negative x, with a gradient other than 1 arriving."""
    built = build(submission, "p = x * x", x=-1.25)
    run_step(built, "p", 2.5)
    expect_grads(built, "the step of p with p.grad = 2.5", x=-6.25)


@pytest.mark.points(0.25)
def test_what_is_there_is_kept(submission):
    """A step adds to the gradients that its operands already have."""
    built = build(submission, "s = u + v; p = w * z", u=1.25, v=-2.0, w=3.5, z=-0.5)
    for name, before in (("u", 0.5), ("v", -4.0), ("w", 7.0), ("z", -0.25)):
        built.nodes[name].grad = before
    run_step(built, "s", 1.5)
    run_step(built, "p", -2.0)
    when = "u, v, w, z had 0.5, -4, 7, -0.25; then the steps of s (1.5) and p (-2)"
    expect_grads(built, when, u=2.0, v=-2.5, w=8.0, z=-7.25)


@pytest.mark.points(0.25)
def test_left_and_right_uses_add_up(submission):
    """A node that is a left operand here and a right operand there receives from both."""
    built = build(submission, "p = u * v; q = w * u; s = v + u", u=1.5, v=-0.5, w=4.0)
    for name, arriving in (("p", 2.0), ("q", -1.0), ("s", 0.25)):
        run_step(built, name, arriving)
    when = "the steps of p (2), q (-1) and s (0.25)"
    expect_grads(built, when, u=-4.75, v=3.25, w=-1.5)


@pytest.mark.points(0.25)
def test_the_gradient_is_read_when_the_step_runs(submission):
    """A step uses the gradient its result has now, not one from before."""
    built = build(submission, "s = u + v; p = u * w", u=1.5, v=-0.5, w=3.0)
    for name, arriving in (("s", 2.0), ("p", 0.5), ("s", -5.0), ("p", -1.5)):
        run_step(built, name, arriving)
    when = "the steps of s (2), p (0.5), s again (-5) and p again (-1.5)"
    expect_grads(built, when, u=-6.0, v=-3.0, w=-1.5)


@pytest.mark.points(0.25)
def test_a_step_reaches_no_further_than_its_operands(submission):
    """The step of the last result leaves its grandparents alone: their turn comes later."""
    built = build(submission, "p = u * v; s = u + v; q = p * s", u=1.5, v=-0.5)
    run_step(built, "q", 2.0)
    expect_grads(built, "only the step of q with q.grad = 2", p=2.0, s=-1.5, u=0.0, v=0.0)


@pytest.mark.points(0.25)
def test_a_step_leaves_the_rest_alone(submission):
    """A step changes no data, and not the gradient of its own result."""
    built = build(submission, "s = u + v; p = s * u", u=1.5, v=-4.0)
    run_step(built, "p", 3.0)
    run_step(built, "s", -7.0)
    datas = {name: built.data(name) for name in "uvsp"}
    expect_grads(built, "the steps of p (3) and of s (-7)", p=3.0, s=-7.0, u=-14.5, v=-7.0)
    for name, want in (("u", 1.5), ("v", -4.0), ("s", -2.5), ("p", -3.75)):
        if not close(datas[name], want):
            raise AssertionError(
                f"built     {built.program}\n{name}.data    was {want}, and is {datas[name]} "
                f"after the steps: a step changes gradients only"
            )


@pytest.mark.points(0.25)
def test_every_result_keeps_its_own_step(submission):
    """Many results, then the step of the first: it still knows its own two operands."""
    built = build(submission, "p = u * v; q = v * w; s = u + w; r = w * w", u=2.5, v=-1.5, w=0.5)
    run_step(built, "p", 2.0)
    expect_grads(built, "only the step of p with p.grad = 2", u=-3.0, v=5.0, w=0.0, q=0.0, s=0.0)


@pytest.mark.points(0.25)
def test_all_steps_by_hand_from_the_end_to_the_leaves(submission):
    """Every step, the last result first, gives all gradients; a leaf's step does nothing."""
    built = build(submission, "p = u * v; s = p + w; y = s * z", u=1.5, v=-2.0, w=0.5, z=3.0)
    run_step(built, "y", 1.0)
    for name in "szpwvu":
        run_step(built, name)
    when = "the steps of y (1), s, z, p, w, v, u"
    expect_grads(built, when, u=-6.0, v=4.5, w=3.0, z=-2.5)


@pytest.mark.points(0.5)
@settings(max_examples=30)
@given(program=programs("+*", leaves=3, steps=6))
def test_random_graphs_by_hand(submission, program):
    """Random graphs, their steps run from the last to the first, agree with a reference."""
    built = build(submission, program)
    results = [name for name, register in program.names if register >= len(program.leaves)]
    results.sort(key=program.register, reverse=True)
    run_step(built, results[0], 1.0)
    for name in results[1:]:
        run_step(built, name)
    reference = Reference(program)
    want = {name: reference.grad(name) for name, _ in program.leaves}
    expect_grads(built, f"the steps of {', '.join(results)}", **want)
