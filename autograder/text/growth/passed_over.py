"""A clause that states no rate comes in; whether it may be passed over as a remark goes out."""

from __future__ import annotations

import re

from autograder.text.expression.clauses import DOUBTFUL, ORDER, Clause, is_wordy, said_in
from autograder.text.expression.names import Names
from autograder.text.expression.vocabulary import words
from autograder.text.growth.dependence import MATTERS
from autograder.text.growth.rate_among_words import COMPARING, single_letters
from autograder.text.growth.without_constants import AMOUNTS

_POINTING = words("this that it these those only one")
OPERATIONS = words("times plus minus multiplied added divided subtract")
_WORDS = re.compile(r"[A-Za-z'\s,.;-]*")


def names_the_next(clause: Clause, follows: Clause | None) -> bool:
    """Whether a clause is the label of the one behind it: 'times V: T*T*d'."""
    if follows is None or follows.label != clause.text or ORDER.search(clause.text):
        return False
    said = said_in(clause.text)
    return bool(said & OPERATIONS) and not said & (DOUBTFUL - OPERATIONS)


def speaks_of_rates(text: str, names: Names) -> bool:
    """Whether a remark names a quantity, counts, compares or has a formula."""
    words = said_in(text)
    named = any(map(names.find, words)) or re.search(
        r"[\d^*+/=<>]|(?<![A-Za-z'])[B-HJ-Zb-z](?![A-Za-z'])", text
    )
    return (
        bool(named or words & (COMPARING | AMOUNTS | OPERATIONS | _POINTING))
        or MATTERS.search(text) is not None
    )


def is_step(clause: Clause, names: Names) -> bool:
    """Whether a clause relates letters of its own, on the way to a rate: L >= (N - 1)/(w - 1)."""
    related = re.search(r"[<>]|\\[lg]eq?(?![A-Za-z])", clause.text) and not ORDER.search(clause.text)
    letters = re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", clause.text)
    return bool(related) and any(names.find(letter) is None for letter in letters)


def has_words(text: str, names: Names) -> bool:
    """Whether a text has words beyond those of formulas, or nothing but words."""
    plain_words = (
        _WORDS.fullmatch(text) and not any(map(names.find, text.split())) and not single_letters(text)
    )
    return bool(plain_words) or is_wordy(text, names)
