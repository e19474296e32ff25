"""What a worker finds when it starts, at every level."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.sandbox import Sandbox, SandboxUnavailable, WorkerLimits, bwrap, choose
from grader.sandbox.none import NoSandbox

from .conftest import Start, Worker, open_up


def test_environment_is_empty_but_for_hash_seed_and_language(
    start: Start, any_level: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No secret of the grader's reaches a submission."""
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    environment = start(any_level, "say(dict(os.environ))").hear()
    assert environment == {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def test_hashes_of_strings_are_the_same_in_every_worker(start: Start, any_level: Sandbox) -> None:
    """So that the order of a set does not change from run to run."""
    code = "say([hash('gradient'), list({'a', 'b', 'c', 'd'})])"
    assert start(any_level, code).hear() == start(any_level, code).hear()


def test_no_descriptor_of_the_grader_is_open(
    start: Start, any_level: Sandbox, canary: Path
) -> None:
    """Nor one that could be used for anything but reading Python's files."""
    with canary.open() as ours:
        assert ours.readable()
        found = start(
            any_level,
            """
import stat
open_ones = {}
for number in range(64):
    try:
        about = os.fstat(number)
    except OSError:
        continue
    open_ones[number] = [stat.S_ISFIFO(about.st_mode), about.st_ino]
say([open_ones, os.stat(sys.prefix).st_ino if len(open_ones) > 3 else 0])
""",
        ).hear()
    descriptors, prefix = found
    assert all(descriptors[number][0] for number in "012")
    # Landlock as root, with a Python that only root can reach, keeps its folder open
    assert [inode for number, (_, inode) in descriptors.items() if number not in "012"] in (
        [],
        [prefix],
    )


def test_working_folder_is_empty(start: Start, any_level: Sandbox) -> None:
    """Nothing of the course or of other students lies about."""
    assert start(any_level, "say(os.listdir('.'))").hear() == []


def test_installed_packages_cannot_be_imported(start: Start, any_level: Sandbox) -> None:
    """A finished engine in site-packages would otherwise earn full points."""
    code = "say([tried(__import__, name)[1] for name in ('pytest', 'hypothesis', 'grader')])"
    assert start(any_level, code).hear() == ["ModuleNotFoundError"] * 3


def test_standard_library_is_there(start: Start, any_level: Sandbox) -> None:
    """Also the parts written in C, and the parts that are imported late."""
    names = "math random json re dataclasses itertools collections.abc decimal hashlib ctypes"
    code = f"say([tried(__import__, name)[0] for name in {(names + ' email.mime.text').split()}])"
    assert start(any_level, code).hear() == ["done"] * 11


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A site-packages with two packages in it."""
    for name in ("apple", "pear"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("from . import part\nkind = part.kind\n")
        (tmp_path / name / "part.py").write_text(f"kind = {name!r}\n")
    open_up(tmp_path)
    return tmp_path


def test_packages_a_course_names_can_be_imported(
    start: Start, any_level: Sandbox, shop: Path
) -> None:
    """And no other of the same site-packages."""
    worker = start(
        any_level,
        "import apple\nsay([apple.kind, tried(__import__, 'pear')[1]])",
        packages=(shop / "apple",),
    )
    assert worker.hear() == ["apple", "ModuleNotFoundError"]


def test_packages_below_a_closed_folder_can_be_imported(
    start: Start, any_level: Sandbox, shop: Path
) -> None:
    """As when Python lives in /root, and the worker is not root."""
    shop.chmod(0o700)
    worker = start(any_level, "import apple.part\nsay(apple.part.kind)", packages=(shop / "apple",))
    assert worker.hear() == "apple"


def test_other_packages_stay_out_of_reach_when_their_folder_is_known(
    start: Start, confined: Sandbox, shop: Path
) -> None:
    """Putting site-packages on the path by hand does not help."""
    worker = start(
        confined,
        f"sys.path.append({str(shop)!r})\nsay([tried(__import__, 'pear')[0], "
        f"tried(open, {str(shop / 'pear' / 'part.py')!r})[0]])",
        packages=(shop / "apple",),
    )
    assert worker.hear() == ["refused", "refused"]


def test_packages_of_the_interpreter_itself_stay_out_of_reach(
    start: Start, confined: Sandbox
) -> None:
    """They lie inside the standard library's folder, which can be read."""
    worker = start(
        confined,
        """
import re
folders = [path + "/" + name for path in sys.path for name in ("site-packages", "dist-packages")]
readable = []
for folder in folders:
    for root, _, files in os.walk(folder):
        readable += [file for file in files if tried(open, root + "/" + file)[0] == "done"]
say(readable)
""",
    )
    assert worker.hear() == []


def test_numpy_works_within_the_limits(start: Start, any_level: Sandbox) -> None:
    """Its libraries must neither need more processes nor more memory than a worker has."""
    numpy = pytest.importorskip("numpy", reason="numpy is not installed here")
    package = Path(numpy.__file__).parent
    libraries = package.with_name("numpy.libs")
    packages = (package, libraries) if libraries.is_dir() else (package,)
    code = "import numpy\nsay(float(numpy.ones((300, 300)).dot(numpy.ones((300, 300))).sum()))"
    worker = start(any_level, code, packages=packages, memory_mb=512)
    assert worker.hear() == 27_000_000.0


def test_a_program_of_any_size_gets_in(start: Start, any_level: Sandbox) -> None:
    """Also one that fills the pipe many times over."""
    text = "lorem ipsum " * 100_000
    code = f"import hashlib\nsay(hashlib.sha256({text!r}.encode()).hexdigest())"
    assert start(any_level, code).hear() == hashlib.sha256(text.encode()).hexdigest()


def test_a_worker_that_did_not_start_is_not_the_students_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is told apart from a crash, with what was said and what to do."""
    sandbox = choose("bwrap")
    monkeypatch.setattr(bwrap, "_command", lambda *_: ("bwrap", "--such-an-option"))
    with (
        replace(sandbox, program=b"").start(WorkerLimits()) as worker,  # type: ignore[type-var]
        pytest.raises(SandboxUnavailable, match=r"Unknown option .*needs bubblewrap"),
    ):
        worker.receive(1, 0.0)


def test_a_program_that_cannot_be_found_is_not_the_students_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line says which."""
    monkeypatch.setattr("grader.sandbox.none.interpreter", lambda: "/nowhere/python")
    with pytest.raises(SandboxUnavailable, match="/nowhere/python: could not be started"):
        NoSandbox(b"\0").start(WorkerLimits())


def test_a_crash_after_the_start_is_the_submissions(
    closed: Callable[..., Worker], any_level: Sandbox
) -> None:
    """Even when it is the first thing that happens."""
    assert closed(any_level, "os._exit(1)").process.close() == "exit status 1"
