"""The first wrong node: what is said, and that nothing is said where nothing is proved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.autograd.asking import read_expression, requests_for
from grader.autograd.look import View, look, with_first_wrong
from grader.autograd.naming import program_in
from grader.autograd.trace import walk
from grader.errors import UsageError
from grader.host import live
from grader.link import Link, Order
from grader.protocol import Register, encode_request
from grader.sandbox import WorkerLimits, choose
from grader.submission import Cell, Source

DIAMOND = "a = x*x; b = a*x; c = a + b; y = c*a"
PRE_ORDER = (
    "                for parent in node.parents:\n                    visit(parent)\n"
    "                order.append(node)",
    "                order.append(node)\n                for parent in node.parents:\n"
    "                    visit(parent)",
)
Looker = Callable[..., View | None]


@pytest.fixture
def looked(engine_text: str) -> Looker:
    """`looked(text, old, new, …, x=2.0)`: what is seen in the right engine with changes."""

    def run(text: str, *changes: str, **numbers: float) -> View | None:
        source: str = engine_text
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in source
            source = source.replace(old, new)
        answer = Source((Cell("value.py", source),), False, (), (), "sha256:0")
        imports = ("math",)
        link = Link(
            choose("none"), Order(answer, "value.py", imports, 1000), WorkerLimits(256, 4, 1000), 20
        )
        program = read_expression(text, numbers)
        try:
            return look(live(link, 5.0), requests_for(program), f"built     {program}")
        finally:
            link.close()

    return run


def said(view: View | None) -> str:
    assert view is not None
    assert view.blame is not None
    return view.blame.words


def test_right_engine_shows_nothing(looked: Looker) -> None:
    assert looked(DIAMOND, x=2.0) is None


def test_node_that_passes_on_too_early_is_named_with_both_amounts(looked: Looker) -> None:
    view = looked(DIAMOND, *PRE_ORDER, "reversed(order)", "order", x=2.0)
    assert said(view) == ("a: passed on 16; another 8 arrived from b only afterwards (24 is right)")


def test_edges_of_the_first_wrong_node_are_known(looked: Looker) -> None:
    view = looked(DIAMOND, *PRE_ORDER, "reversed(order)", "order", x=2.0)
    assert view is not None
    assert view.blame is not None
    assert [(view.graph.label(by), view.graph.label(to)) for by, to in view.blame.edges] == [
        ("a", "x")
    ]


def test_wrong_rule_says_what_arrived_and_what_should_have_left(looked: Looker) -> None:
    view = looked("3*tanh(x)", "(1 - t * t,)", "(1 - t,)", x=0.5)
    assert said(view) == ("tanh(x): at x = 0.5 with 3 arriving, x should get 2.35934, got 1.61365")


def test_slope_without_what_arrives_is_recognised(looked: Looker) -> None:
    change = "parent.grad += slope * node.grad", "parent.grad += slope"
    assert "the slope alone: what arrives is not multiplied in" in said(
        looked("3*sin(x)", *change, x=0.8)
    )


def test_turned_sign_is_recognised(looked: Looker) -> None:
    change = "(math.cos(self.data),)", "(-math.cos(self.data),)"
    assert said(looked("3*sin(x)", *change, x=0.8)).endswith("the sign is turned around")


def test_overwritten_gradient_names_what_replaced_and_what_is_gone(looked: Looker) -> None:
    change = "parent.grad += slope", "parent.grad = slope"
    assert said(looked("a = x*w; y = a + x", *change, x=3.0, w=4.0)) == (
        "x*w: its 4 replaced the 1 that x had from y; it should be added"
    )


def test_seed_that_is_missing_is_recognised(looked: Looker) -> None:
    assert said(looked("a*b", "self.grad = 1.0", "pass", a=2.0, b=5.0)) == (
        "y: its own gradient is 0; backward starts by making it 1"
    )


def test_wrong_data_comes_before_wrong_gradients(looked: Looker) -> None:
    view = looked("5 - x", "Value.lift(other) - self", "self - Value.lift(other)", x=4.0)
    assert said(view) == "5 - x: at x = 4, expected 1, got -1; left and right look exchanged"


def test_operand_changed_in_place_names_the_operation(looked: Looker) -> None:
    change = "return self * -1", "self.data = -self.data; return self * 1"
    assert said(looked("-x*2", *change, x=3.0)) == (
        "-x: changed x from 3 to -3; operands stay as they are"
    )


def test_engine_that_keeps_no_inner_gradients_is_not_accused(looked: Looker) -> None:
    keep = "parent.grad += slope * node.grad"
    forget = f"{keep}\n            if node.parents: node.grad = 0.0"
    view = looked("3*tanh(x)", keep, forget, "(1 - t * t,)", "(1 - t,)", x=0.5)
    assert view is not None
    assert view.blame is None


def test_engine_that_keeps_nothing_in_grad_is_not_accused(looked: Looker) -> None:
    view = looked("a*b", "self.grad = 1.0", "return", "= data, 0.0", "= data, None", a=2.0, b=5.0)
    assert view is not None
    assert view.blame is None


def test_message_keeps_its_lines_and_gains_one(looked: Looker) -> None:
    view = looked(DIAMOND, *PRE_ORDER, "reversed(order)", "order", x=2.0)
    assert view is not None
    lines = with_first_wrong(f"built     {view.graph.program}\ndy/dx     expected 112", view)
    assert lines.splitlines()[:3] == [
        "built        x = 2.0;  a = x*x;  b = a*x;  c = a + b;  y = c*a",
        "dy/dx        expected 112",
        "first wrong  a: passed on 16; another 8 arrived from b only afterwards (24",
    ]


# ---- what a conversation's requests say --------------------------------------------------------


def test_graph_is_found_in_requests_with_numbers_on_either_side() -> None:
    program = read_expression("s = 2 - a; s += a*3; y = tanh(s)/-b", {"a": 1.5, "b": 2})
    (graph,) = walk(requests_for(program)).traces
    assert str(graph.program) == "a = 1.5;  b = 2;  y = tanh((2 - a) + a*3)/(-b)"
    assert [graph.op(i) for i in range(len(graph.made))] == [
        "",
        "",
        "-",
        "*",
        "+=",
        "tanh",
        "neg",
        "/",
    ]


def test_second_backward_over_the_same_nodes_is_left_out() -> None:
    requests = requests_for(read_expression("a*b", {"a": 1.5, "b": 2.0}))
    assert len(walk([*requests, requests[-1]]).traces) == 1


def test_nodes_that_the_check_has_written_to_are_left_out() -> None:
    *build, backward = requests_for(read_expression("a*b", {"a": 1.5, "b": 2.0}))
    write = encode_request("setattr", Register(2), "grad", 5.0)
    assert walk([*build, write, backward]).traces == []


def test_names_are_read_from_the_message_of_a_check() -> None:
    program = program_in("built  x = 2;  k = -1.5e-3;  y = x*k + 3\nmore")
    assert program is not None
    assert program.leaves == (("x", 2), ("k", -0.0015))


def test_message_without_a_program_names_nothing() -> None:
    assert program_in("tanh(1000.0) is 1.0 up to rounding, got 3") is None


def test_quoted_words_of_a_submission_are_not_read_as_a_program() -> None:
    assert program_in("expected 3, got:\nbuilt  x = 2;  y = x*9**9**9") is None


@pytest.mark.parametrize("text", ["", "a", "a +", "import os", "a*", "f(a)"])
def test_expression_that_cannot_be_read_is_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="--expr"):
        read_expression(text, {"a": 1.0})
