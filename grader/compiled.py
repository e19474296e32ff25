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
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
# operations that the worker lends by name, as functions of the unpacked arguments
_LENT = ("invoke", "define", "isinstance", "type_name", "convert", "operator")
_DIRECT = {"iter": "iter({})", "next": "next({})", "len": "len({})", "getitem": "{}[{}]"}
_BLOCK = 64  # results


class _NoCodeError(Exception):
    """A request that has no line of code; the program is run request by request."""


def compile_program(requests: Sequence[bytes]) -> bytes:
    """The marshalled code object of `program(m, …)`, which returns the results in order; empty
    where there is a request that has no line of code.

    Results are collected a block at a time, and variables used again: a name for each result
    would take a worker as long to load as the program takes to run."""
    items = [marshal.loads(request) for request in requests]
    last = {number: at for at, item in enumerate(items, 1) for number in _used(item)}
    names: dict[int, str] = {}
    free = [f"r{number}" for number in range(2 * _BLOCK)]
    lines = [f"def program(m, {', '.join(_LENT)}):", " results = []"]
    block: list[int] = []
    try:
        for number, (op, *arguments) in enumerate(items, 1):
            names[number] = free.pop() if free else f"more{number}"
            lines.append(f" {_line(names, number, op, *arguments)}")
            block.append(number)
            if len(block) == _BLOCK or number == len(items):
                lines.append(f" results += {', '.join(names[item] for item in block)},")
                block = []
                for done in [item for item in names if last.get(item, 0) <= number]:
                    free.append(names.pop(done))
    except _NoCodeError:
        return b""
    lines.append(" return results")
    module = compile("\n".join(lines), "<program>", "exec", dont_inherit=True)
    code = next(item for item in module.co_consts if isinstance(item, CodeType))
    return marshal.dumps(code.replace(co_linetable=b""))  # nobody asks for its lines


def _used(item: Any) -> Iterator[int]:
    """The registers in a packed request."""
    if type(item) is tuple:
        if len(item) == 2 and item[0] == "r":
            yield item[1]
        for part in item:
            yield from _used(part)


def _line(names: Mapping[int, str], number: int, op: str, *arguments: Any) -> str:
    """One request as a line of code. `names` are those of the results, its own included."""
    result = f"{names[number]} = "

    def source(item: Any) -> str:
        return _source(names, item)

    if op == "name":
        return f"{result}m[{source(arguments[0])}]"
    if op in ("getattr", "setattr"):
        target, name, *value = arguments
        if not name.isidentifier() or keyword.iskeyword(name):
            raise _NoCodeError
        place = f"{source(target)}.{name}"
        return f"{place} = {source(*value)}; {result}None" if value else f"{result}{place}"
    if op == "call":
        return result + _call(source, *arguments)
    if op == "operator" and arguments[0] in _SYMBOLS and len(arguments) == 3:
        symbol, left, right = arguments
        return f"{result}{source(left)} {_SYMBOLS[symbol]} {source(right)}"
    if op in _LENT:
        return f"{result}{op}({', '.join(source(item) for item in arguments)})"
    if op in _DIRECT:
        return result + _DIRECT[op].format(*(source(item) for item in arguments))
    raise _NoCodeError


def _call(source: Callable[[Any], str], target: Any, positional: Any, keywords: Any) -> str:
    parts = [source(item) for item in positional[1]]
    for key, value in keywords[1]:
        if not key.isidentifier() or keyword.iskeyword(key):
            raise _NoCodeError
        parts.append(f"{key}={source(value)}")
    return f"{source(target)}({', '.join(parts)})"


def _source(names: Mapping[int, str], item: Any) -> str:
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
        case ("r", number) if number in names:
            return names[number]
        case ("l", parts):
            return f"[{', '.join(_source(names, part) for part in parts)}]"
        case ("t", parts):
            return f"({''.join(_source(names, part) + ', ' for part in parts)})"
        case ("d", pairs):
            return f"{{{', '.join(f'{_source(names, k)}: {_source(names, v)}' for k, v in pairs)}}}"
    raise _NoCodeError
