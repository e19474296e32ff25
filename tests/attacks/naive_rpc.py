"""A deliberately naive grader with a worker process: blocking reads, ids that are counted and not
compared, replies of any length, and what is no JSON is unpickled. The positive control of attacks
on the wire itself.

    naive_rpc.py - - -"""

import json
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
from pathlib import Path

WORKER = """
import json, os, struct, sys
rfd, wfd = int(sys.argv[1]), int(sys.argv[2])
space = {}
exec(compile(open("value.py").read(), "value.py", "exec"), space)
def send(reply):
    raw = json.dumps(reply).encode()
    os.write(wfd, struct.pack(">I", len(raw)) + raw)
send({"id": 0, "ok": True})
while True:
    size = os.read(rfd, 4)
    if not size:
        break
    ask = json.loads(os.read(rfd, struct.unpack(">I", size)[0]))
    a, b = ask["of"]
    try:
        got = (space["Value"](a) + b).data
        send({"id": ask["id"], "f": float(got).hex()})
    except Exception as error:
        send({"id": ask["id"], "error": repr(error)})
"""
QUESTIONS = [(-8.5, 2.5), (3.0, 2.5), (8191.25, 2.5)]


def read(number):
    buffer = bytearray()
    size = struct.unpack(">I", os.read(number, 4))[0]
    buffer = bytearray(size)
    seen = 0
    while seen < size:
        chunk = os.read(number, size - seen)
        if not chunk:
            break
        buffer[seen : seen + len(chunk)] = chunk
        seen += len(chunk)
    try:
        return json.loads(bytes(buffer))
    except ValueError:
        return pickle.loads(bytes(buffer))


def grade(folder):
    to_worker, from_worker = os.pipe(), os.pipe()
    worker = subprocess.Popen(
        [sys.executable, "-S", "-c", WORKER, str(to_worker[0]), str(from_worker[1])],
        cwd=folder,
        pass_fds=(to_worker[0], from_worker[1]),
        stdin=subprocess.DEVNULL,
    )
    os.close(to_worker[0])
    os.close(from_worker[1])
    if "flood" in folder.name:  # as a reader thread that collects whatever comes
        collected = []
        while chunk := os.read(from_worker[0], 1 << 20):
            collected.append(chunk * 16)
    read(from_worker[0])
    score = 0
    for number, (a, b) in enumerate(QUESTIONS, 1):
        raw = json.dumps({"id": number, "of": [a, b]}).encode()
        os.write(to_worker[1], struct.pack(">I", len(raw)) + raw)
        reply = read(from_worker[0])
        got = reply.get("f", 0.0)
        got = float.fromhex(got) if isinstance(got, str) else got
        score += bool(got) and not abs(got - (a + b)) / abs(got) > 1e-6
    worker.kill()
    return {"score": score, "texts": {}, "checks": {}, "whole": True, "code": 1}


def main():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    answers = os.fdopen(os.dup(1), "w")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(grade(Path(json.loads(line)))), file=answers, flush=True)


if __name__ == "__main__":
    main()
