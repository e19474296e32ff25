"""An expression of a person's own, as the requests of a check that builds it and runs backward."""

from __future__ import annotations

from collections.abc import Mapping

from grader.autograd.observe import refs
from grader.autograd.program import FUNCTIONS, Number, Program, ProgramError, Ref, parse
from grader.autograd.trace import SYMBOLS, Trace, walk
from grader.errors import UsageError
from grader.protocol import Register, encode_request


def read_expression(text: str, numbers: Mapping[str, Number]) -> Program:
    """`(a*b + 3)**2`, or statements such as `c = a*b; y = c + a`. Raises UsageError."""
    try:
        program = parse(text if "=" in text else f"y = {text}", numbers)
    except (ProgramError, ArithmeticError, RecursionError) as error:
        raise UsageError(f"--expr: {error}") from None
    if not program.leaves or not program.steps:
        raise UsageError("--expr: nothing to compute; try --expr 'a*b + 3' a=2 b=-1")
    return program


def requests_for(program: Program) -> list[bytes]:
    """What a check would ask that builds this program and runs backward from its output."""
    names = {symbol: name for name, symbol in SYMBOLS.items()}
    requests = [encode_request("name", "Value")]
    made: list[Register] = []

    def ask(op: str, *arguments: object) -> Register:
        requests.append(encode_request(op, *arguments))
        return Register(len(requests))

    for _, number in program.leaves:
        made.append(ask("call", Register(1), (number,), {}))
    for step in program.steps:
        operands = [made[o.index] if isinstance(o, Ref) else o for o in step.operands]
        if step.op in FUNCTIONS:
            made.append(ask("call", ask("getattr", operands[0], step.op), (), {}))
        else:
            made.append(ask("operator", names.get(step.op, step.op), *operands))
    ask("invoke", "backward", made[program.root], ())
    return requests


def graph_of(program: Program) -> Trace:
    """The program's graph, with the program's names."""
    from grader.autograd.naming import named

    graph = walk(requests_for(program)).traces[0]
    return named(graph, program) or graph


def unused(program: Program) -> list[str]:
    """The leaves that no step uses."""
    used = {index for step in program.steps for _, index in refs(step.operands)}
    return [name for index, (name, _) in enumerate(program.leaves) if index not in used]
