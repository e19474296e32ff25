"""Names that somebody else chose: shown safely, compared as any system would, and ignored
where no student wrote what is inside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

SHOWN = 80  # characters of a name in a message

_IGNORED_FOLDERS = frozenset(
    {
        "__macosx",
        "__pycache__",
        "__pypackages__",
        "env",
        "node_modules",
        "site-packages",
        "venv",
        "virtualenv",
    }
)
_IGNORED_FILES = frozenset({"desktop.ini", "thumbs.db", "icon\r"})


def shown(name: str, limit: int = SHOWN) -> str:
    """A name in one line: control, bidirectional and broken characters as escapes, cut."""
    text = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in name[: limit + 1]
    )
    return text if len(text) <= limit else text[: limit - 1] + "…"


def listed(names: Iterable[str], most: int = 4) -> str:
    """ "a, b, c and 5 more": names that are shown already, in one line of bounded length."""
    several = list(names)
    more = f" and {len(several) - most} more" if len(several) > most else ""
    return ", ".join(several[:most]) + more


def ignored(part: str, *, folder: bool) -> bool:
    """Whether a folder or file of this name never holds an answer (`.git`, `._value.py`)."""
    low = part.lower()
    if part.startswith((".", "~$")):  # also ._value.py, .ipynb_checkpoints, a lock of Word
        return True
    if folder:
        return low in _IGNORED_FOLDERS or low.endswith((".egg-info", ".dist-info"))
    return low in _IGNORED_FILES or low.endswith((".pyc", ".pyo", ".swp"))


def same_key(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Equal for names that are one file on Windows or macOS: case, accents, trailing dots."""
    return tuple(unicodedata.normalize("NFC", part).casefold().rstrip(". ") for part in parts)


@lru_cache(maxsize=1024)  # each name is compared with every exercise
def simplified(name: str) -> str:
    """Lower case, all that is neither letter nor digit as one `_`: "Ex 04-Backward" compares.

    Letters of every script count: of "Aufgabe" in any other, a bare number would be left."""
    return re.sub(r"[\W_]+", "_", unicodedata.normalize("NFC", name).lower()).strip("_")


@lru_cache(maxsize=1024)
def stem_of(name: str) -> str:
    """The name without what looks like extensions: "value.py.txt" gives "value"."""
    return re.sub(r"(?:\.[A-Za-z][A-Za-z0-9]{0,7}){1,3}$", "", name) or name


def extension_of(name: str) -> str:
    """The last extension in lower case, "" when there is none: "Value.PY" gives ".py"."""
    head, dot, tail = name.rpartition(".")
    return f".{tail.strip().lower()}" if dot and head else ""
