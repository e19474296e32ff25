"""A class of realistic submissions, from the engines that the course keeps for its own proof."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT / "tests" / "suites" / "12_engine"
FILE = "value.py"


def make_class(folder: Path, size: int, *, loops: int = 0) -> None:
    """Write `size` submissions: two thirds right in some style, nearly one third with one
    mistake, one in fifty that does not parse, and as many untouched stubs; then `loops` that hang.

    Every file is distinct: each carries its own comment. The order is mixed, from a fixed seed."""
    right = itertools.cycle(sorted((SUITE / "accepted").glob("*.py")))
    wrong = itertools.cycle(sorted((SUITE / "mistakes").glob("*.py")))
    stub = ROOT / "exercises" / "12_engine" / FILE
    texts: list[str] = []
    for number in range(size):
        kind = number % 50
        if kind == 0:
            texts.append("class Value:\n    def __init__(self, data)\n        self.data = data\n")
        elif kind == 1:
            texts.append(stub.read_text(encoding="utf-8"))
        elif kind < 35:
            texts.append(next(right).read_text(encoding="utf-8"))
        else:
            texts.append(next(wrong).read_text(encoding="utf-8"))
    looping = "class Value:\n    def __init__(self, data):\n        while True:\n            pass\n"
    texts += [looping] * loops
    random.Random(1).shuffle(texts)
    for number, text in enumerate(texts):
        path = folder / f"student{number:05}" / FILE
        path.parent.mkdir(parents=True)
        path.write_text(f"{text}\n# student {number}\n", encoding="utf-8")
