"""A course becomes a folder from which a container is built: grading on macOS, Windows and any server."""

from __future__ import annotations

from autograder.course.load import Course
from autograder.packages.kit import filled, grading_kit

CONTAINERFILE = """\
# Holds the answers and the secret of the course: do not push it to a public registry.
FROM python:3.11-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends bubblewrap
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu "{torch}"
COPY constraints.txt {wheel} /opt/install/
RUN pip install --no-cache-dir -c /opt/install/constraints.txt "/opt/install/{wheel}[instructor]"
COPY course /srv/course
WORKDIR /class
ENTRYPOINT ["autograder"]
CMD ["doctor"]
"""

README = """\
# {title}, in a container

With Docker, or with `podman` in its place, in this folder; on Windows in PowerShell:

    docker build -f Containerfile -t autograder-course .
    docker run --rm autograder-course doctor
    docker run --rm -v "$PWD/class:/class" autograder-course grade submitted --out out --course /srv/course

`class/submitted` holds the submissions; `class/out` gets marks, feedback and report. `doctor` must say that
Landlock and seccomp work: both need a Linux kernel of 5.13 or newer below the engine (Docker Desktop and
Podman machine bring one) and an engine whose seccomp profile lets a process confine itself, as default
profiles do. bubblewrap needs user namespaces, which Docker's own profile refuses: grading works without it,
with one wall less.

The image holds the answers and the secret: keep it to yourself.
"""


def container_files(course: Course) -> dict[str, bytes]:
    """Every file of the folder, by path."""
    own = {"Containerfile": filled(CONTAINERFILE, course), "README.md": filled(README, course)}
    return own | grading_kit(course)
