"""report.html and the students' pages: escaped, self-contained, the same every time."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from types import ModuleType

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from grader.report.figures import ClassFigures
from grader.report.html import feedback_page, report_page
from grader.report.score_file import Late, MistakeNamed, ScoreFile
from grader.result import Outcome

HOSTILE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "' autofocus onfocus='document.title=1' x='",
    "</style></title><svg onload=\"document.title='owned'\">",
    "javascript:alert(1)//{{7*7}}{% raw %}<!--",
    "\u202eevil\u0000\x1b[31m\ud800",
)
VOID = {"meta", "link", "br", "img", "input", "col", "hr"}


class Page(HTMLParser):
    """What a browser would find: elements with attributes, ids, balance of tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def figures(*scores: ScoreFile) -> ClassFigures:
    """A class of these."""
    counted = ClassFigures()
    for score in scores:
        counted.add(score)
    return counted


@pytest.fixture
def hostile(made: ModuleType) -> list[ScoreFile]:
    """Students that put an attack wherever a score file holds text."""
    scores = []
    for text in HOSTILE:
        check = made.check("a", Outcome.FAILED, title=text, message=text, output=text)
        graded = made.exercise(
            text, check, title=text, mistakes=(MistakeNamed(text, text),), notes=(text,)
        )
        other = {"sandbox": text, "graded_at": text, "course": text, "versions": {text: text}}
        scores.append(made.score_file(text, (graded,), notes=(text,), **other))
    return scores


def test_no_text_of_a_score_file_is_markup(hostile: list[ScoreFile]) -> None:
    """An attack in any field leaves the page's elements and attributes as they are."""
    for text in [
        report_page(figures(*hostile), HOSTILE[0]),
        *(feedback_page(s, HOSTILE[1]) for s in hostile),
    ]:
        page = Page(text)
        assert len(page.all("script")) == (1 if 'id="students"' in text else 0)
        assert not page.all("img")
        for _, attributes in page.elements:
            assert not [name for name in attributes if name.startswith("on")]
            assert "javascript:" not in (attributes.get("href") or "")


def test_no_control_character_reaches_a_page(hostile: list[ScoreFile]) -> None:
    """They are shown as escapes: nothing turns the reading order around."""
    for text in [report_page(figures(*hostile), "t"), *(feedback_page(s, "t") for s in hostile)]:
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)
        text.encode("utf-8")


def test_a_page_needs_nothing_but_itself(made: ModuleType) -> None:
    """No address but those of the students' pages, and a policy that forbids to load any."""
    counted = figures(*made.classroom(4))
    report = report_page(counted, "Course", {"student0001": "feedback/student0001.html"})
    for text in (report, feedback_page(made.classroom(1)[0], "Course")):
        page = Page(text)
        addresses = [a.get("href") or a.get("src") or "" for _, a in page.elements]
        outside = [a for a in addresses if a and not a.startswith(("#", "feedback/"))]
        assert outside == []
        assert not re.search(r"@import|url\((?!#)", text)
        policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv"))
        assert policy is not None
        assert policy.startswith("default-src 'none'")


def test_the_same_score_files_give_the_same_bytes(made: ModuleType) -> None:
    """Pictures and all."""
    first, second = (report_page(figures(*made.classroom(30)), "Course") for _ in range(2))
    assert first == second


def test_ids_are_unique(made: ModuleType) -> None:
    """Also those in the pictures, and each reference has its target."""
    page = Page(report_page(figures(*made.classroom(20)), "Course"))
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        for key in ("href", "for", "clip-path"):
            target = re.search(r"#([^)]+)", attributes.get(key) or "") if key != "for" else None
            name = target[1] if target else attributes.get("for") if key == "for" else None
            assert name is None or name in ids


