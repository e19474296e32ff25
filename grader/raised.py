"""A submission's exceptions, on the trusted side."""

from __future__ import annotations

import builtins
import functools

from grader.protocol import Raised
from grader.result import Outcome

# Only exceptions that mean what they say when a suite catches them. Never StopIteration or
# SystemExit, which would steer pytest, and no exception class of pytest's own can arrive at all.
_BUILTINS = (
    "ArithmeticError AssertionError AttributeError EOFError FloatingPointError ImportError "
    "IndexError KeyError LookupError MemoryError ModuleNotFoundError NameError "
    "NotImplementedError OSError OverflowError RecursionError RuntimeError SyntaxError TypeError "
    "UnboundLocalError ValueError ZeroDivisionError"
).split()


class SubmissionError(Exception):
    """The submission raised. Also an instance of the nearest builtin exception class, so that a
    suite can write `pytest.raises(TypeError)` as it would in one process."""

    def __init__(self, raised: Raised) -> None:
        super().__init__(raised.message)
        self.raised = raised

    def __str__(self) -> str:
        return describe(self.raised)

    @property
    def outcome(self) -> Outcome:
        if self.raised.type == "MissingName":
            return Outcome.MISSING
        if "NotImplementedError" in self.raised.bases:
            return Outcome.TODO
        if "MemoryError" in self.raised.bases:
            return Outcome.CRASHED
        return Outcome.ERROR


def submission_error(raised: Raised) -> SubmissionError:
    """The exception to raise here for one that was raised there."""
    if raised.type == "MissingName":
        return _class("AttributeError")(raised)
    nearest = next((base for base in raised.bases if base in _BUILTINS), None)
    return _class(nearest)(raised) if nearest else SubmissionError(raised)


@functools.cache
def _class(name: str) -> type[SubmissionError]:
    return type(f"Submission{name}", (SubmissionError, getattr(builtins, name)), {})


def describe(raised: Raised) -> str:
    """Type and message in one line, as Python prints them."""
    if raised.type == "MissingName":
        return f"{raised.message} is not defined{found_instead(raised.names)}"
    return f"{raised.type}: {raised.message}" if raised.message else raised.type


def found_instead(names: tuple[str, ...]) -> str:
    """What a submission defines in place of a name that was looked for."""
    public = [name for name in names if not name.startswith("_")]
    if not public:
        return ""
    return "; found " + ", ".join(public[:8]) + (" …" if len(public) > 8 else "")
