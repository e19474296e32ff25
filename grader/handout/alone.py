"""Runs a handout as a student would, on its own: this copy of the grader, nothing of ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.course import Course

SECONDS = 600


def problems(folder: Path, course: Course, sandbox: str) -> list[str]:
    """What goes wrong when the untouched stubs of a handout are graded there."""
    with _throw_away(folder) as copy:
        where = _run(
            [sys.executable, "-c", "import grader; print(grader.__file__)"], copy, alone=True
        )
        if Path(where.stdout.strip()).resolve().parent != (copy / "grader").resolve():
            return [f"its grader is not the one that runs, but {where.stdout.strip()}"]
        return list(_graded(sys.executable, copy, course, sandbox, alone=True))


def installation_problems(folder: Path, course: Course, sandbox: str) -> list[str]:
    """The same in a fresh virtual environment, after the command that the README gives."""
    with _throw_away(folder) as copy:
        environment = copy.parent / "venv"
        venv.create(environment, with_pip=True)
        scripts = environment / ("Scripts" if os.name == "nt" else "bin")
        python = str(scripts / "python")
        packages = {
            name
            for item in course.exercises
            for name in item.limits.imports
            if name not in sys.stdlib_module_names
        }
        for what in (["-e", "."], sorted(packages)):
            done = _run([python, "-m", "pip", "install", "--quiet", *what], copy) if what else None
            if done is not None and done.returncode:
                return [f"pip install {' '.join(what)}: {done.stderr.strip()[-500:]}"]
        return list(_graded(python, copy, course, sandbox))


def _graded(
    python: str, copy: Path, course: Course, sandbox: str, *, alone: bool = False
) -> Iterator[str]:
    command = [python, "-m", "grader", "--json", "-", "--sandbox", sandbox]
    done = _run(command, copy, alone=alone)
    try:
        score: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        yield f"it does not run on its own: {done.stderr.strip()[-500:]}"
        return
    graded = {item["id"]: item["checks"] for item in score["exercises"]}
    for exercise in course.exercises:
        if not graded.get(exercise.id):
            yield f"{exercise.id} is not graded in it"
        for check in graded.get(exercise.id, ()):
            if check["outcome"] != "todo":
                yield (
                    f"{exercise.id}: {check['id']} of the stub is {check['outcome']}, not todo: "
                    f"{check['message'][:200]}"
                )


def _run(
    command: list[str], copy: Path, *, alone: bool = False
) -> subprocess.CompletedProcess[str]:
    ours = ("PYTHONPATH", "PYTHONHOME", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "VIRTUAL_ENV")
    environment = {key: value for key, value in os.environ.items() if key not in ours}
    environment |= {"PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if alone:
        environment["PYTHONPATH"] = str(copy)
    return subprocess.run(
        command,
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


@contextmanager
def _throw_away(folder: Path) -> Iterator[Path]:
    """A copy to run in: what a run leaves behind is not handed out."""
    work = Path(tempfile.mkdtemp(prefix="grader-handout."))
    try:
        work.chmod(0o755)  # a worker has no rights of its own, and has to read the grader
        shutil.copytree(folder, work / "copy")
        yield work / "copy"
    finally:
        shutil.rmtree(work, ignore_errors=True)
