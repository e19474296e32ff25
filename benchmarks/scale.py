"""What everything but grading costs in a large batch: finding, reading, writing, skipping, merging.

    python benchmarks/scale.py [COUNT]

The real course, a Moodle export of exercise 4, and an executor that gives the score file of the
solution for everybody: what is left is what one coordinating process does for each submission. With
dask.distributed installed, also what a task on a cluster costs that does nothing. Prints one line a
step; docs/scale.md says what follows from it."""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from grader.batch.driver import Batch, in_shard
from grader.batch.find import find
from grader.batch.local import LocalExecutor
from grader.batch.look import write_look
from grader.batch.remote import from_bytes, to_bytes
from grader.batch.store import Store, merge_into
from grader.batch.task import Graded, Settings, fingerprint
from grader.course import Course, read_course
from grader.report.score_file import Digests, decode, encode
from grader.submission import Submission, read_submission

ROOT = Path(__file__).parents[1]
ONLY = ("04_backward",)


class Instead:
    """An executor that does not grade: the score file of the solution, under another name."""

    def __init__(self, raw: bytes) -> None:
        self._score = decode(raw)

    def run(self, work: Iterable[tuple[Any, Submission]]) -> Iterator[tuple[Any, Graded]]:
        for key, one in work:
            digests = Digests(one.digest, self._score.digests.course)
            score = msgspec.structs.replace(self._score, student=one.student, digests=digests)
            yield key, Graded(encode(score))

    def stop(self) -> None: ...
    def close(self) -> None: ...


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    work = Path(tempfile.mkdtemp(prefix="scale-"))
    try:
        measure(read_course(ROOT), work, count)
    finally:
        shutil.rmtree(work)


def measure(course: Course, work: Path, count: int) -> None:
    def step(what: str, do: Callable[[], Any], times: int = count) -> Any:
        began, cpu = time.perf_counter(), time.process_time()
        result = do()
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        each = f"{1e3 * wall / times:8.3f} ms each, CPU {1e3 * used / times:7.3f}"
        print(f"{what:<34} {wall:8.2f} s  {each}, peak {peak:5.0f} MiB", flush=True)
        return result

    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {count:,} submissions")
    one, graded = solution(course, ONLY)
    _, whole = solution(course, ())
    payload = to_bytes(one)
    print(
        f"exercise 4: {len(payload):,} bytes there, {len(graded):,} back; "
        f"the score file of the whole course: {len(whole):,}"
    )
    export, roster = handed_in(course, work, count)
    found = step("find, joined to a roster", lambda: find(export, course, ONLY, str(roster), None))
    step("read", lambda: deque((entry.read() for entry in found.entries), maxlen=1))
    step(
        "to bytes and back",
        lambda: deque((from_bytes(to_bytes(one)) for _ in range(count)), maxlen=1),
    )
    store, key = Store(work / "out"), fingerprint(Settings(str(course.root), "auto", only=ONLY))
    store.prepare()

    def batch(entries: Any, into: Store) -> Any:
        return Batch(course, Instead(graded), into, key, ONLY).run(entries)

    step("read and write, not graded", lambda: batch(found.entries, store))
    print(f"    on the disk: {on_disk(store.folder)}")
    outcome = step("skip: nothing has changed", lambda: batch(found.entries, store))
    assert outcome.skipped == count
    step("needs-a-look.txt, all read again", lambda: write_look(store, {}))
    parts = [Store(work / f"part{number}") for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        part.prepare()
        batch([item for item in found.entries if in_shard(item.student, number, 2)], part)
    whole_store = Store(work / "whole")
    whole_store.prepare()
    step("merge of two shards", lambda: merge_into(whole_store, parts))
    times = min(count, 2000)
    done = on_a_cluster(payload, graded, times)
    if done is not None:
        step("a task of dask that does nothing", done, times)


def solution(course: Course, only: tuple[str, ...]) -> tuple[Submission, bytes]:
    """The solution to some exercises (all), and its score file."""
    path = course.root / "solutions"
    one = read_submission(path / only[0] / "value.py" if only else path, course, only)
    settings = Settings(str(course.root), "auto", only=only)
    ((_, graded),) = LocalExecutor(settings, 1).run([("x", replace(one, student="x"))])
    return one, graded.scores


def handed_in(course: Course, work: Path, count: int) -> tuple[Path, Path]:
    """An export of distinct files, and a roster."""
    text = course.solution(course.exercise(ONLY[0])).read_text(encoding="utf-8")
    with zipfile.ZipFile(work / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            place = f"Ada {number:06}_{number:06}_assignsubmission_file_"
            archive.writestr(f"{place}/value.py", f"{text}# {number}\n")
    rows = "".join(f"{number:06},Ada {number:06}\n" for number in range(count))
    (work / "roster.csv").write_text(f"id,name\n{rows}")
    return work / "export.zip", work / "roster.csv"


def on_disk(folder: Path) -> str:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    blocks = sum(path.stat().st_blocks * 512 for path in paths)
    size = sum(path.stat().st_size for path in paths)
    return f"{len(paths):,} files, {size / 1e6:.1f} MB, {blocks / 1e6:.1f} MB in blocks"


def on_a_cluster(payload: bytes, result: bytes, times: int) -> Callable[[], None] | None:
    """As many tasks as there would be submissions, as few at once; None without dask."""
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        return None
    cluster = LocalCluster(2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    client = Client(cluster, set_as_default=False)

    def submit(_: int) -> Any:
        return client.submit(bytes.ljust, payload, len(result), pure=False)

    def run() -> None:
        running = as_completed([submit(number) for number in range(6)], loop=client.loop)
        left = times - 6
        for future in running:
            assert len(future.result()) == len(result)
            if left > 0:
                left -= 1
                running.add(submit(left))
        client.close()
        cluster.close()

    return run


if __name__ == "__main__":
    main()
