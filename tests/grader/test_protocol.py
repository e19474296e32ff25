"""The protocol: a reply is decoded strictly, whatever a worker sends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.protocol import (
    MAX_DEPTH,
    MAX_REPLY_BYTES,
    Array,
    Object,
    Plain,
    ProtocolError,
    Raised,
    Register,
    decode_json,
    decode_reply,
    encode_request,
)

ASKED = 77  # the request's id
NUMBER = 5  # the register of its result


def reply(*body: Any) -> bytes:
    """A reply to the request."""
    return json.dumps([ASKED, *body]).encode()


def decode(payload: bytes) -> Any:
    return decode_reply(payload, ASKED, NUMBER)


def raw(text: str) -> bytes:
    """A reply whose value is spelled out."""
    return f'[{ASKED},"v",{text}]'.encode()


FRAME = ["value.py", 3, "backward"]
GOOD = [
    reply("v", None),
    reply("v", ["d", "a", ["l", 1, 2.5], ["t", 1], ["s", "x"]]),
    reply("v", ["n", "nan"]),
    reply("v", ["i", "-123456789abcdef0123456789"]),
    reply("v", ["a", "<f8", [2], "AAAAAAAA8D8AAAAAAADwPw=="]),
    reply("o", 3),
    reply("e", "ValueError", ["ValueError", "Exception"], "no", [FRAME], ["near"]),
]


@pytest.mark.parametrize("payload", GOOD)
def test_a_well_formed_reply_is_decoded(payload: bytes) -> None:
    """Each form of reply becomes a value."""
    assert isinstance(decode(payload), Plain | Object | Raised)


BAD = {
    "nothing": b"",
    "no JSON": b"spam",
    "two values": raw("1") + b"[]",
    "no list": b'{"v": 1}',
    "an empty list": b"[]",
    "no body": reply(),
    "another request": b'[78,"v",1]',
    "a request id that is no integer": b'["77","v",1]',
    "a request id that is a float": b'[77.0,"v",1]',
    "a request id that is true": b'[true,"v",1]',
    "an unknown form": reply("x", 1),
    "a form that is no text": reply(1, 1),
    "a value too many": reply("v", 1, 2),
    "no value": reply("v"),
    "a table for a value": raw('{"a": 1}'),
    "an untagged list": raw("[1, 2]"),
    "an empty list for a value": raw("[]"),
    "a tag that is a list": raw('[["l"], 1]'),
    "an unknown tag": raw('["x", 1]'),
    "a bare NaN": raw("NaN"),
    "a bare infinity": raw("Infinity"),
    "an overflowing number": raw("1e400"),
    "an unknown special number": raw('["n","snan"]'),
    "a special number that is a number": raw('["n",1]'),
    "two special numbers": raw('["n","nan","nan"]'),
    "half a pair": raw('["d","a"]'),
    "a list as a key": raw('["d",["l"],1]'),
    "a list in a set": raw('["s",["l"]]'),
    "a dict in a frozenset": raw('["f",["d"]]'),
    "a register of the future": reply("o", NUMBER + 1),
    "a negative register": reply("o", -1),
    "a register that is true": reply("o", True),
    "a register that is a float": reply("o", 1.0),
    "a huge register": reply("o", 10**30),
    "an integer that is none": raw('["i","spam"]'),
    "an integer that is a number": raw('["i",1]'),
    "an integer of too many digits": raw(f'["i","{"f" * 4000}"]'),
    "thousands of keys with one hash": raw(
        '["s"' + "".join(f',["i","{(2**61 - 1) * k:x}"]' for k in range(2**64, 2**64 + 2000)) + "]"
    ),
    "thousands of tuples as keys": raw(
        '["d"' + "".join(f',["t",{k}],1' for k in range(2000)) + "]"
    ),
    "a signed sign": raw('["i","--1"]'),
    "an object array": raw('["a","|O",[1],"AAAAAAAAAAA="]'),
    "a record array": raw('["a",[["x","<f8"]],[1],"AAAAAAAAAAA="]'),
    "a shape that does not fit": raw('["a","<f8",[2],"AAAAAAAAAAA="]'),
    "a negative shape": raw('["a","<f8",[-1],"AAAAAAAAAAA="]'),
    "a shape of floats": raw('["a","<f8",[1.0],"AAAAAAAAAAA="]'),
    "a shape of true": raw('["a","|b1",[true],"AA=="]'),
    "a shape of nine": raw('["a","|b1",[1,1,1,1,1,1,1,1,1],"AA=="]'),
    "a huge shape": raw('["a","<f8",[8000000,8000000,8000000,8000000],""]'),
    "data that is not base64": raw('["a","|b1",[1],"!!!!"]'),
    "an exception without a message": reply("e", "ValueError", [], None, [], []),
    "an exception of too few parts": reply("e", "ValueError", [], ""),
    "bases that are no text": reply("e", "ValueError", [1], "", [], []),
    "names that are no text": reply("e", "ValueError", [], "", [], [1]),
    "frames that are no lists": reply("e", "ValueError", [], "", [1], []),
    "a frame with a line that is true": reply("e", "E", [], "", [["a", True, "f"]], []),
    "a frame with a negative line": reply("e", "E", [], "", [["a", -1, "f"]], []),
    "a frame with a huge line": reply("e", "E", [], "", [["a", 10**20, "f"]], []),
    "broken UTF-8": f'[{ASKED},"v","'.encode() + b'\xff"]',
    "a lone surrogate": raw('"\\ud800"'),
    "nested too deep": raw('["l",' * (MAX_DEPTH + 3) + "1" + "]" * (MAX_DEPTH + 3)),
    "nested far too deep": raw("[" * 100_000),
    "nested closed far too deep": raw("[" * 90_000 + "]" * 90_000),
    "tables nested too deep": raw('{"a":' * 90_000),
    "too many parts": raw('["l"' + ",1" * 500_000 + "]"),
    "too many bytes": b" " * (MAX_REPLY_BYTES + 1),
}


@pytest.mark.parametrize("payload", BAD.values(), ids=BAD.keys())
def test_whatever_else_is_a_protocol_error(payload: bytes) -> None:
    """A reply of another shape, size, depth or type raises ProtocolError and nothing else."""
    with pytest.raises(ProtocolError) as caught:
        decode(payload)
    assert len(str(caught.value)) < 100  # ours, not the worker's text


@given(st.binary(max_size=300))
def test_random_bytes_raise_only_protocol_error(payload: bytes) -> None:
    """Noise is refused, or happens to be a reply; it never raises anything else."""
    decoded(payload)


@given(st.data(), st.sampled_from(GOOD))
def test_mutated_replies_raise_only_protocol_error(data: st.DataObject, payload: bytes) -> None:
    """A good reply with bytes changed, cut out or put in raises ProtocolError or is a reply."""
    changed = bytearray(payload)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed)))
        part = data.draw(
            st.sampled_from([b"", b"[", b"]", b",", b'"', b"9", b"-", b"e99", b"\xff"])
        )
        changed[at : at + data.draw(st.integers(0, 3))] = part
    decoded(bytes(changed))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(st.sampled_from("nilstfdaveo"), inner, inner).map(list)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=6))
def test_any_json_raises_only_protocol_error(body: list[Any]) -> None:
    """Well-formed JSON of another shape is refused."""
    decoded(reply(*body))


def decoded(payload: bytes) -> None:
    try:
        found = decode(payload)
    except ProtocolError:
        return
    if isinstance(found, Object):
        assert 0 <= found.number <= NUMBER
    if isinstance(found, Plain):
        assert_plain(found.value)


def assert_plain(value: Any) -> None:
    """Exact builtin types all the way down."""
    assert type(value) in (
        type(None),
        bool,
        int,
        float,
        str,
        list,
        tuple,
        set,
        frozenset,
        dict,
        Array,
    )
    if type(value) is dict:
        for pair in value.items():
            assert_plain(pair)
    elif type(value) in (list, tuple, set, frozenset):
        for item in value:
            assert_plain(item)


def test_long_text_of_an_exception_is_cut() -> None:
    """Long names, messages and tracebacks do not travel further."""
    long = "x" * 10_000
    found = decode(reply("e", long, [long] * 50, long, [[long, 1, long]] * 100, [long] * 300))
    assert isinstance(found, Raised)
    assert len(found.type) <= 100
    assert len(found.message) <= 4_000
    assert len(found.frames) <= 50
    assert len(found.bases) <= 20
    assert len(found.names) <= 200
    assert max(map(len, (*found.bases, *found.names, found.frames[0].file))) <= 100


def test_decoding_counts_parts_before_it_makes_them() -> None:
    """Eight megabytes of empty lists are refused without being built."""
    with pytest.raises(ProtocolError, match="too many"):
        decode_json(b"[" + b"[]," * 2_000_000 + b"1]")


# ---- requests ------------------------------------------------------------------------------------


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.integers() | st.text(max_size=3), inner, max_size=3)
        | st.sets(st.integers() | st.text(max_size=3), max_size=4)
        | st.frozensets(st.booleans() | st.none(), max_size=3)
    ),
    max_leaves=10,
)


def spelled(value: Any) -> str:
    """A value with its exact types, so that 1, 1.0, True and nan, -0.0 are told apart."""
    if type(value) in (set, frozenset):
        return f"{type(value).__name__}{sorted(map(spelled, value))}"
    if type(value) in (list, tuple):
        return f"{type(value).__name__}{list(map(spelled, value))}"
    if type(value) is dict:
        return f"dict{[(spelled(key), spelled(item)) for key, item in value.items()]}"
    return f"{type(value).__name__}:{value!r}"


ECHO = """
    def echo(value):
        return value

    class Opaque: pass

    def look(value):
        return repr(type(value)) + repr(value)
