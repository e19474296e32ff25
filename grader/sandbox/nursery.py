"""Runs inside bwrap as its first process, and forks workers on request.

It never runs anything of a submission itself. It has imported what most submissions import, so that
a worker is ready within a millisecond or two instead of ten. Each worker gets namespaces, limits, a
user and a temporary folder of its own, and gives up all rights before the submission's first line.

Like the launcher it runs under the bare interpreter and imports nothing of `grader`. The grader
talks to it over a socket, one message a worker; when that closes it exits, and with it, as
the first process of its namespace, everything in there.
"""

import ctypes
import gc
import marshal
import os
import resource
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
    if order["packages"]:
        sys.path.append(order["packages"])
    for name in order["imports"]:
        try:
            __import__(name)
        except BaseException as error:  # the submission that wants it will get the same
            print(f"{name}: {error!r}", file=sys.stderr)
    serve = prepare(marshal.loads(order["program"]))  # noqa: S302
    filter_code = order["filter"]
    control = socket.socket(fileno=order["control"])
    os.environ.pop("PWD", None)  # bwrap sets it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever watches a worker reaps itself
    gc.collect()
    gc.freeze()  # so that a worker's first collection does not copy every page
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE, 4)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            try:
                watch(control, marshal.loads(message), descriptors, serve, filter_code)  # noqa: S302
            except BaseException:
                fail()
        for number in descriptors:
            os.close(number)


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


def watch(
    control: socket.socket,
    request: dict[str, Any],
    descriptors: list[int],
    serve: Callable[[], None],
    filter_code: bytes,
) -> None:
    """Between nursery and worker: makes the namespaces, and tells the grader how it ended."""
    requests, replies, output, report = descriptors
    control.close()
    os.dup2(output, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    must(libc.unshare(NEW_MOUNTS | NEW_HOST_NAME | NEW_PIDS))
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(requests, 0)
            os.dup2(replies, 1)
            os.closerange(3, 256)
            wall_in(request, filter_code)
            del control, request, filter_code
            run(serve)
        except BaseException:
            fail()
    for number in (0, 1, 2, requests, replies, output):
        os.close(number)
    handle = os.pidfd_open(pid)
    grader = socket.socket(fileno=report)
    socket.send_fds(grader, [b"started"], [handle])
    os.close(handle)
    _, status = os.waitpid(pid, 0)
    try:
        grader.send(b"%d" % os.waitstatus_to_exitcode(status))
    finally:  # the grader may have stopped listening: it has killed the worker itself
        os._exit(0)


def wall_in(request: dict[str, Any], filter_code: bytes) -> None:
    """Everything a worker is kept by. Any failure ends it."""
    uid, limits = request["uid"], request["limits"]
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
