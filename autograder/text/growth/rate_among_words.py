"""A clause in words comes in; the O(…) alone goes out, where only words without doubt stand around it."""

from __future__ import annotations

import re

from autograder.text.expression.clauses import DOUBTFUL, ORDER, is_confining, said_in
from autograder.text.expression.names import Names
from autograder.text.expression.vocabulary import SHAPES, words
from autograder.text.fold import Folded
from autograder.text.growth.claims import SHAPE_WORD

# Words that turn the meaning of an O(…) beside them round.
COMPARING = words(
    """
    less more than fewer least lower below under above greater larger smaller bigger between faster slower
    better worse best average factor exceeds exceed beyond almost nearly squared cubed first second per each
    every half twice double root square exponent inverse reciprocal power
    """
)
_VERB = re.compile(
    r"(?<![A-Za-z])(?:takes?|costs?|needs?|requires?|is|are|has|have|gives?|runs?|grows?|scales?|uses?|in)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[\s.,;:!$]*(?:[A-Za-z][A-Za-z'\s,.;:$-]*)?")
_BEFORE = re.compile(r"(?:[A-Za-z'\s,.;:$-]|\^\{?\d\}?)*")
_TO_BRACKET = re.compile(r"[^(\[{]*")
# so we need L = O(…): a letter of the question, which is what is asked for
_ASKED = re.compile(r"(?<![A-Za-z])[A-Za-z]\w*\$?\s*=\s*\$?\s*$")


# softmax(QK^T)V: matrices, of which one is transposed
_FACTOR = r"[(\[]?\s*(?<![a-z])[A-Z](?![a-z])\s*(?:\^\s*\{?\\?(?:T|top)(?![A-Za-z])\}?)?\s*[)\]]?"
_MATRICES = re.compile(rf"(?:\\?[a-z]{{3,}}\s*(?=\())?(?:{_FACTOR}\s*){{1,5}}")


def trimmed(folded: Folded, names: Names) -> Folded | None:
    """The O(…) alone, where only words without doubt stand around it: the RNN takes O(T) such steps."""
    orders = [*ORDER.finditer(folded.text)]
    if not orders:
        return None
    opening = _TO_BRACKET.match(folded.text, orders[-1].end() - 1)
    start, stop = (
        orders[0].start(),
        _end_of_group(folded.text, opening.end() if opening else len(folded.text)),
    )
    before, after = folded.text[:start], folded.text[stop:]
    asked = _ASKED.search(before)
    if asked and not names.find(asked[0].strip(" $=")):
        before = before[: asked.start()]
    if "^" in before:
        before = _MATRICES.sub(lambda found: " " if "^" in found[0] else found[0], before)
    if before.lstrip().lower().startswith("but "):
        before = before.lstrip()[4:]
    if not (_BEFORE.fullmatch(before) and _AFTER.fullmatch(after)):
        return None
    said = said_in(f"{before} {after}")
    if said & (DOUBTFUL | COMPARING) or is_confining(f"{before} {after}") or single_letters(after):
        return None
    letters = single_letters(before)
    if letters and not _VERB.search(before[letters[-1] :]):
        return None
    return Folded(" " * start + folded.text[start:stop], folded.columns, folded.typed)


def bare_shape(text: str) -> str:
    """The word of a clause such as 'linear time', which names no variable."""
    found = SHAPE_WORD.findall(text)
    if len(found) != 1 or re.search(r"(?<![A-Za-z])(?:in|with|not|no|sub|super|poly)(?![A-Za-z])", text):
        return ""
    return SHAPES[found[0].lower()]


def single_letters(text: str) -> list[int]:
    """Where single letters stand among words: they may be factors."""
    return [found.start() for found in re.finditer(r"(?<![A-Za-z'])[A-Zb-z](?![A-Za-z'])", text)]


def _end_of_group(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at + 1
    return len(text)
