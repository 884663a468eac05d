"""One expression in declared names: an entry of a matrix, the length of an axis, the end of an interval."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.errors import AnswerError
from autograder.text.expression.read import read
from autograder.text.expression.tree import Expr, names_in


def read_entry(text: str, names: Sequence[str], whole: str, example: str) -> Expr:
    """The expression; where there is none, AnswerError quotes the whole answer and says what to write."""
    fault = AnswerError(f"cannot read '{whole.strip()[:60]}': write {example}")
    try:
        reading = read(text, names, (), example)
    except AnswerError:
        raise fault from None
    if reading.orders or reading.signs:
        raise fault
    unknown = [name for name in names_in(reading.sides[0]) if name not in names]
    if unknown and names:
        raise AnswerError(
            f"'{unknown[0]}' is not in this question, which has {', '.join(names)}: write {example}"
        )
    if unknown:
        raise fault
    return reading.sides[0]
