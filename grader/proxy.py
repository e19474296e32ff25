"""The trusted side's stand-ins for objects that live in the worker.

A suite uses a proxy as it would the object. What the submission's class says about itself is never
believed: `==` and `hash` compare handles (the same object has the same proxy, so `is` works too),
and nothing that Python, pytest or hypothesis probes for by a special name reaches the worker.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Protocol

from grader.observation import Stopped, broke_protocol
from grader.protocol import (
    Array,
    Object,
    Plain,
    ProtocolError,
    Raised,
    Register,
    Reply,
    encode_request,
)
from grader.raised import submission_error

# Tools look these up on anything they meet; the submission is not asked.
_PROBES = ("__", "_pytest", "pytest", "_hypothesis", "hypothesis", "_ipython", "_repr_")
# Who calls repr() to describe a failing assertion, rather than to learn what it gives.
_DESCRIBERS = ("_pytest", "reprlib", "hypothesis", "pprint")


class Channel(Protocol):
    """Where a conversation's requests go."""

    def exchange(self, number: int, request: bytes) -> Reply:
        """The reply to request `number`. Raises link.Stopped when there will be none."""


class Conversation:
    """What one check asks, and what it is told: numbers the requests and keeps the handles."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._number = 0
        self._proxies: dict[int, Proxy] = {}
        self._open = True

    def ask(self, op: str, *arguments: Any) -> Any:
        """Put one request; a plain value or a proxy. Raises SubmissionError or link.Stopped."""
        if not self._open:
            raise RuntimeError("this check is over: a proxy was kept from an earlier one")
        request = encode_request(op, *[_refer(argument) for argument in arguments])
        self._number += 1
        match self._channel.exchange(self._number, request):
            case Plain(value):
                return _to_numpy(value) if type(value) is Array else value
            case Object(number):
                proxy = self._proxies.get(number)
                if proxy is None:
                    proxy = self._proxies[number] = Proxy(self, number)
                return proxy
            case Raised() as raised:
                raise submission_error(raised)

    def close(self) -> None:
        """Refuse further questions: registers of the next check mean other objects."""
        self._open = False


_PLAIN = (float, str, int, bool, type(None))


def _refer(argument: Any) -> Any:
    """A suite's argument with its proxies replaced by register references."""
    kind = type(argument)
    if kind is Proxy:
        return Register(handle(argument))
    if kind in _PLAIN:
        return argument
    if kind in (list, tuple):
        return kind(_refer(item) for item in argument)
    if kind is dict:
        return {_refer(key): _refer(item) for key, item in argument.items()}
    if kind in (set, frozenset):
        return kind(_refer(item) for item in argument)
    if kind.__module__ == "numpy":
        return _from_numpy(argument)
    return argument


def _from_numpy(value: Any) -> Any:
    import numpy

    if isinstance(value, numpy.generic):
        return value.item()
    array = numpy.ascontiguousarray(value)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return Array(array.dtype.str, tuple(value.shape), array.tobytes())


def _to_numpy(array: Array) -> Any:
    import numpy

    return numpy.frombuffer(array.data, dtype=array.dtype).reshape(array.shape).copy()


def handle(proxy: Proxy) -> int:
    """The register that a proxy stands for."""
    number: int = object.__getattribute__(proxy, "_number")
    return number


def _ask(proxy: Proxy, op: str, *arguments: Any) -> Any:
    conversation: Conversation = object.__getattribute__(proxy, "_conversation")
    return conversation.ask(op, *arguments)


def _ask_for(kind: type, proxy: Proxy, op: str, *arguments: Any) -> Any:
    """An answer that Python itself guarantees to be of this type, so that another is forged."""
    value = _ask(proxy, op, *arguments)
    if type(value) is not kind:
        raise Stopped(*broke_protocol(ProtocolError(f"{op} gave no {kind.__name__}")))
    return value


