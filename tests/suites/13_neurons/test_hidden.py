"""Neurons, layers and networks: what only the instructor's copy checks.

Nothing relies on the order of `parameters()`. Where one parameter is changed at a time, the
answers are compared sorted: each role (this weight, that bias) must turn up exactly once.
"""

import math

import pytest

from grader.autograd.models import (
    answer_of,
    listed,
    parameters_of,
    read_answers,
    same,
    same_in_any_order,
    set_all,
)
from grader.autograd.numbers import read_number


@pytest.mark.points(0.5)
def test_each_weight_belongs_to_one_input(submission):
    """Each weight multiplies one input; the bias is added once."""
    neuron = submission.Neuron(4)
    parameters = parameters_of(neuron, "neuron")
    x = [0.3, -0.7, 1.9, -1.2]
    got = []
    for chosen in parameters:
        set_all(parameters, 0.0)
        chosen.data = 0.8
        got += read_answers(neuron, x, "neuron")
    want = [math.tanh(0.8 * xi) for xi in [*x, 1.0]]
    assert same_in_any_order(got, want), (
        f"Neuron(4) at {listed(x)} with one parameter 0.8 and the others 0, for each in turn: "
        f"expected {listed(want)} in any order, got {listed(got)}"
    )


@pytest.mark.points(0.25)
def test_neuron_without_squash_is_linear(submission):
    """With squash=False a neuron answers the sum itself."""
    neuron = submission.Neuron(3, squash=False)
    set_all(parameters_of(neuron, "neuron"), 1.5)
    got = read_answers(neuron, [2.0, 3.0, -1.0], "neuron")
    assert same(got, [7.5]), (
        "Neuron(3, squash=False), all parameters 1.5, at [2, 3, -1]: "
        f"expected 7.5, got {listed(got)}"
    )


@pytest.mark.points(0.25)
def test_parameters_are_the_ones_in_use(submission):
    """parameters() gives the Values themselves, the same ones each time."""
    layer = submission.Layer(3, 2)
    first, again = parameters_of(layer, "layer"), parameters_of(layer, "layer")
    read_answers(layer, [1.0, -1.0, 2.0], "layer")
    after = parameters_of(layer, "layer")
    assert {id(p) for p in first} == {id(p) for p in again} == {id(p) for p in after}, (
        "layer.parameters() gave other Values the second time: training would move copies"
    )


@pytest.mark.points(0.25)
def test_parameters_of_a_network_are_distinct_and_complete(submission):
    """MLP(3, [5, 4, 2]) has 54 parameters, in one flat list."""
    count = len(parameters_of(submission.MLP(3, [5, 4, 2]), "net"))
    assert count == 54, (
        f"MLP(3, [5, 4, 2]): expected (3+1)*5 + (5+1)*4 + (4+1)*2 = 54 parameters, got {count}"
    )


@pytest.mark.points(0.5)
def test_each_parameter_of_a_layer_moves_one_answer(submission):
    """A parameter of a layer moves the answer of one neuron only."""
    layer = submission.Layer(2, 3)
    parameters = parameters_of(layer, "layer")
    x = [0.6, -1.1]
    moved = []
    for chosen in parameters:
        set_all(parameters, 0.0)
        chosen.data = 0.9
        got = read_answers(layer, x, "layer")
        moved.append([(number, answer) for number, answer in enumerate(got) if answer != 0])
    assert all(len(pairs) == 1 for pairs in moved), (
        "Layer(2, 3): with all parameters 0 but one, exactly one answer should differ from 0; "
        f"the numbers that differ, parameter by parameter: {[len(pairs) for pairs in moved]}"
    )
    want = [math.tanh(0.9 * xi) for xi in [*x, 1.0]]
    for neuron in range(3):
        mine = [answer for [(number, answer)] in moved if number == neuron]
        assert same_in_any_order(mine, want), (
            f"Layer(2, 3), neuron {neuron} at {listed(x)} with one parameter 0.9 at a time: "
            f"expected {listed(want)} in any order, got {listed(mine)}"
        )


@pytest.mark.points(0.25)
def test_last_layer_is_linear(submission):
    """The last layer leaves tanh out: it can answer any number."""
    net = submission.MLP(2, [3])
    set_all(parameters_of(net, "net"), 2.0)
    got = read_answers(net, [4.0, -1.5], "net")
    assert same(got, [7.0, 7.0, 7.0]), (
        f"MLP(2, [3]), all parameters 2, at [4, -1.5]: expected [7, 7, 7], got {listed(got)}"
    )


