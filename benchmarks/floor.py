"""The least that a class costs: python floor.py CLASS COUNT

A warm process on each core forks a child for each submission, which executes the file once and asks
all questions; the random graphs were drawn beforehand. No isolation, no time limit, nothing is
kept of what was found: no grader can do with less.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import random
import sys
import types
from collections.abc import Callable
from pathlib import Path

import questions
from classes import FILE


def main(folder: Path, count: int) -> None:
    texts = [path.joinpath(FILE).read_text(encoding="utf-8") for path in sorted(folder.iterdir())]
    draw = random.Random(0)
    seeds = [draw.randrange(2**32) for _ in range(questions.SEEDS)]
    for ops in (questions.SUMS, questions.MIXTURES):
        for seed in seeds:
            questions.draw_graph(seed, ops)
    cores = os.cpu_count() or 1
    shares = [texts[core:count:cores] for core in range(cores)]
    children = [_fork(functools.partial(_grade, share, seeds)) for share in shares]
    for child in children:
        os.waitpid(child, 0)


def _grade(texts: list[str], seeds: list[int]) -> None:
    # a process that has numpy loaded forks slowly: first those who do not need it
    for text in sorted(texts, key=lambda text: "numpy" in text):
        if "numpy" in text:
            import numpy  # noqa: F401
        gc.freeze()
        os.waitpid(_fork(functools.partial(_ask, text, seeds)), 0)


def _ask(text: str, seeds: list[int]) -> None:
    module = types.ModuleType("value")
    sys.modules["value"] = module  # some dataclasses look there
    exec(compile(text, FILE, "exec"), module.__dict__)  # noqa: S102
    for question in questions.PLAIN:
        with contextlib.suppress(Exception):
            question(module)
    for prop in questions.PROPERTIES:
        for seed in seeds:
            with contextlib.suppress(Exception):
                prop(module, seed)


def _fork(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    with contextlib.suppress(BaseException):
        work()
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
