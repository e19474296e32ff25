"""GitHub Actions: annotations beside the student's code, and a step summary in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from grader.report.figures import TROUBLE, ClassFigures
from grader.report.points import days_late, decimal, exact
from grader.report.score_file import ExerciseScore, ScoreFile
from grader.report.student_view import student_view
from grader.report.text import one_line, plain
from grader.result import Outcome

MOST = 10  # of one kind in one step; GitHub drops the rest without a word
MOST_SUMMARY = 1024 * 1024  # bytes; a longer one is not shown at all
_MARKS = {
    Outcome.PASSED: "✅",
    Outcome.TODO: "⬜",
    Outcome.MISSING: "⬜",
    Outcome.GRADER_ERROR: "⚠️",
}


def commands(score: ScoreFile, files: Mapping[str, str] | None = None) -> list[str]:
    """Workflow commands, one a line: an error for each check that is not right, at the exercise's
    file in `files`; what is not started is no error."""
    lines = list(_commands(student_view(score), files or {}))
    if len(lines) <= MOST:
        return lines
    rest = len(lines) - MOST + 1
    return [*lines[: MOST - 1], _command("error", f"And {rest} more; see the summary.", {})]


def _commands(score: ScoreFile, files: Mapping[str, str]) -> Iterator[str]:
    for exercise in score.exercises:
        place = {"file": files[exercise.id]} if exercise.id in files else {}
        if exercise.outcome is Outcome.GRADER_ERROR:
            text = "This exercise could not be graded. That is a fault of the course, not yours."
            yield _command("error", text, {**place, "title": exercise.id})
            continue
        for check in exercise.checks:
            if check.outcome in (Outcome.PASSED, Outcome.TODO, Outcome.MISSING):
                continue
            title = f"{exercise.id}: {one_line(check.title)}"
            line = re.search(r"\bline (\d{1,6})\b", check.message) if place else None
            where = {**place, "line": line[1]} if line else place
            hidden = "A hidden check did not pass."
            yield _command("error", plain(check.message) or hidden, {**where, "title": title})


def _command(kind: str, text: str, fields: Mapping[str, str]) -> str:
    """One workflow command, with whatever would end it early escaped."""
    escaped = ",".join(
        f"{name}={_data(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in fields.items()
    )
    return f"::{kind}{' ' + escaped if escaped else ''}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def summary(score: ScoreFile, title: str) -> str:
    """One student's result as Markdown."""
    score = student_view(score)
    total = f"{decimal(exact(score.score))} of {decimal(exact(score.max_score))} points"
    lines = [f"## {_text(title)}: {total}", ""]
    if score.late.days:
        lines += [f"{days_late(score.late.days)}: {score.late.factor:.0%} of the points left.", ""]
    lines += ["| | Exercise | Points |", "| --- | --- | ---: |"]
    for item in score.exercises:
        points = f"{decimal(exact(item.score))}/{decimal(exact(item.max_score))}"
        name = f"`{item.id}` {_text(item.title)}"
        lines.append(f"| {_MARKS.get(item.outcome, '❌')} | {name} | {points} |")
    for item in score.exercises:
        if item.outcome not in (Outcome.PASSED, Outcome.TODO):
            lines += ["", *_details(item)]
    return _cut(lines)


def _details(item: ExerciseScore) -> Iterator[str]:
    yield f"### {_text(item.title)}"
    yield ""
    for check in item.checks:
        hidden = " (hidden)" if check.visibility == "hidden" else ""
        yield f"- {_MARKS.get(check.outcome, '❌')} {_text(check.title)}{hidden}"
        if check.message and check.outcome is not Outcome.PASSED:
            # indented code: nothing in it is Markdown or HTML, and no line of it can end it
            yield ""
            yield from (f"      {line}" for line in plain(check.message).splitlines())
            yield ""
    for mistake in item.mistakes:
        yield ""
        yield f"> {_text(mistake.hint)}"


def class_summary(figures: ClassFigures, title: str) -> str:
    """A class as Markdown. It names nobody: whoever may read the repository can read it."""
    lines = [f"## {_text(title)}: {len(figures.students)} students", ""]
    lines += ["| Exercise | Passed | Mean score | Trouble |", "| --- | ---: | ---: | ---: |"]
    for item in figures.exercises.values():
        trouble = sum(item.outcomes[outcome] for outcome in TROUBLE)
        shares = f"{item.passed_percent} % | {item.mean_percent} %"
        lines.append(f"| `{item.id}` {_text(item.title)} | {shares} | {trouble or ''} |")
    if figures.mistakes:
        lines += ["", "| Students | Mistake | Hint |", "| ---: | --- | --- |"]
        for (exercise, mistake), count in figures.mistakes.most_common(10):
            hint = _text(figures.hints[(exercise, mistake)])
            lines.append(f"| {count} | `{exercise}` {_text(mistake)} | {hint} |")
    return _cut(lines)


def _text(text: str) -> str:
    """Text in one line that is nothing but text in Markdown: no link, image, mention or tag."""
    escaped = one_line(text, 1_000).replace("&", "&amp;").replace("<", "&lt;")
    escaped = re.sub(r"([\\`*_{}\[\]()#+!|>~-])", r"\\\1", escaped)
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def _cut(lines: Iterable[str]) -> str:
    """As many lines as GitHub shows."""
    kept: list[str] = []
    room = MOST_SUMMARY - 100
    for line in lines:
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0:
            kept += ["", "*The rest is too long for a summary.*"]
            break
        kept.append(line)
    return "\n".join(kept) + "\n"