class Proxy:
    """Stands for one object of the submission."""

    __slots__ = ("_conversation", "_number")

    def __init__(self, conversation: Conversation, number: int) -> None:
        object.__setattr__(self, "_conversation", conversation)
        object.__setattr__(self, "_number", number)

    # attributes

    def __getattr__(self, name: str) -> Any:
        if name.startswith(_PROBES):
            raise AttributeError(name)
        return _ask(self, "getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        _ask(self, "setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        _ask(self, "delattr", self, name)

    # calls and containers

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        return _ask(self, "call", self, arguments, keywords)

    def __iter__(self) -> Iterator[Any]:
        iterator = _ask(self, "iter", self)
        while True:
            try:
                item = _ask(self, "next", iterator)
            except Exception as error:
                raised = getattr(error, "raised", None)
                if raised is not None and "StopIteration" in raised.bases:
                    return
                raise
            yield item

    def __len__(self) -> int:
        length: int = _ask_for(int, self, "len", self)
        if not 0 <= length <= sys.maxsize:
            raise Stopped(*broke_protocol(ProtocolError("a length out of range")))
        return length

    def __getitem__(self, key: Any) -> Any:
        return _ask(self, "getitem", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _ask(self, "setitem", self, key, value)

    def __contains__(self, item: Any) -> bool:
        return any(part is item or part == item for part in self)

    # identity: by handle, never by the submission's word

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash(handle(self))

    def __instancecheck__(self, instance: Any) -> bool:
        return type(instance) is Proxy and bool(_ask(self, "isinstance", instance, self))

    # conversions

    def __bool__(self) -> bool:
        return bool(_ask_for(bool, self, "convert", "bool", self))

    def __float__(self) -> float:
        return float(_ask_for(float, self, "convert", "float", self))

    def __int__(self) -> int:
        return int(_ask_for(int, self, "convert", "int", self))

    def __str__(self) -> str:
        return str(_ask_for(str, self, "convert", "str", self))

    def __repr__(self) -> str:
        # A failing assertion is described without asking the submission again: its answer is
        # given, and a __repr__ that loops or lies has no place in the description.
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.startswith(_DESCRIBERS):
            return f"<object {handle(self)} of the submission>"
        return str(_ask_for(str, self, "convert", "repr", self))


def _binary(name: str) -> Any:
    def forward(self: Proxy, other: Any) -> Any:
        return _ask(self, "operator", name, self, other)

    def reflected(self: Proxy, other: Any) -> Any:
        return _ask(self, "operator", name, other, self)

    return forward, reflected


for _name in "add sub mul truediv floordiv mod matmul lshift rshift and or xor divmod".split():
    _operator = _name + "_" if _name in ("and", "or") else _name
    _forward, _reflected = _binary(_operator)
    setattr(Proxy, f"__{_name}__", _forward)
    setattr(Proxy, f"__r{_name}__", _reflected)
for _name in "lt le gt ge iadd isub imul itruediv ifloordiv imod ipow imatmul".split():
    setattr(Proxy, f"__{_name}__", _binary(_name)[0])


def _power(self: Proxy, exponent: Any, modulus: Any = None) -> Any:
    modular = () if modulus is None else (modulus,)
    return _ask(self, "operator", "pow", self, exponent, *modular)


def _unary(name: str) -> Any:
    return lambda self, *digits: _ask(self, "operator", name, self, *digits)


setattr(Proxy, "__pow__", _power)  # noqa: B010 — mypy would want every operator spelled out
setattr(Proxy, "__rpow__", _binary("pow")[1])  # noqa: B010
for _name in "neg pos abs invert round".split():
    setattr(Proxy, f"__{_name}__", _unary(_name))


class SubmissionProxy:
    """The `submission` of a check: its module's names as attributes."""

    __slots__ = ("_conversation",)

    def __init__(self, conversation: Conversation) -> None:
        object.__setattr__(self, "_conversation", conversation)

    def __getattr__(self, name: str) -> Any:
        """A name that the submission defines. Raises SubmissionError (outcome `missing`)."""
        if name.startswith(_PROBES):
            raise AttributeError(name)
        return self._conversation.ask("name", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._conversation.ask("setattr", Register(0), name, value)

    def invoke(self, name: str, target: Any, *arguments: Any) -> Any:
        """`target.name(…)`, or the submission's function `name(target, …)`: whichever it has."""
        return self._conversation.ask("invoke", name, target, arguments)

    def define(self, source: str) -> Any:
        """Execute helper code of the suite in the worker, beside the submission and with its
        names in reach; a proxy of the helper's module. The submission can read this code."""
        return self._conversation.ask("define", source)

    def type_name(self, target: Any) -> str:
        """The name of an object's class, for a message."""
        return str(self._conversation.ask("type_name", target))

    def __repr__(self) -> str:
        return "<submission>"
