"""report, export and autograder on the command line."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.report.score_file import encode

WRONG = "def double(x):\n    return x + 2\n"


@pytest.fixture
def out(made: ModuleType, tmp_path: Path) -> Path:
    """A batch's folder with three students."""
    folder = tmp_path / "out"
    (folder / ".batch").mkdir(parents=True)
    for score in made.classroom(3, exercises=2, checks=2):
        (folder / f"{score.student}.json").write_bytes(encode(score))
    return folder


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("jinja2", "matplotlib")), reason="no extra"
)
def test_report_writes_its_files_and_can_be_repeated(course: Any, out: Path) -> None:
    """The report, the gradebook, a page each; what it wrote is no score file the next time."""
    for _ in range(2):
        done = course.run("report", out)
        assert (done.code, done.err) == (0, "")
    assert (out / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (out / "gradebook.csv").read_bytes().startswith(b'\xef\xbb\xbf"student"')
    assert len(list((out / "feedback").iterdir())) == 3
    assert "A small course" in (out / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["report", "nowhere"], "nowhere"), (["export", "nowhere", "--to", "canvas"], "nowhere"),
        (["export", "exercises", "--to", "moodle"], "no score files"),
        (["export", "course.toml", "--to", "github"], "not a score file"),
        (["export", "exercises", "--to", "github", "--roster", "x"], "--roster"),
        (["export", "exercises", "--to", "blackboard"], "blackboard"),
        (["autograder", "nowhere/a.zip", "-e", "99"], "99"),
    ],
)  # fmt: skip
def test_an_error_is_one_line_and_2(course: Any, arguments: list[str], named: str) -> None:
    """It names the thing, and nothing is written."""
    done = course.run(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert named in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_named_with_its_remedy(course: Any, out: Path, package: str) -> None:
    """One line, and the pip install that adds it."""
    course.write("blocked/sitecustomize.py", f"""
        import importlib.util
        find = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *a: None if name == {package!r} else find(name, *a)
    """)  # fmt: skip
    done = course.run("report", out, PYTHONPATH=str(course.root / "blocked"))
    assert done.code == 2
    assert f"python -m pip install {package}" in done.err
    assert not (out / "report.html").exists()


@pytest.mark.parametrize("system", ["canvas", "moodle"])
def test_a_table_is_written_beside_the_score_files(course: Any, out: Path, system: str) -> None:
    """Or where --out says; `-` is standard output and nothing else there."""
    assert course.run("export", out, "--to", system).code == 0
    written = (out / f"{system}.csv").read_bytes()
    done = course.run("export", out, "--to", system, "--out", "-")
    assert done.out == written.decode().replace("\r\n", "\n")
    assert (
        course.run("export", out, "--to", system, "--per-exercise", "--out", out / "x.csv").code
        == 0
    )
    assert (out / "x.csv").read_text(encoding="utf-8").count("_exercise") >= 2


def test_results_are_one_file_each(course: Any, out: Path) -> None:
    """Gradescope's for each student, Exercism's for each of their exercises."""
    for system, count in (("gradescope", 3), ("exercism", 6)):
        assert course.run("export", out, "--to", system).code == 0
        files = list((out / system).rglob("results.json"))
        assert len(files) == count
        assert all(json.loads(file.read_text(encoding="utf-8")) for file in files)
    assert course.run("export", out, "--to", "canvas").code == 0  # they are no score files


def test_github_gets_annotations_and_a_summary(course: Any, tmp_path: Path) -> None:
    """The commands on standard output, the summary added to the step's file."""
    score, step = tmp_path / "score.json", tmp_path / "summary.md"
    step.write_text("before\n", encoding="utf-8")
    course.grade(course.submit(WRONG))
    course.run(course.submit(WRONG), "--json", score)
    done = course.run("export", score, "--to", "github", GITHUB_STEP_SUMMARY=str(step))
    lines = done.out.splitlines()
    assert lines
    assert all(line.startswith("::error file=exercises/01_double/value.py,") for line in lines)
    assert step.read_text(encoding="utf-8").startswith("before\n## A small course: 1 of 3 points")


def test_the_autograder_is_the_same_every_time_and_holds_no_solution(course: Any) -> None:
    """Bytes, programs at the root with their modes, hidden checks, no solution, no rubbish."""
    course.write("tests/suites/01_double/__pycache__/x.py", "rubbish")
    assert course.run("autograder", "a.zip").code == 0
    for path in course.root.rglob("*.py"):
        os.utime(path, (1, 10**9))
    assert course.run("autograder", "b.zip").code == 0
    content = (course.root / "a.zip").read_bytes()
    assert content == (course.root / "b.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        modes = {item.filename: item.external_attr >> 16 for item in archive.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o100755
    assert "course/tests/suites/01_double/test_hidden.py" in modes
    assert not [name for name in modes if "solutions" in name or "__pycache__" in name]


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("bash") is None, reason="needs bash")
def test_the_autograder_runs_in_a_scratch_root(course: Any, tmp_path: Path) -> None:
    """Unpacked as Gradescope does, it grades a right, a wrong and a useless submission."""
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    (root / "venv" / "bin").mkdir(parents=True)
    program = root / "venv" / "bin" / "python"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="ascii")
    program.chmod(0o755)
    course.run("autograder", tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(root / "source")

    def submit(text: str) -> tuple[str, dict[str, Any]]:
        (root / "submission" / "value.py").write_text(text, encoding="utf-8")
        environment = {
            **os.environ,
            "AUTOGRADER_ROOT": str(root),
            "GRADER_VENV": str(root / "venv"),
        }
        done = subprocess.run(
            ["bash", str(root / "source" / "run_autograder")],  # noqa: S607
            env=environment, cwd=root, capture_output=True, timeout=100, check=False,
        )  # fmt: skip
        if b"sandbox: none" in done.stdout:
            assert not (root / "results" / "results.json").exists()
            pytest.skip("no sandbox works here, and without one it grades nothing")
        assert done.returncode == 0, done.stderr
        results = (root / "results" / "results.json").read_text(encoding="utf-8")
        return done.stdout.decode(), json.loads(results)

    _, right = submit("def double(x):\n    return 2 * x\n")
    assert (right["score"], [t["status"] for t in right["tests"]]) == (3, ["passed"] * 2)
    _, wrong = submit(WRONG)
    assert (wrong["score"], [t["status"] for t in wrong["tests"]]) == (1, ["passed", "failed"])
    assert [t["visibility"] for t in wrong["tests"]] == ["visible", "after_published"]
    assert "-6" not in json.dumps(wrong)
    _, useless = submit("def double(:\n")
    assert useless["score"] == 0
