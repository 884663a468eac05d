"""Mistakes that were named at the desk: a data file beside a solutions file, read and written here."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from autograder.course.model import Named, Problem, Prose

HEAD = "# Wrong answers of students that were named at the desk. `autograder verify` proves each of them.\n"
FIELDS = ("id", "of", "says", "share", "print", "answer")


def place_of(problem: str) -> str:
    """Where the named mistakes of a problem are kept, within a course."""
    return f"solutions/{problem}.named.toml"


def read_named(data: bytes, faults: list[str]) -> tuple[Named, ...]:
    """The mistakes in a file; what is wrong with it is added to the faults."""
    try:
        tables = tomllib.loads(data.decode("utf-8")).get("mistake", [])
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(f"cannot be read: {error}")
        return ()
    named = []
    for number, table in enumerate(tables if isinstance(tables, list) else [tables], start=1):
        fault = _fault(table)
        if fault:
            faults.append(f"mistake {number}: {fault}")
        else:
            named.append(Named(**{name: table[name] for name in FIELDS}))
    return tuple(named)


def _fault(table: object) -> str:
    if not isinstance(table, Mapping) or set(table) != set(FIELDS):
        return f"it should have {', '.join(FIELDS)} and nothing else"
    share = table["share"]
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
        return f"share is {share!r}; it is a share of the marks from 0 up to, not including, 1"
    if not all(isinstance(table[name], str) and table[name].strip() for name in FIELDS if name != "share"):
        return "its id, of, says, print and answer are texts, and none of them is empty"
    return ""


def named_faults(problem: Problem, named: Iterable[Named]) -> Iterator[str]:
    """Mistakes of parts that are not asked for, and names that are taken."""
    parts = {part.name for part in problem.parts if not isinstance(part, Prose)}
    taken: set[str] = set()
    for each in named:
        if each.of not in parts:
            yield f"mistake {each.id!r} is of {each.of!r}, which is no part that is judged by rule"
        if each.id in taken:
            yield f"there is more than one mistake {each.id!r}"
        taken.add(each.id)


def named_text(named: Iterable[Named]) -> str:
    """The file that holds these mistakes."""
    tables = [
        f"\n[[mistake]]\nid = {_text(each.id)}\nof = {_text(each.of)}\nsays = {_text(each.says)}\n"
        f"share = {each.share:g}\nprint = {_text(each.print)}\nanswer = {_text(each.answer)}\n"
        for each in named
    ]
    return HEAD + "".join(tables)


def _text(value: str) -> str:
    """A text as TOML writes it; code keeps its lines where nothing in it needs another form."""
    clean = value.encode("utf-8", "replace").decode()
    if "\n" in clean and "'''" not in clean and not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", clean):
        return f"'''\n{clean}'''"
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
