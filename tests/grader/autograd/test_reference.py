"""The reference agrees with central differences, which share nothing with it."""

import math

import pytest
from hypothesis import given, settings

from grader.autograd import KinkError, Program, Reference, parse, programs

OPERATORS = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow")
EVERYTHING = "+ - * / ** neg tanh relu exp log sin"


class Plain(float):
    """A float with the functions as methods; what a student would compute by hand."""

    def _wrap(name: str):  # type: ignore[no-untyped-def]  # noqa: N805
        return lambda self, other: Plain(getattr(float, name)(self, float(other)))

    for _name in OPERATORS:
        vars()[f"__{_name}__"] = _wrap(f"__{_name}__")

    def __neg__(self) -> "Plain":
        return Plain(-float(self))

    def tanh(self) -> "Plain":
        return Plain(math.tanh(self))

    def relu(self) -> "Plain":
        return Plain(max(self, 0.0))

    def exp(self) -> "Plain":
        return Plain(math.exp(self))

    def log(self) -> "Plain":
        return Plain(math.log(self))

    def sin(self) -> "Plain":
        return Plain(math.sin(self))


def bumped(program: Program, register: int, by: float) -> float:
    """The output when one register is moved and all that follows is computed again."""
    registers = program.run(
        [Plain(number) for _, number in program.leaves],
        lambda index, value: value + by if index == register else value,
    )
    return float(registers[program.root])


@given(program=programs(EVERYTHING, leaves=3, steps=7, numbers=True))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_slope_by_every_register_is_the_central_difference(program: Program) -> None:
    reference = Reference(program)
    for register, value in enumerate(reference.registers):
        h = 1e-6 * max(1.0, abs(value))
        difference = (bumped(program, register, h) - bumped(program, register, -h)) / (2 * h)
        slope = reference.slope(program.root, register)
        # a function that bends quickly is where the difference, not the slope, is inexact
        h /= 8
        finer = (bumped(program, register, h) - bumped(program, register, -h)) / (2 * h)
        doubt = abs(finer - difference) * 2 + 1e-8 * max(map(abs, reference.registers)) / h * 1e-7
        assert slope == pytest.approx(finer, rel=1e-4, abs=doubt)


@given(program=programs(EVERYTHING, leaves=2, steps=6, numbers=True))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_data_is_what_plain_floats_give(program: Program) -> None:
    registers = program.run([Plain(number) for _, number in program.leaves])
    assert Reference(program).registers == pytest.approx([float(v) for v in registers], rel=1e-12)


def test_known_values() -> None:
    reference = Reference(parse("c = a*b + 3; y = c**2", {"a": 2.0, "b": -1.0}))
    assert (reference.data("c"), reference.data("y")) == (1.0, 1.0)
    assert (reference.grad("a"), reference.grad("b"), reference.grad("c")) == (-2.0, 4.0, 2.0)
    assert reference.grad("a", of="c") == -1.0


def test_a_diamond_adds_up() -> None:
    reference = Reference(parse("a = x*x; b = a*x; c = a + b; y = c*a", {"x": 2.0}))
    assert (reference.grad("x"), reference.grad("a")) == (112.0, 24.0)


def test_tanh_far_out_is_flat_not_an_overflow() -> None:
    assert Reference(parse("y = tanh(x)", {"x": 300.0})).grad("x") == pytest.approx(0.0, abs=1e-200)


@pytest.mark.parametrize(
    ("text", "x"),
    [("y = relu(x)", 0.0), ("y = log(x)", -1.0), ("y = 1/x", 0), ("y = x**0.5", -2.0)],
)
def test_where_there_is_no_derivative_it_refuses(text: str, x: float) -> None:
    with pytest.raises(KinkError):
        Reference(parse(text, {"x": x}))
