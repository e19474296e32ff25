#!/usr/bin/env bash
# Runs for each submission. What it prints is for the instructor only.
set -uo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
python=${GRADER_VENV:-/opt/grader}/bin/python
only=(@ONLY@)
hidden=@HIDDEN@
results=$root/results/results.json

cd "$root/source/course" || exit 1
mkdir -p "$root/results"
rm -f "$results"
level=$("$python" -c 'from grader.host import choose_sandbox; print(choose_sandbox("auto").name)') || exit 1
echo "sandbox: $level"
if [ "$level" = none ]; then
    # without one, a submission could read the hidden checks and write its own results
    echo "No sandbox works in this container, so nothing was graded; see python -m grader doctor:" >&2
    "$python" -m grader doctor >&2
    exit 1
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$python" -m grader "$root/submission" --json "$work/score.json" --sandbox "$level" \
    ${only[@]+"${only[@]}"} >"$work/shown" 2>"$work/errors"
code=$?
cat "$work/shown" "$work/errors"
if [ -s "$work/score.json" ]; then
    exec "$python" -m grader export "$work/score.json" --to gradescope --hidden "$hidden" --out "$results"
fi
if [ "$code" -eq 2 ]; then
    # what was handed in cannot be graded, and the one line in there says why
    exec "$python" -m grader.export.gradescope "$work/errors" "$results"
fi
exit 1
