"""The grader as a batch uses it: one session, one submission after another, as told over stdin.

    driver.py COURSE LEVEL [WEAKNESS]

With a weakness (`weak.py`), one wall of the trusted side is taken down: that is the positive
control of the attacks that aim at this wall."""

import io
import json
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))


def main() -> None:
    root, level, *weakness = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    questions = os.fdopen(os.dup(0))
    os.dup2(2, 1)
    from grader.course import read_course
    from grader.sandbox import choose
    from grader.session import with_session

    course = read_course(Path(root))
    sandbox = choose(level)

    def work(session) -> None:
        if weakness:
            import weak

            weak.WEAKNESSES[weakness[0]](session)
        print(json.dumps({"ready": True}), file=answers, flush=True)
        for line in questions:
            try:
                answer = grade(session, course, Path(json.loads(line)))
            except BaseException:
                answer = {"fault": traceback.format_exc()}
            print(json.dumps(answer), file=answers, flush=True)

    with_session(course, sandbox, work, many=True, remember=False)


def grade(session, course, path: Path) -> dict:
    from rich.console import Console

    from grader.report import score_file, terminal, text
    from grader.submission import read_submission

    result = session.grade(read_submission(path, course))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    texts = {}
    for audience in ("student", "instructor"):
        texts[f"{audience} score file"] = score_file.encode(
            score_file.score_file(result, course, audience, at)
        ).decode("utf-8")
        shown = io.StringIO()
        console = Console(file=shown, highlight=False, emoji=False, soft_wrap=True, width=80)
        terminal.show(console, course, result, verbose=True, student=audience == "student")
        texts[f"{audience} terminal"] = shown.getvalue()
    checks = [item for exercise in result.exercises for item in exercise.checks]
    texts["instructor csv"] = "\n".join(text.cell(item.message) for item in checks)
    return {
        "score": float(result.score),
        "passed": str(result.outcome) == "passed",
        "checks": {item.check.id: [str(item.outcome), item.message] for item in checks},
        "texts": texts,
    }


if __name__ == "__main__":
    main()
