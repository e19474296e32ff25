"""Damaged sources, notebooks and archives through the readers: each is a definite answer, or one
line that says why not. Not a pytest file.

    python tests/fuzz/fuzz_reading.py [--count N] [--seed N]
    python tests/fuzz/fuzz_reading.py --atheris [libFuzzer options]     (pip install atheris)
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from grader.course import read_course
from grader.submission import Rejected, Source
from grader.submission.model import RefusedError, Submission
from grader.submission.read import list_file, read_listing, reject_all
from tests.fuzz.mutate import NAMES, ROOT, archive, notebook, one, seeds

COURSE = read_course(ROOT)
SECONDS = 5.0
MOST_MEMORY = 1 << 30  # resident, of the whole process
EXERCISE = "04_backward"


def read(name: str, data: bytes, only: tuple[str, ...]) -> Submission:
    """As one file of a batch is read."""
    try:
        return read_listing(list_file(name, data, ("lab",)), "ada", COURSE, only)
    except RefusedError as refused:
        return reject_all("ada", frozenset(only), str(refused))


def examine(name: str, data: bytes) -> str:
    """What came of it. Raises AssertionError where that is not definite."""
    began = time.process_time()
    read(name, data, ())
    submission = read(name, data, (EXERCISE,))
    assert time.process_time() - began < SECONDS
    for text in submission.notes:
        assert_shown(text)
    for answer in submission.answers.values():
        if isinstance(answer, Rejected):
            assert_shown(answer.reason)
            return "refused"
        assert isinstance(answer, Source)
        assert answer.cells
        for text in (*answer.notes, *(cell.name for cell in answer.cells)):
            assert_shown(text)
        for text in (*(cell.text for cell in answer.cells), *(t for _, t in answer.siblings)):
            text.encode("utf-8")
            assert "\0" not in text
        return "notebook" if answer.notebook else "source"
    return "nothing"


def assert_shown(text: str) -> None:
    """One printable line of bounded length."""
    assert text
    assert text.isprintable()
    assert len(text) < 1_000


def by_chance(count: int, seed: int) -> int:
    draw, sources = random.Random(seed), seeds()
    began, found = time.monotonic(), dict.fromkeys(("source", "notebook", "refused", "nothing"), 0)
    for number in range(count):
        name, data = one(draw, sources)
        try:
            found[examine(name, data)] += 1
        except BaseException:
            print(f"seed {seed}, file {number}: {name}: {data!r}")
            raise
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    told = ", ".join(f"{many} {what}" for what, many in found.items())
    print(f"{count} files in {time.monotonic() - began:.0f} s, {most >> 20} MiB: {told}")
    return 0 if most < MOST_MEMORY else 1


def from_fuzzer(data: bytes) -> None:
    """The first byte chooses the file's name, and whether the rest is the file itself or what the
    members of an archive are made from: a fuzzer alone never finds the right checksum."""
    if not data:
        return
    name = NAMES[data[0] % len(NAMES)]
    if data[0] < 160:
        examine(name, data[1:])
        return
    parts = data[1:].split(b"\xfe\xfe")
    names = [part[:60].decode("utf-8", "replace").replace("\0", "") or "x" for part in parts[::2]]
    examine(name, archive(*zip(names, parts[1::2], strict=False)))


def fuzz() -> int:
    import atheris

    corpus = Path(tempfile.mkdtemp(prefix="files-"))
    sources = [text.encode() for text in seeds()[:6]]
    starts = [bytes([n]) + source for n, source in enumerate(sources)]
    starts += [b"\x01" + notebook("%x", source.decode()).encode() for source in sources]
    starts += [b"\x02" + archive(("04_backward/value.py", source)) for source in sources]
    starts += [b"\xa2" + b"\xfe\xfe".join([b"04_backward/value.py", s]) for s in sources]
    for number, start in enumerate(starts):
        (corpus / str(number)).write_bytes(start)
    arguments = [item for item in sys.argv if item != "--atheris"] + [str(corpus)]
    atheris.instrument_all()
    atheris.Setup([*arguments, "-rss_limit_mb=2048", "-timeout=30"], from_fuzzer)
    atheris.Fuzz()
    return 0


def main() -> int:
    if "--atheris" in sys.argv:
        return fuzz()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return by_chance(options.count, options.seed)


if __name__ == "__main__":
    sys.exit(main())
