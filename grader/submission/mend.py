"""Python that came through a word processor, a chat, a web page or a terminal, made Python again.

Only what no valid program can hold is changed, so that a valid program stays as it is; lines keep
their numbers. Nothing is parsed and nothing is run.
"""

from __future__ import annotations

import re

from grader.submission.decode import line_of

_DOUBLE, _SINGLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", "\u2018\u2019\u201a\u201b\u2032"
_BLANKS = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_NOTHINGS = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_PLAIN: dict[str, str] = {
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(_NOTHINGS, ""),
    **dict.fromkeys("\u2010\u2011\u2013\u2212", "-"),
    "\u2026": "...",
}
_ODD = f"[{''.join(_PLAIN)}]"
_SUSPECT = re.compile(_ODD)
# a string or comment, which stays as it is (one without an end is taken to the end of its line,
# or of the text, else each of its quotes would be tried anew), or something odd between them
_TOKEN = re.compile(
    rf"""\#[^\n]*+
    | '''(?:[^'\\]|\\.|'(?!''))*+(?:''')?+
    | \"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\")?+
    | '(?:[^'\\\n]|\\.)*+'?+
    | "(?:[^"\\\n]|\\.)*+"?+
    | (?P<odd>{_ODD})""",
    re.VERBOSE | re.DOTALL,
)

_FENCE = re.compile(r"^ {0,3}(?P<mark>```++|~~~++) *+(?P<info>[^`\n]*+)$", re.MULTILINE)
_TRIPLE = re.compile(r"'''|\"\"\"")
_PYTHON = re.compile(r"\{?\.?(?:python|py|ipython|pycon|code-cell)", re.IGNORECASE)
# as IPython takes them off; only the first kind of each begins a session
_PROMPTS = (
    (">>>", re.compile(r"(?:>>>|\.\.\.)(?: |$)")),
    ("In [1]:", re.compile(r"In ?\[\d*\]: ?| *\.{3,}:(?: |$)")),
)
_BANNER = re.compile(r"Python \d+\.\d+")  # and up to three lines more, before the first prompt
_OUTPUT = 0.3  # share of a session's lines that may be output


def mend_file(text: str, *, prose: bool = False) -> tuple[str, list[str]]:
    """The text of a file, and what was done to it. `prose`: its name says that it is Markdown, so
    that only what stands between fences is code."""
    notes: list[str] = []
    if prose or _begins_with_fence(text):
        fenced = _between_fences(text)
        if fenced is not None:
            text = fenced
            notes.append("read what stands between its fences (```)")
    session, prompt = _without_prompts(text, keep_others=False)
    if prompt:
        text = session
        notes.append(f"left out the prompts ({prompt}), and lines without one, which are output")
    text, odd = mend_characters(text)
    straight = _without_margin(text, comments=False)
    if straight != text:
        odd.append("its first line is indented: moved all to the margin")
    return straight, notes + odd


def mend_cell(text: str) -> str:
    """The text of a notebook's cell without the margin and the prompts that IPython takes off
    before it runs a cell, and with Python's own blanks and quotes."""
    if text[:1] in (" ", "\t", "\n", ">", "I"):
        text = _without_margin(text, comments=True)
        text, _ = _without_prompts(text, keep_others=True)
    return mend_characters(text)[0]


def mend_characters(text: str) -> tuple[str, list[str]]:
    """Blanks, dashes and quotes as Python writes them, outside strings and comments."""
    if text.isascii() or not _SUSPECT.search(text):
        return text, []
    found: dict[str, int] = {}
    line_end, straight = -1, False  # of the line that was looked at last

    def plain(odd: str, at: int) -> str:
        if odd not in found:
            found[odd] = line_of(text, at)
        return _PLAIN[odd]

    def token(match: re.Match[str]) -> str:
        nonlocal line_end, straight
        odd, at = match["odd"], match.start()
        if odd is None:
            return match[0]
        if odd in _DOUBLE + _SINGLE:
            if at > line_end:
                begin = text.rfind("\n", 0, at) + 1
                end = text.find("\n", at)
                line_end = end if end >= 0 else len(text)
                straight = any(quote in text[begin:line_end] for quote in "'\"")
            if straight:  # it may be in a string after all, inside an f-string
                return odd
        return plain(odd, at)

    if '"' not in text and "'" not in text:  # not one of Python's: then all of them were changed
        text = re.sub(f"[{_DOUBLE}{_SINGLE}]", lambda odd: plain(odd[0], odd.start()), text)
    mended = _TOKEN.sub(token, text)
    if not found:
        return text, []
    some = [f"U+{ord(odd):04X} in line {line}" for odd, line in list(found.items())[:4]]
    return mended, [f"replaced characters that Python does not take ({', '.join(some)})"]


def _begins_with_fence(text: str) -> bool:
    """Whether there is one before any string that could hold it: no Python has that."""
    if "```" not in text and "~~~" not in text:
        return False
    fence = _FENCE.search(text)
    triple = _TRIPLE.search(text)
    return fence is not None and (triple is None or fence.start() < triple.start())


def _between_fences(text: str) -> str | None:
    """Everything else blank; None where no fence opens Python. Where some say that they do, those
    that say nothing hold output."""
    blocks: list[tuple[str, int, int]] = []  # what is said, first line, line after the last
    lines = text.split("\n")
    mark, info, first = "", "", 0
    for number, line in enumerate(lines):
        fence = _FENCE.fullmatch(line.rstrip())
        if fence and not mark:
            mark, info, first = fence["mark"], fence["info"].strip(), number + 1
        elif fence and fence["mark"].startswith(mark) and not fence["info"].strip():
            blocks.append((info, first, number))
            mark = ""
    if mark:
        blocks.append((info, first, len(lines)))
    python = [block for block in blocks if _PYTHON.match(block[0])]
    python = python or [block for block in blocks if not block[0]]
    if not python:
        return None
    done = [""] * len(lines)
    for _, first, after in python:
        done[first:after] = lines[first:after]
    return "\n".join(done)


def _without_prompts(text: str, *, keep_others: bool) -> tuple[str, str]:
    """A session's lines without their prompts, and which those were, "" where there are none.
    Lines without one are output: blank, or with `keep_others` kept, as IPython does."""
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    first = filled[0] if filled else ""
    for name, prompt in _PROMPTS:
        if _BANNER.match(first) and not keep_others:
            first = next((line for line in filled[1:5] if prompt.match(line)), first)
        if not prompt.match(first) or first.lstrip().startswith("..."):
            continue
        others = sum(not prompt.match(line) for line in filled)
        if not keep_others and others > _OUTPUT * len(filled):
            return text, ""
        return "\n".join(
            line[found.end() :] if (found := prompt.match(line)) else (line if keep_others else "")
            for line in lines
        ), name
    return text, ""


def _without_margin(text: str, *, comments: bool) -> str:
    """The first line's indentation taken off every line that has it; `comments`: whether a
    comment may be that line."""
    lines = text.split("\n")
    for line in lines:
        bare = line.lstrip(" \t")
        if bare.strip() and (comments or not bare.startswith("#")):
            margin = line[: len(line) - len(bare)]
            break
    else:
        return text
    if not margin:
        return text
    return "\n".join(line.removeprefix(margin) for line in lines)
