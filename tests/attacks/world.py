"""Everything around a grader that an attack could reach, and what came of it, seen from outside."""

import contextlib
import ctypes
import hashlib
import json
import os
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import course

HERE = Path(__file__).parent
TOKEN = "TOKEN-5e1d-of-the-grader"
HOST_SECRET = "HOST-SECRET-77aa"
MARGIN = 2.0  # seconds over the limit
ALLOWED = course.TOTAL_SECONDS + MARGIN
MOST_MEMORY = 150 << 20  # that the grading process may grow by
MOST_WORKER = (course.MEMORY_MB + 150) << 20  # resident, of everything below it
MOST_DISK = 12 << 20
MOST_TEXT = 2 << 20
PORT = "48123"  # where the shared attacks send what they found

ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
WORKFLOW = re.compile(r"^\s*::|##\[|##vso\[", re.MULTILINE)
FORMULA = re.compile(r"^[=+\-@]", re.MULTILINE)
SUMMARY = re.compile(r"^(=+ 8 passed|Total Score|\{\"score\")", re.MULTILINE)


def adopt_orphans() -> None:
    """Have every process that outlives its parent become a child of this one."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _processes() -> dict[int, tuple[int, str, int]]:
    """Parent, state and start time of every process."""
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                found[int(entry.name)] = int(fields[1]), fields[0], int(fields[19])
    return found


def descendants(pid: int) -> set[tuple[int, int]]:
    """Pid and start time of every living process below `pid`."""
    processes = _processes()
    below = {pid}
    while True:
        more = {p for p, (parent, _, _) in processes.items() if parent in below} - below
        if not more:
            break
        below |= more
    below.discard(pid)
    return {(p, processes[p][2]) for p in below if p in processes and processes[p][1] != "Z"}


def reap() -> None:
    """Bury the orphans that have ended."""
    with contextlib.suppress(ChildProcessError):
        while True:
            info = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if info is None or info.si_pid in {d.process.pid for d in Driver.running}:
                return
            os.waitpid(info.si_pid, 0)


def _below(folder: Path) -> Iterator[Path]:
    """Every path below, while others come and go."""
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(where, name)


def memory(pid: int, key: str = "VmRSS") -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{key}:"):
                return int(line.split()[1]) << 10
    return 0


@dataclass
class Ears:
    """Listeners that nothing of a submission may reach."""

    heard: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.name = f"attacks-{os.getpid()}-{secrets.token_hex(4)}"
        self.abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.abstract.bind("\0" + self.name)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            ready, _, _ = select.select([self.tcp, self.udp, self.abstract], [], [])
            for one in ready:
                if one is self.tcp:
                    client, _ = one.accept()
                    client.settimeout(1)
                    with client, contextlib.suppress(OSError):
                        self.heard.append(b"connected " + client.recv(100))
                else:
                    self.heard.append(one.recv(100) or b"empty")


class World:
    """Folders with everything that an instructor's machine has lying around."""

    def __init__(self, root: Path, ears: Ears) -> None:
        self.root = root
        self.ears = ears
        self.course = root / "course"
        self.submissions = root / "submissions"
        self.suites = self.course / "tests" / "suites" / "01_value"
        course.write(self.course)
        for name in ("out", "home", "tmp", "feedback"):
            (root / name).mkdir(parents=True, exist_ok=True)
        self.gradebook = root / "out" / "gradebook.csv"
        self.secret = root / "secret.txt"
        self.secret.write_text(HOST_SECRET)
        self.control_file = root / "github_env"
        for name in ("earlier", "later"):
            self.hand_in(name, {"value.py": course.SOLUTION.encode()})
        self.repair()

    def repair(self) -> None:
        """What a control may have changed."""
        self.gradebook.write_text("student,score,n\nearlier,0.5,1\n")
        self.control_file.write_text("")
        (self.submissions / "earlier" / "value.py").write_text(course.SOLUTION)
        for name in ("home", "feedback"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            (self.root / name).mkdir()

    def hand_in(self, name: str, files: dict[str, bytes | Path]) -> Path:
        """A student's folder; a Path stands for a symbolic link."""
        folder = self.submissions / name
        shutil.rmtree(folder, ignore_errors=True)
        for file, content in files.items():
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                target.symlink_to(content)
            else:
                target.write_bytes(self._filled(content))
        return folder

    def _filled(self, content: bytes) -> bytes:
        if len(content) > 1 << 20:
            return content
        for key, value in {
            b"@HIDDEN_SUITE@": str(self.suites / "test_hidden.py"),
            b"@SECRET_FILE@": str(self.secret),
            b"@ABSTRACT@": self.ears.name,
            b"@ROOT@": str(self.root),
            PORT.encode(): str(self.ears.port),
            # bounded: a control shows that it happens, not how far it goes
            b"100 * 1024 * 1024": "25 * 1024 * 1024",
            b"(10 * 1024 * 1024)": "(1024 * 1024)",
            b"range(60)": "range(8)",
            b"range(200)": "range(60)",
        }.items():
            content = content.replace(key, value.encode())
        return content

    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "GITHUB_"))}
        return {
            **kept, "GRADER_TOKEN": TOKEN, "GITHUB_ENV": str(self.control_file),
            "HOME": str(self.root / "home"), "TMPDIR": str(self.root / "tmp"),
            "XDG_CACHE_HOME": str(self.root / "cache"), "PYTHONUTF8": "1",
        }  # fmt: skip

    def files(self, besides: Path) -> dict[str, str]:
        """Digest of every file, but what is the attacker's own."""
        found = {}
        for path in _below(self.root):
            if besides in (path, *path.parents) or not path.is_file() or path.is_symlink():
                continue
            if "later" in path.parts and path.name != "value.py" or path.name == "report.json":
                continue  # an unsafe grader's own work
            if {"feedback", "cache", ".grader", "__pycache__", ".hypothesis"} & set(path.parts):
                continue
            with contextlib.suppress(OSError):
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def disk(self) -> int:
        total = 0
        for place in (self.submissions, self.root / "tmp", self.root / "home"):
            for path in _below(place):
                with contextlib.suppress(OSError):
                    total += path.lstat().st_blocks * 512
        return total


