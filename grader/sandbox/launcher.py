"""First code of every worker process: sets limits, then becomes the worker program.

Runs under the bare interpreter (`-c`, no site, nothing of `grader`) and so imports almost nothing.
The worker program arrives over standard input, compiled: neither this file nor the worker's has to
be readable inside a sandbox. Arguments: the size of the program in bytes, a folder to add to the
path or "-", a user id to become or "-", then `limit=value` pairs.
"""

import os
import sys


def _set_limits(pairs: list[str]) -> None:
    if sys.platform == "win32" or not pairs:
        return
    import resource

    for pair in pairs:
        name, _, value = pair.partition("=")
        number = getattr(resource, "RLIMIT_" + name, None)
        if number is None:  # not every system knows every limit
            continue
        wanted = int(value)
        _, hard = resource.getrlimit(number)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        try:
            resource.setrlimit(number, (wanted, wanted))
        except (OSError, ValueError):
            if (
                sys.platform == "linux"
            ):  # macOS refuses to bound the address space; Linux never does
                raise


def _become(uid: int) -> None:
    """Give up root for good. Only bwrap starts us as root, with just the right to do this."""
    if sys.platform != "linux":
        return
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


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

    size, packages, uid, *limits = sys.argv[1:]
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    program = marshal.loads(_read_program(int(size)))  # noqa: S302  (from the grader)
    if packages != "-":
        sys.path.append(packages)
    _set_limits(limits)
    if uid != "-":
        _become(int(uid))
    os.environ.pop("PWD", None)  # bwrap sets it
    sys.argv[1:] = []
    os.write(1, b"\x06")  # GREETING: from here on, whatever goes wrong is the submission's doing
    exec(program, {"__name__": "__main__", "__builtins__": __builtins__})  # noqa: S102


if __name__ == "__main__":
    main()
