"""A recorded program as Python code: the fast way to run it.

Looking up each request's operation costs ten times what the operation itself does. A recorded
program never branches, so it is written as one function, a line for each request (`r7 = r3 * r5`),
compiled here once and sent to every worker as a code object. A worker uses it only as long as
nothing unusual happens; where a request raises, or answers with something that a later request
could change, it starts again with the requests themselves (`worker.py`): they define the result.
"""

from __future__ import annotations

import keyword
import marshal
import math
from collections.abc import Sequence
from typing import Any

_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
# operations that the worker lends by name, as functions of the unpacked arguments
_LENT = ("invoke", "define", "isinstance", "type_name", "convert", "operator")
_DIRECT = {"iter": "iter({})", "next": "next({})", "len": "len({})", "getitem": "{}[{}]"}


class _NoCodeError(Exception):
    """A request that has no line of code; the program is run request by request."""


def compile_program(requests: Sequence[bytes]) -> bytes:
    """The program as a marshalled code object that defines `program(m, lend)`, which returns the
    results in order; empty where there is a request that has no line of code."""
    lines = [f"def program(m, {', '.join(_LENT)}):"]
    try:
        for number, request in enumerate(requests, 1):
            lines.append(f" {_line(number, *marshal.loads(request))}")
    except _NoCodeError:
        return b""
    results = ", ".join(f"r{number}" for number in range(1, len(requests) + 1))
    lines.append(f" return [{results}]")
    return marshal.dumps(compile("\n".join(lines), "<program>", "exec", dont_inherit=True))


def _line(number: int, op: str, *arguments: Any) -> str:
    result = f"r{number} = "
    if op == "name":
        return f"{result}m[{_source(arguments[0])}]"
    if op in ("getattr", "setattr"):
        target, name, *value = arguments
        if not name.isidentifier() or keyword.iskeyword(name):
            raise _NoCodeError
        place = f"{_source(target)}.{name}"
        return f"{place} = {_source(*value)}; {result}None" if value else f"{result}{place}"
    if op == "call":
        return result + _call(*arguments)
    if op == "operator" and arguments[0] in _SYMBOLS and len(arguments) == 3:
        symbol, left, right = arguments
        return f"{result}{_source(left)} {_SYMBOLS[symbol]} {_source(right)}"
    if op in _LENT:
        return f"{result}{op}({', '.join(_source(item) for item in arguments)})"
    if op in _DIRECT:
        return result + _DIRECT[op].format(*(_source(item) for item in arguments))
    raise _NoCodeError


def _call(target: Any, positional: Any, keywords: Any) -> str:
    parts = [_source(item) for item in positional[1]]
    for key, value in keywords[1]:
        if not key.isidentifier() or keyword.iskeyword(key):
            raise _NoCodeError
        parts.append(f"{key}={_source(value)}")
    return f"{_source(target)}({', '.join(parts)})"


def _source(item: Any) -> str:
    """A request's packed argument (`protocol.encode_request`) as an expression."""
    kind = type(item)
    if kind is float and not math.isfinite(item):
        return f"float('{item}')"
    if kind in (int, float):
        return f"({item!r})"  # in brackets: -2.0 ** 2 is not (-2.0) ** 2
    if item is None or kind in (bool, str):
        return repr(item)
    if kind is not tuple:
        raise _NoCodeError
    match item:
        case ("r", number):
            return f"r{number}"
        case ("l", parts):
            return f"[{', '.join(_source(part) for part in parts)}]"
        case ("t", parts):
            return f"({''.join(_source(part) + ', ' for part in parts)})"
        case ("d", pairs):
            return f"{{{', '.join(f'{_source(k)}: {_source(v)}' for k, v in pairs)}}}"
    raise _NoCodeError
