"""Over every mistake of the course that is a wrong local rule: the first wrong node is that rule's.

The public checks of an exercise, and a fixed set of expressions, are put to each mistake's engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.autograd.asking import read_expression, requests_for
from grader.autograd.look import View, look
from grader.course import Course, Exercise, read_course
from grader.host import link_for, live, own_answer
from grader.observation import Stopped
from grader.protocol import Raised
from grader.raised import SubmissionError
from grader.sandbox import choose

ROOT = Path(__file__).parents[3]

# by the first word of a mistake's name: the operations in which its rule is at work; a course's
# engine may divide by a power and subtract by a negation
RULES = {
    "add": "+", "add_and_mul": "+ *", "sum": "+", "mul": "*", "product": "*", "sub": "-",
    "difference": "-", "rsub": "-", "reflected_minus": "-", "neg": "neg -", "negation": "neg -",
    "division": "/", "quotient": "/", "rtruediv": "/", "reflected_division": "/", "power": "** /",
    "tanh": "tanh", "relu": "relu", "exp": "exp", "log": "log", "sin": "sin",
}  # fmt: skip
NUMBERS = {"a": 1.3, "b": -0.6, "c": 2.2, "d": 0.7, "e": 30.0, "f": 0.123456, "g": 1000.0}
# the graph is wrong, not a rule: a result that does not know its operands; a list kept too long
NO_RULE = ("power_has_no_parent",)
EXERCISES = ["04_backward", "06_powers_and_tanh", "07_every_operator", "12_engine"]
SUMS = [
    "(a*b + c)*a",
    "s = a + b; y = s*s + s",
    "a*a + a",
    "(a*2 + 3*b)*c",
    "3*(2 + a) + a",
    "s = a + b; y = s + a",
]
EVERYTHING = [
    "(-a)*b", "s = -b; y = s*a + s", "s = a - b; y = s*a - b*s", "(b - 2)*c", "(2 - a)*c",
    "(5 - b)*a + (5 - a)*b", "a/c*b", "s = b/a; y = s*b + s", "3/a*b + 3/b", "b/2*a", "7/c - a/c",
    "a**3*b", "2*b**3 + b", "c**0.5*b", "b*a**-2 + a", "2*(a*b)**2",
    *(f"{f}({x})*c + {x}" for f in ("tanh", "exp", "sin") for x in "ab"),
    "relu(a)*c + a", "relu(b)*c + b", "relu(d)*b", "log(a)*c + a", "log(d)*b", "relu(e)*b",
    *(f"s = {f}(a)*a; y = s + {f}(a)*c" for f in ("tanh", "relu", "exp", "log", "sin")),
    "sin(c)*b", "a**3 + b*a**2", "exp(f)*b", "3*tanh(g)", "3*tanh(-g)", "2*sin(e)",
    "b*exp(d*b) + b", "a + tanh(e)*b",
]  # fmt: skip


@pytest.fixture(scope="module")
def course() -> Course:
    return read_course(ROOT)


def names_of(text: str) -> dict[str, float]:
    used = set(re.findall(r"\b[a-g]\b", text))
    return {name: number for name, number in NUMBERS.items() if name in used}


@dataclass
class Found:
    """What came of one mistake: the first wrong graph, and whether its engine ever raised."""

    view: View | None = None
    raised: bool = False


def first_view(exercise: Exercise, path: Path, course: Course, texts: list[str]) -> Found:
    """The first graph that is wrong in this engine."""
    found = Found()
    link = link_for(exercise, choose("none"), own_answer(course, exercise, path))
    try:
        for text in texts:
            program = read_expression(text, names_of(text))
            channel = live(link, 5.0)
            found.view = look(channel, requests_for(program), f"built     {program}")
            found.raised |= any(isinstance(reply, Raised) for reply in channel.replies)
            if found.view is not None:
                break
    except (Stopped, SubmissionError):
        found.raised = True
    finally:
        link.close()
    return found


def rule_of(stem: str) -> str:
    words = [word for word in RULES if stem.startswith(f"{word}_")]
    return RULES[max(words, key=len)] if words and stem not in NO_RULE else ""


@pytest.mark.parametrize("name", EXERCISES)
def test_first_wrong_node_of_a_wrong_local_rule_is_that_rules(course: Course, name: str) -> None:
    """An engine that raises tells by itself where it is wrong; all others count."""
    exercise = course.exercise(name)
    texts = SUMS if name == "04_backward" else SUMS + EVERYTHING
    told, missed = [], []
    for path in sorted((ROOT / "tests" / "suites" / name / "mistakes").glob("*.py")):
        rule = rule_of(path.stem)
        if not rule:
            continue
        found = first_view(exercise, path, course, texts)
        blame = found.view.blame if found.view else None
        if blame is not None and found.view is not None:
            right = found.view.graph.op(blame.node).removesuffix("=") in rule.split()
            (told if right else missed).append(f"{path.stem}: {blame.words}")
        elif not found.raised:
            missed.append(path.stem)
    assert len(told) >= 0.95 * (len(told) + len(missed)), missed
    assert [item for item in missed if ":" in item] == []  # a wrong name is worse than none
