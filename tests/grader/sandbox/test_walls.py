"""What a submission can't do in a sandbox; and that the same attempt works outside of one."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Sandbox

from .conftest import PRELUDE, Start, living

REFUSED = "refused"


# ---- files ------------------------------------------------------------------------------------


def test_host_file_is_not_read(start: Start, each_wall: Sandbox, canary: Path) -> None:
    """However it is opened."""
    code = f"""
path = {str(canary)!r}
say([
    tried(lambda: open(path).read())[0],
    tried(lambda: os.read(os.open(path, os.O_RDWR), 9))[0],
    tried(os.listdir, os.path.dirname(path))[0],
    tried(lambda: os.symlink(path, "link") or open("link").read())[0],
    tried(lambda: os.link(path, "link") or open("link").read())[0],
    tried(lambda: open("/proc/self/root" + path).read())[0],
])
"""
    assert start(each_wall, code).hear() == [REFUSED] * 6


def test_host_file_is_read_without_a_sandbox(
    start: Start, unconfined: Sandbox, canary: Path
) -> None:
    """The control of the test above."""
    assert start(unconfined, f"say(open({str(canary)!r}).read())").hear() == "the hidden tests"


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/sys"])
def test_system_files_are_not_read(start: Start, each_wall: Sandbox, path: str) -> None:
    """Not even those that anybody may read."""
    read = "os.listdir" if path == "/sys" else "open"
    assert start(each_wall, f"say(tried({read}, {path!r})[0])").hear() == REFUSED


def test_host_file_is_not_changed(start: Start, each_wall: Sandbox, canary: Path) -> None:
    """Neither its text nor its name nor anything about it."""
    before = canary.stat()
    code = f"""
path = {str(canary)!r}
folder = os.path.dirname(path)
attempts = [
    (open, path, "w"), (open, path, "a"), (open, path, "r+"),
    (os.open, path, os.O_RDONLY | os.O_TRUNC), (os.truncate, path, 0),
    (os.rename, path, path + ".old"), (os.unlink, path), (os.chmod, path, 0),
    (os.utime, path, (0, 0)), (os.chown, path, os.getuid(), os.getgid()),
    (os.setxattr, path, "user.mark", b"x"), (os.mkdir, folder + "/new"),
    (os.symlink, "/etc", folder + "/link"), (os.link, path, folder + "/second"),
    (os.mkfifo, folder + "/fifo"), (os.mknod, folder + "/file"), (os.rmdir, folder),
]
say([attempt[0].__name__ for attempt in attempts if tried(*attempt)[0] == "done"])
"""
    assert start(each_wall, code).hear() == []
    after = canary.stat()
    assert canary.read_text() == "the hidden tests"
    assert (after.st_mode, after.st_uid, after.st_mtime_ns, after.st_nlink) == (
        before.st_mode,
        before.st_uid,
        before.st_mtime_ns,
        1,
    )
    assert sorted(path.name for path in canary.parent.iterdir()) == ["canary.txt"]


def test_python_itself_is_not_changed(start: Start, each_wall: Sandbox) -> None:
    """A .pth file or a patched module would run in every later grading."""
    code = """
places = [os.path.dirname(os.__file__), *sys.path, os.path.expanduser("~"), "/packages", "/"]
say([place for place in places if tried(open, place + "/evil.pth", "w")[0] == "done"]
    + [place for place in (os.__file__, sys.executable) if tried(open, place, "r+")[0] == "done"])
"""
    assert start(each_wall, code).hear() == []


def test_disk_is_not_filled(start: Start, each_wall: Sandbox) -> None:
    """Whatever can be written is limited, and goes away with the worker."""
    code = """
written = 0
for place in (".", "/tmp", "/dev/shm", "/var/tmp"):
    for number in range(30):
        try:
            with open(f"{place}/fill-{len(place)}-{number}", "wb", buffering=0) as file:
                for _ in range(10):
                    written += file.write(bytes(1 << 20))
        except OSError:
            pass
