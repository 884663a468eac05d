"""An answer comes in; the same text, as long, goes out without what growth does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.text.expression.clauses import DOUBTFUL, ORDER, SPOKEN, said_in
from autograder.text.expression.names import Names
from autograder.text.expression.quantities import Quantities
from autograder.text.expression.strip_markup import closing
from autograder.text.expression.vocabulary import words
from autograder.text.fold import Folded
from autograder.text.growth.rate_among_words import COMPARING

AMOUNTS = words("number length size dimension amount depth width height")
# N // w, up to a constant factor
_ROUNDED = re.compile(
    r"(?<=/)/(?=\s*[A-Za-z(])|(?P<open>\()?up\s+to\s+(?:an?\s+|some\s+)?(?:multiplicative\s+)?constants?(?:\s+factors?)?"
    r"(?![A-Za-z])(?(open)\s*\))",
    re.IGNORECASE,
)
# reduces from O(T^2 d) to O(T d^2)
_FROM = re.compile(
    r"(?<![A-Za-z])from\s+(?:the\s+)?(?P<old>\$?\s*(?:O|Θ|\\)[^.;,]*?)\s+(?:down\s+)?to\s+(?:only\s+|just\s+)?"
    r"(?=\$?\s*(?:O|Θ|\\))"
)
# so it's linear
_IS = re.compile(r"(?<![A-Za-z])(it|that|this|which)'s(?![A-Za-z])", re.IGNORECASE)
# constant factors are ignored; the exponential cannot be pulled apart
_NO_RATE = re.compile(
    r"(?<![A-Za-z])(?:constant\s+factors?(?=\s+(?:are\s+|being\s+)?(?:ignored|dropped|omitted|neglected))"
    r"|(?:the|an|its)\s+exponentials?(?=\s+[a-z])(?!\s+(?:in|time|cost|growth|run|running|factor|function|amount|number|is|are|takes?|costs?|needs?)(?![a-z])))",
    re.IGNORECASE,
)
# linear in T!
_EXCLAIMED = re.compile(r"((?<![A-Za-z])in\s+\$?[A-Za-z]\$?)!+(?=\W*$)")
# O(|V|): the bars of a size
_SIZE = re.compile(r"\|(\s*[A-Za-z]\s*)\|")
# log U [scores]: what a term is of
_NAMED_TERM = re.compile(r"(?<=[\s\w)])[(\[]\s*[A-Za-z][a-z]{3,}(?:\s+[a-z]{2,})*\s*[)\]]")


def plainer(folded: Folded, names: Names, quantities: Quantities) -> Folded:
    """The text without rounding, former rates, short forms, !, bars, names of terms and what is no rate."""

    def without_name(found: re.Match[str]) -> str:
        """Within a rate, words in brackets that are no quantity and no part of a formula name a term."""
        inner = found[0].strip("()[] ")
        before = found.string[: found.start()]
        inside = before.count("(") > before.count(")") and ORDER.search(before)
        said = said_in(inner)
        formula = said & (SPOKEN | DOUBTFUL | COMPARING) or any(map(names.find, said))
        known = quantities.put_in(inner) != inner or said & AMOUNTS
        return _blanked(found) if inside and not formula and not known else found[0]

    text = _ROUNDED.sub(_blanked, folded.text)
    if "from" in text:
        text = _FROM.sub(lambda found: _blanked(found) if ORDER.search(found["old"]) else found[0], text)
    text = _NO_RATE.sub(_blanked, text)
    if "'s" in text:
        text = _IS.sub(lambda found: found[1].ljust(len(found[0])), text)
    if "!" in text:
        text = _EXCLAIMED.sub(lambda found: found[1].ljust(len(found[0])), text)
    if "|" in text:
        text = _SIZE.sub(lambda size: f" {size[1]} " if names.find(size[1].strip()) else size[0], text)
    if "(" in text or "[" in text:
        text = _NAMED_TERM.sub(without_name, text)
    return Folded(text, folded.columns, folded.typed)


def former(text: str) -> Iterator[tuple[int, int]]:
    """Where rates stand that are said to be brought down to the answer's."""
    for found in _FROM.finditer(text) if "from" in text else ():
        order = ORDER.search(found["old"])
        if order and (close := closing(text, found.start("old") + order.end() - 1)):
            yield found.start("old") + order.start(), close + 1


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])
