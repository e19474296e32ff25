"""The independent oracle: values and derivatives by dual numbers.

A dual number carries a value and how fast it moves when one chosen register moves. That is forward
mode: one pass for each register that is asked about, no graph, no order, nothing to accumulate. It
shares no idea with the engines that are graded, so it can't share their mistakes, and it gives no
solution away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from grader.autograd.program import Number, Program


class KinkError(ValueError):
    """The program asks for a derivative where there is none, or for a value outside a function's
    domain."""


@dataclass(frozen=True, slots=True)
class Dual:
    """`value`, and `slope`: its derivative with respect to the chosen register."""

    value: Number
    slope: float = 0.0

    def __add__(self, other: Dual | Number) -> Dual:
        other = _dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __radd__(self, other: Number) -> Dual:
        return _dual(other) + self

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Dual | Number) -> Dual:
        other = _dual(other)
        return Dual(self.value - other.value, self.slope - other.slope)

    def __rsub__(self, other: Number) -> Dual:
        return _dual(other) - self

    def __mul__(self, other: Dual | Number) -> Dual:
        other = _dual(other)
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)

    def __rmul__(self, other: Number) -> Dual:
        return _dual(other) * self

    def __truediv__(self, other: Dual | Number) -> Dual:
        other = _dual(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def __rtruediv__(self, other: Number) -> Dual:
        return _dual(other) / self

    def __pow__(self, exponent: Dual | Number) -> Dual:
        if isinstance(exponent, Dual):
            return (self.log() * exponent).exp()
        value = self.value**exponent
        if isinstance(value, complex):
            raise KinkError(f"{self.value} ** {exponent} is not a real number")
        return Dual(value, exponent * self.value ** (exponent - 1) * self.slope)

    def __rpow__(self, base: Number) -> Dual:
        return (self * math.log(base)).exp()

    def tanh(self) -> Dual:
        t = math.tanh(self.value)
        return Dual(t, self.slope * (1 - t) * (1 + t))  # 1/cosh**2, which would overflow

    def relu(self) -> Dual:
        if self.value == 0:
            raise KinkError("relu has no derivative at 0")
        return self if self.value > 0 else Dual(0.0)

    def exp(self) -> Dual:
        return Dual(math.exp(self.value), math.exp(self.value) * self.slope)

    def log(self) -> Dual:
        return Dual(math.log(self.value), self.slope / self.value)

    def sin(self) -> Dual:
        return Dual(math.sin(self.value), math.cos(self.value) * self.slope)


def _dual(number: Dual | Number) -> Dual:
    return number if isinstance(number, Dual) else Dual(number)


@dataclass(frozen=True, slots=True)
class Reference:
    """What a right engine finds for a program: data of every name, gradient of the output by any
    name.

    Raises KinkError where the program has no finite answer.
    """

    program: Program
    registers: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        values = tuple(float(dual.value) for dual in self._pass(None))
        object.__setattr__(self, "registers", values)

    def data(self, name: str) -> float:
        """The value that `name` ends up with."""
        return self.registers[self.program.register(name)]

    def grad(self, name: str, of: str | None = None) -> float:
        """d(of)/d(name): `of` is the output unless given, `name` a leaf or an intermediate."""
        target = self.program.root if of is None else self.program.register(of)
        return self.slope(target, self.program.register(name))

    def slope(self, target: int, by: int) -> float:
        """d(register target)/d(register by), everything before `by` held fixed."""
        return float(self._pass(by)[target].slope)

    def _pass(self, by: int | None) -> list[Dual]:
        def seed(index: int, dual: Dual) -> Dual:
            return Dual(dual.value, 1.0 if index == by else dual.slope)

        try:
            registers = self.program.run([Dual(n) for _, n in self.program.leaves], seed)
        except KinkError as error:
            raise KinkError(f"{self.program}: {error}") from None
        except (ArithmeticError, ValueError) as error:
            raise KinkError(f"{self.program}: {error}") from error
        if not all(math.isfinite(d.value) and math.isfinite(d.slope) for d in registers):
            raise KinkError(f"{self.program}: not finite")
        return registers
