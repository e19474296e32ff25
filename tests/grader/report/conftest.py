"""Score files for the reports' tests, and a browser where there is one."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """The functions of synthetic.py, which make score files."""
    path = Path(__file__).with_name("synthetic.py")
    spec = importlib.util.spec_from_file_location("synthetic", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def browse(tmp_path: Path) -> Callable[..., str]:
    """Open a page from disk in a headless browser; the page as it is after its scripts."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium here")

    def open_page(path: Path, *options: str) -> str:
        done = subprocess.run(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu",
                "--virtual-time-budget=4000",
                f"--user-data-dir={tmp_path / 'profile'}", *options, "--dump-dom", path.as_uri(),
            ],
            capture_output=True, timeout=120, check=True,
        )  # fmt: skip
        return done.stdout.decode("utf-8")

    return open_page
