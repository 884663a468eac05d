"""A course becomes the autograder.zip that Gradescope takes: two scripts, the course, a wheel and pins."""

from __future__ import annotations

import json
from collections.abc import Sequence

from autograder.course.load import Course, ProblemSet
from autograder.packages.kit import filled, grading_kit

SETTINGS = "settings.json"

# Gradescope runs it once, as root, when the image is built. Its Ubuntu has an older Python beside 3.11.
SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
newest() {
  for python in python3.13 python3.12 python3.11 python3; do
    "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \\
      && echo "$python" && return
  done
}
if [ -z "$(newest)" ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3.11 python3.11-venv
fi
if ! command -v bwrap >/dev/null && command -v apt-get >/dev/null; then
  # The second wall is welcome and not needed: grading goes on without it.
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap || true
fi
"$(newest)" -m venv "$source/../venv"
pip="$source/../venv/bin/python -m pip install --quiet --disable-pip-version-check"
$pip --extra-index-url https://download.pytorch.org/whl/cpu "{torch}"
$pip -c "$source/constraints.txt" "$source/{wheel}[instructor]"
"""

# Gradescope copies it to /autograder and runs it there for each submission.
RUN = """\
#!/usr/bin/env bash
set -euo pipefail
home=$(cd "$(dirname "$0")" && pwd)
exec "$home/venv/bin/python" -m autograder.packages.on_gradescope "$home"
"""


def gradescope_files(course: Course, sets: Sequence[ProblemSet]) -> dict[str, bytes]:
    """Every file of the zip, by path. The zip holds the answers and the secret: it is the instructor's."""
    settings = {"sets": [group.id for group in sets]}
    own = {
        "setup.sh": filled(SETUP, course),
        "run_autograder": RUN.encode(),
        SETTINGS: (json.dumps(settings, indent=1) + "\n").encode(),
    }
    return own | grading_kit(course)
