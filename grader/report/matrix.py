"""Mistakes against checks: which check sees which mistake (`python -m grader verify --matrix`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def matrix(
    kills: Mapping[str, Mapping[str, Sequence[str]]], checks: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """One table for each exercise: a row a mistake, a column a check. Then what an author wants to
    know: the checks that see nothing, and the mistakes that one check alone sees."""
    for exercise, columns in checks.items():
        rows = kills.get(exercise, {})
        width = max((len(name) for name in rows), default=0)
        yield ""
        yield f"{exercise}: {len(rows)} mistakes x {len(columns)} checks"
        for number, check in enumerate(columns, 1):
            seen = sum(check in failing for failing in rows.values())
            remark = "  sees no mistake" if rows and not seen else ""
            yield f"  {number:>3}  {check}  {seen}{remark}"
        yield "  " + " " * width + "  " + "".join(str(n % 10) for n in range(1, len(columns) + 1))
        for name, failing in rows.items():
            marks = "".join("x" if check in failing else "." for check in columns)
            hidden = [check for check in failing if check.startswith("test_hidden")]
            remark = f"  only {hidden[0].partition('::')[2]}" if len(hidden) == 1 else ""
            yield f"  {name:<{width}}  {marks}{remark}"
