"""`python -m grader batch` from outside: what it prints; nothing is lost, whatever ends it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from tests.grader.batch.conftest import FAULTS, KILLS, KINDS, WRONG, Scores
from tests.grader.conftest import SCHEMA, SOLUTION, Folder

HandIn = Callable[..., list[str]]
BATCH = ("batch", "handed_in", "--out")


def start(course: Folder, *more: str, out: str = "out") -> subprocess.Popen[str]:
    """A batch in a process group of its own, as a terminal has it."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *BATCH, out, "--jobs", "2", *more],
        cwd=course.root,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(path: Path, pattern: str = "*.json", count: int = 1) -> None:
    deadline = time.monotonic() + 30
    while len(list(path.glob(pattern))) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def a_class(course: Folder, hand_in: HandIn) -> Folder:
    """Sixteen students, two of each kind."""
    for number in (1, 2):
        hand_in({f"{kind}{number}": text + f"# {number}\n" for kind, text in KINDS.items()})
    return course


@pytest.fixture
def whole(a_class: Folder, scores: Scores) -> dict[str, bytes]:
    """What an undisturbed batch comes to."""
    assert a_class.run(*BATCH, "whole", "--jobs", "2").code == 0
    found = scores(a_class.root / "whole")
    assert len(found) == 16
    return found


# ---- what it prints -----------------------------------------------------------------------------


def test_without_a_terminal_it_prints_plain_lines_of_80_columns(
    a_class: Folder, hand_in: HandIn
) -> None:
    hand_in({"s" * 90: KINDS["hangs"], "ada": SOLUTION})
    a_class.write("roster.csv", "student,name\nada,Ada\nbob,Bob\n")
    done = a_class.run(*BATCH, "out", "--roster", "roster.csv", "--jobs", "2")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert re.fullmatch(r"Sandbox: \w+   2 workers   course sha256:\w{4}…", lines[0])
    assert lines[1] == "18 submissions from 18 students"
    assert "  ! hangs1: 01_double ran out of time in 1 check" in lines
    assert "  ! crashes2: 01_double crashed in 2 checks" in lines
    assert [line for line in lines if re.fullmatch(r"Done in \d+ s: 18 score files in out/", line)]
    assert "5 need a look: out/needs-a-look.txt" in lines
    assert any(line.startswith("Not in the roster: 17 (crashes1, ") for line in lines)
    assert "Handed in nothing: 1 (bob Bob)" in lines
    assert lines[-1] == "Next: python -m grader report out"
    assert max(map(len, lines)) <= 80
    assert done.out.isprintable() or "\x1b" not in done.out
    look = (a_class.root / "out/needs-a-look.txt").read_text(encoding="utf-8")
    assert "hangs1: 01_double ran out of time in 1 check\n" in look


