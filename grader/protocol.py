"""What the trusted process and a worker say to each other.

A check's conversation is a straight-line program. Request number n is `(op, argument, …)` and its
result is kept in the worker's register n; the trusted side picks n, so a whole program can be
written down before the first answer is known. Register 0 holds the submission's module.

Requests travel as marshal data, which only the worker reads: the trusted side wrote them. Replies
travel as JSON, which the trusted side decodes strictly: the worker is not trusted, so every
reply is checked for its shape, size, depth and exact types before anything looks at it.
"""

from __future__ import annotations

import base64
import binascii
import marshal
import math
import struct
from dataclasses import dataclass
from typing import Any, Final

import msgspec

MAX_REPLY_BYTES: Final = 8 * 1024 * 1024  # one reply frame; longer is a broken worker
MAX_DEPTH: Final = 24  # nesting of plain data
MAX_ITEMS: Final = 200_000  # parts of one reply
MAX_TEXT: Final = 4_000  # characters of an exception's message
MAX_INT_BITS: Final = 14_000  # so that str() of it, in a message, keeps CPython's 4,300 digits
MAX_ODD_KEYS: Final = 1_000  # of one set or dict: see _keys


class ProtocolError(Exception):
    """A reply that is not one: malformed, oversized, or of a type that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Register:
    """A reference to a result that lives in the worker."""

    number: int


@dataclass(frozen=True, slots=True)
class Plain:
    """A reply by value: None, bool, int, float, str, and containers of them."""

    value: Any


@dataclass(frozen=True, slots=True)
class Object:
    """A reply by reference: the same object as register `number` (the request's own, when new)."""

    number: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the student's file in a traceback."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Raised:
    """A reply that is an exception.

    `bases` names the builtin exception classes that it derives from, nearest first. `names` holds
    what could have been meant, where a name was not found."""

    type: str
    bases: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...] = ()
    names: tuple[str, ...] = ()


Reply = Plain | Object | Raised


@dataclass(frozen=True, slots=True)
class Array:
    """An array as data: `dtype` in numpy's array-protocol spelling, C order, little-endian."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def numbers(array: Array) -> list[float]:
    """The elements of an array in C order, as floats."""
    kind = array.dtype[1]
    size = int(array.dtype[2:])
    codes = {"b": "?", "i": " bh i   q", "u": " BH I   Q", "f": "  e f   d"}
    code = codes[kind] if kind == "b" else codes[kind][size]
    return [float(item) for (item,) in struct.iter_unpack(f"<{code}", array.data)]


# ---- requests: ours, so plain encoding is enough ---------------------------------------------


def encode_request(op: str, *arguments: Any) -> bytes:
    """One request, as bytes that are equal exactly when the requests are.

    Version 2 of marshal has no back references, so equal requests give equal bytes; and unlike
    `==` it tells 1 from 1.0 and from True."""
    return marshal.dumps((op, *[_pack(argument) for argument in arguments]), 2)


ARRAY_MARK: Final = marshal.dumps(("a", 0, 0, 0), 2)[:11]  # begins each array in a request


def _pack(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is Register:
        return ("r", value.number)
    if kind is list:
        return ("l", tuple(_pack(item) for item in value))
    if kind is tuple:
        return ("t", tuple(_pack(item) for item in value))
    if kind is set:
        return ("s", tuple(sorted((_pack(item) for item in value), key=repr)))
    if kind is frozenset:
        return ("f", tuple(sorted((_pack(item) for item in value), key=repr)))
    if kind is dict:
        return ("d", tuple((_pack(key), _pack(item)) for key, item in value.items()))
    if kind is Array:
        return ("a", value.dtype, value.shape, value.data)
    raise TypeError(
        f"a check can send only plain data and proxies to a submission, not {kind.__name__}; "
        "functions go there as source text: submission.define(…)"
    )


# ---- replies: the worker's, so nothing is believed --------------------------------------------

_decoder = msgspec.json.Decoder(list[Any])


def decode_reply(payload: bytes, request_id: int, number: int) -> Reply:
    """The reply to request `request_id`, whose result went to register `number`.

    Raises ProtocolError for anything else than one well-formed reply to that request."""
    body = decode_json(payload)
    if len(body) < 2 or type(body[0]) is not int or body[0] != request_id:
        raise ProtocolError("a reply to another request")
    return decode_body(body[1:], number)


def decode_json(payload: bytes) -> list[Any]:
    """A JSON array, of bounded length and nesting. Raises ProtocolError."""
    if len(payload) > MAX_REPLY_BYTES:
        raise ProtocolError("an oversized reply")
    # counted before anything is allocated: eight megabytes of "[]," would become gigabytes
    if payload.count(b"[") + payload.count(b"{") + payload.count(b",") > 2 * MAX_ITEMS:
        raise ProtocolError("a reply with too many parts")
    try:
        return _decoder.decode(payload)
    except (msgspec.MsgspecError, RecursionError, MemoryError, ValueError) as error:
        raise ProtocolError("a reply that is not JSON") from error


def decode_body(body: list[Any], number: int) -> Reply:
    """`["v", value]`, `["o"]` for a new object, `["o", register]` for one that an earlier request
    brought, or `["e", type, bases, message, frames, names]`."""
    match body:
        case ["v", value]:
            return Plain(_unpack(value, 0))
        case ["o"]:
            return Object(number)
        case ["o", int(same)] if type(same) is int and 0 <= same < number:
            return Object(same)
        case ["e", str(kind), list(bases), str(message), list(frames), list(names)]:
            return Raised(
                type=_short(kind, 100),
                bases=tuple(_text(base, 100) for base in bases[:20]),
                message=_short(message, MAX_TEXT),
                frames=tuple(_frame(frame) for frame in frames[:50]),
                names=tuple(_text(name, 100) for name in names[:200]),
            )
    raise ProtocolError("a reply of an unknown form")


def _frame(raw: Any) -> Frame:
    match raw:
        case [str(file), int(line), str(function)] if type(line) is int and 0 <= line < 10**9:
            return Frame(_short(file, 100), line, _short(function, 100))
    raise ProtocolError("a traceback of an unknown form")


def _text(value: Any, limit: int) -> str:
    if type(value) is not str:
        raise ProtocolError("text expected")
    return _short(value, limit)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _unpack(raw: Any, depth: int) -> Any:
    """Plain data, by exact type. A NaN arrives as a NaN: it is the comparison's to refuse."""
    kind = type(raw)
    if raw is None or kind in (bool, str):
        return raw
    if kind is int:
        return raw
    if kind is float:
        # JSON has no spelling for these, so a bare one can only be an overflow such as 1e400
        if not math.isfinite(raw):
            raise ProtocolError("a number out of range")
        return raw
    if kind is not list or not raw or depth > MAX_DEPTH:
        raise ProtocolError("plain data of an unknown form")
    tag, *items = raw
    match tag:
        case "n" if items in (["nan"], ["inf"], ["-inf"]):
            return float(items[0])
        case "i" if len(items) == 1 and type(items[0]) is str:
            return _big_int(items[0])
        case "l":
            return [_unpack(item, depth + 1) for item in items]
        case "t":
            return tuple(_unpack(item, depth + 1) for item in items)
        case "s" | "f":
            values = _keys(items, depth)
            return set(values) if tag == "s" else frozenset(values)
        case "d" if len(items) % 2 == 0:
            keys = _keys(items[::2], depth)
            return dict(zip(keys, (_unpack(item, depth + 1) for item in items[1::2]), strict=True))
        case "a" if len(items) == 3:
            return _array(*items)
    raise ProtocolError("plain data of an unknown form")


