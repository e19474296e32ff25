"""Small experiments in the worker: one operation on fresh leaves, so that each number can come
from one place only. They tell which of several operations broke a gradient that all of them add
to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grader.autograd.numbers import close
from grader.autograd.observe import Desk, LostError
from grader.autograd.program import Number, Operand, Ref
from grader.protocol import Register

Leaves = list["Register | Number"]


@dataclass
class Prober:
    """Asks for one experiment after another, and keeps what it found."""

    desk: Desk
    _everywhere: bool | None = field(default=None)

    def rule(
        self,
        op: str,
        operands: Sequence[Operand],
        data: Sequence[float],
        arriving: float,
        *,
        apart: bool = True,
    ) -> tuple[float | None, ...] | None:
        """What an operation at these numbers passes on to each operand, when `arriving` arrives.

        `apart` makes two leaves where a node is on both sides. None for an operand that is a plain
        number, and for all where the experiment fails."""
        ways: list[Callable[[Register], Register]] = [
            lambda out: self.desk.apply("*", (out, arriving)),
            lambda out: self.desk.apply("*", (arriving, out)),
            lambda out: self.desk.apply("*", (out, self.desk.leaf(arriving))),
            lambda out: self.desk.apply("/", (out, 1 / arriving)),
        ]
        if arriving == 1:
            ways = [lambda out: out]
        for way in ways:
            with contextlib.suppress(LostError, ZeroDivisionError):
                leaves = self._leaves(operands, data)
                if not apart:
                    leaves[1] = leaves[0]
                out = self.desk.apply(op, leaves)
                self.desk.backward(way(out))
                if arriving == 1 or close(self.desk.number(out, "grad"), arriving):
                    return tuple(self._grad(leaf) for leaf in leaves)
        return None

    def overwrites(
        self, op: str, operands: Sequence[Operand], data: Sequence[float], place: int
    ) -> bool:
        """Whether this operation replaces what its operand has received already.

        Seen twice: with a gradient that was put there before, and with two such operations."""
        once = self.rule(op, operands, data, 1.0)
        if once is None or not once[place]:
            return False
        with contextlib.suppress(LostError):
            leaves = self._leaves(operands, data)
            self.desk.ask("setattr", leaves[place], "grad", 7.25)
            self.desk.backward(self.desk.apply(op, leaves))
            if not close(self._grad(leaves[place]), once[place] or 0.0):
                return False
            first, second = self._leaves(operands, data), self._leaves(operands, data)
            second[place] = first[place]
            results = [self.desk.apply(op, leaves) for leaves in (first, second)]
            self.desk.backward(self.desk.apply("+", results))
            received = [self.desk.number(result, "grad") for result in results]
            return received == [1, 1] and close(self._grad(first[place]), once[place] or 0.0)
        return False

    def seeds_everywhere(self) -> bool:
        """Whether every node starts with 1, not only the output."""
        if self._everywhere is None:
            sums = self.rule("+", (Ref(0), Ref(1)), (0.75, 1.5), 1.0)
            products = self.rule("*", (Ref(0), Ref(1)), (0.75, 1.5), 1.0)
            self._everywhere = (sums, products) == ((2.0, 2.0), (2.5, 1.75))
        return self._everywhere

    def _leaves(self, operands: Sequence[Operand], data: Sequence[float]) -> Leaves:
        return [self.desk.leaf(data[o.index]) if isinstance(o, Ref) else o for o in operands]

    def _grad(self, leaf: Register | Number) -> float | None:
        if not isinstance(leaf, Register):
            return None
        return self.desk.number(leaf, "grad") or 0.0
