"""The system call filter, run by a small interpreter of its language; for both machines."""

import errno
import struct

import pytest

from grader.sandbox import seccomp

ALLOWED = "allowed"
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINES = sorted(AUDIT)
NUMBERS = {
    "read": (0, 63),
    "openat": (257, 56),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "clone3": (435, 435),
    "openat2": (437, 437),
    "ptrace": (101, 117),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "setsid": (112, 157),
    "unshare": (272, 97),
    "prlimit64": (302, 261),
    "prctl": (157, 167),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "execve": (59, 221),
    "io_uring_setup": (425, 425),
    "memfd_create": (319, 279),
    "fchmodat": (268, 53),
    "mmap": (9, 222),
    "futex": (202, 98),
}


def decide(code: bytes, machine: str, call: str | int, *arguments: int, audit: int = 0) -> object:
    """What the filter answers: ALLOWED, an errno, or "killed"."""
    number = call if isinstance(call, int) else NUMBERS[call][MACHINES.index(machine) ^ 1]
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, audit or AUDIT[machine], 0, *values)
    lines = [struct.unpack_from("<HBBI", code, at) for at in range(0, len(code), 8)]
    accumulator, at = 0, 0
    while True:
        kind, yes, no, value = lines[at]
        at += 1
        if kind == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif kind == 0x06:
            return {0x7FFF0000: ALLOWED, 0x80000000: "killed"}.get(value, value & 0xFFFF)
        else:
            test = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x45: bool(accumulator & value),
            }
            at += yes if test[kind] else no


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    """Each machine in turn."""
    return str(request.param)


def build(machine: str, **options: bool) -> bytes:
    code = seccomp.build(machine, **options)
    assert code is not None
    return code


@pytest.mark.parametrize("call", ["read", "openat", "mmap", "futex", "kill", "setsid"])
def test_everyday_calls_are_allowed(machine: str, call: str) -> None:
    """Inside namespaces."""
    assert decide(build(machine), machine, call) == ALLOWED


@pytest.mark.parametrize(
    "call", ["socket", "ptrace", "unshare", "io_uring_setup", "memfd_create", "execve"]
)
def test_dangerous_calls_are_denied(machine: str, call: str) -> None:
    """With an error that Python turns into PermissionError."""
    assert decide(build(machine), machine, call) == errno.EPERM


@pytest.mark.parametrize("call", ["setsid", "socketpair", "fchmodat"])
def test_more_is_denied_without_namespaces(machine: str, call: str) -> None:
    """What Landlock lets pass."""
    assert decide(build(machine, confined=True), machine, call) == errno.EPERM


def test_new_processes_are_denied_and_threads_are_not(machine: str) -> None:
    """Both are made by the same call."""
    thread, process, user_namespace, sibling = 0x3D0F00, 17, 0x10000000 | 17, 0x8000 | 17
    for confined in (False, True):
        code = build(machine, confined=confined)
        assert decide(code, machine, "clone", thread) == ALLOWED
        assert decide(code, machine, "clone", user_namespace) == errno.EPERM
        assert decide(code, machine, "clone", sibling) == errno.EPERM
        assert decide(code, machine, "clone", process) == errno.EPERM


def test_calls_with_hidden_flags_look_absent(machine: str) -> None:
    """So that libraries fall back to those that can be checked."""
    code = build(machine, truncate=False)
    assert decide(code, machine, "clone3") == errno.ENOSYS
    assert decide(code, machine, "openat2") == errno.ENOSYS


def test_files_are_not_emptied_where_landlock_cannot_forbid_it(machine: str) -> None:
    """Landlock learnt that in its third version."""
    code = build(machine, confined=True, truncate=False)
    assert decide(code, machine, "openat", 0, 0, 0o1000) == errno.EPERM
    assert decide(code, machine, "openat", 0, 0, 0) == ALLOWED


def test_signals_are_denied_where_landlock_cannot_confine_them(machine: str) -> None:
    """Landlock learnt that in its sixth version."""
    code = build(machine, confined=True, signals=False)
    assert decide(code, machine, "kill", 1, 9) == errno.EPERM
    assert decide(code, machine, "tgkill", 1, 1, 9) == errno.EPERM


def test_only_its_own_limits_may_be_changed(machine: str) -> None:
    """Lowering the grader's would stop it."""
    code = build(machine)
    assert decide(code, machine, "prlimit64", 0) == ALLOWED
    assert decide(code, machine, "prlimit64", 1234) == errno.EPERM


def test_it_cannot_outlive_the_grader(machine: str) -> None:
    """The signal at the grader's death stays set; other uses of the call work."""
    code = build(machine, confined=True)
    assert decide(code, machine, "prctl", 1, 0) == errno.EPERM
    assert decide(code, machine, "prctl", 15) == ALLOWED


def test_terminals_and_owners_of_files_are_left_alone(machine: str) -> None:
    """Both can reach processes outside."""
    code = build(machine)
    assert decide(code, machine, "ioctl", 0, 0x5412) == errno.EPERM
    assert decide(code, machine, "ioctl", 0, 0x5401) == ALLOWED
    assert decide(code, machine, "fcntl", 0, 8) == errno.EPERM
    assert decide(code, machine, "fcntl", 0, 3) == ALLOWED


def test_calls_of_another_architecture_end_the_process(machine: str) -> None:
    """Their numbers mean something else."""
    i386 = 0x40000003
    assert decide(build(machine), machine, "read", audit=i386) == "killed"


def test_every_call_gets_an_answer(machine: str) -> None:
    """No jump leads out of the filter; what is newer than the table looks absent."""
    for confined in (False, True):
        code = build(machine, confined=confined, signals=not confined, truncate=not confined)
        for number in range(600):
            assert decide(code, machine, number) in {ALLOWED, errno.EPERM, errno.ENOSYS}
        assert decide(code, machine, 0x40000000) == errno.ENOSYS
        assert decide(code, machine, 467) == errno.ENOSYS


def test_an_unknown_machine_has_no_filter() -> None:
    """The levels then decide for themselves."""
    assert seccomp.build("riscv64") is None
