"""The pages in a real browser, where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from grader.report.figures import ClassFigures
from grader.report.html import feedback_page, report_page

Browse = Callable[..., str]

# Drives the page as a user would and writes down what happened; the policy allows it by its hash.
DRIVE = """
const body = document.getElementById("students").tBodies[0];
const shown = () => Array.from(body.rows).filter((row) => !row.hidden);
const names = () => shown().map((row) => row.cells[0].textContent).join(" ");
const log = [];
for (const column of [1, 1, 0]) {
  const head = document.querySelectorAll("#students thead th")[column];
  head.querySelector("button").click();
  log.push(head.getAttribute("aria-sort") + ": " + names());
}
const select = document.getElementById("show");
const choose = (value) => { select.value = value; select.dispatchEvent(new Event("change")); };
choose("late");
log.push("late: " + names());
document.getElementById("search").value = "S2";
choose("");
log.push(document.getElementById("said").textContent + ": " + names());
document.title = log.join("; ");
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def figures(scores: list[object]) -> ClassFigures:
    counted = ClassFigures()
    for score in scores:
        counted.add(score)  # type: ignore[arg-type]
    return counted


def test_nothing_hostile_runs(browse: Browse, made: ModuleType, tmp_path: Path) -> None:
    """Attacks in names and output leave the title alone, and load nothing."""
    attack = (
        "\"'></title></script><script>document.title='owned'</script>"
        "<img src=x onerror=document.title='owned'>"
    )
    graded = made.exercise(
        "01_a", made.check("x", made.Outcome.FAILED, message=attack, output=attack, title=attack)
    )
    score = made.score_file(attack, (graded,), notes=(attack,))
    for name, text in (
        ("r", report_page(figures([score]), attack)),
        ("f", feedback_page(score, attack)),
    ):
        seen = browse(write(tmp_path / f"{name}.html", text))
        assert "<title>owned</title>" not in seen
        assert seen.count("document.title='owned'&lt;/script&gt;") > 1


def test_the_table_sorts_and_filters(browse: Browse, made: ModuleType, tmp_path: Path) -> None:
    """Heads sort up and down and say so; the filters say how many are left."""
    scores = [
        made.score_file(f"s{n}", (made.exercise("01_a", made.check("x", points=p)),), max_score=10,
                        late=made.Late(n % 2, 1.0))
        for n, p in ((10, 3), (2, 10), (1, 7))
    ]  # fmt: skip
    page = report_page(figures(scores), "Course")
    script = re.search(r"<script>(.*)</script>", page, re.DOTALL)
    assert script
    page = re.sub("script-src &#39;.*?&#39;;", "script-src 'unsafe-inline';", page, count=1)
    page = page.replace("</body>", f"<script>{{{DRIVE}}}</script></body>")
    seen = browse(write(tmp_path / "report.html", page))
    title = re.search(r"<title>(.*?)</title>", seen)
    assert title
    assert title[1].split("; ") == [
        "descending: s2 s1 s10", "ascending: s10 s1 s2", "ascending: s1 s2 s10", "late: s1",
        "1 of 3 students shown: s2",
    ]  # fmt: skip


def test_the_policy_lets_the_pages_own_script_run(
    browse: Browse, made: ModuleType, tmp_path: Path
) -> None:
    """As it is written, the page counts its students."""
    seen = browse(
        write(tmp_path / "report.html", report_page(figures(made.classroom(7)), "Course"))
    )
    assert "7 of 7 students shown" in seen
