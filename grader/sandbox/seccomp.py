"""A seccomp filter: which system calls a worker may not make, as the kernel reads it.

A denied call fails with EPERM. Calls newer than this table fail with ENOSYS, as on an older kernel;
so does clone3, whose flags a filter can't see (C libraries then use clone). Another architecture's
calls end the process.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass

# name: (number on x86-64, on aarch64); None where the architecture has no such call
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # the network, also where no network namespace takes it away
    "socket": (41, 198),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # namespaces and mounts: most kernel bugs need them first
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # large and seldom used parts of the kernel
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "vmsplice": (278, 75),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "lookup_dcookie": (212, 18),
    "uselib": (134, None),
    # memory that no limit of the process counts
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # what a user, or the whole machine, has few of
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    # the machine
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "vhangup": (153, 58),
}
# No process but the worker itself: so the limit on its memory is one on all of its memory, and the
# grader can be sure to end it. (`clone` is for threads only, see below.)
_OTHERS: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
}
# Without namespaces: no socket at all, for a datagram one can be turned to any address; and what
# Landlock lets pass.
_CONFINED: dict[str, tuple[int | None, int | None]] = {
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "socketpair": (53, 199),
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
}
_SIGNALS: dict[str, tuple[int | None, int | None]] = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
_NEWEST_KNOWN = 466  # Linux 6.13
_CLONE3 = 435
_OPENAT2 = 437  # its flags can't be seen either
_STRANGE = 0x7E028000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, PARENT
_THREAD = 0x10000  # CLONE_THREAD
_TRUNCATE = 0x200  # O_TRUNC
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_TERMINAL = (0x5412, 0x541C, 0x8901, 0x8902)  # TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP
_OWNERS = (8, 10, 15)  # fcntl F_SETOWN, F_SETSIG, F_SETOWN_EX: signals to others by way of a file

_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_DENY, _ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_NR, _ARCH = 0, 4  # offsets in struct seccomp_data


@dataclass(frozen=True)
class _Machine:
    column: int
    audit: int
    clone: int
    ioctl: int
    fcntl: int
    prlimit: int
    prctl: int
    openat: int
    open: int | None


_MACHINES = {
    "x86_64": _Machine(0, 0xC000003E, 56, 16, 72, 302, 157, 257, 2),
    "aarch64": _Machine(1, 0xC00000B7, 220, 29, 25, 261, 167, 56, None),
}


def build(
    machine: str, *, confined: bool = False, signals: bool = True, truncate: bool = True
) -> bytes | None:
    """The filter for a machine (`os.uname().machine`), or None for one we don't know.

    confined: for use without namespaces. signals: whether any may be sent. truncate: whether files
    may be opened in a way that empties them.
    """
    known = _MACHINES.get(machine)
    if known is None:
        return None
    tables = [_DENIED, _OTHERS] + [_CONFINED] * confined + [_SIGNALS] * (not signals)
    code = _Assembler()
    code.load(_ARCH)
    code.jump(_EQUAL, known.audit, no="kill")
    code.load(_NR)
    code.jump(_GREATER, _NEWEST_KNOWN, yes="absent")  # x32 calls are above it as well
    code.jump(_EQUAL, _CLONE3, yes="absent")
    for table in tables:
        for numbers in table.values():
            number = numbers[known.column]
            if number is not None:
                code.jump(_EQUAL, number, yes="deny")
    code.jump(_EQUAL, known.clone, yes="clone")
    code.jump(_EQUAL, known.prlimit, yes="prlimit")
    code.jump(_EQUAL, known.ioctl, yes="ioctl")
    code.jump(_EQUAL, known.fcntl, yes="fcntl")
    if confined:
        code.jump(_EQUAL, known.prctl, yes="prctl")
    if not truncate:
        code.jump(_EQUAL, _OPENAT2, yes="absent")
        code.jump(_EQUAL, known.openat, yes="openat")
        if known.open is not None:
            code.jump(_EQUAL, known.open, yes="open")
    code.answer(_ALLOW)

    code.label("clone")
    code.load(_argument(0))
    code.jump(_ANY_BIT, _STRANGE, yes="deny")
    code.jump(_ANY_BIT, _THREAD, no="deny")
    code.answer(_ALLOW)
    code.label("prlimit")  # of itself only: another's limits could be lowered to nothing
    code.load(_argument(0))
    code.jump(_EQUAL, 0, no="deny")
    code.answer(_ALLOW)
    code.label("openat")
    code.load(_argument(2))
    code.jump(_ANY_BIT, _TRUNCATE, yes="deny")
    code.answer(_ALLOW)
    code.label("open")
    code.load(_argument(1))
    code.jump(_ANY_BIT, _TRUNCATE, yes="deny")
    code.answer(_ALLOW)
    code.label("prctl")
    code.load(_argument(0))
    code.jump(_EQUAL, _SET_DEATH_SIGNAL, yes="deny")
    code.answer(_ALLOW)
    for label, values in (("ioctl", _TERMINAL), ("fcntl", _OWNERS)):
        code.label(label)
        code.load(_argument(1))
        for value in values:
            code.jump(_EQUAL, value, yes="deny")
        code.answer(_ALLOW)

    for label, answer in (("deny", _DENY), ("absent", _ABSENT), ("kill", _KILL)):
        code.label(label)
        code.answer(answer)
    return code.assemble()


def _argument(index: int) -> int:
    return 16 + 8 * index  # low half: both machines are little-endian


class _Assembler:
    """Just enough of one: instructions with named jump targets."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str, str, int]] = []
        self._labels: dict[str, int] = {}

    def label(self, name: str) -> None:
        self._labels[name] = len(self._lines)

    def load(self, offset: int) -> None:
        self._lines.append((_LOAD, "", "", offset))

    def jump(self, kind: int, value: int, *, yes: str = "", no: str = "") -> None:
        self._lines.append((kind, yes, no, value))

    def answer(self, value: int) -> None:
        self._lines.append((_RETURN, "", "", value))

    def assemble(self) -> bytes:
        def distance(here: int, label: str) -> int:
            return self._labels[label] - here - 1 if label else 0

        return b"".join(
            struct.pack("<HBBI", kind, distance(at, yes), distance(at, no), value)
            for at, (kind, yes, no, value) in enumerate(self._lines)
        )
