"""Where the marks by hand of a graded class are kept: that there is such a place is found out early."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL

from autograder.errors import UsageError
from autograder.gradebook.database_address import NAME, address


def find_marks(out: Path, db: str | None) -> URL:
    """The address of a class's gradebook; wrong usage where no class was graded, or none was written."""
    if not (out / "journal.jsonl").is_file():
        raise UsageError(f"{out} has no graded class: run autograder grade … --out {out} first")
    if db is None and not (out / NAME).is_file():
        raise UsageError(
            f"{out} has no {NAME}, where marks by hand are kept: "
            "run the same grade command again without --no-gradebook, or name one with --db"
        )
    return address(db, out)
