"""Text in the forms in which it is searched: code as statements and as lines without blanks, and
the numbers in it."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator

_NUMBER = re.compile(r"(?<![\w.])(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]*\w)")
_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[^\n]*\n(.*?)^[ \t]*\2", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:^(?: {4}|\t)[^\n]*\n|^[ \t]*\n)+", re.MULTILINE)
_END = "\x01"  # around each statement of a body
_LAYOUT = (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)


def squeezed(text: str) -> str:
    """Without any blank, and with one kind of quotes."""
    return "".join(text.split()).replace("'", '"')


def parse(text: str) -> ast.Module | None:
    """The tree of a piece of Python; None where it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def fenced(text: str) -> Iterator[str]:
    """What may be code in a page of Markdown: fenced and indented blocks."""
    for match in _FENCE.finditer(text):
        yield textwrap.dedent(match[3])
    for block in _INDENTED.finditer(text):
        if block[0].strip():
            yield textwrap.dedent(block[0])


# ---- lines -------------------------------------------------------------------------------------


def logical_lines(source: str) -> list[str]:
    """The code of each logical line, squeezed: no comments, no docstrings. Empty where the source
    is not Python."""
    lines: list[str] = []
    tokens: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NEWLINE:
                if tokens and not _is_docstring(tokens):
                    lines.append(squeezed("".join(item.string for item in tokens)))
                tokens = []
            elif token.type not in _LAYOUT:
                tokens.append(token)
    except (tokenize.TokenError, SyntaxError):
        return []
    return lines


def comments(source: str) -> list[str]:
    """The text of every comment."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    return [item.string.lstrip("# ") for item in tokens if item.type == tokenize.COMMENT]


def _is_docstring(tokens: list[tokenize.TokenInfo]) -> bool:
    return all(item.type == tokenize.STRING for item in tokens)


# ---- statements --------------------------------------------------------------------------------


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """A body without the docstring at its beginning."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return body[1:] if isinstance(first.value.value, str) else body
    return body


def dump(body: list[ast.stmt]) -> str:
    """A row of statements as text that tells nothing of docstrings and how they were laid out."""
    return _row(body, [])


def dumps(tree: ast.Module) -> list[str]:
    """The dump of every row of statements in a tree, at every depth."""
    found: list[str] = []
    found.append(_row(tree.body, found))
    return found


def _row(body: list[ast.stmt], found: list[str]) -> str:
    return _END + "".join(_dump(item, found) + _END for item in without_docstring(body))


def _dump(value: object, found: list[str]) -> str:
    """One node; the rows of statements in it are added to `found`."""
    if isinstance(value, ast.AST):
        parts = [_dump(getattr(value, name, None), found) for name in value._fields]
        return f"{type(value).__name__}({','.join(parts)})"
    if isinstance(value, list):
        if value and isinstance(value[0], ast.stmt):
            found.append(_row(value, found))
            return found[-1]
        return f"[{','.join(_dump(item, found) for item in value)}]"
    return repr(value)


def constants(tree: ast.Module) -> tuple[list[str], list[str], list[float]]:
    """The docstrings, the other texts and the numbers of a tree."""
    docstrings: list[str] = []
    texts: list[str] = []
    numbers: list[float] = []
    spoken = {
        id(node.body[0].value)  # type: ignore[attr-defined]
        for node in ast.walk(tree)
        if isinstance(node, _DEFINITIONS) and without_docstring(node.body) != node.body
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            value = node.value
            if isinstance(value, str):
                (docstrings if id(node) in spoken else texts).append(value)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                numbers.append(float(value) if abs(value) < 1e300 else float("inf"))
    return docstrings, texts, numbers


# ---- numbers -----------------------------------------------------------------------------------


def numbers_in(text: str) -> set[float]:
    """The numbers written in a text, without their signs."""
    return {float(match[0].replace("_", "")) for match in _NUMBER.finditer(text)}


def digits(number: float) -> int:
    """How many significant digits a number is written with: 0.0625 has three, 1000 has one."""
    mantissa = repr(abs(number)).partition("e")[0].replace(".", "")
    return len(mantissa.strip("0"))
