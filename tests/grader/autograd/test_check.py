"""`check`: what it accepts, what it says, and in which order it asks."""

from typing import Any

import pytest

from grader.autograd import build, check

DIAMOND = "a = x*x; b = a*x; c = a + b; y = c*a"


def message(submission: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(submission, *args, **kwargs)
    return str(caught.value)


def test_a_right_engine_passes(right: Any) -> None:
    check(right, DIAMOND, x=2.0, data=48.0, grads={"x": 112.0})


def test_a_wrong_gradient_shows_what_was_built_expected_and_found(engine: Any) -> None:
    wrong = engine("parent.grad += slope", "parent.grad = slope")
    assert message(wrong, DIAMOND, x=2.0) == (
        "built     x = 2.0;  a = x*x;  b = a*x;  c = a + b;  y = c*a\n"
        "dy/dx     expected 112, got 16"
    )


def test_a_wrong_forward_value_is_told_first_and_at_its_first_name(engine: Any) -> None:
    wrong = engine("self.data + other.data", "self.data - other.data")
    assert "c.data    expected 12, got -4" in message(wrong, DIAMOND, x=2.0)


def test_backward_as_a_function_is_found(engine: Any) -> None:
    check(engine("def backward(self)", "def _back(self)", extra="\nbackward = Value._back"),
          "y = x*x", x=3.0)  # fmt: skip


@pytest.mark.parametrize(
    "spelling", ["int(2 * round(self._g / 2, 9))", "Fraction(self._g)", "Decimal(self._g)"]
)
def test_any_kind_of_number_counts(engine: Any, spelling: str) -> None:
    number = engine(
        "    @staticmethod",
        f"    grad = property(lambda self: {spelling}, lambda self, g: setattr(self, '_g', g))\n"
        "    @staticmethod",
        "parent.grad += slope * node.grad",
        "parent._g += slope * node._g",
        extra="\nfrom fractions import Fraction\nfrom decimal import Decimal\n",
    )
    check(number, "y = x*x", x=4)


def test_a_gradient_that_is_a_method_is_named(engine: Any) -> None:
    wrong = engine("parent.grad +=", "parent.g +=", "node.grad", "node.g", "self.grad = 1.0",
                   "self.g = 1.0", "self.data, self.grad = data, 0.0",
                   "self.data, self.g = data, 0.0; self.grad = lambda: self.g")  # fmt: skip
    text = message(wrong, "y = x*x", x=3.0)
    assert text == (
        "grad is a method here (x.grad() gives 6): the grader reads x.grad, without a call, as a "
        "number"
    )


def test_a_gradient_that_is_a_value_is_named(engine: Any) -> None:
    wrong = engine("+= slope * node.grad", "+= Value(slope) * node.grad")
    assert "x.grad is itself a Value" in message(wrong, "y = x*x", x=3.0)


def test_a_value_that_needs_a_flag_is_named(engine: Any) -> None:
    wrong = engine("parents=(), slopes=()", "parents=(), slopes=(), requires_grad=False",
                   "parent.grad += slope", "parent.grad += 0 * slope")  # fmt: skip
    assert "Value takes requires_grad here" in message(wrong, "y = x*x", x=3.0)


def test_gradients_that_are_returned_are_named(engine: Any) -> None:
    returning = "\nold = Value.backward\nValue.backward = lambda self: old(self) or {'x': 6.0}"
    wrong = engine("parent.grad += slope", "parent.grad += 0 * slope", extra=returning)
    assert "backward returned a dict" in message(wrong, "y = x*x", x=3.0)


@pytest.mark.parametrize("bad", ["float('nan')", "float('inf')", "10 ** 400"])
def test_nan_infinity_and_giants_never_pass(engine: Any, bad: str) -> None:
    wrong = engine("parent.grad += slope * node.grad", f"parent.grad = {bad}")
    assert "dy/dx     expected 6" in message(wrong, "y = x*x", x=3.0)


@pytest.mark.parametrize("bad", ["None", "'6.0'", "[6.0]"])
def test_what_is_no_number_is_said(engine: Any, bad: str) -> None:
    wrong = engine("parent.grad += slope * node.grad", f"parent.grad = {bad}")
    text = message(wrong, "y = x*x", x=3.0)
    assert "not a number" in text or "got None" in text


def test_an_absent_gradient_counts_as_none(engine: Any) -> None:
    wrong = engine("parent.grad += slope * node.grad", "vars(parent).pop('grad', 0)")
    assert "dy/dx     expected 6, got None" in message(wrong, "y = x*x", x=3.0)


def test_an_operand_changed_in_place_is_told(engine: Any) -> None:
    in_place = "def __neg__(self):\n        self.data = -self.data\n        return self"
    wrong = engine("def __neg__(self): return self * -1", in_place)
    assert "x.data    expected 3, got -3 once the rest is built" in message(wrong, "y = -x", x=3.0)


def test_data_changed_by_backward_is_told(engine: Any) -> None:
    rule = "parent.grad += slope * node.grad"
    wrong = engine(rule, f"{rule}; parent.data -= 0.1 * parent.grad")
    assert "backward must leave data alone" in message(wrong, "y = x*x", x=3.0)


def test_an_operation_that_returns_nothing_is_named(engine: Any) -> None:
    wrong = engine("return Value(self.data + other.data", "Value(self.data + other.data")
    assert "x + x gave None, not a Value: is a `return` missing?" in message(
        wrong, "y = x + x", x=3.0
    )


def test_a_missing_attribute_is_named(engine: Any) -> None:
    wrong = engine("self.data", "self.value", "other.data", "other.value")
    assert message(wrong, "y = x*x", x=3.0).startswith("y.data is not there")


def test_an_exception_of_the_submission_carries_what_was_built(engine: Any) -> None:
    wrong = engine("def tanh", "def tanch")
    with pytest.raises(AttributeError) as caught:
        check(wrong, "y = tanh(x)", x=0.5)
    assert caught.value.__notes__ == ["while building x = 0.5;  y = tanh(x)"]


@pytest.mark.parametrize(
    "claim", [{"data": 5.0}, {"grads": {"x": 5.0}}, {"grads": {"z": 5.0}}, {"data": float("nan")}]
)
def test_an_author_who_is_wrong_is_told_not_the_student(right: Any, claim: Any) -> None:
    with pytest.raises(RuntimeError, match="fault of the suite"):
        check(right, "y = x*x", x=3.0, **claim)


def test_a_program_that_cannot_be_read_is_a_fault_of_the_suite(right: Any) -> None:
    with pytest.raises(RuntimeError, match="fault of the suite"):
        check(right, "y = q", x=3.0)


def test_a_leaf_that_is_not_used_owes_no_gradient(engine: Any) -> None:
    right = engine("self.data, self.grad = data, 0.0", "self.data, self.grad = data, None",
                   "parent.grad += slope * node.grad",
                   "parent.grad = (parent.grad or 0) + slope * node.grad")  # fmt: skip
    check(right, "t = z*z; y = x*x", x=3.0, z=1.0)


def test_build_lets_a_suite_run_backward_twice(right: Any) -> None:
    loss = build(right, "loss = a*b", a=2.0, b=3.0)
    loss.backward()
    loss.backward()
    loss.expect_grads({"a": 6.0, "b": 4.0})
    with pytest.raises(AssertionError, match="after two\ndloss/da  expected 3, got 6"):
        loss.expect_grads({"a": 3.0, "b": 4.0}, when="after two")
