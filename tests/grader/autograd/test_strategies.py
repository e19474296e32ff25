"""Random programs: fair for right engines, telling for wrong ones."""

from typing import Any

import pytest
from hypothesis import find, given, settings

from grader.autograd import Program, Reference, check, programs
from grader.autograd.program import Ref

ALL = "+ - * / ** neg tanh relu exp log sin"
quick = settings(max_examples=80, deadline=None, derandomize=True)


@given(program=programs(ALL, leaves=4, steps=9, numbers=True))
@quick
def test_every_register_matters_and_stays_in_range(program: Program) -> None:
    reference = Reference(program)
    for register, value in enumerate(reference.registers):
        assert 0.02 <= abs(value) <= 50
        assert 0.02 <= abs(reference.slope(program.root, register)) <= 1e4


@given(program=programs("+*", leaves=3, steps=6))
@quick
def test_only_the_operators_asked_for_and_no_numbers(program: Program) -> None:
    assert {step.op for step in program.steps} <= {"+", "*"}
    assert all(isinstance(o, Ref) for step in program.steps for o in step.operands)
    assert len(program.leaves) == 3


@pytest.mark.parametrize(
    "wanted",
    [
        lambda p: any(s.operands[0] == s.operands[-1] and len(s.operands) == 2 for s in p.steps),
        lambda p: any(type(s.operands[0]) is int for s in p.steps),
        lambda p: any(type(s.operands[0]) is float for s in p.steps),
        lambda p: any(s.op == "**" and isinstance(s.operands[1], float) for s in p.steps),
        lambda p: sum(s.operands.count(Ref(0)) for s in p.steps) >= 3,
    ],
    ids=["both operands the same", "int first", "float first", "fractional power", "shared"],
)
def test_the_corners_that_engines_get_wrong_are_drawn(wanted: Any) -> None:
    assert find(programs(ALL, leaves=2, steps=6, numbers=True), wanted)


def test_a_right_engine_passes(right: Any) -> None:
    @given(program=programs(ALL, leaves=3, steps=8, numbers=True))
    @quick
    def run(program: Program) -> None:
        check(right, program)

    run()


@pytest.mark.parametrize(
    "change",
    [
        ("parent.grad += slope * node.grad", "parent.grad = slope * node.grad"),
        ("(other.data, self.data)", "(self.data, other.data)"),
        ("(1 - t * t,)", "(1 - t,)"),
        ("lift(other) - self", "lift(self) - other"),
        ("order.append(node)", "order.insert(0, node)"),
    ],
)
def test_a_wrong_engine_is_caught(engine: Any, change: tuple[str, str]) -> None:
    wrong = engine(*change)

    @given(program=programs("+ - * tanh", leaves=3, steps=6, numbers=True))
    @quick
    def run(program: Program) -> None:
        check(wrong, program)

    with pytest.raises(AssertionError):
        run()


@pytest.mark.parametrize("ops", ["", "%", "sqrt", "tanh", "/"])
def test_what_cannot_be_built_is_refused_at_once(ops: str) -> None:
    with pytest.raises(ValueError, match="ops"):
        programs(ops)