class Driver:
    """A grading process that is told what to grade, line by line."""

    running: list["Driver"] = []

    def __init__(self, world: World, command: list[str]) -> None:
        self.world = world
        self.log = open(world.root / f"driver-{secrets.token_hex(4)}.log", "w+b")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=world.environment(),
            cwd=world.root,
            start_new_session=True,
        )
        Driver.running.append(self)
        if self.answer(60.0) != {"ready": True}:
            raise RuntimeError(f"the driver did not start: {self.said()[-3000:]}")

    def ask(self, folder: Path, seconds: float) -> dict | None:
        """Grade a folder; None where no answer came in time or the driver died."""
        try:
            self.process.stdin.write(json.dumps(str(folder)).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return None
        return self.answer(seconds)

    def answer(self, seconds: float) -> dict | None:
        until = time.monotonic() + seconds
        buffer = bytearray()
        number = self.process.stdout.fileno()
        while not buffer.endswith(b"\n"):
            ready, _, _ = select.select([number], [], [], max(0.0, until - time.monotonic()))
            chunk = os.read(number, 1 << 16) if ready else b""
            if not chunk:
                return None
            buffer += chunk
        return json.loads(buffer)

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read(1 << 22).decode("utf-8", "surrogateescape")

    def end(self) -> None:
        if self in Driver.running:
            Driver.running.remove(self)
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
        for pid, _ in descendants(self.process.pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait(10)
        with contextlib.suppress(BrokenPipeError):  # of what it was not there any more to read
            self.process.stdin.close()
        self.process.stdout.close()
        self.log.close()


class Watcher(threading.Thread):
    """Looks again and again how much memory and disk is used while an attack runs."""

    def __init__(self, driver: Driver, world: World) -> None:
        super().__init__(daemon=True)
        self.driver, self.world = driver, world
        self.below = 0
        self.grader = 0
        self.disk = 0
        self._stop_now = threading.Event()
        self.start()

    def run(self) -> None:
        rounds = 0
        while not self._stop_now.wait(0.05):
            self.grader = max(self.grader, memory(self.driver.process.pid))
            self.below = max(
                self.below, sum(memory(pid) for pid, _ in descendants(self.driver.process.pid))
            )
            rounds += 1
            if rounds % 4 == 0:
                self.disk = max(self.disk, self.world.disk())

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


def attack(
    driver: Driver, world: World, folder: Path, honest: int, later: Path, full: int
) -> tuple[set[str], dict]:
    """Have a submission graded, and the next one after it; what went wrong, and the answer."""
    wrong: set[str] = set()
    pid = os.getpid()
    before = world.files(folder)
    living = descendants(pid)
    packets = len(world.ears.heard)
    resident = memory(driver.process.pid)
    below = sum(memory(p) for p, _ in descendants(driver.process.pid))
    disk = world.disk()
    said = len(driver.said())
    watcher = Watcher(driver, world)
    began = time.monotonic()
    answer = driver.ask(folder, ALLOWED)
    took = time.monotonic() - began
    watcher.stop()
    if answer is None:
        wrong.add("stopped" if driver.process.poll() is not None or took < ALLOWED else "hang")
        if _stopped(driver.process.pid):
            wrong.add("stopped")
        answer = {}
    if answer.get("fault"):
        wrong.add("fault")
    if any(check[0] == "grader_error" for check in answer.get("checks", {}).values()):
        wrong.add("flagged")  # by a suite that ordinary answers of the wrong kind have confused
    if answer.get("score", 0) > honest:
        wrong.add("score")
    if answer.get("code") == 0 or answer.get("passed"):
        wrong.add("rc")
    if answer.get("whole") is False:
        wrong.add("noreport")
    wrong |= _texts(answer.get("texts", {}) | {"driver": driver.said()[said:]})
    if len(world.ears.heard) > packets:
        wrong.add("packet")
    if watcher.grader - resident > MOST_MEMORY:
        wrong.add("memory")
    if watcher.below - below > MOST_WORKER:
        wrong.add("memory")
    if max(watcher.disk, world.disk()) - disk > MOST_DISK:
        wrong.add("disk")
    until = time.monotonic() + 1.0
    while left := descendants(pid) - living - _own(driver):
        reap()
        if time.monotonic() > until:
            wrong.add("processes")
            break
        time.sleep(0.02)
    if "processes" in wrong:
        time.sleep(0.5)  # what they may still do
    for one, started in left:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if (one, started) in descendants(pid):
                os.kill(one, signal.SIGKILL)
    if world.files(folder) != before:
        wrong.add("files")
    if not {"stopped", "hang"} & wrong:
        for _ in range(2):  # once more, should the machine just have been busy
            following = driver.ask(later, 20.0)
            if following is None or following.get("score") == full:
                break
        if following is None or following.get("score") != full:
            wrong.add("stopped")
    answer["seconds"] = took
    return wrong, answer


def _own(driver: Driver) -> set[tuple[int, int]]:
    """The driver's own standing processes: a warm bwrap and what is below it, but no worker."""
    return {
        item
        for item in descendants(driver.process.pid)
        if _is_nursery(item[0])
    }


def _is_nursery(pid: int) -> bool:
    """bwrap, or the nursery in it, whose own namespace lies in that of bwrap: they wait for requests
    and run no submission. A worker is in a namespace of its own below those."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text()
        depth = len(re.search(r"^NSpid:(.*)$", status, re.MULTILINE)[1].split())
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        return depth <= 3 and (b"bwrap" in command or b"forks workers on request" in command)
    return True  # it is gone


def _stopped(pid: int) -> bool:
    return any(_processes().get(p, (0, "", 0))[1] in "Tt" for p, _ in descendants(pid) | {(pid, 0)})


def _texts(texts: dict[str, str]) -> set[str]:
    wrong = set()
    for name, text in texts.items():
        if len(text) > MOST_TEXT:
            wrong.add("flood")
        if course.SECRET in text:
            wrong.add("secret")
        if TOKEN in text:
            wrong.add("env")
        if HOST_SECRET in text:
            wrong.add("host")
        if "PROCMEM-OPENED" in text:
            wrong.add("procmem")
        if ESCAPE.search(text):
            wrong.add("escape")
        if WORKFLOW.search(text) and "score file" not in name:
            wrong.add("workflow")
        if SUMMARY.search(text):
            wrong.add("summary")
        if FORMULA.search(text) and "csv" in name:
            wrong.add("formula")
        if name.startswith("student"):
            squeezed = re.sub(r"[^0-9a-zA-Z.]", "", text.replace("_", "."))
            if any(number in text or number in squeezed for number in course.HIDDEN_NUMBERS):
                wrong.add("inputs")
    return wrong


def grader_command(world: World, level: str, weakness: str = "") -> list[str]:
    return [
        sys.executable, str(HERE / "driver.py"), str(world.course), level,
        *([weakness] if weakness else []),
    ]  # fmt: skip


def control_command(world: World, program: str) -> list[str]:
    """An unsafe grader in a container of its own: it may write to the world, and see its own."""
    report = world.root / "report.json"
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind",
        str(world.root), str(world.root), "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL",
        "--chdir", str(world.root), "--",
        sys.executable, str(HERE / program), str(report), str(world.root / "feedback"),
        str(world.suites), f"--json-report-file={report}",
    ]  # fmt: skip
