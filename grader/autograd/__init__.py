"""What is special about autograd: helpers for suites that build small graphs in a submission.

A check is one call. It makes the leaves with `submission.Value(number)`, runs the statements on
them, compares the data, runs backward (a method or a function), and compares every leaf's gradient
with an independent reference:

    from hypothesis import given
    from grader.autograd import check, programs

    def test_diamond(submission):
        \"\"\"A node that feeds two operations gets both contributions.\"\"\"
        check(submission, "a = x*x; b = a*x; c = a + b; y = c*a", x=2.0, grads={"x": 112.0})

    @given(program=programs(ops="+* tanh", leaves=3, steps=6))
    def test_any_graph(submission, program):
        \"\"\"Random graphs agree with an independent reference.\"\"\"
        check(submission, program)

Statements are assignments with `+ - * / **`, `-x`, `+=` and `tanh relu exp log sin`, written
`tanh(x)` or `x.tanh()`. The last assigned name is the output. Numbers stay as written: `2*x` and
`2.0*x` differ. Numbers that an author gives (`data=`, `grads=`) are checked against the reference:
a wrong one is a fault of the suite.

Where backward runs more than once, or from somewhere else, build first and read what matters:

    loss = build(submission, "loss = (a*b + c)*d", a=2.0, b=3.0, c=4.0, d=5.0)
    loss.backward()
    loss.expect_grads({"a": 15.0, "d": 10.0}, when="after the first backward")
    loss.nodes["a"], loss.data("loss"), loss.grad("a")      # the object; floats

`read_number(node, "grad", "w")` and `close(got, want)` do the same for any node. Ask in a fixed
order and compare afterwards: what is asked must not depend on numbers that were answered.
"""

from grader.autograd.check import Built, build, check
from grader.autograd.numbers import close, read_number, show
from grader.autograd.program import Program, ProgramError, parse
from grader.autograd.reference import KinkError, Reference
from grader.autograd.strategies import programs

__all__ = [
    "Built",
    "KinkError",
    "Program",
    "ProgramError",
    "Reference",
    "build",
    "check",
    "close",
    "parse",
    "programs",
    "read_number",
    "show",
]
