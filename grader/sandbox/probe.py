"""What the self-test runs in place of the worker: tries to get out, and says how far it came.

Nobody believes it: what can be seen from outside is judged from outside. Like the worker it is sent
compiled to a bare interpreter. It reads one line of JSON and answers with one.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

assert sys.platform == "linux"


def attempt(action: Callable[..., object], *arguments: object) -> str:
    """What came of it: "" if it was refused, else what was there."""
    try:
        return str(action(*arguments)) or "done"
    except BaseException:
        return ""


def read(path: str) -> str:
    with open(path) as file:
        return file.read()


def write(path: str) -> None:
    with open(path, "w") as file:
        file.write("changed")


def litter(path: str) -> None:
    write(path)
    os.unlink(path)


def connect(family: int, address: Any) -> None:
    import _socket

    _socket.socket(family, 1).connect(address)


def fork_many(most: int) -> int:
    reading, writing = os.pipe()
    started = 0
    try:
        while started < most:
            if os.fork() == 0:
                os.close(writing)
                os.read(reading, 1)  # until the parent is through
                os._exit(0)
            started += 1
    except OSError:
        pass
    finally:
        os.close(writing)
    return started


def allocate(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def main() -> None:
    order = json.loads(sys.stdin.readline())
    answer = {
        "read": attempt(read, order["canary"]),
        "list": attempt(os.listdir, os.path.dirname(order["canary"])),
        "write": attempt(write, order["canary"]),
        "create": attempt(write, order["canary"] + ".new"),
        "library": attempt(litter, os.path.dirname(os.__file__) + "/grader_probe.py"),
        "tcp": attempt(connect, 2, ("127.0.0.1", order["port"])),
        "abstract": attempt(connect, 1, order["abstract"]),
        "unix": attempt(connect, 1, order["unix"]),
        "signal": attempt(os.kill, order["victim"], 9),
        "root": attempt(os.setuid, 0) if order["root"] else "",
        "uid": os.getuid(),
        "fork": fork_many(order["forks"]),
        "memory": attempt(allocate, order["megabytes"]),
    }
    os.write(1, json.dumps(answer).encode() + b"\n")
    sys.stdin.read()


main()
