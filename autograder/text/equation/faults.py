"""The error of an equation that can be read but makes no sense: where, which index, and the fix."""

from __future__ import annotations

from autograder.errors import AnswerError
from autograder.text.equation.tree import NOWHERE, Place

RANKS = {"equal": 0, "different": 1, "ill-typed": 2, "unparseable": 3}  # from best to worst


class TypeFault(AnswerError):
    """An equation is ill-typed."""

    def __init__(self, message: str, place: Place = NOWHERE, index: str = "") -> None:
        super().__init__(message, place.column or None)
        self.place = place
        self.index = index


class TooMuch(AnswerError):
    """An equation asks for more work than an answer may."""


def shown(name: str) -> str:
    """An index as the student wrote it, without the mark that told it apart."""
    return name.partition("@")[0]
