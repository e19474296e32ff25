"""Runs one group of attacks, one after the other, and says what was found of each.

    runner.py FOLDER GROUP < names

A group is a sandbox level or a kind of control. Groups run side by side, each in a process of its
own that every orphan of its attacks comes back to. Most of the time they wait for a deadline."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import course
import own
import shared
import world as outside

LEVELS = ("bwrap", "landlock")
SHARED = shared.load()
ATTACKS = {**SHARED, **{f"own_{name}": attack for name, attack in own.ALL.items()}}


def hand_in(world: outside.World, name: str, *, control: bool) -> Path:
    item = ATTACKS[name]
    if name in SHARED:
        other = world.submissions / "earlier" / "value.py"
        made = shared.made_by_the_test(name, world.suites, other, control=control)
        return world.hand_in(f"attacker_{name}", made or item.files)
    return world.hand_in(f"attacker_{name}", {"value.py": item.source.encode()})


def command(target: str, world: outside.World) -> list[str]:
    kind, _, weakness = target.partition(":")
    if kind == "weak":
        return outside.grader_command(world, "none", weakness)
    if kind in ("unsafe", "rpc"):
        program = {"unsafe": "unsafe.py", "rpc": "naive_rpc.py"}[kind]
        return outside.control_command(world, program)
    return outside.grader_command(world, kind)


def unavailable(group: str) -> str | None:
    """Why this group cannot be run here."""
    if group in LEVELS:
        from grader.sandbox import SandboxUnavailable, choose

        try:
            choose(group)
        except SandboxUnavailable as error:
            return str(error)
    elif group == "contained":
        if shutil.which("bwrap") is None:
            return "no container for the control: bubblewrap is not installed"
        tried = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        done = subprocess.run([*tried, "--unshare-pid", "true"], capture_output=True, check=False)
        if done.returncode:
            return f"no container for the control: {done.stderr.decode().strip()}"
    return None


def group_of(control: str) -> str:
    return "weak" if control.startswith("weak") else "contained"


class Run:
    """One world and, at a time, one grader in it."""

    def __init__(self, root: Path) -> None:
        self.world = outside.World(root, outside.Ears())
        self.driver: outside.Driver | None = None
        self.target = ""

    def attack(self, name: str, target: str, *, control: bool) -> tuple[set[str], dict]:
        if self.driver is None or self.target != target:
            self.end()
            self.driver, self.target = outside.Driver(self.world, command(target, self.world)), target
        folder = hand_in(self.world, name, control=control)
        full = {"unsafe": 10, "rpc": 3}.get(target, course.MAX_POINTS)
        later = self.world.submissions / "later"
        wrong, answer = outside.attack(
            self.driver, self.world, folder, ATTACKS[name].honest, later, full
        )
        shutil.rmtree(folder, ignore_errors=True)
        if wrong & {"stopped", "hang", "fault", "files", "processes", "noreport", "memory"}:
            self.end()
            self.world.repair()
        return wrong, answer

    def end(self) -> None:
        if self.driver is not None:
            self.driver.end()
            self.driver = None


def main() -> None:
    root, group = Path(sys.argv[1]), sys.argv[2]
    names = json.loads(sys.stdin.readline())
    outside.adopt_orphans()
    run = Run(root)
    # the graders that a control needs are started once each
    for name in names if group in LEVELS else sorted(names, key=lambda n: ATTACKS[n].control):
        try:
            control = group not in LEVELS
            wrong, answer = run.attack(
                name, ATTACKS[name].control if control else group, control=control
            )
        except Exception as error:
            run.end()
            wrong, answer = {"broken"}, {"error": f"{type(error).__name__}: {error}"}
        told = {key: value for key, value in answer.items() if key != "texts"}
        print(json.dumps([name, sorted(wrong), repr(told)[:3000]]), flush=True)
    run.end()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()
