"""Points of a score file, exactly: read back as fractions, written without an exponent."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def exact(points: int | float) -> Fraction:
    """The number that stands in the score file: 0.1 is a tenth, not the nearest binary one."""
    return Fraction(str(points))


def decimal(points: Fraction) -> str:
    """As a decimal number with every digit it has, or as many as a score file holds."""
    if points.denominator == 1:
        return str(points.numerator)
    digits = Decimal(points.numerator) / Decimal(points.denominator)  # 28 of them
    if Fraction(digits) != points:
        digits = Decimal(repr(float(points)))
    return f"{digits:f}"


def percent(part: Fraction, whole: Fraction) -> int:
    """A share in whole percent; only what is complete is 100, and only what is empty is 0."""
    if not whole:
        return 0
    share = part / whole * 100
    if 0 < share < 1:
        return 1
    return 99 if 99 < share < 100 else round(share)


def days_late(days: int) -> str:
    """In words."""
    return "1 day late" if days == 1 else f"{days} days late"
