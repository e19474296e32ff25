"""Whatever bytes arrive: a Source or a Rejected, never an exception, in bounded memory and time.

GRADER_FUZZ=20000 runs as many examples of each property; the default keeps the gate short.
"""

from __future__ import annotations

import io
import json
import os
import stat
import time
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.submission import Rejected, Source, Submission, read_submission
from grader.submission.lms import Found, find_submissions
from grader.submission.magics import clean_cell

EXAMPLES = int(os.environ.get("GRADER_FUZZ", "60"))
SECONDS = 5.0  # far more than any example should take, even on a busy machine
fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == 60,
    database=None,
    suppress_health_check=list(HealthCheck),
)

ENGINE = (Path(__file__).parent / "engine.txt").read_bytes()
NAMES = ("value.py", "lab.ipynb", "ada.zip", "x.json", "x.txt", "x", "04_backward.py", "ä.PY")


def check(path: Path, course: Any, only: list[str]) -> Submission | None:
    """Read, and hold what comes out against the seam."""
    began = time.process_time()  # a busy machine is nobody's fault
    try:
        submission = read_submission(path, course, only)
    except UsageError:
        return None
    assert time.process_time() - began < SECONDS
    assert submission.digest.startswith("sha256:")
    for text in (submission.student, *submission.notes):
        assert_shown(text)
    for answer in submission.answers.values():
        if isinstance(answer, Rejected):
            assert_shown(answer.reason)
            continue
        assert isinstance(answer, Source)
        assert answer.cells
        assert sum(len(cell.text) for cell in answer.cells) <= 2 << 20
        for text in answer.notes:
            assert_shown(text)
        for item in answer.cells:
            assert_shown(item.name)
            item.text.encode("utf-8")  # no half characters: it goes to the worker as UTF-8
        for name, text in answer.siblings:
            assert name.endswith(".py")
            assert "/" not in name
            text.encode("utf-8")
    return submission


def assert_shown(text: str) -> None:
    """One printable line of bounded length."""
    assert text.isprintable()
    assert len(text) < 1_000


def mutated(seed: bytes) -> st.SearchStrategy[bytes]:
    """Some bytes of `seed` replaced, removed, inserted or repeated."""
    spots = st.integers(0, max(0, len(seed) - 1))
    bits = st.one_of(
        st.binary(max_size=8),
        st.sampled_from([b"\0", b"\xff\xfe", b'"', b"\\", b"{", b"[", b"'''", b"PK\3\4", b"\x80"]),
        st.sampled_from(
            [b"\n%%writefile value.py\n", b"\n!ls \\\n", b"NaN", b"\\ud800", b"<<<<<<< "]
        ),
    )
    change = st.tuples(spots, st.integers(0, 40), bits, st.integers(1, 3))

    def apply(changes: list[tuple[int, int, bytes, int]]) -> bytes:
        data = seed
        for at, length, new, times in changes:
            data = data[:at] + new * times + data[at + length :]
        return data

    return st.lists(change, max_size=6).map(apply)


def a_notebook(*sources: str) -> bytes:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": s} for s in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


NOTEBOOK = a_notebook("%matplotlib inline\nx = !ls", ENGINE.decode(), "%%writefile topo.py\nx = 1")
SEEDS = (
    ENGINE,
    ENGINE.decode().encode("utf-16"),
    b"# coding: gbk\n" + ENGINE,
    NOTEBOOK,
    NOTEBOOK.decode().encode("utf-16"),
)


@fuzz
@given(st.sampled_from(NAMES), st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: Any, course: Any, name: str, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    check(path, course, [])
    assert check(path, course, ["12_engine"]) is not None


@fuzz
@given(st.sampled_from(NAMES), st.sampled_from(SEEDS).flatmap(mutated))
def test_mutated_files(tmp_path_factory: Any, course: Any, name: str, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    check(path, course, [])
    submission = check(path, course, ["12_engine"])
    assert submission is not None
    assert list(submission.answers) == ["12_engine"]


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.integers(-9, 9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)
cell_like = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | json_values,
        "source": st.text() | st.lists(st.text()) | json_values,
        "input": st.text() | json_values,
        "outputs": json_values,
        "metadata": json_values,
        "id": json_values,
        "execution_count": json_values,
    },
)
book_like = st.fixed_dictionaries(
    {"nbformat": st.sampled_from([3, 4]) | json_values},
    optional={
        "cells": st.lists(cell_like, max_size=5) | json_values,
        "worksheets": st.lists(st.fixed_dictionaries({"cells": st.lists(cell_like)}), max_size=2)
        | json_values,
        "metadata": json_values,
        "nbformat_minor": json_values,
    },
)


