"""The graphs that a check has built, found again in its requests.

The trusted side applied every operator itself, so a conversation's requests say what the
submission was asked to compute, whatever it did instead. Each `backward` gives one graph: the
program of its output, and which request made which register.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.autograd.program import FUNCTIONS, Number, Operand, Program, Ref, Step

SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**",
    "iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "ipow": "**=",
}  # fmt: skip
LONGEST = 120  # characters of an expression


@dataclass(frozen=True, slots=True)
class Made:
    """A node, and the request that made it: a leaf with its number, or an operation."""

    request: int
    op: str  # "" for a leaf
    operands: tuple[Operand, ...]  # Ref: a request that made a node
    number: Number = 0  # of a leaf

    @property
    def parents(self) -> tuple[int, ...]:
        """The requests that made the operands, each once."""
        return tuple(dict.fromkeys(o.index for o in self.operands if isinstance(o, Ref)))


@dataclass(frozen=True, slots=True)
class Trace:
    """One graph: the program that `backward` was run on.

    `made[i]` is the request that made register i of the program."""

    program: Program
    made: tuple[int, ...]
    backward: int  # the request that ran it
    built: tuple[Made, ...]  # everything made before that, in order, used by the output or not

    def label(self, register: int) -> str:
        """What a message calls this node: its name, or else its expression."""
        names = {index: name for name, index in self.program.names}
        return names.get(register) or self.text(register)

    def text(self, register: int) -> str:
        """The expression that makes this node; a leaf's number."""
        first = len(self.program.leaves)
        if register < first:
            return repr(self.program.leaves[register][1])
        return self.program.steps[register - first].text

    def op(self, register: int) -> str:
        """The operation that makes this node; "" for a leaf."""
        first = len(self.program.leaves)
        return "" if register < first else self.program.steps[register - first].op

    def operands(self, register: int) -> tuple[Operand, ...]:
        """The operands that make this node; none for a leaf."""
        first = len(self.program.leaves)
        return () if register < first else self.program.steps[register - first].operands


@dataclass
class Walk:
    """Goes through requests once: the nodes that they make, and the graphs that are run."""

    nodes: dict[int, Made]
    traces: list[Trace]


def walk(requests: Sequence[bytes]) -> Walk:
    """All nodes and graphs of a conversation.

    A graph is left out where its gradients do not follow from it alone: a node that an earlier
    backward has reached, or that the check has written to or handed to a function."""
    found = Walk({}, [])
    methods: dict[int, tuple[int, str]] = {}
    names: dict[int, str] = {}
    touched: set[int] = set()
    for number, request in enumerate(requests, 1):
        match marshal.loads(request):  # noqa: S302 — ours: see protocol.encode_request
            case ("name", name):
                names[number] = name
            case ("call", ("r", target), ("t", (int() | float() as value,)), ("d", ())) if (
                names.get(target) == "Value" and type(value) is not bool
            ):
                found.nodes[number] = Made(number, "", (), value)
            case ("getattr", ("r", target), name) if target in found.nodes:
                methods[number] = target, name
            case ("call", ("r", target), ("t", ()), ("d", ())) if target in methods:
                node, name = methods[target]
                if name in FUNCTIONS:
                    found.nodes[number] = Made(number, name, (Ref(node),))
                else:
                    touched |= _below(found.nodes, node)
            case ("operator", "neg", ("r", target)) if target in found.nodes:
                found.nodes[number] = Made(number, "neg", (Ref(target),))
            case ("operator", name, left, right) if name in SYMBOLS:
                one, other = _operand(found.nodes, left), _operand(found.nodes, right)
                if one is not None and other is not None:
                    found.nodes[number] = Made(number, SYMBOLS[name], (one, other))
            case ("invoke", "backward", ("r", target), ("t", ())) if target in found.nodes:
                below = _below(found.nodes, target)
                if not below & touched:
                    earlier = tuple(found.nodes.values())
                    found.traces.append(trace(earlier, target, number, letters(earlier, target)))
                touched |= below
            case ("setattr" | "invoke" | "call", *parts):
                for node in _mentioned(parts) & found.nodes.keys():
                    touched |= _below(found.nodes, node)
    return found


