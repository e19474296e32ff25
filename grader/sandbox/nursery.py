"""Runs inside bwrap as its first process, and forks workers on request.

It never runs anything of a submission itself. It has imported what most submissions import, so that
a worker is ready within a millisecond or two instead of ten. Each worker gets namespaces, limits, a
user and a temporary folder of its own, and gives up all rights before the submission's first line.

Like the launcher it runs under the bare interpreter and imports nothing of `grader`. The grader
talks to it over a socket, one message a worker; when that closes it exits, and with it, as
the first process of its namespace, everything in there.
"""

import contextlib
import ctypes
import gc
import marshal
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

assert sys.platform == "linux"

NEW_MOUNTS, NEW_HOST_NAME, NEW_PIDS = 0x20000, 0x4000000, 0x20000000
NO_SUID, NO_DEVICES, NO_PROGRAMS = 2, 4, 8
SET_DUMPABLE, SET_NO_NEW_PRIVILEGES, AMBIENT_RIGHTS, CLEAR_ALL = 4, 38, 47, 4
SET_SECCOMP, SECCOMP_FILTER = 22, 2
RIGHTS_VERSION_3 = 0x20080522
MESSAGE = 65536  # bytes of a request at most
LAST = 1 << 20  # descriptor
FOLDER = b"/tmp"

libc = ctypes.CDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def must(result: int) -> None:
    """What libc refuses ends the worker before it began."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def fail() -> None:
    """End this process, with the reason where the grader looks for one."""
    try:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:  # never through the interpreter's own end, which costs more than a worker's start
        os._exit(1)


def main() -> None:
    order = marshal.loads(sys.stdin.buffer.read())  # noqa: S302  (from the grader)
    begin_again()
    if order["packages"]:
        sys.path.append(order["packages"])
    for name in order["imports"]:
        try:
            __import__(name)
        except BaseException as error:  # the submission that wants it will get the same
            print(f"{name}: {error!r}", file=sys.stderr)
    serve = prepare(marshal.loads(order["program"]))  # noqa: S302
    os.environ.pop("PWD", None)  # bwrap sets it
    gc.collect()
    gc.freeze()  # so that a worker's first collection does not copy every page
    Nursery(socket.socket(fileno=order["control"]), serve, order["filter"]).run()


def begin_again() -> None:
    """Go on as the first process of a namespace that is ours: from the one that bwrap made for a
    user without rights, `Nursery.fork` could not come back to it."""
    must(libc.unshare(NEW_PIDS))
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        os._exit(0)


def prepare(program: CodeType) -> Callable[[], None]:
    """What a worker does. A program that defines `serve` is executed here, once for all workers:
    executing its definitions again takes each of them a third of all its time."""
    space: dict[str, Any] = {"__name__": "worker", "__builtins__": __builtins__}
    if "serve" in program.co_names:
        exec(program, space)  # noqa: S102
        serve: Callable[[], None] = space["serve"]
        return serve
    space["__name__"] = "__main__"
    return lambda: exec(program, space)  # noqa: S102


class Nursery:
    """Forks a worker for each message of the grader, and tells how each of them ended."""

    def __init__(
        self, control: socket.socket, serve: Callable[[], None], filter_code: bytes
    ) -> None:
        self.control = control
        self.serve = serve
        self.filter_code = filter_code
        self.me = os.pidfd_open(os.getpid())
        self.workers: dict[int, socket.socket] = {}  # by a descriptor of the process
        self.poller = select.poll()
        self.poller.register(control, select.POLLIN)

    def run(self) -> None:
        while True:
            for number, _ in self.poller.poll():
                if number in self.workers:
                    self.bury(number)
                else:
                    self.begin()

    def begin(self) -> None:
        message, descriptors, _, _ = socket.recv_fds(self.control, MESSAGE, 4)
        if not message:
            os._exit(0)
        report = socket.socket(fileno=descriptors.pop())
        try:
            handle = os.pidfd_open(self.fork(marshal.loads(message), descriptors))  # noqa: S302
        except OSError as error:  # no room for another process: the others go on
            os.write(descriptors[2], f"no worker could be forked: {error}".encode())
            report.close()
            return
        finally:
            for number in descriptors:
                os.close(number)
        self.workers[handle] = report
        self.poller.register(handle, select.POLLIN)
        try:
            socket.send_fds(report, [b"started"], [handle])
        except OSError:  # the grader does not want it any more
            signal.pidfd_send_signal(handle, signal.SIGKILL)

    def fork(self, request: dict[str, Any], descriptors: list[int]) -> int:
        """A worker, as the first process of a namespace of its own."""
        must(libc.unshare(NEW_PIDS))  # for children only
        pid = -1
        try:
            pid = os.fork()
        finally:
            if pid != 0:
                must(libc.setns(self.me, NEW_PIDS))  # the next one gets another
        if pid == 0:
            try:
                for number, standard in zip(descriptors, range(3), strict=False):
                    os.dup2(number, standard)
                os.closerange(3, LAST)
                wall_in(request, self.filter_code)
                run(self.serve)
            except BaseException:
                fail()
        return pid

    def bury(self, handle: int) -> None:
        self.poller.unregister(handle)
        ended = os.waitid(os.P_PIDFD, handle, os.WEXITED)
        os.close(handle)
        with self.workers.pop(handle) as report:
            if ended is None:
                return
            status = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            with contextlib.suppress(OSError):  # the grader killed it, and listens no more
                report.send(b"%d" % status)


def wall_in(request: dict[str, Any], filter_code: bytes) -> None:
    """Everything a worker is kept by. Any failure ends it."""
    uid, limits = request["uid"], request["limits"]
    must(libc.unshare(NEW_MOUNTS | NEW_HOST_NAME))
    options = b"size=%d,nr_inodes=%d,mode=700" % (request["bytes"], request["files"])
    if uid is not None:
        options += b",uid=%d,gid=%d" % (uid, uid)
    must(libc.mount(b"tmpfs", FOLDER, b"tmpfs", NO_SUID | NO_DEVICES | NO_PROGRAMS, options))
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    os.chdir(FOLDER)  # even root could not enter it before: it has no right to
    zero = ctypes.c_ulong(0)
    must(libc.prctl(AMBIENT_RIGHTS, ctypes.c_ulong(CLEAR_ALL), zero, zero, zero))
    header, no_rights = (ctypes.c_uint32 * 2)(RIGHTS_VERSION_3, 0), (ctypes.c_uint32 * 6)()
    must(libc.capset(ctypes.byref(header), ctypes.byref(no_rights)))
    # no core dump: the limit of 0 does not stop a host's crash reporter from being started
    must(libc.prctl(SET_DUMPABLE, zero, zero, zero, zero))
    must(libc.prctl(SET_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), zero, zero, zero))
    if libc.unshare(NEW_HOST_NAME) == 0 or os.getuid() == 0:
        raise PermissionError("it still has rights")
    program = Filter(len(filter_code) // 8, filter_code)
    if filter_code:  # empty in tests only
        code = ctypes.byref(program)
        must(libc.prctl(SET_SECCOMP, ctypes.c_ulong(SECCOMP_FILTER), code, zero, zero))


def run(serve: Callable[[], None]) -> None:
    """Be the worker, and never come back."""
    sys.argv[1:] = []
    code = 1
    try:
        os.write(1, b"\x06")  # GREETING: from here on, all is the submission's doing
        serve()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code & 0xFF)


if __name__ == "__main__":
    main()
