"""The decoder: whatever bytes a worker sends, it gives a value or a ProtocolError."""

from __future__ import annotations

import contextlib
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.observation import Diverged, Observation, ReplayChannel, Stopped, signature
from grader.protocol import (
    MAX_REPLY_BYTES,
    Array,
    Object,
    Plain,
    ProtocolError,
    Raised,
    decode_body,
    decode_json,
    decode_reply,
    encode_request,
    numbers,
)
from grader.proxy import Conversation
from grader.raised import SubmissionError, describe, submission_error
from grader.recording import Program

ASKED, NUMBER = 77, 5
TAGS = ["v", "o", "e", "n", "i", "l", "t", "s", "f", "d", "a", "nan", "inf", "-inf", "<f8", "|b1"]
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        [*TAGS, ASKED, NUMBER, "AAAAAAAA8D8=", "AgM=", "-ff", "0x_1", 2**64, -(2**63)]
    )
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.tuples(st.sampled_from(TAGS), inner).map(list),
        st.tuples(st.sampled_from(TAGS), inner, inner).map(list),
        st.tuples(st.just("a"), st.sampled_from(["<f8", "|b1", "<i2"]), st.lists(inner), inner).map(
            list
        ),
        st.dictionaries(st.text(max_size=4), inner, max_size=3),
    ),
    max_leaves=25,
)
EXACT = (type(None), bool, int, float, str, list, tuple, set, frozenset, dict, Array)


def assert_plain(value: Any) -> None:
    """Nothing but exact types, all the way down."""
    assert type(value) in EXACT
    if type(value) is dict:
        value = [part for pair in value.items() for part in pair]
    if type(value) is Array:
        assert len(numbers(value)) <= MAX_REPLY_BYTES
    elif type(value) in (list, tuple, set, frozenset):
        for part in value:
            assert_plain(part)


def examine(payload: bytes) -> None:
    """Decode it in every way, and use what came out in every way that the grader does."""
    for decode in (
        lambda: decode_reply(payload, ASKED, NUMBER),
        lambda: decode_body(decode_json(payload), NUMBER),
    ):
        with contextlib.suppress(ProtocolError):
            reply = decode()
            assert type(reply) in (Plain, Object, Raised)
            if isinstance(reply, Plain):
                assert_plain(reply.value)
            if isinstance(reply, Object):
                assert 0 <= reply.number <= NUMBER
            if isinstance(reply, Raised):
                assert str(submission_error(reply)) == describe(reply)
            signature([reply])
    observation = Observation(payload)
    observation.signature()
    assert observation.digest
    request = encode_request("name", "x")
    channel = Conversation(ReplayChannel(Program.of((request, request)), observation))
    with contextlib.suppress(Stopped, Diverged, SubmissionError):
        channel.ask("name", "x")


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_any_json_is_decoded_or_refused(value: Any) -> None:
    """As one body, as a reply, and as one body of many."""
    for shape in (
        value,
        [ASKED, "v", value],
        [["v", value]],
        [ASKED, *value] if type(value) is list else 0,
    ):
        examine(json.dumps(shape).encode())


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused(payload: bytes) -> None:
    """No exception but ProtocolError."""
    examine(payload)


GOOD = [
    b'[77,"v",["d","a",["l",1,2.5],["t",1],["s","x",["f",["i","-123456789abcdef0123"]]]]]',
    b'[77,"v",["a","<f8",[2,1],"AAAAAAAA8D8AAAAAAADwPw=="]]',
    b'[77,"e","ValueError",["ValueError","Exception"],"no",[["value.py",3,"f"]],["near"]]',
    b'[77,"v",["n","nan"]]',
    b'[77,"o",3]',
]


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(GOOD), st.data())
def test_a_damaged_reply_is_decoded_or_refused(payload: bytes, data: st.DataObject) -> None:
    """A few bytes changed, added or taken."""
    damaged = bytearray(payload)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged)))
        kind = data.draw(st.integers(0, 2))
        if kind == 0:
            damaged[at:at] = data.draw(st.binary(min_size=1, max_size=3))
        elif kind == 1:
            del damaged[at : at + data.draw(st.integers(1, 5))]
        else:
            damaged[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
    examine(bytes(damaged))


BOMBS = {
    "empty lists": b"[" + b"[]," * 2_600_000 + b"1]",
    "numbers": b"[" + b"1," * 4_000_000 + b"1]",
    "objects": b"[" + b"{}," * 2_600_000 + b"1]",
    "keys": b"[{" + b",".join(b'"%d":1' % n for n in range(600_000)) + b"}]",
    "nested": b"[" * 4_000_000,
    "text": b'["' + b"x" * 8_000_000 + b'"]',
    "escapes": b'["' + b"\\u00e9" * 1_300_000 + b'"]',
    "oversized": b"[" + b" " * (MAX_REPLY_BYTES + 1) + b"]",
    "digits": b"[" + b"9" * 8_000_000 + b"]",
    "as many parts as may be": b'["v",["l"' + b',["l"]' * 130_000 + b"]]",
    "as many keys as may be": b'["v",["s"' + b"".join(b',"%d"' % n for n in range(390_000)) + b"]]",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_little_memory(name: str) -> None:
    """At most a few times what may be sent at all."""
    tracemalloc.start()
    try:
        with contextlib.suppress(ProtocolError):
            decode_body(decode_json(BOMBS[name]), NUMBER)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 12 * MAX_REPLY_BYTES


def test_keys_with_one_hash_are_refused_in_no_time() -> None:
    """Of large integers, of tuples of them, as a set or as a dict."""
    same = ",".join(f'["i","{(2**61 - 1) * n + 7:x}"]' for n in range(40, 20_000))
    for value in (f'["s",{same}]', f'["f",{same}]', f'["l",["s",{same}]]'):
        with pytest.raises(ProtocolError):
            decode_body(decode_json(f'["v",{value}]'.encode()), NUMBER)
