"""Which level is used, and how we know that it holds."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import SandboxUnavailable, bwrap, choice, choose, describe, landlock, warm
from grader.sandbox.memory import Memory
from grader.sandbox.none import NoSandbox
from grader.sandbox.selftest import examine, probe_program


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing is remembered from one test to the next."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    caches = (choose, bwrap._command, landlock._walls)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_the_strongest_level_is_chosen_here() -> None:
    """This holds on any Linux with bubblewrap; elsewhere, whatever level is there."""
    assert choose().name in {"bwrap", "landlock", "none"}
    assert choose().name == next(line.split(":")[0] for line in describe() if ": works" in line)


def test_a_level_asked_for_by_name_is_not_stepped_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        choose("bwrap")


def test_auto_takes_the_next_level_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what auto means; the score file says which it was."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert choose("auto").name in {"landlock", "none"}


def test_an_unknown_level_is_an_error() -> None:
    """With the names there are."""
    with pytest.raises(ValueError, match="auto, bwrap, landlock, none"):
        choose("docker")


def test_the_self_test_fails_where_nothing_is_confined() -> None:
    """So it would notice a wall that does not stand."""
    findings = {f.claim: f.holds for f in examine(NoSandbox(program=probe_program()))}
    assert not findings["reads no file of the host"]
    assert not findings["writes no file of the host"]
    assert not findings["reaches no network and no socket"]
    assert not findings["signals no process outside"]
    assert not findings["starts no more processes than it may"]
    assert findings["gets no more memory than it may"]
    assert findings["is not root, and can't become it"] == (os.geteuid() != 0)


def test_a_level_with_a_broken_wall_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed is not enough."""
    monkeypatch.setattr(warm, "resource_limits", lambda *_: ["CORE=0"])
    with pytest.raises(SandboxUnavailable, match="fails that a submission gets no more memory"):
        choose("bwrap")


def test_describe_tells_what_holds() -> None:
    """A line for each claim, for `doctor`."""
    text = "\n".join(describe())
    assert "FAILS" not in text
    assert "none: works" in text


def test_a_pass_is_remembered_until_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest covers kernel, boot, user, programs, settings and our own code."""
    memory = Memory("a level")
    assert not memory.passed()
    memory.remember()
    assert Memory("a level").passed()
    assert not Memory("another level").passed()
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    assert not Memory("a level").passed()


def test_a_memory_that_others_can_write_to_is_not_believed(tmp_path: Path) -> None:
    """Else another user could vouch for a sandbox."""
    Memory("a level").remember()
    folder = next((tmp_path / "cache").rglob("selftest"))
    folder.chmod(0o777)
    assert not Memory("a level").passed()


def test_a_remembered_pass_saves_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what start-up time consists of."""
    first = choose("bwrap")
    choose.cache_clear()
    monkeypatch.setattr(choice, "examine", lambda _: pytest.fail("tested again"))
    assert choose("bwrap") == first


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("bwrap: Unknown option --size", "bubblewrap 0.6"),
        ("bwrap: No permissions to create new namespace", "sysctl -w|container|bwrap --ro-bind"),
    ],
)
def test_what_bwrap_says_is_turned_into_a_remedy(said: str, remedy: str) -> None:
    """One line: thing, place, remedy."""
    line = bwrap.explain(f"{said}\nmore")
    assert "\n" not in line
    assert line.startswith(f"sandbox bwrap: {said.removeprefix('bwrap: ')}; ")
    assert any(part in line for part in remedy.split("|"))


def test_apparmor_is_named_where_it_is_what_forbids(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on GitHub's Ubuntu 24.04."""
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "1\n")
    line = bwrap.explain("bwrap: setting up uid map: Permission denied")
    assert "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" in line


@pytest.mark.parametrize(
    ("code", "why"), [(95, "switched off"), (38, "use Linux 5.13 or later, or bwrap")]
)
def test_a_kernel_without_landlock_says_so(
    monkeypatch: pytest.MonkeyPatch, code: int, why: str
) -> None:
    """Switched off and not there have different remedies."""
    monkeypatch.setattr(landlock, "_syscall", lambda *_: -1)
    monkeypatch.setattr("ctypes.get_errno", lambda: code)
    with pytest.raises(SandboxUnavailable, match=why):
        choose("landlock")


def test_the_levels_hold_for_an_ordinary_user_as_well() -> None:
    """Root gets its walls in other ways; this runs the other ones."""
    if os.geteuid() != 0:
        assert "FAILS" not in "\n".join(describe())
        return
    code = """
import time
import grader.sandbox as s
print(*s.describe(), sep="\\n")
level = s.choose("bwrap")
for _ in range(3):  # one after the other, from the same nursery
    with level.start(s.WorkerLimits()) as worker:
        try:
            worker.receive(1, time.monotonic() + 0.05)
        except s.WorkerTimeout:
            print("started")
"""
    python = _python_for_everybody()
    done = subprocess.run(
        [python, "-B", "-c", code],
        cwd=Path(__file__).parents[3],
        user=65534,
        group=65534,
        extra_groups=[],
        env={"HOME": "/nonexistent", "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "FAILS" not in done.stdout
    working = [line.split(":")[0] for line in done.stdout.splitlines() if ": works" in line]
    assert working == ["bwrap", "landlock", "none"], done.stdout + done.stderr
    assert done.stdout.count("started") == 3, done.stdout + done.stderr


def _python_for_everybody() -> str:
    """A Python that a user without root's rights can reach."""
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        path = Path(candidate)
        if path.exists() and all(up.stat().st_mode & 1 for up in path.resolve().parents):
            return candidate
    pytest.skip("no Python here that an ordinary user can reach")