def test_every_score_file_follows_the_schema(a_class: Folder, whole: dict[str, bytes]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for path in (a_class.root / "whole").glob("*.json"):
        score = json.loads(path.read_bytes())
        jsonschema.validate(score, schema)
        assert score["student"] == path.stem


def test_a_batch_says_of_one_what_grading_that_one_says(
    a_class: Folder, whole: dict[str, bytes]
) -> None:
    for student in ("right1", "wrong2", "hangs1", "syntax1"):
        alone = a_class.grade(f"handed_in/{student}").score
        batch = json.loads((a_class.root / f"whole/{student}.json").read_bytes())
        for score in (alone, batch):
            score.pop("graded_at")
            for check in score["exercises"][0]["checks"]:
                check.pop("seconds")
        assert batch == alone


def test_faults_end_with_3_and_are_tried_again(course: Folder, hand_in: HandIn) -> None:
    hand_in({"ada": SOLUTION, "bob": KILLS, "eve": FAULTS, "zoe": WRONG})
    first = course.run(*BATCH, "out")
    assert first.code == 3
    assert "2 could not be graded, through no fault of theirs:" in first.out
    assert "  bob: the grading process ended unexpectedly" in first.out
    assert "Run the same command again" in first.out
    assert "Traceback" not in first.err
    hand_in({"bob": SOLUTION, "eve": SOLUTION})
    again = course.run(*BATCH, "out")
    assert again.code == 0
    assert "4 score files in out/ (2 unchanged since last time)" in again.out
    assert not (course.root / "out/needs-a-look.txt").exists()


def test_what_students_call_themselves_does_no_harm(course: Folder, hand_in: HandIn) -> None:
    names = ["\x1b[31mred", "::error::x", "-rf", "=cmd()", "a\u202eb", "Ada", "ada", "con", "n\nl"]
    hand_in(dict.fromkeys(names, KINDS["hangs"]))
    done = course.run(*BATCH, "out", "--jobs", "2")
    assert done.code == 0
    files = sorted(path.name for path in (course.root / "out").glob("*.json"))
    assert len({name.lower() for name in files}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*\.json", name) for name in files)
    for text in (done.out, (course.root / "out/needs-a-look.txt").read_text(encoding="utf-8")):
        assert not {"\x1b", "\u202e"} & set(text)
        assert not re.search(r"^\s*::", text, re.MULTILINE)
    students = {json.loads(path.read_bytes())["student"] for path in course.root.glob("out/*.json")}
    assert {"Ada", "ada", "con", "-rf"} <= students


def test_names_in_an_archive_lead_nowhere(course: Folder) -> None:
    import zipfile

    with zipfile.ZipFile(course.root / "all.zip", "w") as archive:
        for name in ("../../up", "/abs", "ada", "..", "C:\\eve"):
            archive.writestr(f"{name}/01_double/value.py", SOLUTION)
    before = set(course.root.parent.rglob("*"))
    done = course.run("batch", "all.zip", "--out", "out")
    assert done.code == 0
    new = set(course.root.parent.rglob("*")) - before
    allowed = [course.root / "out", course.root / ".grader"]
    assert [p for p in new if not any(a in (p, *p.parents) for a in allowed)] == []


# ---- again --------------------------------------------------------------------------------------


def test_a_second_run_grades_nothing_again(
    a_class: Folder, whole: dict[str, bytes], scores: Scores
) -> None:
    raw = {path: path.read_bytes() for path in (a_class.root / "whole").glob("*.json")}
    again = a_class.run(*BATCH, "whole")
    assert again.code == 0
    assert "16 score files in whole/ (16 unchanged since last time)" in again.out
    assert {path: path.read_bytes() for path in raw} == raw
    assert "6 need a look" not in again.out
    assert "4 need a look: whole/needs-a-look.txt" in again.out  # still
    a_class.submit(SOLUTION, student="wrong1")
    assert "(15 unchanged" in a_class.run(*BATCH, "whole").out
    assert json.loads((a_class.root / "whole/wrong1.json").read_bytes())["score"] == 3
    fresh = a_class.run(*BATCH, "whole", "--only", "right1", "--fresh")
    assert "Done" in fresh.out
    assert "unchanged" not in fresh.out


def test_shards_merged_are_the_whole(
    a_class: Folder, whole: dict[str, bytes], scores: Scores
) -> None:
    sizes = []
    for part in ("1/3", "2/3", "3/3"):
        done = a_class.run(*BATCH, f"part{part[0]}", "--shard", part)
        assert done.code == 0
        sizes.append(len(scores(a_class.root / f"part{part[0]}")))
    assert sum(sizes) == 16
    merged = a_class.run("merge", "part1", "part2", "part3", "--out", "together")
    assert "16 score files in together/" in merged.out
    assert scores(a_class.root / "together") == whole
    one, other = (a_class.root / name / "needs-a-look.txt" for name in ("together", "whole"))
    assert one.read_bytes() == other.read_bytes()
    assert "(16 unchanged" in a_class.run(*BATCH, "together").out


def test_without_the_memo_the_score_files_are_the_same(
    a_class: Folder, whole: dict[str, bytes], scores: Scores
) -> None:
    """With a cold memo, with a warm one, and without."""
    for out, more in (("warm", ()), ("without", ("--no-memo",))):
        assert a_class.run(*BATCH, out, "--jobs", "2", *more).code == 0
        assert scores(a_class.root / out) == whole


def test_extensions_and_policies_change_scores_without_grading(
    a_class: Folder, scores: Scores
) -> None:
    """A flat folder tells no times: Blackboard's does."""
    folder = a_class.root / "export"
    folder.mkdir()
    for number, student in enumerate(("ada", "bob")):
        name = f"Lab_{student}_attempt_2027-02-03-12-00-0{number}_value.py"
        (folder / name).write_text(SOLUTION)
    head = '[course]\nid = "small"\ntitle = "A small course"\n[late]\nper_day = 0.1\ndays = 5\n'
    a_class.head = head
    due = Path("2027-02-01T23:59:00+01:00")
    a_class.exercise(due=due)
    batch = ("batch", "export", "--out", "out")
    unknown = a_class.run(*batch)
    assert "No time is known of 2 submissions" in unknown.out
    zoned = a_class.run(*batch, "--zone", "Europe/Berlin")
    assert "(2 unchanged" in zoned.out

    def found() -> list[float]:
        paths = sorted((a_class.root / "out").glob("*.json"))
        return [json.loads(path.read_bytes())["score"] for path in paths]

    assert found() == [2.4, 2.4]
    a_class.write("more.csv", "student;due\nBOB;2027-02-09T00:00:00Z\nnobody;2027-02-09T00:00Z\n")
    done = a_class.run(*batch, "--zone", "Europe/Berlin", "--extensions", "more.csv")
    assert "(2 unchanged" in done.out
    assert "Extensions for nobody here: 1 (nobody)" in done.out
    assert found() == [2.4, 3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", "--out", "out"), "nowhere"),
        (("handed_in", "--out", "course.toml"), "choose another --out"),
        (("handed_in", "--out", "out", "--shard", "0/4"), "--shard 0/4: write I/N"),
        (("handed_in", "--out", "out", "--shard", "5/4"), "--shard 5/4: write I/N"),
        (("handed_in", "--out", "out", "--only", "nobody"), "--only nobody: not among"),
        (("handed_in", "--out", "out", "--zone", "Middle/Earth"), "no such time zone"),
        (("handed_in", "--out", "out", "--zone", "../../etc/passwd"), "no such time zone"),
        (("handed_in", "--out", "out", "--roster", "none.csv"), "none.csv: cannot be read"),
        (("handed_in", "--out", "out", "-e", "99"), "exercise '99' is not in course.toml"),
        (("handed_in", "--out", "out", "--sandbox", "castle"), "castle"),
    ],
)
def test_a_wrong_command_is_one_line(
    course: Folder, hand_in: HandIn, arguments: tuple[str, ...], words: str
) -> None:
    hand_in({"ada": SOLUTION})
    done = course.run("batch", *arguments)
    assert done.code == 2
    assert words in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


# ---- whatever ends it ---------------------------------------------------------------------------


def test_ctrl_c_finishes_what_runs_and_says_how_to_go_on(
    a_class: Folder, whole: dict[str, bytes], scores: Scores
) -> None:
    process = start(a_class)
    wait_for(a_class.root / "out")
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to everybody
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "Finishing what runs; Ctrl-C again to leave at once.\n"
    stopped = re.search(r"Stopped after (\d+) of 16\. What is finished is in out/;", out)
    assert stopped
    assert "run the same command again to go on." in out
    finished = scores(a_class.root / "out")
    assert len(finished) == int(stopped[1]) < 16
    again = a_class.run(*BATCH, "out", "--jobs", "2")
    assert again.code == 0
    assert f"({stopped[1]} unchanged" in again.out
    assert scores(a_class.root / "out") == whole
    one, other = (a_class.root / name / "needs-a-look.txt" for name in ("out", "whole"))
    assert one.read_bytes() == other.read_bytes()


def test_a_second_ctrl_c_leaves_at_once(course: Folder, hand_in: HandIn) -> None:
    course.limits["seconds"] = 50
    course.exercise()
    hand_in({"a": SOLUTION, "b": KINDS["hangs"], "c": KINDS["hangs"], "d": SOLUTION})
    process = start(course)
    wait_for(course.root / "out")
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.5)
    started = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - started < 5
    assert process.returncode == 130
    assert "Stopped after" in out
    assert "Traceback" not in err


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.1, 0.3])
def test_ctrl_c_at_the_start_is_no_traceback(
    course: Folder, hand_in: HandIn, moment: float
) -> None:
    """Also for a grading process that is just being started: from the moment on at which the
    folder for the results is there."""
    hand_in()
    process = start(course)
    wait_for(course.root / "out", ".batch")
    time.sleep(moment)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode in (0, 130)  # all may have been running already
    assert len([line for line in err.splitlines() if line]) == 1


