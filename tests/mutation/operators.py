"""What is planted: for one node of a syntax tree, the nodes that may stand in its place."""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T", bound=ast.AST)

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_COMMUTES = (ast.Add, ast.Mult)
_COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE),
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OTHER_NAME = {
    "self": "other",
    "other": "self",
    "max": "min",
    "min": "max",
    "above": "below",
    "below": "above",
}
_OTHER_FUNCTION = {"sin": "cos", "cos": "sin", "exp": "log", "log": "exp", "tanh": "sinh"}
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Continue, ast.Break)
_BLOCKS = (ast.For, ast.While, ast.If)


def replacements(node: ast.AST, names: frozenset[str]) -> Iterator[ast.AST]:
    """Every node that may stand in the place of `node`; `names` are those the function uses."""
    if isinstance(node, ast.expr):
        yield from _expressions(node, names)
    elif isinstance(node, ast.stmt):
        yield from _statements(node)


def _expressions(node: ast.expr, names: frozenset[str]) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp():
            yield from _binary(node)
        case ast.Compare(ops=[operator]):
            for kind in _COMPARE[type(operator)]:
                yield _with(node, ops=[kind()])
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant():
            yield from _constants(node)
        case ast.IfExp():
            yield node.body
            yield node.orelse
            yield _with(node, body=node.orelse, orelse=node.body)
        case ast.BoolOp():
            yield from node.values
        case ast.Call():
            yield from _calls(node)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            yield from _sequences(node)
        case ast.Name(ctx=ast.Load()) if _OTHER_NAME.get(node.id) in names:
            yield ast.Name(_OTHER_NAME[node.id], ast.Load())
        case ast.Attribute(attr="T"):
            yield node.value
        case ast.Attribute() if node.attr in _OTHER_FUNCTION:
            yield _with(node, attr=_OTHER_FUNCTION[node.attr])
        case _:
            pass
    if _is_numeric(node):
        yield ast.UnaryOp(ast.USub(), node)


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    """Another operator, the operands swapped where that is another number, one of them gone."""
    if isinstance(node.op, _ARITHMETIC):
        for kind in _ARITHMETIC:
            if not isinstance(node.op, kind):
                yield _with(node, op=kind())
    if not isinstance(node.op, _COMMUTES):
        yield _with(node, left=node.right, right=node.left)
    yield node.left
    yield node.right


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, (int, float)):
        others = [0, 1, 2, value + 1, value - 1]
        if not float(value).is_integer():
            others += [value * 10, value / 10]
        for other in dict.fromkeys(type(value)(item) for item in others):
            if other != value:
                yield _number(other)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """A range off by one, a call that is left out, arguments that are left out or swapped."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "range":
        *start, end = node.args
        first = start[0] if start else ast.Constant(0)
        for kind in (ast.Add, ast.Sub):
            yield _with(node, args=[*start, ast.BinOp(end, kind(), ast.Constant(1))])
            yield _with(node, args=[ast.BinOp(first, kind(), ast.Constant(1)), end])
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]  # reversed(order) becomes order, abs(x) becomes x
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value  # exps.sum() becomes exps
    for keyword in node.keywords:
        yield _with(node, keywords=[item for item in node.keywords if item is not keyword])
    if len(node.args) == 2 and name != "range":
        yield _with(node, args=node.args[::-1])
    for index in range(1, len(node.args)):
        yield _with(node, args=node.args[:index] + node.args[index + 1 :])


def _sequences(node: ast.Tuple | ast.List) -> Iterator[ast.AST]:
    for index in range(len(node.elts)):
        yield _with(node, elts=node.elts[:index] + node.elts[index + 1 :])
    if len(node.elts) == 2:
        yield _with(node, elts=node.elts[::-1])


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement that is left out; `+=` as `=` or `-=`; a condition that always or never holds;
    a loop that ends after its first round; defaults that no longer bind early."""
    if isinstance(node, (*_SIMPLE, *_BLOCKS)):
        yield ast.Pass()
    match node:
        case ast.AugAssign():
            yield ast.Assign([node.target], node.value)
            if isinstance(node.op, (ast.Add, ast.Sub)):
                opposite = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
                yield _with(node, op=opposite)
        case ast.If():
            yield _with(node, test=ast.Constant(True))
            if node.orelse:
                yield _with(node, test=ast.Constant(False))
        case ast.FunctionDef() if node.args.defaults:
            kept = node.args.args[: -len(node.args.defaults)]
            yield _with(node, args=_with(node.args, args=kept, defaults=[]))
        case ast.For() | ast.While():
            yield _with(node, body=[*node.body, ast.Break()])
        case _:
            pass


def _is_numeric(node: ast.expr) -> bool:
    """Whether a sign before it can be meant. Names count: many are numbers."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return not isinstance(value, bool) and value != 0
        case ast.BinOp() | ast.Name(ctx=ast.Load()):
            return True
        case ast.Attribute(attr="data" | "grad", ctx=ast.Load()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math" | "np"), attr=name)):
            return name not in ("isfinite", "zeros_like")
        case ast.Call(func=ast.Attribute(attr="sum" | "mean" | "reshape")):
            return True
        case ast.Call(func=ast.Name(id="abs" | "max" | "unbroadcast" | "value_of")):
            return True
        case _:
            return False


def _number(value: float) -> ast.expr:
    """As source text writes it: a negative number is a minus and a number."""
    if math.copysign(1.0, value) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _with(node: T, **fields: object) -> T:
    """A copy of a node with other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
