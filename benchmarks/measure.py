"""What a command costs: seconds, CPU time of the machine, memory of all its processes."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """Of one run of a command."""

    seconds: float
    cpu: float  # seconds that all cores of the machine were busy: it has to be idle otherwise
    peak_mib: float  # proportional set size of all its processes together


def run(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> Cost:
    """Run a command to its end. Raises CalledProcessError only where it is killed."""
    before, started = _busy(), time.monotonic()
    process = subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            peak[0] = max(peak[0], _memory(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    seconds, cpu = time.monotonic() - started, _busy() - before
    done.set()
    watcher.join()
    if code < 0:
        raise subprocess.CalledProcessError(code, command)
    return Cost(seconds, cpu, peak[0])


def _busy() -> float:
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    user, nice, system, _, _, irq, softirq, steal = map(int, fields)
    del steal  # what the host took was nobody's work here
    return (user + nice + system + irq + softirq) / _TICK


def _memory(root: int) -> float:
    """MiB of a process and of all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry))
    total, todo = 0, [root]
    while todo:
        pid = todo.pop()
        todo += children.get(pid, [])
        try:
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            continue
    return total / 1024
