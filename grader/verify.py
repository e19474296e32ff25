"""Proves a course: the rules that make a suite good, as code (`python -m grader verify`)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.course import Course, Exercise
from grader.host import own_answer
from grader.result import ExerciseResult, Outcome, number
from grader.sandbox import Sandbox
from grader.session import Session, with_session

Advance = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule, checked over the whole course."""

    rule: str  # as it reads when it holds: "8 solutions: full points"
    problems: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.problems


def verify(course: Course, sandbox: Sandbox, advance: Advance = lambda what: None) -> list[Finding]:
    """Check every rule. Raises GraderError where a suite cannot be collected."""
    return with_session(
        course, sandbox, lambda session: _Verification(session, advance).run(), many=True
    )


def lines(findings: list[Finding], encoding: str) -> Iterator[str]:
    """The findings as text."""
    from grader.report.terminal import Marks

    marks = Marks(encoding)
    for finding in findings:
        yield f"{marks.yes if finding.holds else marks.no} {finding.rule}"
        for problem in finding.problems:
            yield f"    {problem}"


@dataclass
class _Verification:
    session: Session
    advance: Advance

    def run(self) -> list[Finding]:
        return [
            self._pairs(),
            self._points(),
            self._solutions(),
            self._stubs(),
            self._accepted(),
            self._mistakes(),
        ]

    @property
    def course(self) -> Course:
        return self.session.course

    def _pairs(self) -> Finding:
        problems = [
            f"{exercise.id}: {difference}"
            for exercise in self.course.exercises
            if (difference := pair_difference(self.course, exercise))
        ]
        return Finding("stubs and solutions differ only in TODO bodies", tuple(problems))

    def _points(self) -> Finding:
        problems = []
        for exercise in self.course.exercises:
            total = sum(
                (check.max_points for check in self.session.plans[exercise.id].checks), Fraction(0)
            )
            if total != exercise.points:
                problems.append(
                    f"{exercise.id}: the checks add up to {number(total)} points, "
                    f"course.toml says {number(exercise.points)}"
                )
        total = sum((exercise.points for exercise in self.course.exercises), Fraction(0))
        return Finding(f"points add up: {number(total)}", tuple(problems))

    def _solutions(self) -> Finding:
        problems = []
        for exercise in self.course.exercises:
            path = self.course.solution(exercise)
            first, again = (self._grade(exercise, path) for _ in range(2))
            problems += [f"{exercise.id}: {what}" for what in _not_full(first)]
            if outcomes(first) != outcomes(again):
                problems.append(f"{exercise.id}: two runs of the solution differ")
        count = len(self.course.exercises)
        return Finding(f"{count} solutions: full points, twice the same", tuple(problems))

    def _stubs(self) -> Finding:
        problems = []
        for exercise in self.course.exercises:
            path = self.course.root / "exercises" / exercise.id / exercise.file
            result = self._grade(exercise, path)
            problems += [
                f"{exercise.id}: {check.check.id} of the fresh stub is {check.outcome}, not todo"
                for check in result.checks
                if check.outcome is not Outcome.TODO
            ]
        return Finding(f"{len(self.course.exercises)} stubs: all todo", tuple(problems))

    def _accepted(self) -> Finding:
        problems, count = [], 0
        for exercise in self.course.exercises:
            for path in self._variants(exercise, "accepted"):
                count += 1
                result = self._grade(exercise, path)
                problems += [
                    f"{exercise.id}/accepted/{path.name}: {what}" for what in _not_full(result)
                ]
        return Finding(f"{count} accepted variants: full points", tuple(problems))

    def _mistakes(self) -> Finding:
        problems, count = [], 0
        for exercise in self.course.exercises:
            for path in self._variants(exercise, "mistakes"):
                count += 1
                place = f"{exercise.id}/mistakes/{path.name}"
                if not _docstring(path):
                    problems.append(f"{place}: has no docstring; it is the hint for the student")
                result = self._grade(exercise, path)
                lost = [
                    check
                    for check in result.checks
                    if check.check.visibility == "hidden" and check.outcome is not Outcome.PASSED
                ]
                broken = [item for item in result.checks if item.outcome is Outcome.GRADER_ERROR]
                if broken:
                    problems.append(f"{place}: {broken[0].check.id}: {broken[0].message}")
                elif not lost:
                    problems.append(f"{place}: gets every hidden point; which check should see it?")
                elif [item.id for item in result.mistakes] != [path.stem]:
                    names = ", ".join(item.id for item in result.mistakes) or "nothing"
                    problems.append(f"{place}: is named {names}; which check tells it apart?")
        return Finding(
            f"{count} mistakes: each loses a hidden check and is named right", tuple(problems)
        )

    def _variants(self, exercise: Exercise, kind: str) -> list[Path]:
        return sorted((self.course.suite(exercise) / kind).glob("*.py"))

    def _grade(self, exercise: Exercise, path: Path) -> ExerciseResult:
        self.advance(f"{exercise.id}: {path.parent.name}/{path.name}")
        return self.session.grade_exercise(exercise, own_answer(self.course, exercise, path))


