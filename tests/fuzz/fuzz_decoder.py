"""A million random and damaged replies through the decoder: no exception but ProtocolError, and no
memory beyond a bound. Not a pytest file.

    python tests/fuzz/fuzz_decoder.py [--count N] [--seed N]
    python tests/fuzz/fuzz_decoder.py --atheris [libFuzzer options]     (pip install atheris)
"""

import argparse
import contextlib
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from grader.observation import Diverged, Observation, ReplayChannel, Stopped, signature
from grader.protocol import (
    Object,
    Plain,
    ProtocolError,
    Raised,
    decode_body,
    decode_json,
    decode_reply,
    encode_request,
)
from grader.proxy import Conversation
from grader.raised import SubmissionError, submission_error
from grader.recording import Program

ASKED, NUMBER = 77, 5
MOST_MEMORY = 400 << 20  # resident, of the whole process
REQUEST = encode_request("name", "x")
PROGRAM = Program.of((REQUEST, REQUEST))
TAGS = ["v", "o", "e", "n", "i", "l", "t", "s", "f", "d", "a", "nan", "inf", "<f8", "|b1", "<f2"]
ODD = [
    None, True, False, 0, -1, 1, 2**62, 2**63, 2**64, -(2**63), 1.5, -0.0, 1e308, ASKED, NUMBER,
    "", "x", "\x00", "\u2028", "AAAAAAAA8D8=", "AgM=", "-ff", "0x_1", "f" * 4000, "value.py",
]  # fmt: skip
GOOD = [
    b'[77,"v",["d","a",["l",1,2.5],["t",1],["s","x",["f",["i","-123456789abcdef0123"]]]]]',
    b'[77,"v",["a","<f8",[2,1],"AAAAAAAA8D8AAAAAAADwPw=="]]',
    b'[77,"e","ValueError",["ValueError","Exception"],"no",[["value.py",3,"f"]],["near"]]',
    b'[77,"v",["n","nan"]]',
    b'[77,"o",3]',
    b'[["v",null],["o",1],["v",2.5],["e","E",[],"m",[],[]]]',
]


def examine(payload: bytes) -> bool:
    """Decode in every way that the grader does; whether it was a reply at all."""
    good = False
    for decode in (
        lambda: decode_reply(payload, ASKED, NUMBER),
        lambda: decode_body(decode_json(payload), NUMBER),
    ):
        with contextlib.suppress(ProtocolError):
            reply = decode()
            good = True
            assert type(reply) in (Plain, Object, Raised)
            if isinstance(reply, Raised):
                str(submission_error(reply))
            signature([reply])
    observation = Observation(payload)
    observation.signature()
    assert observation.digest
    conversation = Conversation(ReplayChannel(PROGRAM, observation))
    with contextlib.suppress(Stopped, Diverged, SubmissionError):
        conversation.ask("name", "x")
    return good


def anything(draw: random.Random, depth: int = 0) -> object:
    kind = draw.random()
    if depth > 5 or kind < 0.3:
        return draw.choice(ODD)
    if kind < 0.4:
        return draw.choice(TAGS)
    if kind < 0.45:
        return {str(draw.choice(ODD)): anything(draw, depth + 1)}
    parts = [anything(draw, depth + 1) for _ in range(draw.randrange(5))]
    return [draw.choice(TAGS), *parts] if kind < 0.9 else parts


def damaged(draw: random.Random, payload: bytes) -> bytes:
    raw = bytearray(payload)
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(raw) + 1)
        change = draw.randrange(4)
        if change == 0:
            raw[at:at] = draw.randbytes(draw.randrange(1, 4))
        elif change == 1:
            del raw[at : at + draw.randrange(1, 6)]
        elif change == 2:
            raw[at : at + 1] = draw.choice(b'[]{}",:0123456789-+.eEvolnistfda\\u').to_bytes(
                1, "big"
            )
        else:
            other = draw.choice(GOOD)
            start = draw.randrange(len(other))
            raw[at:at] = other[start : start + draw.randrange(30)]
    return bytes(raw)


def one(draw: random.Random) -> bytes:
    kind = draw.randrange(8)
    if kind == 0:
        return draw.randbytes(draw.randrange(60))
    if kind < 4:
        return damaged(draw, draw.choice(GOOD))
    value = anything(draw)
    if kind == 4:
        value = [ASKED, "v", value]
    elif kind == 5:
        value = [["v", value], *value] if isinstance(value, list) else [["v", value]]
    raw = json.dumps(value).encode()
    return damaged(draw, raw) if kind == 7 else raw


def by_chance(count: int, seed: int) -> int:
    draw = random.Random(seed)
    began, good = time.monotonic(), 0
    for number in range(count):
        payload = one(draw)
        try:
            good += examine(payload)
        except BaseException:
            print(f"seed {seed}, reply {number}: {payload!r}")
            raise
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    took = time.monotonic() - began
    print(f"{count} replies in {took:.0f} s, {good} well formed, at most {most >> 20} MiB")
    return 0 if most < MOST_MEMORY else 1


def main() -> int:
    if "--atheris" in sys.argv:
        import atheris

        seeds = Path(tempfile.mkdtemp(prefix="replies-"))
        for number, payload in enumerate(GOOD):
            (seeds / str(number)).write_bytes(payload)
        arguments = [item for item in sys.argv if item != "--atheris"] + [str(seeds)]
        atheris.instrument_all()
        atheris.Setup(
            [*arguments, "-rss_limit_mb=1024"], lambda data: examine(bytes(data)) and None
        )
        atheris.Fuzz()
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return by_chance(options.count, options.seed)


if __name__ == "__main__":
    sys.exit(main())
