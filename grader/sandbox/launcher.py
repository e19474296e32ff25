"""First code of every worker process: sets limits and walls, then becomes the worker program.

Runs under the bare interpreter (`-c`, no site, nothing of `grader`) and so imports almost nothing.
The worker program arrives over standard input, compiled: neither this file nor the worker's has to
be readable inside a sandbox. Arguments are `name=value`; upper-case names are resource limits.
"""

import os
import sys


def _set_limits(options: dict[str, str]) -> None:
    if sys.platform == "win32":
        return
    import resource

    for name, value in options.items():
        number = getattr(resource, "RLIMIT_" + name, None)
        if not name.isupper() or number is None:  # not every system knows every limit
            continue
        wanted = int(value)
        _, hard = resource.getrlimit(number)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        try:
            resource.setrlimit(number, (wanted, wanted))
        except (OSError, ValueError):
            if sys.platform == "linux":  # macOS refuses to bound the address space
                raise


def _wall_in(options: dict[str, str]) -> None:
    """Landlock and seccomp on this process, for ever; and its death when the grader's comes."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    set_death_signal, sigkill, set_dumpable, no_new_privileges = 1, 9, 4, 38
    set_seccomp, as_filter = 22, 2
    ruleset, filter_code = int(options["ruleset"]), bytes.fromhex(options["filter"])

    def must(result: int) -> None:
        if result != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

    zero = ctypes.c_ulong(0)
    must(libc.prctl(set_death_signal, ctypes.c_ulong(sigkill), zero, zero, zero))
    if os.getppid() != int(options["parent"]):
        os._exit(0)  # the grader died before the line above
    if "open" not in options:  # no core dump; but who reads files through /proc must be dumpable
        must(libc.prctl(set_dumpable, zero, zero, zero, zero))
    must(libc.prctl(no_new_privileges, ctypes.c_ulong(1), zero, zero, zero))
    restrict_self = ctypes.c_long(int(options["restrict"]))
    must(libc.syscall(restrict_self, ctypes.c_int(ruleset), ctypes.c_uint(0)))
    os.close(ruleset)
    program = Program(len(filter_code) // 8, filter_code)
    must(libc.prctl(set_seccomp, ctypes.c_ulong(as_filter), ctypes.byref(program), zero, zero))


def _read_program(size: int) -> bytes:
    chunks = []
    while size > 0:
        chunk = os.read(0, min(size, 1 << 20))
        if not chunk:
            os._exit(0)  # closed before the worker began
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def main() -> None:
    import marshal

    options = dict(pair.split("=", 1) for pair in sys.argv[1:])
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    program = marshal.loads(_read_program(int(options["size"])))  # noqa: S302  (from the grader)
    if "packages" in options:
        sys.path.append(options["packages"])
    _set_limits(options)
    if "ruleset" in options:
        _wall_in(options)
    for name in ("LD_LIBRARY_PATH", "PYTHONHOME"):  # needed to get here, by some
        os.environ.pop(name, None)
    sys.argv[1:] = []
    os.write(1, b"\x06")  # GREETING: from here on, whatever goes wrong is the submission's doing
    exec(program, {"__name__": "__main__", "__builtins__": __builtins__})  # noqa: S102


if __name__ == "__main__":
    main()