def outcomes(result: ExerciseResult) -> list[tuple[str, Outcome]]:
    return [(check.check.id, check.outcome) for check in result.checks]


def _not_full(result: ExerciseResult) -> list[str]:
    named = [f"is taken for the mistake {item.id}" for item in result.mistakes]
    return named + [
        f"{check.check.id} is {check.outcome}: {' '.join(check.message.split())[:300]}"
        for check in result.checks
        if check.outcome is not Outcome.PASSED
    ]


def _docstring(path: Path) -> str | None:
    try:
        return ast.get_docstring(ast.parse(path.read_bytes()))
    except SyntaxError:  # a mistake may be a file that does not parse, with its hint in a comment
        return None


# ---- stub and solution are one program --------------------------------------------------------


def pair_difference(course: Course, exercise: Exercise) -> str | None:
    """Where stub and solution differ beyond the TODO bodies, in one line; None where nowhere."""
    stub, solution = course.stub(exercise), course.solution(exercise)
    if not solution.is_file():
        return f"has no solutions/{exercise.id}/{exercise.file}"
    try:
        left, right = (ast.parse(path.read_bytes()) for path in (stub, solution))
    except SyntaxError as error:
        return f"does not parse: {error}"
    open_names = {name for name, node in _definitions(left) if _is_open(node)}
    if not open_names:
        return "its stub has no TODO"
    for name, node in _definitions(right):
        if _is_todo(node):
            return f"{name} is still TODO in the solution"
    before, after = (_blanked(tree, open_names) for tree in (left, right))
    for one, other in zip(before, after, strict=False):
        if one != other:
            return f"differs outside the TODO bodies: {_shorten(one)} / {_shorten(other)}"
    if len(before) != len(after):
        return "stub and solution have a different number of top-level statements"
    return None


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Functions by qualified name, and assignments at the top level by their first name."""

    def walk(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.stmt]]:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield prefix + node.targets[0].id, node

    return walk(tree.body, "")


def _is_open(node: ast.stmt) -> bool:
    """What a student may rewrite: a TODO, or a function decorated with @todo, which holds a bug."""
    decorators = getattr(node, "decorator_list", [])
    return _is_todo(node) or any(getattr(item, "id", None) == "todo" for item in decorators)


def _is_todo(node: ast.stmt) -> bool:
    """A function that raises NotImplementedError("TODO: …"), or `name = TODO`."""
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Name) and node.value.id == "TODO"
    body = getattr(node, "body", [])
    last = body[-1] if body else None
    return (
        isinstance(last, ast.Raise)
        and isinstance(last.exc, ast.Call)
        and isinstance(last.exc.func, ast.Name)
        and last.exc.func.id == "NotImplementedError"
        and bool(last.exc.args)
        and isinstance(last.exc.args[0], ast.Constant)
        and str(last.exc.args[0].value).startswith("TODO")
    )


def _blanked(tree: ast.Module, open_names: set[str]) -> list[str]:
    """The top-level statements as text, with the bodies of the open functions emptied."""
    for name, node in _definitions(tree):
        if name not in open_names:
            continue
        if isinstance(node, ast.Assign):
            node.value = ast.Constant("TODO")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [ast.Pass()]
    return [ast.dump(node) for node in _without_docstring(tree.body)]


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """A module's docstring speaks to the student in one file and to the reader in the other."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return body[1:]
    return body


def _shorten(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