@fuzz
@given(book_like)
def test_anything_that_resembles_a_notebook(tmp_path_factory: Any, course: Any, book: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "resembles.ipynb"
    path.write_text(json.dumps(book))
    assert check(path, course, ["12_engine"]) is not None


parts = st.sampled_from(
    ["..", "", ".", "a", "12_engine", "exercises", "C:", "__MACOSX", "venv", "é"]
)
file_names = st.sampled_from(
    [
        "value.py",
        "VALUE.PY",
        "value.py ",
        "lab.ipynb",
        "x.pdf",
        "in.zip",
        "topo.py",
        "pyvenv.cfg",
        "",
    ]
)
member_names = st.tuples(st.lists(parts, max_size=6), st.sampled_from("/\\"), file_names).map(
    lambda t: t[1].join([*t[0], t[2]]) or "x"
)
modes = st.sampled_from([stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777, stat.S_IFIFO, stat.S_IFCHR, 0])
contents = st.sampled_from(
    [b"", b"\0", ENGINE, NOTEBOOK, b"%PDF-1.4", b"import topo\nclass Value: ..."]
)
members = st.lists(st.tuples(member_names, modes, contents), max_size=6)


def zipped(entries: list[tuple[str, int, bytes]]) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, mode, data in entries:
                info = zipfile.ZipInfo(name)
                info.external_attr = mode << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
    return file.getvalue()


@fuzz
@given(members, st.booleans())
def test_archives_of_anything(
    tmp_path_factory: Any, course: Any, entries: list[tuple[str, int, bytes]], nested: bool
) -> None:
    data = zipped(entries)
    if nested:
        data = zipped([("in.zip", 0, data), *entries[:1]])
    path = tmp_path_factory.getbasetemp() / "anything.zip"
    path.write_bytes(data)
    assert check(path, course, []) is not None
    assert check(path, course, ["12_engine"]) is not None


@fuzz
@given(st.data())
def test_mutated_archives(tmp_path_factory: Any, course: Any, data: st.DataObject) -> None:
    whole = zipped(
        [
            ("12_engine/value.py", stat.S_IFREG | 0o644, ENGINE),
            ("lab/lab.ipynb", 0, NOTEBOOK),
            ("in.zip", 0, zipped([("04_backward/value.py", 0, ENGINE)])),
        ]
    )
    path = tmp_path_factory.getbasetemp() / "mutated.zip"
    path.write_bytes(data.draw(mutated(whole)))
    check(path, course, [])
    assert check(path, course, ["12_engine"]) is not None


@fuzz
@given(
    st.lists(
        st.sampled_from(
            ["%x", "!l \\", "'''", '"""', "(", ")", "\\", "x?", "x = !l", "%%t", "# ?", "a"]
        )
    )
)
def test_cleaning_keeps_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    cleaned = clean_cell(text)
    if not cleaned.skipped and cleaned.written is None:
        assert cleaned.text.count("\n") == text.count("\n")


@fuzz
@given(st.lists(st.tuples(st.lists(parts, max_size=3), file_names, contents), max_size=5))
def test_folders_of_anything(
    tmp_path_factory: Any, course: Any, entries: list[tuple[list[str], str, bytes]]
) -> None:
    root = tmp_path_factory.mktemp("folder")
    for folders, name, data in entries:
        path = root.joinpath(*(folder for folder in folders if folder != ".."), name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError:  # the name of a folder, or a file in the way
            continue
    assert check(root, course, []) is not None
    assert check(root, course, ["12_engine"]) is not None


pieces = st.sampled_from(
    [
        *("ada", "_LATE", "_", "4711", "_90210", "value.py", "-1", "_assignsubmission_file_"),
        *("_attempt_2027-01-31-23-58-01", " - ", "Jan 31, 2027 932 AM", ".zip", "04_backward"),
        *("submission_metadata.yml", "submission_101", "lab-4-", "grades.csv", "exercises", "é\n"),
    ]
)
export_names = st.lists(pieces, min_size=1, max_size=6).map("".join)
metadata = st.lists(
    st.sampled_from(
        ["submission_101:", "  :submitters:", "  - :name: x", "    :sid: '1", "  :created_at: 1"]
    )
    | st.text(max_size=20)
).map("\n".join)


@fuzz
@given(
    st.dictionaries(
        export_names, st.sampled_from(["", "value.py", "12_engine/value.py"]), max_size=6
    ),
    metadata,
    contents,
)
def test_exports_of_anything(
    tmp_path_factory: Any, course: Any, names: dict[str, str], text: str, data: bytes
) -> None:
    entries = [(f"{name}/{inner}" if inner else name, 0, data) for name, inner in names.items()]
    path = tmp_path_factory.getbasetemp() / "export.zip"
    path.write_bytes(zipped([*entries, ("submission_metadata.yml", 0, text.encode())]))
    for found in exports(path, course):
        assert_shown(found.student)
        assert_shown(found.name)
        assert found.submitted_at is None or found.submitted_at.tzinfo is not None
        found.read()
    path.write_bytes(zipped(entries))
    students = [found.student for found in exports(path, course)]
    assert len(students) == len(set(students))


def exports(path: Path, course: Any) -> tuple[Found, ...]:
    try:
        return find_submissions(path, course, ["12_engine"])
    except UsageError:
        return ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits memory by rlimit in a child")
@pytest.mark.parametrize(
    "kind", ["nested lists", "many cells", "many lines", "many names", "zip bomb", "deep zip"]
)
def test_memory_is_bounded(tmp_path: Path, course: Any, kind: str) -> None:
    """The worst 20 MB (or 50 MB of zip) of each kind is read in a child with 700 MB to spare."""
    import resource

    size = 19 << 20
    empty = b'"",'
    worst = {
        "nested lists": b'{"cells": ' + b"[" * size,
        "many cells": b'{"cells": [' + b"{}," * 390_000 + b'{"cell_type": "code"}]}',
        "many lines": b'{"cells": [{"cell_type": "code", "source": ['
        + empty * (size // 3)
        + b'""]}]}',
        "many names": b"".join(b"def f%d(): 0\n" % i for i in range(60_000)),
        "zip bomb": zipped([(f"12_engine/{i}.py", 0, bytes(1 << 20)) for i in range(300)]),
        "deep zip": ENGINE,
    }[kind]
    if kind == "deep zip":
        for _ in range(20):
            worst = zipped([("12_engine/value.py", 0, worst)])
    path = tmp_path / ("x.zip" if "zip" in kind else "value.py" if "names" in kind else "x.ipynb")
    path.write_bytes(worst)
    del worst
    child = os.fork()
    if child == 0:
        try:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            limit = used + (700 << 20)
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            check(path, course, ["12_engine"])
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