def _operand(nodes: dict[int, Made], packed: Any) -> Operand | None:
    match packed:
        case ("r", int(number)) if number in nodes:
            return Ref(number)
        case int() | float() if type(packed) is not bool:
            return packed
    return None


def _below(nodes: dict[int, Made], node: int) -> set[int]:
    """The node and all that it was computed from."""
    seen: set[int] = set()
    todo = [node]
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            todo.extend(nodes[number].parents)
    return seen


def _mentioned(packed: Any) -> set[int]:
    if type(packed) in (tuple, list):
        if len(packed) == 2 and packed[0] == "r" and type(packed[1]) is int:
            return {packed[1]}
        return set().union(*(_mentioned(part) for part in packed))
    return set()


def letters(built: Sequence[Made], target: int) -> dict[int, str]:
    """Names where none are known: a, b, c, … for the leaves that count, and y for the output."""
    below = _below({node.request: node for node in built}, target)
    leaves = [node.request for node in built if not node.op and node.request in below]
    alphabet = "abcdefghijklmnopqrstuvwxz"
    named = {n: alphabet[i] if i < 25 else f"x{i}" for i, n in enumerate(leaves)}
    return named | {target: "y"}


def trace(
    built: tuple[Made, ...],
    target: int,
    backward: int,
    labels: Mapping[int, str],
    statements: tuple[str, ...] = (),
) -> Trace:
    """The graph of one output. `labels` names nodes by request; the output has to be named."""
    nodes = {node.request: node for node in built}
    chosen = [nodes[number] for number in sorted(_below(nodes, target))]
    made = [node for node in chosen if not node.op] + [node for node in chosen if node.op]
    register = {node.request: index for index, node in enumerate(made)}
    texts: list[str] = []
    steps: list[Step] = []
    for node in made:
        if not node.op:
            texts.append(labels.get(node.request, repr(node.number)))
            continue
        operands = tuple(Ref(register[o.index]) if isinstance(o, Ref) else o for o in node.operands)
        text = _cut(spell(node.op, operands, texts))
        steps.append(Step(node.op, operands, text))
        texts.append(labels.get(node.request, text))
    leaves = tuple((texts[i], node.number) for i, node in enumerate(made) if not node.op)
    names = tuple((labels[n], index) for n, index in register.items() if n in labels)
    output = labels[target]
    lines = statements or (f"{output} = {steps[-1].text if steps else texts[-1]}",)
    program = Program(leaves, tuple(steps), lines, names, output)
    return Trace(program, tuple(register), backward, built)


def spell(op: str, operands: Sequence[Operand], texts: Sequence[str]) -> str:
    """An operation as text, its operands in brackets where they are not single words."""
    if op in FUNCTIONS and isinstance(operands[0], Ref):
        return f"{op}({texts[operands[0].index]})"
    sign = op.removesuffix("=")
    words = [
        _word(texts[o.index], sign in ("+", "-")) if isinstance(o, Ref) else repr(o)
        for o in operands
    ]
    if op == "neg":
        return f"-{words[0]}"
    if words[1].startswith("-") and sign != "**":
        words[1] = f"({words[1]})"
    gap = "" if sign in ("*", "/", "**") else " "
    return f"{words[0]}{gap}{sign}{gap}{words[1]}"


def _word(text: str, in_sum: bool) -> str:
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", text))
    single = r"[^ -]+" if in_sum else r"\w+"  # a product needs no brackets in a sum
    return text if re.fullmatch(single, outside) else f"({text})"


def _cut(text: str) -> str:
    """Short enough to be read; and so it stays when every operand is used twice."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
