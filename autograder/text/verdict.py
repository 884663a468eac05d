"""What an engine says of a written answer: a verdict, the share it earns, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class UsualMistake:
    """A mistake that explains how an answer differs from its key: its id, and what its author should read."""

    id: str
    says: str


def written_in(names: Sequence[str], strangers: Sequence[str]) -> str:
    """What is said of letters that the answer is not to have, though the question may well speak of them."""
    *others, last = strangers
    without = f"{', '.join(others)} and {last}" if others else last
    if not names:
        return f"the answer is to be a number, without {without}"
    return f"the answer is to be written in {', '.join(names)}, without {without}"


@dataclass(frozen=True)
class LineVerdict:
    """The verdict on one line of a system of equations, named by what the line defines."""

    defines: str
    verdict: str
    read_as: str = ""
    feedback: str = ""
    mistake: str | None = None


@dataclass(frozen=True)
class Judgement:
    """What an engine says of one answer. Anything short of full marks carries a reason."""

    verdict: str
    share: float
    feedback: str = ""
    read_as: str = ""
    latex: str = ""
    mistake: str | None = None
    lines: tuple[LineVerdict, ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"a share lies between 0 and 1, not {self.share}")
        if self.share < 1 and not self.feedback:
            raise ValueError(f"verdict {self.verdict!r} loses marks without a reason")
