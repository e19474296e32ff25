"""Pictures of graphs, and the command that draws them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.autograd import listing, picture
from grader.autograd.asking import graph_of, read_expression
from grader.autograd.first_wrong import Blame
from grader.autograd.look import View, right_view
from grader.autograd.observe import Seen
from grader.cli import cli
from grader.errors import UsageError

ROOT = Path(__file__).parents[3]
MISTAKES = ROOT / "tests" / "suites" / "04_backward" / "mistakes"


@pytest.fixture
def right_one() -> View:
    view = right_view(graph_of(read_expression("c = a*b; y = c + a", {"a": 2.0, "b": -3.0})))
    assert view is not None
    return view


@pytest.fixture
def wrong_one(right_one: View) -> View:
    """The product has passed on something wrong to b."""
    grad = tuple(7.0 if i == 1 else number for i, number in enumerate(right_one.want.grad))
    seen = Seen(right_one.want.data, grad)
    return View(right_one.graph, right_one.want, seen, Blame(2, ((2, 1),), "<b>a & b</b>"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.chdir(ROOT)

    def invoke(*words: str) -> Result:
        return CliRunner().invoke(cli, ["graph", *words])

    return invoke


def test_right_graph_has_no_marks(right_one: View) -> None:
    text = picture.dot(right_one)
    assert "dashed" not in text
    assert "<S>" not in text
    assert "peripheries" not in text


def test_first_wrong_node_has_a_double_border_and_its_wrong_edge_is_dashed(wrong_one: View) -> None:
    text = picture.dot(wrong_one)
    assert text.count("peripheries=2") == text.count("dashed") == 1
    assert "n1 -> n2 [style=dashed" in text


def test_wrong_number_is_struck_beside_the_right_one(wrong_one: View) -> None:
    assert "<S>7</S></FONT> <B>2</B>" in picture.dot(wrong_one)


def test_picture_escapes_all_text(wrong_one: View) -> None:
    text = picture.dot(wrong_one, "a < b & c")
    assert "a &lt; b &amp; c" in text
    assert "&lt;b&gt;a &amp; b&lt;/b&gt;" in text


def test_listing_marks_the_first_wrong_node_without_colour(wrong_one: View) -> None:
    lines = listing.lines(wrong_one)
    assert [line for line in lines if line.startswith(">> c = a*b")]
    assert "      - - > wrong amount to b" in lines
    assert [line for line in lines if line.endswith("(7) 2")]


def test_listing_fits_the_terminal(wrong_one: View) -> None:
    assert max(len(line) for line in listing.lines(wrong_one)) <= 80


def test_missing_graphviz_is_one_line_with_the_remedy(
    right_one: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(UsageError, match="python -m pip install pygraphviz"):
        picture.render(right_one, "svg")


def test_other_kinds_of_file_are_refused(right_one: View, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg or \.png"):
        picture.draw(right_one, tmp_path / "graph.exe")


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_picture_is_written(right_one: View, tmp_path: Path, kind: str, start: bytes) -> None:
    pytest.importorskip("pygraphviz")
    picture.draw(right_one, tmp_path / f"graph.{kind}")
    assert (tmp_path / f"graph.{kind}").read_bytes().startswith(start)


def test_expression_alone_shows_the_right_numbers(run) -> None:  # type: ignore[no-untyped-def]
    output = run("--expr", "(a*b + 3)**2", "a=2", "b=-1").output
    assert "a                    2        -2" in output
    assert "first wrong" not in output


def test_failing_check_is_drawn_with_its_first_wrong_node(run) -> None:  # type: ignore[no-untyped-def]
    path = str(MISTAKES / "pre_order.py")
    output = run("04_backward", "--path", path, "--sandbox", "none").output
    assert ">> a = x*x" in output
    assert "a: passed on 16" in output


def test_check_that_passes_is_drawn_by_name(run) -> None:  # type: ignore[no-untyped-def]
    path = str(MISTAKES / "pre_order.py")
    words = "04_backward", "--path", path, "--check", "one_product", "--sandbox", "none"
    output = run(*words).output
    assert "y = a*b" in output
    assert "first wrong" not in output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name one exercise"),
        (("04_backward", "a=2"), "add --expr"),
        (("--expr", "a", "a=two"), "give each name a number"),
        (("--expr", "a*b", "a=2"), "name 'b'"),
        (("--expr", "log(a)", "a=-2"), "no finite value or slope"),
        (("--expr", "a*a", "a=2", "--path", "x.py"), "--path needs the ID"),
    ],
)
def test_wrong_use_is_one_line(run, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    error = run(*words).exception
    assert isinstance(error, UsageError)
    assert said in str(error)
    assert "\n" not in str(error)
