"""The results of the last finished run and the new ones tell whose marks moved, by how much, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.as_json import from_json
from autograder.grade.report import Identity, ResultRow


@dataclass(frozen=True)
class Move:
    """The marks of one notebook before and after, and what became of each part that changed."""

    student: str
    set: str
    problem: str
    was: float
    now: float
    reasons: tuple[str, ...]


def read_rows(path: Path) -> list[ResultRow]:
    """The rows of a results.jsonl; none where there is no such file or it is not ours."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [from_json(ResultRow, json.loads(line)) for line in lines]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def find_moves(before: Iterable[ResultRow], after: Iterable[ResultRow]) -> Iterator[Move]:
    """Every notebook that was graded before and has other marks or verdicts now, in order."""
    old, new = _by_notebook(before), _by_notebook(after)
    for (student, set_id, problem), parts in new.items():
        known = old.get((student, set_id, problem))
        if known is None:
            continue
        reasons = tuple(_reasons(known, parts))
        if reasons:
            was, now = (round(sum(row.score for row in each.values()), 6) for each in (known, parts))
            yield Move(student, set_id, problem, was, now, reasons)


def _by_notebook(rows: Iterable[ResultRow]) -> dict[Identity, dict[str, ResultRow]]:
    found: dict[Identity, dict[str, ResultRow]] = {}
    for row in rows:
        found.setdefault(row.identity, {})[row.part] = row
    return found


def _reasons(old: Mapping[str, ResultRow], new: Mapping[str, ResultRow]) -> Iterator[str]:
    for part in dict.fromkeys([*old, *new]):
        if part not in new:
            yield f"{part}: {old[part].score:g} → no longer asked"
        elif part not in old:
            yield f"{part}: new → {new[part].score:g}, {_said(new[part])}"
        elif _told(old[part]) != _told(new[part]):
            was, now = _told(old[part]), _told(new[part])
            yield f"{part}: {was[0]:g} → {now[0]:g}, {was[1]} → {now[1]}"


def _told(row: ResultRow) -> tuple[float, str]:
    return row.score, _said(row)


def _said(row: ResultRow) -> str:
    """The verdict, or what became of the part where it has none of its own."""
    said = row.verdict if row.status == "graded" else row.status
    return f"{said} ({row.mistake})" if row.mistake else said
