"""Which page of the docs says more about a command: errors and `doctor` name it."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.docs_at_hand import says_more

PAGES = {
    "list": "authors",
    "build": "authors",
    "verify": "authors",
    "cost": "cost",
    "release": "instructors",
    "package": "packages",
    "new": "authors",
    "draft": "authors",
    "import": "authors",
    "demo": "instructors",
    "grade": "instructors",
    "report": "instructors",
    "desk": "desk",
    "export": "instructors",
    "doctor": "security",
    "compare": "authors",
    "check": "students",
}
# Options of `grade` that have a page of their own.
OPTIONS = {"--cluster": "clusters", "--db": "nbgrader"}


def more_of(argv: Sequence[str]) -> str:
    """A line that names the page of what was asked for; empty without a command, or without docs."""
    command = next((word for word in argv if word in PAGES), "")
    if not command:
        return ""
    given = {word.partition("=")[0] for word in argv}
    own = (page for option, page in OPTIONS.items() if option in given)
    return says_more(next(own, PAGES[command]))
