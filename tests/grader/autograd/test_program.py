"""Programs: read once, run against anything, printed back readably."""

from typing import Any

import pytest

from grader.autograd import ProgramError, parse


class Tracer:
    """Writes down which method Python called, and with what."""

    def __init__(self, log: list[tuple[str, Any]]) -> None:
        self.log = log

    def __getattr__(self, name: str) -> Any:
        return lambda: self._note(name, None)

    def _note(self, name: str, other: Any) -> "Tracer":
        self.log.append((name, other))
        return Tracer(self.log)


OPERATORS = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow")

for dunder in (*OPERATORS, "iadd"):
    method = f"__{dunder}__"
    setattr(Tracer, method, lambda self, other, method=method: self._note(method, other))
Tracer.__neg__ = lambda self: self._note("__neg__", None)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("y = 2 - x", [("__rsub__", 2)]),
        ("y = x - 2.0", [("__sub__", 2.0)]),
        ("y = 10/x", [("__rtruediv__", 10)]),
        ("y = x**-2", [("__pow__", -2)]),
        ("y = -x", [("__neg__", None)]),
        ("y = -2*x", [("__rmul__", -2)]),
        ("y = x*(1/4)", [("__mul__", 0.25)]),
        ("y = x*(2 + 3)", [("__mul__", 5)]),
        ("y = tanh(x)", [("tanh", None)]),
        ("y = x.relu()", [("relu", None)]),
        ("x += 1; y = -x", [("__iadd__", 1), ("__neg__", None)]),
    ],
)
def test_each_form_reaches_the_method_that_python_would_call(text: str, called: list[Any]) -> None:
    log: list[tuple[str, Any]] = []
    parse(text, {"x": 1.0}).run([Tracer(log)])
    assert [(name, repr(other)) for name, other in log] == [(n, repr(o)) for n, o in called]


def test_a_program_computes_what_python_computes() -> None:
    program = parse("a = x*x; y = (a*b + 3)**2 / 5 - x", {"x": 2, "b": -1.5})
    assert program.run([2, -1.5])[program.root] == (4 * -1.5 + 3) ** 2 / 5 - 2


def test_names_stay_bound_to_what_they_meant_when_used() -> None:
    program = parse("s = x; s += x; t = s; s = s*x; y = s + t", {"x": 3})
    assert program.run([3])[program.root] == 24
    assert program.register("t") != program.register("s")


def test_numbers_keep_their_type() -> None:
    program = parse("y = 2*x + 2.0", {"x": 1})
    assert [
        type(o) for step in program.steps for o in step.operands if not hasattr(o, "index")
    ] == [
        int,
        float,
    ]


def test_a_program_prints_itself_on_one_line() -> None:
    program = parse("a = x * x\n  y = (a + 3)**2\n", {"x": 2.0})
    assert str(program) == "x = 2.0;  a = x*x;  y = (a + 3)**2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("y = x +", "not Python"),
        ("y = z", "'z' is not a leaf"),
        ("y = 3", "something computed"),
        ("x", "only assignments"),
        ("y = x % 2", "Mod is not one of"),
        ("y = sqrt(x)", "one of tanh"),
        ("y = tanh(2)", "of a Value"),
        ("y = x + True", "can't use 'True'"),
        ("y = x.data", "can't use 'x.data'"),
        ("", "something computed"),
        ("y = x*(-8)**0.5", "not a real number"),
    ],
)
def test_a_program_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason.replace("(", r"\(")):
        parse(text, {"x": 1.0})


def test_leaves_are_numbers() -> None:
    with pytest.raises(ProgramError, match="leaf x needs a number"):
        parse("y = x + x", {"x": "2"})  # type: ignore[dict-item]
