"""The workflows, ours and the templates for a course: what must hold whatever else changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.cli import cli

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted(
    [*(ROOT / ".github" / "workflows").glob("*.yml"), *(ROOT / "docs" / "workflows").glob("*.yml")]
)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *WORKFLOWS])


def code(path: Path) -> str:
    """A workflow without its comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_submission_reaches_no_secret(path: Path) -> None:
    """No trigger that runs foreign code with our rights, no right to write, no credentials."""
    text = code(path)
    assert "pull_request_target" not in text
    assert "workflow_run" not in text
    assert "secrets." not in text
    assert re.search(r"^permissions:( \{\}|\n  contents: read)$", text, re.MULTILINE)
    assert ": write" not in text
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_expressions_stay_out_of_scripts(path: Path) -> None:
    """`uses:` names a version; what somebody else may write never becomes part of a script."""
    text = code(path)
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+(\.\d+)*|[0-9a-f]{40})", action)
    for context in re.findall(r"\$\{\{ *([\w.]+)", text):
        assert context.startswith(("matrix.", "github.ref"))
    scripts = re.findall(r"run: (?:[|>]-?\n(?:(?: {10,}.*)?\n)+|.*)", text + "\n")
    assert scripts
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(path: Path) -> None:
    """In workflows and on pages."""
    named = re.findall(r"python -m grader ([a-z][a-z-]+)(?![\w/.-])", path.read_text("utf-8"))
    assert {name for name in named if name not in cli.commands} <= {"solutions", "exercises", "ada"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_it_is_yaml(path: Path) -> None:
    """Where a reader of YAML is installed."""
    yaml = pytest.importorskip("yaml")
    made = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert made["jobs"]
