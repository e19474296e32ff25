"""A recorded program as code answers what its requests answer, or says that it cannot."""

from __future__ import annotations

import marshal
import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import worker
from grader.compiled import compile_program
from grader.protocol import Register, encode_request
from grader.recording import Program

SOURCE = """
import math

class Value:
    def __init__(self, data, note=""):
        self.data, self.grad, self.note = data, 0.0, note
    def __add__(self, other):
        return Value(self.data + (other.data if isinstance(other, Value) else other))
    def __mul__(self, other):
        return self if other == 1.0 else Value(self.data * getattr(other, "data", other))
    def __pow__(self, n):
        return Value(self.data ** n)
    def halves(self):
        return self.data / 2, self.data / 2

def backward(value):
    value.grad = 1.0

def parents(value):
    return [value]
"""


def answers(requests: list[bytes], source: str = SOURCE) -> tuple[list[str], list[str] | None]:
    """One by one; and as compiled code, None where that is not to be had."""
    order = {"module": "value", "notebook": False, "cells": [("value.py", source)]}
    submission = worker.Submission(order | {"siblings": [], "imports": ["math"], "output": 1000})
    one_by_one: list[str] = []
    compiled: list[str] = []
    code = compile_program(requests)
    try:
        slow = worker.Registers(submission, submission.fresh())
        worker.run_program(slow, tuple(map(marshal.loads, requests)), one_by_one)
        if not code:
            return one_by_one, None
        fast = worker.Registers(submission, submission.fresh())
        done = worker.run_compiled(fast, marshal.loads(code), compiled)  # noqa: S302
    finally:
        sys.modules.pop("value", None)
    return one_by_one, compiled if done else None


NUMBERS = st.floats(allow_nan=False) | st.integers(-(2**70), 2**70) | st.booleans() | st.just(-0.0)


@st.composite
def programs(draw: st.DrawFn) -> list[bytes]:
    """Programs such as a suite would ask; register 1 is the class."""
    requests = [encode_request("name", "Value")]
    values = []
    for _ in range(draw(st.integers(1, 200))):
        number = len(requests) + 1
        kind = draw(st.sampled_from("new add mul pow get set invoke float same".split()))
        if kind == "new" or not values:
            keywords = {"note": draw(st.text(max_size=3))} if draw(st.booleans()) else {}
            requests.append(encode_request("call", Register(1), (draw(NUMBERS),), keywords))
            values.append(number)
            continue
        one, other = draw(st.sampled_from(values)), draw(st.sampled_from(values))
        if kind in ("add", "mul"):
            second = Register(other) if draw(st.booleans()) else draw(NUMBERS)
            requests.append(encode_request("operator", kind, Register(one), second))
            values.append(number)
        elif kind == "pow":
            requests.append(encode_request("operator", "pow", Register(one), 2))
            values.append(number)
        elif kind == "set":
            requests.append(encode_request("setattr", Register(one), "grad", draw(NUMBERS)))
        elif kind == "invoke":
            requests.append(encode_request("invoke", "backward", Register(one), ()))
        elif kind == "float":
            requests.append(encode_request("getattr", Register(one), "grad"))
            requests.append(encode_request("convert", "float", Register(number)))
        else:
            requests.append(
                encode_request("getattr", Register(one), draw(st.sampled_from(["data", "note"])))
            )
    return requests


@settings(max_examples=100, deadline=None)
@given(programs())
def test_compiled_it_answers_the_same(requests: list[bytes]) -> None:
    """Over any number of blocks, with variables used again."""
    one_by_one, compiled = answers(requests)
    if compiled is None:
        assert any(body.startswith('["e"') for body in one_by_one)
    else:
        assert compiled == one_by_one


@given(programs())
def test_a_blob_is_all_requests_as_one_value(requests: list[bytes]) -> None:
    blob = Program.of(tuple(requests)).blob
    assert blob == marshal.dumps(tuple(map(marshal.loads, requests)), 2)


def test_the_same_object_is_told_as_the_same() -> None:
    requests = [
        encode_request("name", "Value"),
        encode_request("call", Register(1), (3.0,), {}),
        encode_request("operator", "mul", Register(2), 1.0),
        encode_request("name", "Value"),
    ]
    for bodies in answers(requests):
        assert bodies == ['["o"]', '["o"]', '["o",2]', '["o",1]']


@pytest.mark.parametrize(
    "odd",
    [
        "def __eq__(cls, other): return True",
        "def __eq__(cls, other): raise RuntimeError",
        "def __hash__(cls): raise RuntimeError",
        "def __hash__(cls): return hash(float)\n    def __eq__(cls, other): return True",
        "@property\n    def __module__(cls): raise RuntimeError",
    ],
)
def test_a_class_of_an_odd_class_is_like_any_other(odd: str) -> None:
    source = f"class Odd(type):\n    {odd}\n" + SOURCE.replace(
        "class Value:", "class Value(metaclass=Odd):"
    )
    requests = [
        encode_request("name", "Value"),
        encode_request("call", Register(1), (3.0,), {}),
        encode_request("operator", "add", Register(2), 1.0),
        encode_request("getattr", Register(3), "data"),
    ]
    for bodies in answers(requests, source):
        assert bodies == ['["o"]', '["o"]', '["o"]', '["v",4.0]']


@pytest.mark.parametrize(
    "unusual",
    [
        encode_request("getattr", Register(2), "gradient"),
        encode_request("invoke", "parents", Register(2), ()),
        encode_request("invoke", "halves", Register(2), ()),
        encode_request("operator", "add", Register(2), "text"),
    ],
)
def test_what_raises_or_could_change_is_left_to_the_requests(unusual: bytes) -> None:
    start = [encode_request("name", "Value"), encode_request("call", Register(1), (3.0,), {})]
    one_by_one, compiled = answers([*start, unusual])
    assert compiled is None
    assert len(one_by_one) == 3


@pytest.mark.parametrize(
    "request_",
    [
        encode_request("setattr", Register(1), "a b", 1),
        encode_request("getattr", Register(1), "class"),
        encode_request("call", Register(1), (), {"not an identifier": 1}),
        encode_request("delattr", Register(1), "x"),
        encode_request("getattr", Register(0), "x"),
    ],
)
def test_what_has_no_line_of_code_is_not_compiled(request_: bytes) -> None:
    assert compile_program([encode_request("name", "Value"), request_]) == b""


def test_a_long_program_has_few_names() -> None:
    """Loading a name for each result would cost a worker more than running the program."""
    requests = [encode_request("name", "Value")]
    for number in range(2, 3000):
        left = Register(1) if number % 3 else Register(number - 1)
        requests.append(encode_request("call", left, (float(number),), {}))
    code = marshal.loads(compile_program(requests))  # noqa: S302
    assert len(code.co_varnames) < 200
    assert not any(math.isnan(item) for item in code.co_consts if type(item) is float)


def test_text_of_any_kind_comes_through() -> None:
    text = "quote ' \" back\\slash \n <result> {r1} \ud800 ✓"
    requests = [
        encode_request("name", "Value"),
        encode_request("call", Register(1), (1.0,), {"note": text}),
        encode_request("getattr", Register(2), "note"),
    ]
    one_by_one, compiled = answers(requests)
    assert compiled == one_by_one
    assert "\\ud800" in one_by_one[2]