def _keys(items: list[Any], depth: int) -> list[Any]:
    """The elements of a set, or the keys of a dict.

    Only a bounded number may be other than text and small numbers: of large integers, tuples and
    frozensets a worker can make as many as it likes with one hash, and to put n of those into a
    set takes n * n steps."""
    keys = [_unpack(item, depth + 1) for item in items]
    odd = sum(
        type(key) not in _HASHED_APART or (type(key) is int and abs(key) >= 2**64) for key in keys
    )
    if odd > MAX_ODD_KEYS:
        raise ProtocolError("too many keys that are neither text nor small numbers")
    try:
        for key in keys:
            hash(key)
    except TypeError as error:
        raise ProtocolError("a key that cannot be one") from error
    return keys


_HASHED_APART: Final = (str, int, float, bool, type(None))


def _big_int(text: str) -> int:
    if len(text) > MAX_INT_BITS // 4 + 4:
        raise ProtocolError("an oversized integer")
    try:
        return int(text, 16)
    except ValueError as error:
        raise ProtocolError("an integer of an unknown form") from error


# float, integer and boolean kinds of up to 8 bytes; never an object or a record
_ITEM_SIZES: Final = {
    "|b1": 1, "|i1": 1, "|u1": 1, "<i2": 2, "<u2": 2, "<i4": 4, "<u4": 4,
    "<i8": 8, "<u8": 8, "<f2": 2, "<f4": 4, "<f8": 8,
}  # fmt: skip


def _array(dtype: Any, shape: Any, data: Any) -> Array:
    if type(dtype) is not str or dtype not in _ITEM_SIZES or type(data) is not str:
        raise ProtocolError("an array of an unknown kind")
    if type(shape) is not list or len(shape) > 8:
        raise ProtocolError("an array of an unknown shape")
    size = room = _ITEM_SIZES[dtype]
    for extent in shape:
        if type(extent) is not int or not 0 <= extent <= MAX_REPLY_BYTES:
            raise ProtocolError("an array of an unknown shape")
        size *= extent
        room *= max(extent, 1)
    if room > MAX_REPLY_BYTES:  # an empty one, too: numpy refuses (2**40, 2**40, 0)
        raise ProtocolError("an array of an unknown shape")
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ProtocolError("an array whose data is not base64") from error
    if len(content) != size:
        raise ProtocolError("an array whose data does not fill its shape")
    if dtype == "|b1" and content.strip(b"\0\1"):
        raise ProtocolError("an array of booleans that are neither true nor false")
    return Array(dtype, tuple(shape), content)
