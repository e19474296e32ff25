"""Notebook lines that are not Python (`%magic`, `!shell`, `name?`), made harmless as text.

Nothing is parsed and nothing is run: each line is looked at by itself, with just enough memory
to know whether it begins a statement. Lines keep their numbers and their indentation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# cell magics whose body is something else than code for this notebook's own namespace
_OTHER_BODY = frozenset(
    {
        *("bash", "sh", "script", "system", "sx", "cmd", "powershell", "false"),
        *("html", "HTML", "javascript", "js", "latex", "markdown", "svg", "SVG", "mermaid"),
        *("python", "python2", "python3", "pypy", "perl", "ruby", "R", "julia", "rust"),
        *("cython", "cpp", "cu", "sql", "bigquery", "writefile", "file", "skip", "ai"),
    }
)
# a file without any of these has nothing to replace: one search instead of a look at each line
_SUSPECT = re.compile(r"^[ \t]*[%!?,;/]|=[ \t]*[!%]|get_ipython\(\)", re.MULTILINE)
_SHELL_VALUE = re.compile(r"(?P<target>\s*[A-Za-z_][\w\s.,\[\]*:]*+)=\s*(?P<magic>[!%].*)")
_HELP = re.compile(r"[%\w.*\[\]]++ *+\?{1,2};?")
_IPYTHON = re.compile(r"\s*(?:(?P<target>[A-Za-z_]\w*)\s*=\s*)?get_ipython\(\)\.\w+\(")
_TIMED = re.compile(r"%time\s+(?P<statement>[^-\s].*)")
_RUN = re.compile(r"%run\s+(?:-\w\s+)*['\"]?(?:\./)?(?P<module>[A-Za-z_]\w*)\.py['\"]?\s*$")
_TOP_DEF = re.compile(r"^def\s+([A-Za-z_]\w*)", re.MULTILINE)
_PIECE = re.compile(
    r"""(?P<comment>\#.*)
    | (?P<triple>'''|\"\"\")
    | (?P<string>'(?:[^'\\]|\\.)*+(?:'|(?P<cut1>\\)?$)|"(?:[^"\\]|\\.)*+(?:"|(?P<cut2>\\)?$))
    | (?P<opens>[(\[{]) | (?P<closes>[)\]}]) | (?P<joins>\\$)""",
    re.VERBOSE,
)
_ENDS = {
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+'''"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"""'),
}


@dataclass(slots=True)
class Cleaned:
    """A cell's text as plain Python."""

    text: str
    left_out: list[str] = field(default_factory=list)  # what was dropped: "%matplotlib", "!pip"
    written: tuple[str, str, bool] | None = None  # %%writefile: path, text, whether appended
    skipped: str | None = None  # the magic of a cell whose body is not Python: "%%bash"


def clean_cell(text: str, modules: frozenset[str] = frozenset()) -> Cleaned:
    """Make a notebook cell plain Python. `modules`: the .py files beside it, for `%run`."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    left_out: list[str] = []
    tail: list[str] = []
    while lines[first].startswith("%%"):  # one may stand on another: %%capture, then %%time
        name, _, rest = lines[first][2:].strip().partition(" ")
        name = name[:40]
        left_out.append(f"%%{name}")
        if name in ("writefile", "file"):
            written = _written(rest, "\n".join(lines[first + 1 :]))
            return Cleaned("", left_out, written, f"%%{name}")
        if name in _OTHER_BODY:
            return Cleaned("", left_out, skipped=f"%%{name}")
        if name == "add_to" and re.fullmatch(r"[A-Za-z_]\w*", rest.strip()):  # of jdc
            methods = _TOP_DEF.findall("\n".join(lines))
            tail = [f"{rest.strip()}.{method} = {method}" for method in methods]
        lines[first] = ""
        if first + 1 == len(lines):
            break
        first += 1
    cleaned = _clean_lines(lines, modules, help_marks=True)
    return Cleaned("\n".join([*cleaned.text.split("\n"), *tail]), left_out + cleaned.left_out)


def clean_file(text: str, modules: frozenset[str] = frozenset()) -> Cleaned:
    """The same for a .py that was copied out of a notebook. A trailing `?` is left as it is."""
    if not _SUSPECT.search(text):
        return Cleaned(text)
    return _clean_lines(text.split("\n"), modules, help_marks=False)


def _clean_lines(lines: list[str], modules: frozenset[str], *, help_marks: bool) -> Cleaned:
    scan = _Scan()
    left_out: list[str] = []
    done: list[str] = []
    shell_goes_on = False
    for line in lines:
        if shell_goes_on:
            shell_goes_on = line.rstrip().endswith("\\")
            done.append("")
            continue
        if scan.begins_statement:
            replaced, what = _replaced(line, modules)
            if what is not None:
                left_out.append(what)
                shell_goes_on = line.rstrip().endswith("\\")
                line = replaced
            elif help_marks and "?" in line and _HELP.fullmatch(line.strip()):
                left_out.append("?")
                line = f"{_indent(line)}pass"
        end = scan.feed(line)
        if help_marks and "?" in line:
            code = line[:end].rstrip()
            if code.endswith("?") and not scan.in_string:
                left_out.append("?")
                line = code.rstrip("?") + line[len(code) :]
        done.append(line)
    return Cleaned("\n".join(done), left_out)


def _replaced(line: str, modules: frozenset[str]) -> tuple[str, str | None]:
    """A line that begins a statement, and what was left out of it (None: it is Python)."""
    body = line.strip()
    indent = _indent(line)
    if body.startswith("%"):
        timed = _TIMED.match(body)
        if timed:  # the statement runs in the notebook's own namespace
            return indent + timed["statement"], "%time"
        run = _RUN.match(body)
        if run and run["module"] in modules:
            return f"{indent}from {run['module']} import *", "%run"
    if body.startswith(("%", "!", "?", ",", ";", "/")):  # no Python statement begins like this
        return f"{indent}pass", _word(body)
    if "=" in body and ("!" in body or "%" in body):
        value = _SHELL_VALUE.match(line)
        if value:
            return f"{value['target'].rstrip()} = []", _word(value["magic"])
    if "get_ipython()" in body:
        call = _IPYTHON.match(line)
        if call and body.endswith(")"):
            kept = f"{indent}{call['target']} = []" if call["target"] else f"{indent}pass"
            return kept, "get_ipython()"
    return line, None


def _word(body: str) -> str:
    return re.match(r"[^\s(]{0,24}", body)[0]  # type: ignore[index]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _written(rest: str, body: str) -> tuple[str, str, bool] | None:
    words = rest.split()
    names = [word.strip("'\"") for word in words if not word.startswith("-")]
    return (names[-1], body, "-a" in words or "--append" in words) if names else None


class _Scan:
    """Where in the text a line stands: inside a string, brackets, or a joined line."""

    def __init__(self) -> None:
        self.quote: str | None = None  # of the triple-quoted string that is open
        self.depth = 0  # of brackets
        self.joined = False  # the line before ended with a backslash

    @property
    def begins_statement(self) -> bool:
        return self.quote is None and self.depth == 0 and not self.joined

    @property
    def in_string(self) -> bool:
        return self.quote is not None

    def feed(self, line: str) -> int:
        """Take in one line; where its code ends (a comment may follow)."""
        at = 0
        self.joined = False
        while at <= len(line):
            if self.quote is not None:
                end = _ENDS[self.quote].match(line, at)
                if end is None:
                    return len(line)
                self.quote = None
                at = end.end()
            piece = _PIECE.search(line, at)
            if piece is None:
                break
            at = piece.end()
            if piece["comment"] is not None:
                return piece.start()
            if piece["triple"]:
                self.quote = piece["triple"]
            elif piece["opens"]:
                self.depth += 1
            elif piece["closes"]:
                self.depth = max(0, self.depth - 1)
            elif piece["joins"] or piece["cut1"] or piece["cut2"]:
                self.joined = True
                break
            if at == len(line) and self.quote is None:
                break
        return len(line)
