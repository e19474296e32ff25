"""User ids for workers of a grader that runs as root."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox import uids

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has ids to give")


def test_no_two_workers_share_an_id() -> None:
    """Within one grader."""
    taken = [uids.take() for _ in range(5)]
    try:
        assert len(set(taken)) == 5
        assert 0 not in taken
    finally:
        for uid in taken:
            uids.release(uid)


def test_no_two_graders_share_an_id() -> None:
    """Two that run at the same time."""
    ours = uids.take()
    try:
        code = "from grader.sandbox import uids; print(uids.take())"
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        )
        assert int(done.stdout) != ours
    finally:
        uids.release(ours)


def test_a_released_id_is_used_again() -> None:
    """So that they never run out."""
    first = uids.take()
    uids.release(first)
    second = uids.take()
    uids.release(second)
    assert second == first
