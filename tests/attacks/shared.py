"""The attacks that other graders were tried with: cases/<id>/, listed in cases/index.json."""

import json
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
FINDING = {  # by the case's kind: what is found when it succeeds
    "alive": "processes", "disk": "disk", "env": "env", "exfil": "packet", "flood": "flood",
    "hang": "hang", "hostread": "host", "kill": "stopped", "leak": "secret", "mem": "memory",
    "modify": "files", "noreport": "noreport", "procmem": "procmem", "rc": "rc", "rce": "files",
    "score": "score",
}  # fmt: skip
ONE_BY_ONE = {  # where the kind does not say it
    "ansi_escape": "escape", "ci_workflow_commands": "workflow", "csv_formula": "formula",
    "fake_summary": "summary", "rpc_leak_inputs_in_exception_name": "inputs",
    "stop_parent": "stopped", "rpc_huge_length": "stopped", "rpc_close_reply_fd": "stopped",
    "abs_paths_exfil": "packet", "giant_int": "hang", "giant_string": "memory",
    "daemon_late_forge": "files", "surrogate_output": "escape", "huge_source": "memory",
}  # fmt: skip
# what the next tool does to it, where it is not the unsafe grader
CONTROLS = {
    "rpc_leak_inputs_in_exception_name": "weak:outspoken", "csv_formula": "weak:unescaped",
    "ansi_escape": "weak:unescaped", "nan_reply": "rpc", "ci_workflow_commands": "unsafe",
}  # fmt: skip
NO_CONTROL = {
    "giant_string": "pytest shortens what it shows; own_reply_8mb_each shows the memory",
    "giant_int": "CPython since 3.11 refuses to print it",
    "chdir_away": "pytest itself comes back to its folder",
    "deep_nested": "pytest's own report copes with it",
    "sys_exit_0_import": "pytest catches it within a test; os_exit_0_import is the control",
    "hardcode_public": "the hidden suite asks other numbers, here as there",
    "random_freeze": "no suite here draws in the submission's process",
    "import_real_library": "no engine is installed here; a worker finds only the packages that the exercise names",
    "source_bomb_parser": "CPython since 3.9 refuses the nesting itself; the limit is looked at",
    "source_null_bytes": "CPython refuses it at once",
}
HONEST = {"hardcode_public": 1}  # the public example of the lesson may be hard-coded


@dataclass(frozen=True)
class Case:
    kind: str
    control: str | None
    honest: int
    files: dict


def load() -> dict[str, Case]:
    found = {}
    for entry in json.loads((CASES / "index.json").read_text(encoding="utf-8")):
        name = entry["id"]
        folder = CASES / name
        files = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "SUCCESS.txt"
        }
        control = CONTROLS.get(name, "rpc" if name.startswith("rpc_") else "unsafe")
        found[name] = Case(
            ONE_BY_ONE.get(name) or FINDING[entry["kind"]],
            None if name in NO_CONTROL else control,
            HONEST.get(name, 0),
            files,
        )
    return found


def made_by_the_test(name: str, suites: Path, other: Path, *, control: bool) -> dict | None:
    """The cases that cannot be kept as files. A Path stands for a symbolic link."""
    if name == "symlink_hidden":
        return {"value.py": b"x = 1\n", "notes.txt": suites / "test_hidden.py"}
    if name == "symlink_other":
        return {"value.py": other}
    if name == "huge_source":
        # 60 MB; the control shows with 6 MB what compiling such a thing takes
        return {"value.py": b"x = [" + b"1," * (3_000_000 if control else 30_000_000) + b"]\n"}
    if name == "source_bomb_parser":
        return {"value.py": b"x = " + b"(" * 200_000 + b")" * 200_000 + b"\n"}
    return None
