#!/usr/bin/env bash
# Runs once, while Gradescope builds the image: Python, a sandbox, the packages, and the first run.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
venv=${GRADER_VENV:-/opt/grader}
apt=${GRADER_APT:-apt-get}
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
    local candidate
    for candidate in python3.14 python3.13 python3.12 python3.11 python3; do
        if usable "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

"$apt" update
"$apt" install -y --no-install-recommends bubblewrap
if ! python=$(find_python); then
    for version in 3.13 3.12 3.11; do
        "$apt" install -y "python$version" "python$version-venv" && break
    done
    python=$(find_python) || { echo "no Python 3.11 or newer: choose a newer base image" >&2; exit 1; }
fi

"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet -r "$root/source/requirements.txt"

# a submission runs as another user, and has no business in here
chmod -R go-rwx "$root/source"

# what can be prepared once is kept in the course's folder, so that submissions are graded faster
cd "$root/source/course"
"$venv/bin/python" -m grader exercises >/dev/null || true
