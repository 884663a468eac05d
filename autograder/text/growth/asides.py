"""What is said beside a rate: what it is of, what has no influence, what is supposed, words to pass over."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from autograder.text.expression.clauses import DOUBTFUL, ORDER, Clause, Tie, is_wordy, said_in
from autograder.text.expression.names import Names
from autograder.text.expression.quantities import Quantities
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
VERB = re.compile(
    r"(?<![A-Za-z])(?:takes?|costs?|needs?|requires?|is|are|has|have|gives?|runs?|grows?|scales?|uses?|in)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
# the number of heads has no influence
IRRELEVANT = re.compile(
    r"(?<![A-Za-z])(?:(?:has|have|plays?|makes?)\s+no\s+(?:effect|influence|impact|role|bearing|difference)"
    r"|(?:does\s+not|do\s+not|doesn't|don't)\s+(?:matter|play|enter|count|appear|affect|influence)"
    r"|(?:is|are)\s+irrelevant|drops?\s+out|cancels?(?:\s+out)?)(?![A-Za-z])",
    re.IGNORECASE,
)
# the softmax itself is only O(…)
_SUBJECT = re.compile(
    r"\W*(?:and\s+|then\s+)?((?:[Tt]he|[Aa]\s+single|computing|multiplying|forming|evaluating|taking|adding)\s[a-z\s-]*?)"
    r"\s(?:takes?|costs?|needs?|requires?|is|are|has|have|uses?)(?![A-Za-z])(?=[a-z\s]*\$?[OΘ\\])"
)
# softmax O(…)
_BARE_SUBJECT = re.compile(r"(?:and\s+|then\s+)?([a-z]{3,}(?:\s+[a-z]{3,})?)\s+\$?[OΘ\\]")
_STEPS = words(
    """
    softmax score scores projection projections product products multiplication multiplications multiplying
    matmul values keys queries normalisation normalization normaliser normalizer sum sums summing masking
    exponentials exponential scaling weights weighting convolution convolutions embedding embeddings
    feedforward ffn mlp forming computing
    """
)
_WHOLE = words(
    """
    answer result time complexity cost costs runtime running growth rate bound solution final work total
    truth correct right real actual actually true one exact tight best overall span steps algorithm model
    network method attention rnn cnn layer layers whole it this depth asymptotically
    """
)
# for T < d: what the answer supposes of two letters
_RELATION = re.compile(
    r"(?<![A-Za-z\\_])\$?(?P<left>[A-Za-z]\w*)\$?\s*(?P<sign><<|>>|<=|>=|<|>|\\(?:leq?|geq?|ll|gg|lt|gt)(?![A-Za-z]))"
    r"\s*(?=\$?(?P<right>[A-Za-z]\w*))"
)
_OPERATIONS = words("times plus minus multiplied added divided subtract")
REMARKS = (Tie.FOR, Tie.ASIDE, Tie.WHERE, Tie.WHY)
_WORDS = re.compile(r"[A-Za-z'\s,.;-]*")
_AFTER = re.compile(r"[\s.,;:!$]*(?:[A-Za-z][A-Za-z'\s,.;:$-]*)?")
_BEFORE = re.compile(r"(?:[A-Za-z'\s,.;:$-]|\^\{?\d\}?)*")


@dataclass(frozen=True)
class Asides:
    """What is said beside the rates of an answer, in the question's letters and the answer's own."""

    known: tuple[str, ...]
    names: Names
    quantities: Quantities

    def irrelevant(self, clause: Clause) -> list[str]:
        """What a clause says has no influence: 'the number of heads does not matter'."""
        found = IRRELEVANT.search(clause.text)
        if found is None or ORDER.search(clause.text):
            return []
        start = clause.folded.text.index(found[0])
        return self.mentioned(replace(clause, folded=replace(clause.folded, text=clause.folded.text[:start])))

    def is_label(self, clause: Clause, follows: Clause) -> bool:
        """Whether a letter of its own only names the rate behind its colon: 'Z: O(log T)'."""
        lone = re.fullmatch(r"\$?([A-Za-z](?:_\w+)?)\$?", clause.text)
        return bool(lone and follows.label == clause.text and not self.names.find(lone[1]))

    def is_of_part(self, clause: Clause) -> bool:
        """Whether a rate has a subject of its own, other than what is asked for."""
        subject = _SUBJECT.match(clause.text)
        if subject is None and (bare := _BARE_SUBJECT.match(clause.text)) and said_in(bare[1]) & _STEPS:
            subject = bare
        label = "" if any(map(self.names.find, clause.label.split())) else clause.label
        said = said_in(subject[1] if subject else label)
        return bool(said) and not said & _WHOLE

    def supposed(self, clauses: list[Clause]) -> tuple[tuple[str, str], ...]:
        """The letters of the question that remarks compare: 'for T < d' supposes that T is at most d."""
        found = [
            (self.names.find(match["left"]), self.names.find(match["right"]), match["sign"])
            for clause in clauses
            if clause.tie in REMARKS
            for match in _RELATION.finditer(clause.text)
        ]
        pairs = [
            (right, left) if sign[-1] == ">" or "g" in sign else (left, right) for left, right, sign in found
        ]
        return tuple((a, b) for a, b in pairs if a in self.known and b in self.known and a and b)

    def names_the_next(self, clause: Clause, follows: Clause | None) -> bool:
        """Whether a clause is the label of the one behind it: 'times V: T*T*d'."""
        if follows is None or follows.label != clause.text or ORDER.search(clause.text):
            return False
        said = said_in(clause.text)
        return bool(said & _OPERATIONS) and not said & (DOUBTFUL - _OPERATIONS)

    def is_step(self, clause: Clause) -> bool:
        """Whether a clause relates letters of its own, on the way to a rate: L >= (N - 1)/(w - 1)."""
        related = re.search(r"[<>]|\\[lg]eq?(?![A-Za-z])", clause.text) and not ORDER.search(clause.text)
        letters = re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", clause.text)
        return bool(related) and any(self.names.find(letter) is None for letter in letters)

    def has_words(self, text: str) -> bool:
        """Whether a text has words beyond those of formulas, or nothing but words."""
        plain_words = (
            _WORDS.fullmatch(text) and not any(map(self.names.find, text.split())) and not find_letters(text)
        )
        return bool(plain_words) or is_wordy(text, self.names)

    def mentioned(self, clause: Clause) -> list[str]:
        """The names of the question that a clause mentions, by letter or in words."""
        text = self.quantities.put_in(f" in {clause.text}")
        found = (self.names.find(word) for word in re.findall(r"\\?[A-Za-zͰ-Ͽ]+(?:_\{?\w+\}?)?", text))
        return [name for name in found if name in self.known]


def bare_shape(text: str) -> str:
    """The word of a clause such as 'linear time', which names no variable."""
    found = SHAPE_WORD.findall(text)
    if len(found) != 1 or re.search(r"(?<![A-Za-z])(?:in|with|not|no|sub|super|poly)(?![A-Za-z])", text):
        return ""
    return SHAPES[found[0].lower()]


def trim(folded: Folded) -> Folded | None:
    """The O(…) alone, where only words without doubt stand around it: the RNN takes O(T) such steps."""
    orders = [*ORDER.finditer(folded.text)]
    if not orders:
        return None
    start, stop = orders[0].start(), _end_of_group(folded.text, orders[-1].end() - 1)
    before, after = folded.text[:start], folded.text[stop:]
    if not (_BEFORE.fullmatch(before) and _AFTER.fullmatch(after)):
        return None
    said = said_in(f"{before} {after}")
    if said & (DOUBTFUL | COMPARING) or find_letters(after):
        return None
    letters = find_letters(before)
    if letters and not VERB.search(before[letters[-1] :]):
        return None
    return Folded(" " * start + folded.text[start:stop], folded.columns, folded.typed)


def find_letters(text: str) -> list[int]:
    """Where single letters stand among words: they may be factors."""
    return [found.start() for found in re.finditer(r"(?<![A-Za-z'])[A-Zb-z](?![A-Za-z'])", text)]


def _end_of_group(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at + 1
    return len(text)