"""


def test_plain_data_survives_the_way_to_a_worker_and_back(ask: Callable[[str], Any]) -> None:
    """What a check sends comes back equal and of the same types, nested or not."""
    echo = ask(ECHO).echo

    @given(PLAIN)
    def there_and_back(value: Any) -> None:
        assert spelled(echo(value)) == spelled(value)

    there_and_back()


@pytest.mark.parametrize(
    "value",
    [True, 1, 1.0, -0.0, 0, 2**63, -(2**63), 2**63 - 1, 10**1000, -(10**1000), 5e-324, 1.7e308],
)
def test_numbers_keep_their_exact_type_and_value(ask: Callable[[str], Any], value: Any) -> None:
    """No number becomes another kind of number, however large."""
    back = ask(ECHO).echo(value)
    assert (type(back), repr(back)) == (type(value), repr(value))


def test_every_integer_that_arrives_can_be_shown(ask: Callable[[str], Any]) -> None:
    """The largest integers are as long as Python will print: a message about one must not fail."""
    submission = ask("def big(n): return 10**n")
    assert len(str(submission.big(4_200))) == 4_201
    for digits in (4_215, 4_300, 4_800):
        with pytest.raises(Exception, match="TooLarge"):
            submission.big(digits)
    with pytest.raises(ProtocolError):
        decode(raw(f'["i","{10**4300:x}"]'))


@pytest.mark.parametrize("keys", [range(-5_000, 5_000), map(str, range(5_000))], ids=["int", "str"])
def test_thousands_of_ordinary_keys_arrive(ask: Callable[[str], Any], keys: Any) -> None:
    """A large table of numbers or words is plain data like any other."""
    table = dict.fromkeys(keys, True)
    assert ask(ECHO).echo(table) == table


def test_special_numbers_arrive_as_they_are(ask: Callable[[str], Any]) -> None:
    """NaN arrives as NaN and infinities as infinities: it is for the check to refuse them."""
    echo = ask(ECHO).echo
    assert math.isnan(echo(math.nan))
    assert echo([math.inf, -math.inf]) == [math.inf, -math.inf]


def test_a_lone_surrogate_arrives_as_visible_text(ask: Callable[[str], Any]) -> None:
    """Text that is no UTF-8 cannot break the protocol; it is shown as an escape."""
    assert ask("text = 'a\\ud800b'").text == "a\\ud800b"


@pytest.mark.parametrize(
    "source",
    ["class Mine(float): pass\nx = Mine(1)", "class Mine(str): pass\nx = Mine('a')",
     "class Mine(dict): pass\nx = Mine()", "x = object()",
     "class Mine(int): pass\nx = [Mine(1)]", "x = range(3)", "x = len", "x = 1j", "x = b'a'"],
)  # fmt: skip
def test_what_is_not_exactly_plain_travels_by_reference(
    ask: Callable[[str], Any], source: str
) -> None:
    """A subclass of float or str could lie about itself: it never arrives as a number or text."""
    from grader.proxy import Proxy

    assert type(ask(source).x) is Proxy


@pytest.mark.parametrize("text", ["'x' * 300_000", "[0] * 30_000", "list(range(9**6))", "10**4300",
     "{(i,) for i in range(3000)}", "dict.fromkeys(2**99 + i for i in range(3000))"])  # fmt: skip
def test_an_answer_that_is_too_large_is_an_error_of_the_submission(
    ask: Callable[[str], Any], text: str
) -> None:
    """It is refused where it is made, with a message, and the conversation goes on."""
    submission = ask(f"def big(): return {text}\n\ndef small(): return 1")
    with pytest.raises(Exception, match="TooLarge"):
        submission.big()
    assert submission.small() == 1


def test_data_that_contains_itself_is_an_error_of_the_submission(
    ask: Callable[[str], Any],
) -> None:
    """A list inside itself does not hang or crash anything."""
    submission = ask("loop = []\nloop.append(loop)\nfine = 1")
    with pytest.raises(Exception, match="TooLarge"):
        _ = submission.loop
    assert submission.fine == 1


def test_equal_requests_are_equal_bytes_and_different_ones_differ() -> None:
    """1, 1.0 and True make different requests; the same arguments make the same."""
    values = [
        1,
        1.0,
        True,
        -0.0,
        0.0,
        "1",
        None,
        (1,),
        [1],
        {1: 1},
        {1},
        frozenset({1}),
        Register(1),
    ]
    encoded = [encode_request("call", value) for value in values]
    assert len(set(encoded)) == len(values)
    assert encoded == [encode_request("call", value) for value in values]


def test_sets_are_sent_in_one_order() -> None:
    """The same set makes the same request in every process, whatever the hash seed."""
    assert encode_request("x", {"a", "b", "c"}) == encode_request("x", {"c", "b", "a"})


@pytest.mark.parametrize("value", [object(), len, ValueError(), b"bytes", 1j, range(3)])
def test_only_plain_data_can_be_sent(value: object) -> None:
    """Anything else is a fault of the suite that says what to do instead."""
    with pytest.raises(TypeError, match=r"submission\.define"):
        encode_request("call", value)
