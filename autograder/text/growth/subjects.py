"""A clause that states a rate comes in; what it is the rate of goes out: a part, or one of many."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.text.expression.clauses import ORDER, Clause, Tie, mentions, said_in
from autograder.text.expression.names import Names
from autograder.text.expression.quantities import Quantities
from autograder.text.expression.vocabulary import words
from autograder.text.growth.times_count import IN_TURN, SINGLE
from autograder.text.growth.variables_added_by_remarks import SERIAL

# the softmax itself is only O(…)
_SUBJECT = re.compile(
    r"\W*(?:and\s+|then\s+)?((?:[Tt]he|[Aa]\s+single|computing|multiplying|forming|evaluating|taking|adding)\s[a-z\s-]*?)"
    r"\s(?:takes?|costs?|needs?|requires?|is|are|has|have|uses?|adds?|contributes?|runs?)(?![A-Za-z])(?=[a-z\s]*\$?[OΘ\\])"
)
# QK^T: O(…)
MATRICES = re.compile(r"\$?(?:[(\[]?\s*[A-Z]\s*(?:\^\{?\\?(?:T|top)\}?\s*)?[)\]]?\s*){1,4}\$?")
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
_IN_A_ROW = re.compile(
    r"\W*(?:one\s+(?:[a-z]+\s+)?(?:after|by|at)\s+(?:another|the\s+other|one|a\s+time)|sequentially|serially"
    r"|in\s+(?:turn|sequence|series))\W*",
    re.IGNORECASE,
)
_IN_SERIES = re.compile(rf"{SERIAL.pattern}|after\s+(?:another|[a-z]+)|at\s+a\s+time", re.IGNORECASE)
_ONE_OF_MANY = re.compile(r"(?:of\s+(?:the\s+|these\s+)?[^a-z\s]*[A-Za-z][^a-z\s]*\s+)?([a-z]+)")
# of which a sequence has many
_MANY = words("pair query key token position word step row entry score element output")
# O(L) steps, each costing T
_THINGS = re.compile(r"[)\]}]\$?\s+(?:[a-z]+\s+)?[a-z]{3,}s\W*$")
_COST_OF_EACH = re.compile(
    r"\W*(?:(?:costing|costs?|taking|takes?|needing|needs?|requiring|requires?|is|=|(?:of|with|at)\s+(?:cost|complexity))\s*)*"
    r"(?P<cost>(?:(?:log|ln|sqrt|O|Θ|\\[A-Za-z]+)(?![A-Za-z])|[^A-Za-z]|(?<![A-Za-z])[A-Za-z](?![a-z]{2}))+?)\W*"
)
_WITH_COST = re.compile(r"(?:cost|work|complexity)\s+(?:of\s+)?(?P<cost>\S+)(?:\s+each)?\W*")
# T passes, each O(L)
_MANY_OF = re.compile(r"\$?([A-Za-z])\$?\s+[a-z]+s\W*")
# per T, for t in range(T): …
_OF_A_LETTER = re.compile(
    r"(?:unit\s+of\s+|single\s+)?\$?([A-Za-z])\$?(?:\s+(?:sequentially|serially|in\s+sequence|in\s+turn))?"
)
_LOOP = re.compile(r"(?:\w+\s+in\s+range\s*\(.*\)|\$?([A-Za-z])\$?)")


def is_multiplied(clause: Clause, follows: Clause | None, names: Names) -> bool:
    """Whether a remark multiplies a rate: O(L) steps, each costing T; for t in range(T): O(L)."""
    if clause.tie == Tie.FOR:
        pattern = _OF_A_LETTER if re.search("per|each|every", clause.word) else None
        pattern = _LOOP if follows and follows.label == clause.text else pattern
        one = pattern.fullmatch(clause.text.strip(" ,.:;")) if pattern else None
        return one is not None and (one[1] is None or names.find(one[1]) is not None)
    if follows is None or follows.tie not in (Tie.FOR, Tie.WHERE):
        return False
    if follows.word == "each" and (many := _MANY_OF.fullmatch(clause.text)) and names.find(many[1]):
        return ORDER.search(follows.text) is not None and bool(mentions(follows.text, names))
    pattern = _COST_OF_EACH if follows.word == "each" else _WITH_COST if follows.word == "with" else None
    cost = pattern.fullmatch(follows.text) if pattern else None
    several = ORDER.search(clause.text) and _THINGS.search(clause.text)
    return bool(cost and several and mentions(cost["cost"], names))


def is_of_part(clause: Clause, names: Names) -> bool:
    """Whether a rate has a subject of its own, other than what is asked for."""
    subject = _SUBJECT.match(clause.text)
    if subject is None and (bare := _BARE_SUBJECT.match(clause.text)) and said_in(bare[1]) & _STEPS:
        subject = bare
    label = "" if any(map(names.find, clause.label.split())) else clause.label
    said = said_in(subject[1] if subject else label)
    return bool(said) and not said & _WHOLE


def said_of_one(one: Clause, clauses: list[Clause]) -> str:
    """What a rate is said to be for one of, with 'one after another' where that stands behind it."""
    behind = next((each for each in clauses if each.begins >= one.ends > one.begins), None)
    return f"{one.text}, {behind.text}" if behind and _IN_A_ROW.fullmatch(behind.text) else one.text


@dataclass(frozen=True)
class Counting:
    """What a question counts: whether one after another, and what an answer says of it."""

    names: Names
    quantities: Quantities
    parallel: bool  # the question's time is parallel
    serial: bool  # the answer speaks of one after another

    def one_said_behind(self, text: str, used: tuple[str, ...], word: str = "") -> str:
        """What a rate is the rate of one of: 'layer', of which there are L; 'of the T' for each of the T.

        `word` is what it is said with: `per` and `each` count, `for` may only tell what it is the rate of.
        """
        each = re.match(r"(?:each|every(?:\s+one)?|one)?\s*of\s+(?:the\s+|those\s+)?\$?([A-Za-z]\w*)", text)
        each = each or re.match(r"\$?([A-Za-z]\w*)\$?\s+[a-z]+\s+each(?![a-z])", text)
        if each and self.names.find(each[1]):
            return f"of the {each[1]}"
        thing = re.match(r"(?:(?:each|every|one|a|single)\s+)*([a-z]+)", text)
        variable = self._count_of(thing[1]) if thing else None
        if thing and not self.parallel and thing[1] in _MANY:
            return thing[1]
        one = re.search("per|each|every", word) or re.match(r"(?:one|a\s+single)\s", text)
        if variable is None and one:
            return self._of_many(text)
        if thing is None or variable is None:
            return ""
        if self.parallel and variable not in used and not (_IN_SERIES.search(text) and (one or word)):
            return ""
        return self._of_one(thing)

    def _of_many(self, text: str) -> str:
        """What no variable counts, though there may be many: a dimension; in parallel, a step."""
        alone = re.split(r"[,;(]|(?<![A-Za-z])(?:and|with|for|in|of|at|over|times)(?![A-Za-z])", text)[0]
        said = re.fullmatch(
            r"(?:(?:the|a|single|individual|one)\s+)*\$?([a-z]+_?\{?[a-z]?\d?\}?(?:[\s-]+[a-z]+)?)\$?\W*",
            alone,
        )
        noun = re.split(r"[\s-]", said[1])[-1] if said else ""
        follow = noun in IN_TURN or _IN_SERIES.search(text)
        if said is None or noun in SINGLE or (self.parallel and not follow):
            return ""
        return said[1]

    def one_said_before(self, clause: Clause, used: tuple[str, ...]) -> str:
        """What a rate is of, that begins 'each word takes'; in parallel that for one is that for all."""
        if clause.tie != Tie.FOR or not re.search("each|every|per", clause.word):
            return ""
        thing = _ONE_OF_MANY.match(clause.text)
        if thing is None:
            return ""
        count = {name for word in re.findall(r"[A-Za-z]+", thing[0]) if (name := self.names.find(word))}
        if not thing[0].startswith("of") and self._count_of(thing[1]) in used:
            return self._of_one(thing)
        if self.parallel and (not self.serial or count & set(used)):
            return ""
        return self._of_one(thing)

    def _count_of(self, thing: str) -> str | None:
        return self.quantities.find(f"number of {thing.removesuffix('s')}s")

    def _of_one(self, thing: re.Match[str]) -> str:
        if not self.parallel and thing[0] == thing[1] and thing[1] in _WHOLE:
            return ""  # per layer, where there is one
        one = thing[1].removesuffix("s") if thing[0].startswith("of") else thing[1]
        return f"{one}, one after another" if self.parallel else one
