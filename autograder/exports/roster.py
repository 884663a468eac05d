"""A file that a platform exported, whose rows are matched with the students of a class."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError, reason

# A platform's number at the end of a student's name, where the class came from Canvas or Moodle.
NUMBERED = re.compile(r"(?P<name>.+)_(?P<number>\d+)")


@dataclass(frozen=True)
class Roster:
    """The header and the rows of an exported file."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, *names: str) -> int | None:
        """Where the first of these columns is."""
        return next((self.header.index(name) for name in names if name in self.header), None)

    def field(self, row: Sequence[str], *names: str) -> str:
        place = self.column(*names)
        return row[place].strip() if place is not None and place < len(row) else ""


def read_roster(path: Path) -> Roster:
    """Read a file that Canvas or Moodle exported, whichever separator it uses."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read: {reason(error)}; name the file that the platform exported"
        ) from error
    first = text.split("\n", 1)[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    table = [tuple(row) for row in csv.reader(io.StringIO(text), delimiter=separator) if any(row)]
    if not table:
        raise UsageError(f"{path} is empty: export the marks of the course from the platform again")
    return Roster(tuple(name.strip() for name in table[0]), tuple(table[1:]))


def split_number(student: str) -> tuple[str, str]:
    """A student's name and the platform's number, empty where there is none."""
    match = NUMBERED.fullmatch(student)
    return (match["name"], match["number"]) if match else (student, "")


def match_students(
    students: Iterable[str],
    rows: Sequence[tuple[str, ...]],
    number: Callable[[tuple[str, ...]], str],
    names: Callable[[tuple[str, ...]], Sequence[str]],
) -> dict[int, str]:
    """Which student each row is: by the platform's number, else by a name that only one row has."""
    by_number = {number(row): place for place, row in enumerate(rows) if number(row)}
    by_name: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for known in {_plain(name) for name in names(row)}:
            by_name.setdefault(known, []).append(place)
    found: dict[int, str] = {}
    for student in students:
        name, own = split_number(student)
        places = [by_number[own]] if own in by_number else []
        for text in (student, name):
            places += by_name.get(_plain(text), []) if not places and _plain(text) else []
        if len(places) == 1:
            found.setdefault(places[0], student)
    return found


def _plain(name: str) -> str:
    """As Canvas writes names into file names: small letters and digits, nothing between them."""
    return re.sub(r"[^\w@.]", "", name).lower()


def table_text(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()
