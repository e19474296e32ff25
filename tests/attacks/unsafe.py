"""A deliberately unsafe grader: it imports the submission into pytest's own process and then
believes the report. The positive control of the attacks; it runs inside a container of its own.

    unsafe.py REPORT FEEDBACK SUITES --json-report-file=REPORT"""

import atexit
import json
import os
import pickle
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).parent
FRESH = ("shadow_", "sitecustomize")  # attacks on the start of an interpreter


class Adapter:
    """What a suite asks, asked in the same process."""

    def __getattr__(self, name):
        import value

        return getattr(value, name)

    def invoke(self, name, target, *arguments):
        return getattr(target, name)(*arguments)


class Plugin:
    import pytest as _pytest

    @_pytest.fixture(scope="session")
    def submission(self):
        return Adapter()


def options(report):
    return [
        "-q", "-p", "no:cacheprovider", "-p", "pytest_jsonreport.plugin", "--json-report",
        f"--json-report-file={report}", "hidden", ".",
    ]  # fmt: skip


def run(folder, report):
    """In a process of its own."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.argv = ["pytest", f"--json-report-file={report}"]
    import pytest

    code = pytest.main(options(report), plugins=[Plugin()])
    outcomes = [t["outcome"] for t in json.loads(report.read_text())["tests"]]
    with open("result.pickle", "wb") as file:
        pickle.dump(outcomes, file)
    Path("done.flag").write_text("done")  # by a relative path, as many graders have it
    return code


def grade(folder, report, feedback, suites):
    for path in (report, folder / "done.flag", folder / "result.pickle"):
        path.unlink(missing_ok=True)
    shutil.copytree(suites, folder / "hidden", dirs_exist_ok=True)
    if any(part in folder.name for part in FRESH):
        environment = {
            **os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{HERE}",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }  # fmt: skip
        command = [sys.executable, "-m", "pytest", "-p", "unsafe_plugin", *options(report)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        code, log = done.returncode, done.stdout + done.stderr
    else:
        log_file = folder / "log.txt"
        pid = os.fork()
        if pid == 0:
            code = 3
            try:
                log_number = os.open(log_file, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
                os.dup2(log_number, 1)
                os.dup2(log_number, 2)
                sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
                code = int(run(folder, report))
            except SystemExit as error:
                code = error.code if isinstance(error.code, int) else 0
            except BaseException:
                traceback.print_exc()
            try:
                atexit._run_exitfuncs()
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        log = log_file.read_bytes().decode("utf-8", "surrogateescape")
    texts = {"log": log}
    outcomes = {}
    whole = (folder / "done.flag").exists()
    try:
        document = json.loads(report.read_text())
        texts["report"] = report.read_text(errors="surrogateescape")
        outcomes = {t["nodeid"]: t["outcome"] for t in document["tests"]}
        texts["report"] += "".join(str(t.get("call", {}).get("longrepr", "")) for t in document["tests"])
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if (folder / "result.pickle").exists():
        pickle.loads((folder / "result.pickle").read_bytes())
    target = feedback / folder.name
    shutil.copytree(
        folder, target, ignore=shutil.ignore_patterns("hidden", "log.txt"),
        dirs_exist_ok=True,
    )
    for path in target.rglob("notes*"):
        texts["feedback"] = path.read_text()
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    return {"score": passed, "code": code, "whole": whole, "texts": texts, "checks": {}}


def main():
    report, feedback, suites = map(Path, sys.argv[1:4])
    answers = os.fdopen(os.dup(1), "w")
    questions = os.fdopen(os.dup(0))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    import hypothesis  # noqa: F401
    import pytest_jsonreport.plugin  # noqa: F401

    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in questions:
        try:
            answer = grade(Path(json.loads(line)), report, feedback, suites)
        except Exception:
            answer = {"fault": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
