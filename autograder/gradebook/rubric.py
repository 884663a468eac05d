"""Rubric items that an answer has become its mark and the words that go with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MINUS = "−"


@dataclass(frozen=True)
class Item:
    """One line of a rubric as it stands at the desk."""

    id: int
    points: float
    says: str

    @property
    def signed(self) -> str:
        return signed(self.points)


def signed(points: float) -> str:
    """Points as they are added: +1, −0.5, 0."""
    return f"{'+' if points > 0 else MINUS if points < 0 else ''}{abs(points):g}"


def chosen(items: Sequence[Item], ids: Iterable[int]) -> list[Item]:
    """The items with these ids, in the rubric's order."""
    wanted = set(ids)
    return [item for item in items if item.id in wanted]


def total(items: Iterable[Item], most: float) -> float:
    """What the items come to: never below nothing, never above what the part is worth."""
    return round(min(max(sum(item.points for item in items), 0.0), most), 6)


def comment_text(items: Iterable[Item], words: str) -> str:
    """The comment that a student reads: a line for each item, then the marker's own words."""
    lines = [f"{item.signed} {item.says}" for item in items]
    own = words.strip()
    return "\n".join([*lines, *([""] if lines and own else []), *([own] if own else [])])
