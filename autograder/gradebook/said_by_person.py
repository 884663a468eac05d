"""What a person said of an answer, for the student's page: a mark, a comment, an appeal's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class AnswerPlace(NamedTuple):
    """One answer in a class."""

    student: str
    set: str
    problem: str
    part: str


@dataclass(frozen=True)
class Said:
    """A person's mark, if there is one and it is not to be looked at again; the comment; answered appeals."""

    score: float | None = None
    comment: str = ""
    appeals: tuple[tuple[str, str], ...] = ()  # what was asked, and the answer


SaidOfAll = Mapping[AnswerPlace, Said]
