"""A check's requests put to a fresh worker again, with every node looked at on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from grader.autograd.program import Number, Operand, Ref
from grader.autograd.trace import SYMBOLS, Trace, Walk
from grader.protocol import Object, Plain, Raised, Register, Reply, encode_request

FIRST_OWN = 1_000_000  # registers of our own questions: beyond those of any check
_NAMES = {symbol: name for name, symbol in SYMBOLS.items()}


class Channel(Protocol):
    """Where requests go (`host.LiveChannel`)."""

    def exchange(self, number: int, request: bytes) -> Reply:
        """The reply to request `number`."""


class LostError(Exception):
    """The submission did something that this way of looking cannot follow. Nothing is said."""


@dataclass(frozen=True, slots=True)
class Change:
    """An operation that changed one of its operands in place."""

    by: int  # register of the operation
    operand: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What a submission made of one graph: by register, data before backward and gradient after
    it. None stands for no number: nothing there, or None."""

    data: tuple[float | None, ...]
    grad: tuple[float | None, ...]
    change: Change | None = None


@dataclass
class Desk:
    """Asks a worker questions of our own, beside those of a check."""

    channel: Channel
    _last: int = FIRST_OWN

    def ask(self, op: str, *arguments: object) -> Reply:
        self._last += 1
        return self.channel.exchange(self._last, encode_request(op, *arguments))

    def make(self, op: str, *arguments: object) -> Register:
        """An object that this request makes. Raises LostError where it makes none."""
        reply = self.ask(op, *arguments)
        if not isinstance(reply, Object):
            raise LostError
        return Register(reply.number)

    def leaf(self, number: Number) -> Register:
        """Value(number)."""
        return self.make("call", self.make("name", "Value"), (number,), {})

    def apply(self, op: str, operands: Sequence[Register | Number]) -> Register:
        """The result of an operation, as `program.Step` names it."""
        if op in _NAMES:
            return self.make("operator", _NAMES[op], *operands)
        if op == "neg":
            return self.make("operator", "neg", *operands)
        return self.make("call", self.make("getattr", operands[0], op), (), {})

    def backward(self, root: Register) -> None:
        """Run backward. Raises LostError where it raises."""
        if isinstance(self.ask("invoke", "backward", root, ()), Raised):
            raise LostError

    def number(self, node: Register, name: str) -> float | None:
        """`node.name` as a float; None where there is none."""
        reply = self.ask("getattr", node, name)
        if isinstance(reply, Object):
            reply = self.ask("convert", "float", Register(reply.number))
        if not isinstance(reply, Plain) or type(reply.value) not in (int, float, bool):
            return None
        try:
            return float(reply.value)
        except OverflowError:
            return math.inf


@dataclass
class Watcher:
    """Goes through a check's requests, and keeps what is seen of the chosen graphs."""

    desk: Desk
    walk: Walk
    _data: dict[int, float | None] = field(default_factory=dict)  # as they were made
    _now: dict[int, float | None] = field(default_factory=dict)
    _changes: dict[int, tuple[int, float, float]] = field(default_factory=dict)  # by operation

    def look(self, requests: Sequence[bytes]) -> list[tuple[Trace, Seen]]:
        """Every graph that was reached, in order. Raises LostError."""
        ends = {graph.backward: graph for graph in self.walk.traces}
        seen: list[tuple[Trace, Seen]] = []
        for number, request in enumerate(requests, 1):
            if number > max(ends, default=0):
                break
            reply = self.desk.channel.exchange(number, request)
            if number in self.walk.nodes:
                if reply != Object(number):  # an exception, or an object that was there before
                    break
                self._remember(number)
            elif number in ends:
                if isinstance(reply, Raised):
                    break
                seen.append((ends[number], self._seen(ends[number])))
        return seen

    def _remember(self, number: int) -> None:
        for operand in self.walk.nodes[number].parents:
            before = self._now.get(operand)
            after = self.desk.number(Register(operand), "data")
            if before is not None and after is not None and before != after:
                self._changes.setdefault(number, (operand, before, after))
                self._now[operand] = after
        self._data[number] = self._now[number] = self.desk.number(Register(number), "data")

    def _seen(self, graph: Trace) -> Seen:
        register = {number: index for index, number in enumerate(graph.made)}
        change = None
        for number, (operand, before, after) in sorted(self._changes.items()):
            if change is None and number in register:
                change = Change(register[number], register[operand], before, after)
        return Seen(
            tuple(self._data.get(number) for number in graph.made),
            tuple(self.desk.number(Register(number), "grad") for number in graph.made),
            change,
        )


def refs(operands: Sequence[Operand]) -> list[tuple[int, int]]:
    """The operands that are nodes: position and register."""
    return [(place, o.index) for place, o in enumerate(operands) if isinstance(o, Ref)]
