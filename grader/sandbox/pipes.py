"""The three pipes of a worker, without ever blocking: polled where the system can, else threads."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from typing import Protocol

from grader.sandbox.child import Files

CHUNK = 1 << 16  # bytes read at once


class Pipes(Protocol):
    """Requests (written), replies and output (read) of one worker."""

    replies_ended: bool

    def write(self, data: memoryview) -> int | None:
        """Bytes taken, 0 when full, None when the other end is closed."""

    def read_replies(self) -> bytes:
        """What has arrived, at most CHUNK; sets `replies_ended` at the end."""

    def read_output(self) -> bytes:
        """What was printed since, at most CHUNK."""

    def wait(self, seconds: float, *, to_write: bool) -> tuple[bool, bool]:
        """Wait until (room to write, something to read); `to_write` leaves replies alone."""

    def close(self) -> None:
        """Close our ends."""


def open_pipes(files: Files) -> Pipes:
    """What the system allows of the two."""
    if sys.platform == "win32":
        return ThreadedPipes(files)
    else:  # noqa: RET505  (mypy checks each platform's branch)
        return PolledPipes(files)


if sys.platform != "win32":
    import select

    class PolledPipes:
        """POSIX: one thread, poll()."""

        def __init__(self, files: Files) -> None:
            self._files = files
            self._in, self._replies, self._output = (file.fileno() for file in self._files)
            for number in (self._in, self._replies, self._output):
                os.set_blocking(number, False)
            self.replies_ended = False
            self._output_ended = False
            self._pollers: dict[bool, select.poll] = {}

        def write(self, data: memoryview) -> int | None:
            try:
                return os.write(self._in, data)
            except BlockingIOError:
                return 0
            except OSError:
                return None

        def read_replies(self) -> bytes:
            if self.replies_ended:
                return b""
            try:
                chunk = os.read(self._replies, CHUNK)
            except BlockingIOError:
                return b""
            if not chunk:
                self.replies_ended = True
                self._pollers.clear()
            return chunk

        def read_output(self) -> bytes:
            if self._output_ended:
                return b""
            try:
                chunk = os.read(self._output, CHUNK)
            except BlockingIOError:
                return b""
            if not chunk:
                self._output_ended = True
                self._pollers.clear()
            return chunk

        def wait(self, seconds: float, *, to_write: bool) -> tuple[bool, bool]:
            poller = self._pollers.get(to_write)
            if poller is None:
                poller = self._pollers[to_write] = self._poller(to_write)
            ready = poller.poll(max(1.0, seconds * 1000))
            writable = any(number == self._in for number, _ in ready)
            return writable, len(ready) > writable

        def close(self) -> None:
            for file in self._files:
                file.close()

        def _poller(self, to_write: bool) -> select.poll:
            poller = select.poll()
            if to_write:
                poller.register(self._in, select.POLLOUT)
            elif not self.replies_ended:
                poller.register(self._replies, select.POLLIN)
            if not self._output_ended:
                poller.register(self._output, select.POLLIN)
            return poller


class ThreadedPipes:
    """Anywhere: a thread for each pipe, each holding at most a few chunks."""

    _HELD = 4  # chunks

    def __init__(self, files: Files) -> None:
        self._files = files
        self._changed = threading.Condition()
        self._queues: dict[str, deque[bytes]] = {name: deque() for name in ("w", "r", "o")}
        self._ended: set[str] = set()
        self._stopped = False
        self.replies_ended = False
        numbers = [file.fileno() for file in self._files]
        for target, arguments in (
            (self._write_loop, (numbers[0],)),
            (self._read_loop, ("r", numbers[1])),
            (self._read_loop, ("o", numbers[2])),
        ):
            threading.Thread(target=target, args=arguments, daemon=True).start()

    def write(self, data: memoryview) -> int | None:
        with self._changed:
            if "w" in self._ended:
                return None
            if self._queues["w"]:
                return 0
            self._queues["w"].append(bytes(data[:CHUNK]))
            self._changed.notify_all()
            return min(len(data), CHUNK)

    def read_replies(self) -> bytes:
        chunk, ended = self._take("r")
        self.replies_ended = self.replies_ended or ended
        return chunk

    def read_output(self) -> bytes:
        return self._take("o")[0]

    def wait(self, seconds: float, *, to_write: bool) -> tuple[bool, bool]:
        def writable() -> bool:
            return to_write and (not self._queues["w"] or "w" in self._ended)

        def readable() -> bool:
            if self._queues["o"]:
                return True
            return not to_write and (bool(self._queues["r"]) or "r" in self._ended)

        with self._changed:
            self._changed.wait_for(lambda: writable() or readable(), seconds)
            return writable(), readable()

    def close(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        # The files are left to their threads: closing one under a blocked read is not portable.

    def _take(self, name: str) -> tuple[bytes, bool]:
        with self._changed:
            queue = self._queues[name]
            if queue:
                self._changed.notify_all()
                return queue.popleft(), False
            return b"", name in self._ended

    def _read_loop(self, name: str, number: int) -> None:
        while True:
            try:
                chunk = os.read(number, CHUNK)
            except OSError:
                chunk = b""
            with self._changed:
                if chunk:
                    self._changed.wait_for(
                        lambda: self._stopped or len(self._queues[name]) < self._HELD
                    )
                    self._queues[name].append(chunk)
                else:
                    self._ended.add(name)
                self._changed.notify_all()
                if not chunk or self._stopped:
                    break

    def _write_loop(self, number: int) -> None:
        queue = self._queues["w"]
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopped or bool(queue))
                if self._stopped:
                    break
                rest = memoryview(queue[0])
            try:
                while rest:
                    rest = rest[os.write(number, rest) :]
            except OSError:
                with self._changed:
                    self._ended.add("w")
                    self._changed.notify_all()
                break
            with self._changed:
                queue.popleft()
                self._changed.notify_all()
