"""The mutation run: what it plants, where, and that its list of exceptions is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course import read_course

ROOT = Path(__file__).parents[2]

STUB = """
def given(a, b):
    return a + b

def slope(x, n):
    raise NotImplementedError("TODO: slope")
"""
SOLUTION = '''
def given(a, b):
    return a + b

def slope(x, n):
    """The slope."""
    total = 0.0
    total += n * x ** (n - 1)
    return total
'''


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def test_mutants_change_open_functions_only() -> None:
    """A sign, an operator, a factor, a statement: each once, and nothing outside of a TODO."""
    from tests.mutation.mutants import mutants, program_of

    found = mutants(STUB, SOLUTION)
    names = [item.name for item in found]
    line = "slope: total += n * x ** (n - 1) ->"
    for after in (
        "total = n * x ** (n - 1)",
        "total -= n * x ** (n - 1)",
        "total += n / x ** (n - 1)",
        "total += x ** (n - 1)",
        "total += n * x ** (1 - n)",
        "total += n * (-x) ** (n - 1)",
        "total += n * x ** (n - 2)",
        "pass",
    ):
        assert f"{line} {after}" in names
    assert "slope: return total -> pass" in names
    assert all(name.startswith("slope: ") for name in names)
    programs = [program_of(item.source) for item in found]
    assert len(set(programs) | {program_of(SOLUTION)}) == len(programs) + 1


def test_listed_mutants_exist() -> None:
    """Every entry of equivalent.toml is a mutant of its exercise's solution."""
    from tests.mutation import known
    from tests.mutation.run import all_mutants

    course = read_course(ROOT)
    for exercise, listed in known.read().items():
        names = {item.name for item in all_mutants(course, course.exercise(exercise))}
        assert set(listed) <= names, exercise


def test_an_entry_without_a_reason_is_refused(tmp_path: Path) -> None:
    """A mutant may live for a reason, never without one."""
    from tests.mutation import known

    file = tmp_path / "list.toml"
    file.write_text(
        '[[equivalent]]\nexercise = "x"\nkind = "same"\nbecause = ""\nmutants = ["y"]\n', "utf-8"
    )
    with pytest.raises(ValueError, match="because"):
        known.read(file)


def test_the_report_tells_survivors_from_exceptions() -> None:
    """Survivors count against the suite, listed mutants do not, and a killed one is stale."""
    from tests.mutation.report import Report
    from tests.mutation.run import Verdict

    report = Report("01", 3, 3, {"a": "same", "b": "free", "gone": "free"}, {"a", "b", "c"})
    report.verdicts += [Verdict("a", ()), Verdict("b", ("check",)), Verdict("c", ())]
    assert report.survived == ["c"]
    assert report.spared("same", "free") == ["a"]
    assert sorted(report.stale) == ["b", "gone"]
    assert report.share == 0.5
    assert not report.good
