"""Neurons, layers and networks: what the handout checks."""

import math

import pytest

from grader.autograd.models import listed, parameters_of, read_answers, same, set_all


@pytest.mark.points(0.5)
def test_neuron_has_a_weight_for_each_input_and_a_bias(submission):
    """Neuron(3) has four parameters: three weights and a bias."""
    count = len(parameters_of(submission.Neuron(3), "neuron"))
    assert count == 4, f"Neuron(3): expected 4 parameters, got {count}"


@pytest.mark.points(0.5)
def test_neuron_squashes_the_sum(submission):
    """A neuron answers tanh(w[0]*x[0] + w[1]*x[1] + b)."""
    neuron = submission.Neuron(2)
    set_all(parameters_of(neuron, "neuron"), 0.5)
    got = read_answers(neuron, [2.0, -3.5], "neuron")
    want = [math.tanh(0.5 * 2.0 + 0.5 * -3.5 + 0.5)]
    assert same(got, want), (
        f"Neuron(2), all parameters 0.5, at [2, -3.5]: expected {listed(want)}, got {listed(got)}"
    )


@pytest.mark.points(0.5)
def test_layer_has_neurons_of_its_own(submission):
    """Layer(2, 3) has nine parameters and gives three answers."""
    layer = submission.Layer(2, 3)
    parameters = parameters_of(layer, "layer")
    assert len(parameters) == 9, f"Layer(2, 3): expected 9 parameters, got {len(parameters)}"
    set_all(parameters, 0.25)
    got = read_answers(layer, [1.0, 2.0], "layer")
    want = [math.tanh(0.25 * 1.0 + 0.25 * 2.0 + 0.25)] * 3
    assert same(got, want), (
        f"Layer(2, 3), all parameters 0.25, at [1, 2]: expected {listed(want)}, got {listed(got)}"
    )


@pytest.mark.points(0.5)
def test_network_passes_through_its_layers(submission):
    """MLP(2, [4, 1]) has 17 parameters, and only 4 neurons squash."""
    net = submission.MLP(2, [4, 1])
    parameters = parameters_of(net, "net")
    assert len(parameters) == 17, f"MLP(2, [4, 1]): expected 17 parameters, got {len(parameters)}"
    set_all(parameters, 0.75)
    got = read_answers(net, [0.5, -1.0], "net")
    hidden = math.tanh(0.75 * 0.5 + 0.75 * -1.0 + 0.75)
    want = [4 * 0.75 * hidden + 0.75]
    assert same(got, want), (
        f"MLP(2, [4, 1]), all parameters 0.75, at [0.5, -1]: "
        f"expected {listed(want)}, got {listed(got)}"
    )