@pytest.mark.points(0.25)
def test_two_hidden_layers(submission):
    """Two hidden layers: each sees what the one before answers."""
    net = submission.MLP(3, [4, 2, 2])
    parameters = parameters_of(net, "net")
    x = [0.5, 1.25, -0.75]
    for number in (0.4, -0.6):
        set_all(parameters, number)
        got = read_answers(net, x, "net")
        first = math.tanh(number * sum(x) + number)
        second = math.tanh(4 * number * first + number)
        want = [2 * number * second + number] * 2
        assert same(got, want), (
            f"MLP(3, [4, 2, 2]), all parameters {number}, at {listed(x)}: "
            f"expected {listed(want)}, got {listed(got)}"
        )


@pytest.mark.points(0.25)
def test_backward_reaches_every_parameter(submission):
    """backward reaches every weight and every bias of a network."""
    net = submission.MLP(2, [3, 1])
    parameters = parameters_of(net, "net")
    set_all(parameters, 0.7)
    x = [0.4, -1.3]
    answer = answer_of(net, x, "net")
    submission.invoke("backward", answer * 3.0)
    got = [read_number(p, "grad", "a parameter", optional=True) or 0.0 for p in parameters]
    hidden = math.tanh(0.7 * sum(x) + 0.7)
    arriving = 3.0 * 0.7 * (1 - hidden**2)
    want = [3.0] + [3.0 * hidden] * 3 + [arriving * xi for xi in [*x, 1.0]] * 3
    assert same_in_any_order(got, want), (
        f"MLP(2, [3, 1]), all parameters 0.7, at {listed(x)}, backward from 3*net(x): expected the "
        f"gradients {listed(sorted(want))} in any order, got {listed(sorted(got))}"
    )


@pytest.mark.points(0.25)
def test_inputs_may_be_values(submission):
    """The inputs may be Values, and backward reaches them too."""
    net = submission.MLP(2, [3, 1])
    set_all(parameters_of(net, "net"), 0.3)
    x = [submission.Value(1.5), submission.Value(-0.4)]
    answer = answer_of(net, x, "net")
    submission.invoke("backward", answer)
    got = [read_number(xi, "grad", "x") for xi in x]
    hidden = math.tanh(0.3 * 1.1 + 0.3)
    want = [3 * 0.3 * 0.3 * (1 - hidden**2)] * 2

    neuron = submission.Neuron(2)
    parameters = parameters_of(neuron, "neuron")
    set_all(parameters, -0.6)
    inputs = [submission.Value(0.9), submission.Value(1.4)]
    submission.invoke("backward", answer_of(neuron, inputs, "neuron"))
    got_one = [read_number(v, "grad", "x", optional=True) or 0.0 for v in inputs]
    got_own = [read_number(p, "grad", "a parameter", optional=True) or 0.0 for p in parameters]
    slope = 1 - math.tanh(-0.6 * (0.9 + 1.4) - 0.6) ** 2
    want_one, want_own = [-0.6 * slope] * 2, [slope * xi for xi in (0.9, 1.4, 1.0)]
    assert same(got, want), (
        f"MLP(2, [3, 1]), all parameters 0.3, at Values 1.5 and -0.4: "
        f"expected the inputs' gradients {listed(want)}, got {listed(got)}"
    )
    when = "Neuron(2), all parameters -0.6, at Values 0.9 and 1.4"
    assert same(got_one, want_one), (
        f"{when}: expected the inputs' gradients {listed(want_one)}, got {listed(got_one)}"
    )
    assert same_in_any_order(got_own, want_own), (
        f"{when}: expected the gradients {listed(want_own)} of its parameters, in any order, "
        f"got {listed(got_own)}"
    )


@pytest.mark.points(0.25)
def test_start_is_not_symmetric(submission):
    """Weights start at random numbers that differ, on both sides of 0."""
    neuron = parameters_of(submission.Neuron(6), "neuron")
    starts = {read_number(p, "data", "a parameter") for p in neuron}
    assert len(starts) >= 6, (
        f"Neuron(6): expected 6 different weights at the start, got {listed(sorted(starts))}"
    )
    many = parameters_of(submission.Neuron(80), "neuron")
    starts = {read_number(p, "data", "a parameter") for p in many}
    assert min(starts) < 0 < max(starts), (
        "Neuron(80) when new: expected weights on both sides of 0, got "
        f"{listed([min(starts)])} to {listed([max(starts)])}"
    )
    got = read_answers(submission.Layer(3, 4), [0.9, -0.5, 0.7], "layer")
    assert len(set(got)) == 4, (
        "Layer(3, 4) when new: expected four different answers from its four neurons, "
        f"got {listed(got)}"
    )