def test_killed_at_any_moment_and_started_again_it_comes_to_the_same(
    a_class: Folder, hand_in: HandIn, scores: Scores
) -> None:
    """kill -9 loses nothing that was finished and leaves nothing half-written: of the batch alone,
    or of all its processes at once, as when the power fails. More of it, with what it met:

    GRADER_KILLS=50 GRADER_KILL_SEED=7 python -m pytest tests/grader/batch -k killed_at_any -rP
    """
    kills = int(os.environ.get("GRADER_KILLS", "5"))
    moments = random.Random(int(os.environ.get("GRADER_KILL_SEED", "7")))
    sources = [SOLUTION, WRONG, KINDS["raises"]]
    hand_in({f"more{n}": f"{sources[n % 3]}# {n}\n" for n in range(60)})
    assert a_class.run(*BATCH, "whole", "--jobs", "2").code == 0
    whole = scores(a_class.root / "whole")
    began = time.monotonic()
    start(a_class, out="timed").communicate()
    span = time.monotonic() - began
    assert scores(a_class.root / "timed") == whole
    met: list[int] = []  # score files that were there as it was killed
    while len(met) < kills:
        out = f"out{len(met)}"
        times = min(moments.choice([1, 1, 2]), kills - len(met))
        for _ in range(times):
            process = start(a_class, out=out)
            time.sleep(moments.uniform(0.05, span))
            if moments.random() < 0.5:
                process.kill()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            before = scores(a_class.root / out)
            assert all(whole[name] == raw for name, raw in before.items())  # each that is there
            met.append(len(before))
        again = a_class.run(*BATCH, out, "--jobs", "2")
        assert again.code == 0, again.err
        assert scores(a_class.root / out) == whole
        one, other = (a_class.root / name / "needs-a-look.txt" for name in (out, "whole"))
        assert one.read_bytes() == other.read_bytes()
        unchanged = re.search(r"\((\d+) unchanged", again.out)
        # each kill may come between a file and its stamp
        assert (int(unchanged[1]) if unchanged else 0) >= len(before) - times
    print(f"{kills} kills within {span:.1f} s, by score files finished: {sorted(met)}")
    assert any(count < len(whole) for count in met)


@pytest.fixture
def small_disk(course: Folder) -> Iterator[Path]:
    """A disk of 60 kB, where one can be had."""
    place = course.root / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=60k", "none", str(place)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("no small disk can be made here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S607


def test_a_full_disk_is_one_line_and_nothing_is_lost(
    a_class: Folder, small_disk: Path, whole: dict[str, bytes], scores: Scores
) -> None:
    process = start(a_class, out="disk/out")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == (
        "grader: disk/out: the disk is full; what is finished is safe: "
        "make room and run the same command again\n"
    )
    finished = scores(small_disk / "out")
    assert 0 < len(finished) < 16
    assert all(whole[name] == raw for name, raw in finished.items())
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)  # noqa: S607
    again = a_class.run(*BATCH, "disk/out", "--jobs", "2")
    assert again.code == 0
    assert "unchanged since last time" in again.out
    assert scores(small_disk / "out") == whole
