"""Which page of the docs says more about a command: errors and `doctor` name it."""

from __future__ import annotations

from collections.abc import Sequence

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


def more_of(argv: Sequence[str]) -> str:
    """A line that names the page of the command that was given; empty where none was."""
    command = next((word for word in argv if word in PAGES), "")
    return f"docs/{PAGES[command]}.md says more" if command else ""