def test_tables_can_be_read_aloud(made: ModuleType) -> None:
    """Captions, scopes, a language, a skip link, one main part, labelled controls."""
    for text in (
        report_page(figures(*made.classroom(5)), "C"),
        feedback_page(made.classroom(1)[0], "C"),
    ):
        page = Page(text)
        assert page.all("html") == [{"lang": "en"}]
        assert len(page.all("main")) == len(page.all("h1")) == len(page.all("title")) == 1
        assert len(page.all("caption")) == len(page.all("table"))
        assert all("scope" in head for head in page.all("th"))
        assert page.all("a")[0].get("class") == "skip"
        labelled = {label.get("for") for label in page.all("label")}
        assert {c.get("id") for c in page.all("input") + page.all("select")} <= labelled


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_has_contrast_in_both_schemes(made: ModuleType, scheme: int) -> None:
    """WCAG AA: 4.5 for text on both grounds."""
    style = feedback_page(made.score_file(), "C")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block))
    for text in ("fg", "muted", "accent", "good", "bad"):
        assert contrast(colours[text], colours["bg"]) >= 4.5, text
        assert contrast(colours[text], colours["soft"]) >= 4.5, text
    for mark in ("warn", "stop"):
        assert contrast(colours[mark], colours["bg"]) >= 3, mark


def test_a_student_sees_nothing_that_a_hidden_check_knows(made: ModuleType) -> None:
    """Other hidden numbers with the same outcomes: the same page, byte for byte."""
    pages = set()
    for secret in ("expected 112, got 80", "expected 7, got 9"):
        hidden = made.check(
            "deep", Outcome.FAILED, hidden=True, message=secret, output=secret, seconds=len(secret)
        )
        graded = made.exercise("01_a", made.check("x"), hidden)
        pages.add(feedback_page(made.score_file("ada", (graded,)), "Course"))
    (page,) = pages
    assert "deep" in page
    assert "not right yet" in page
    assert "expected" not in page


def test_a_students_page_explains_what_went_wrong(made: ModuleType) -> None:
    """Messages of public checks, the mistake's hint, what was printed, lateness."""
    wrong = made.check("tanh", Outcome.FAILED, message="expected 3\n  got 4", output="x = 2")
    graded = made.exercise("01_a", wrong, mistakes=(MistakeNamed("m", "Read it again."),))
    broken = made.exercise("02_b", made.check("y", Outcome.GRADER_ERROR))
    score = made.score_file("ada", (graded, broken), late=Late(2, 0.8))
    text = "".join(Page(feedback_page(score, "Course")).text)
    for part in (
        "expected 3\n  got 4",
        "x = 2",
        "Read it again.",
        "80 % of the points",
        "could not be graded",
    ):
        assert part in text


def test_the_report_counts_each_outcome(made: ModuleType) -> None:
    """What is our fault counts for nobody; what is late is said."""
    good, bad = made.check("x"), made.check("x", Outcome.TIMEOUT)
    ours = made.check("x", Outcome.GRADER_ERROR)
    scores = [
        made.score_file(f"s{n}", (made.exercise("01_a", c),))
        for n, c in enumerate((good, good, bad, ours))
    ]
    counted = figures(*scores)
    item = counted.exercises["01_a"]
    assert (item.graded, item.passed_percent, item.mean_percent) == (3, 67, 67)
    assert [s.trouble for s in counted.students] == [
        (),
        (),
        ("out of time: 01_a",),
        ("not graded: 01_a",),
    ]
    late = figures(
        made.score_file("a", (made.exercise("01_a", good),), score=0.9, late=Late(1, 0.9))
    )
    assert '<th scope="row">1</th><td class="n">1</td><td class="n">0.1</td>' in report_page(
        late, "C"
    )


def test_a_class_of_one_that_did_nothing_has_a_report(made: ModuleType) -> None:
    """No division by nothing."""
    assert "<h1>" in report_page(figures(made.score_file("ada")), "Course")


def test_what_was_not_handed_in_is_said_once(made: ModuleType) -> None:
    """Not in each check of the exercise; what is only not started is said in a word."""
    gone = [made.check(n, Outcome.MISSING, message="no value.py was handed in") for n in "abc"]
    todo = [made.check(n, Outcome.TODO) for n in "abc"]
    score = made.score_file("ada", (made.exercise("01_a", *gone), made.exercise("02_b", *todo)))
    page = feedback_page(score, "Course")
    assert page.count("no value.py was handed in") == page.count("Not started.") == 1