say(written)
"""
    assert start(each_wall, code, tmp_mb=8).hear() <= 8 << 20


def test_files_are_limited_in_number(start: Start, each_wall: Sandbox) -> None:
    """Empty ones cost the kernel memory as well."""
    code = """
count = 0
try:
    while count < 5000:
        os.mknod(f"file-{count}")
        count += 1
except OSError:
    pass
say(count)
"""
    assert start(each_wall, code).hear() < 300


def test_memory_outside_the_limits_is_not_to_be_had(start: Start, confined: Sandbox) -> None:
    """Memory that belongs to no process would be counted nowhere."""
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
say([tried(os.memfd_create, "memory")[0], libc.shmget(0, 1 << 20, 0o1600)])
"""
    assert start(confined, code).hear() == [REFUSED, -1]


# ---- other processes --------------------------------------------------------------------------


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of this user, with something in its memory."""
    process = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    yield process
    process.kill()
    process.wait()


def test_other_processes_are_not_signalled(
    start: Start, each_wall: Sandbox, victim: subprocess.Popen[bytes]
) -> None:
    """Neither directly nor by group, nor by way of a file's owner."""
    code = f"""
import fcntl
pid = {victim.pid}
reading, writing = os.pipe()
for attempt in (
    (os.kill, pid, 9), (os.kill, pid, 19), (os.killpg, pid, 9), (os.kill, {os.getpid()}, 9),
    (os.kill, os.getppid(), 19), (os.kill, os.getppid(), 9),
    (lambda: os.kill(os.pidfd_open(pid), 9),),
    (fcntl.fcntl, reading, fcntl.F_SETOWN, pid), (fcntl.fcntl, reading, 10, 9),
    (fcntl.fcntl, reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC),
    (os.write, writing, b"x"),
):
    tried(*attempt)
say("still here")
"""
    assert start(each_wall, code).hear() == "still here"
    time.sleep(0.05)
    assert victim.poll() is None
    state = Path(f"/proc/{victim.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    assert state == "S"


def test_other_processes_are_signalled_without_a_sandbox(
    start: Start, unconfined: Sandbox, victim: subprocess.Popen[bytes]
) -> None:
    """The control of the test above."""
    start(unconfined, f"os.kill({victim.pid}, 9)\nsay(1)").hear()
    assert victim.wait(5) == -signal.SIGKILL


def test_other_processes_are_not_hindered(
    start: Start, each_wall: Sandbox, victim: subprocess.Popen[bytes]
) -> None:
    """Their limits, priorities and memory are not the submission's to change."""
    code = f"""
import resource
pid = {victim.pid}
say([attempt[0].__name__ for attempt in (
    (resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1)), (os.setpriority, os.PRIO_PROCESS, pid, 9),
    (os.sched_setaffinity, pid, [0]), (open, f"/proc/{{pid}}/mem", "r+b"),
    (open, f"/proc/{{pid}}/environ"),
) if tried(*attempt)[0] == "done"])
"""
    assert start(each_wall, code).hear() == []


def test_privileges_are_not_regained(start: Start, confined: Sandbox) -> None:
    """Not root, and no way to become it or to make namespaces of one's own."""
    code = """
import ctypes
libc = ctypes.CDLL(None)
say([os.getuid() == 0, tried(os.setuid, 0)[0], tried(os.setgid, 0)[0], tried(os.setgroups, [0])[0],
     libc.unshare(0x10000000), libc.unshare(0x20000), tried(os.chroot, ".")[0],
     libc.ptrace(0, 0, 0, 0), tried(os.nice, -5)[0], len(os.getgroups())])
"""
    answer = start(confined, code).hear()
    groups = 0 if os.geteuid() == 0 else answer[-1]
    expected = [False, REFUSED, REFUSED, REFUSED, -1, -1, REFUSED, -1, REFUSED, groups]
    assert answer == expected


# ---- the network ------------------------------------------------------------------------------


def test_nothing_is_sent(start: Start, each_wall: Sandbox, tmp_path: Path, canary: Path) -> None:
    """No connection, no datagram, nothing through a socket in the file system."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
    ):
        udp.bind(("127.0.0.1", 0))
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as local,
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract,
        ):
            local.bind(str(tmp_path / "door"))
            (tmp_path / "door").chmod(0o777)
            name = f"\0{secrets.token_hex(8)}"
            abstract.bind(name)
            code = f"""
import socket as s
def send(family, address):
    with s.socket(family, s.SOCK_DGRAM) as one:
        one.sendto(b"secret", address)
def turned(address):
    one, other = s.socketpair(s.AF_UNIX, s.SOCK_DGRAM)
    one.sendto(b"secret", address)
say([
    tried(s.create_connection, {tcp.getsockname()!r}, 1)[0],
    tried(send, s.AF_INET, {udp.getsockname()!r})[0],
    tried(send, s.AF_UNIX, {local.getsockname()!r})[0],
    tried(send, s.AF_UNIX, {name!r})[0],
    tried(turned, {local.getsockname()!r})[0],
    tried(turned, {name!r})[0],
])
"""
            answers = start(each_wall, code).hear()
            del answers[1]  # a datagram into a network of one's own is lost without an error
            assert answers == [REFUSED] * 5
            for door in (tcp, udp, local, abstract):
                door.setblocking(False)
                with pytest.raises(BlockingIOError):
                    door.accept() if door is tcp else door.recv(9)


def test_something_is_sent_without_a_sandbox(start: Start, unconfined: Sandbox) -> None:
    """The control of the test above."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket\nsocket.create_connection({server.getsockname()!r})\nsay(1)"
        start(unconfined, code).hear()
        server.settimeout(5)
        server.accept()[0].close()


# ---- limits and the end -----------------------------------------------------------------------


def test_memory_is_limited(start: Start, any_level: Sandbox) -> None:
    """In one piece and in many."""
    code = """
def pieces():
    held = []
    while True:
        held.append(bytearray(10 << 20))
        if len(held) > 60:
            return len(held)
say([tried(bytearray, 600 << 20)[1], tried(pieces)[1]])
"""
    worker = start(any_level, code, memory_mb=307)
    assert worker.hear() == ["MemoryError", "MemoryError"]


def test_processes_are_limited(start: Start, each_wall: Sandbox) -> None:
    """A fork bomb stays small."""
    code = """
count = 0
try:
    while count < 200:
        if os.fork() == 0:
            os.read(0, 1)
            os._exit(0)
        count += 1
except OSError:
    pass
say(count)
os.read(0, 1)
"""
    worker = start(each_wall, code, processes=6)
    bound = 6 if os.geteuid() == 0 else 20  # without root, siblings count together
    assert worker.hear() < bound
    assert len(worker.living()) <= bound


def test_threads_are_limited(start: Start, each_wall: Sandbox) -> None:
    """They count as processes do."""
    code = """
import _thread
count = 0
try:
    while count < 2000:
        _thread.start_new_thread(os.read, (0, 1))
        count += 1
except RuntimeError:
    pass
say(count)
os.read(0, 1)
"""
    # without root, siblings count together
    bound = 6 if os.geteuid() == 0 else 20 if each_wall.name == "bwrap" else 2000
    assert start(each_wall, code, processes=6).hear() < bound


def test_limits_are_not_raised(start: Start, any_level: Sandbox) -> None:
    """They are hard limits."""
    code = """
import resource
say([name for name in ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_CPU")
     if tried(resource.setrlimit, getattr(resource, name), (-1, -1))[0] == "done"])
"""
    root_unconfined = any_level.name == "none" and os.geteuid() == 0
    assert root_unconfined or start(any_level, code).hear() == []


def test_descriptors_are_limited(start: Start, any_level: Sandbox) -> None:
    """A worker can't use up the machine's."""
    code = """
held = []
try:
    while len(held) < 500:
        held.append(os.dup(0))
except OSError:
    pass
say(len(held))
"""
    assert start(any_level, code).hear() < 64


DAEMON = """
import time
def daemon():
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 64)
            time.sleep(60)
        os._exit(0)
    os.waitpid(child, 0)
tried(daemon)
say(1)
"""


def test_nothing_is_left_after_close(start: Start, each_wall: Sandbox) -> None:
    """A process that left the session and closed its pipes is dead when close() comes back."""
    worker = start(each_wall, DAEMON)
    worker.hear()
    worker.process.close()
    assert worker.gone(0)


def test_a_daemon_outlives_the_worker_without_a_sandbox(start: Start, unconfined: Sandbox) -> None:
    """The control of the test above."""
    worker = start(unconfined, DAEMON)
    worker.hear()
    worker.process.close()
    survivors = worker.living()
    for pid in survivors:
        os.kill(pid, signal.SIGKILL)
    assert len(survivors) == 1


def test_nothing_is_left_after_a_worker_ends_by_itself(start: Start, each_wall: Sandbox) -> None:
    """Also when it is the worker that goes first and the daemon that stays."""
    worker = start(each_wall, DAEMON + "os._exit(0)")
    worker.hear()
    worker.process.close()
    assert worker.gone(0)


def test_nothing_is_left_when_the_grader_is_killed(each_wall: Sandbox) -> None:
    """A grader that can no longer close its workers takes them along."""
    bare = "" if getattr(each_wall, "filtered", True) else ", filtered=False"
    mark = 1000 + secrets.randbelow(9000)
    script = f"""
import os, time
from dataclasses import replace
from grader.sandbox import WorkerLimits, choose, warm
from grader.sandbox.start import compiled
code = {PRELUDE + DAEMON + "while True: pass"!r}
def own_namespace(pid):
    try:
        found = os.stat(f"/proc/{{pid}}/ns/pid").st_ino
    except PermissionError:  # as of Landlock's workers, which have no namespace of their own
        return -1
    return -1 if found == os.stat("/proc/self/ns/pid").st_ino else found
sandbox = replace(choose({each_wall.name!r}), program=compiled(code){bare})
worker = sandbox.start(WorkerLimits(memory_mb={mark}))
worker.receive(1, time.monotonic() + 20)
nurseries = list(warm._nurseries.values())
print(own_namespace(worker.pid), *[nursery._process.pid for nursery in nurseries], flush=True)
time.sleep(60)
"""
    root = Path(__file__).parents[3]
    grader = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert grader.stdout is not None
    namespace, *nurseries = map(int, grader.stdout.readline().split())
    assert living(mark, namespace)
    assert len(nurseries) == (each_wall.name == "bwrap")
    grader.kill()
    grader.wait()
    grader.stdout.close()
    until = time.monotonic() + 5
    while (living(mark, namespace) or _any_runs(nurseries)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not living(mark, namespace)
    assert not _any_runs(nurseries)


def _any_runs(pids: list[int]) -> bool:
    return any(
        path.exists() and path.read_text().strip() == "bwrap"
        for path in (Path(f"/proc/{pid}/comm") for pid in pids)
    )


def test_workers_do_not_see_each_other(start: Start, each_wall: Sandbox) -> None:
    """Neither by signal nor through anything they wrote."""
    one = start(each_wall, "say([os.getpid(), os.getcwd(), os.getuid()])\nos.read(0, 1)")
    pid, folder, uid = one.hear()
    code = f"""
say([tried(os.kill, {pid}, 9)[0] if {pid} != os.getpid() else "refused", os.listdir({folder!r}),
     tried(open, {folder!r} + "/../worker.txt", "w")[0], os.getuid()])
"""
    answer = start(each_wall, code).hear()
    assert answer[1:3] == [[], REFUSED]
    if os.geteuid() == 0:
        assert answer[3] not in (0, uid)
    one.process.send(b"x", time.monotonic() + 1)
    assert one.gone()  # it read our byte and came to its end: nobody had killed it
    assert one.process.close() == "exit status 0"
