"""An answer with a rate for one of many, and how many there are, comes in; with their product it goes out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.expression.clauses import ORDER, mentions
from autograder.text.expression.names import Names
from autograder.text.expression.quantities import Quantities
from autograder.text.expression.vocabulary import words
from autograder.text.fold import Folded
from autograder.text.growth.variables_added_by_remarks import AT_ONCE

# What can only be done one after another, so that in parallel, too, their times add up.
IN_TURN = words("step layer iteration round pass stage hop level timestep update")
# What there is one of, where no variable counts it: of a rate per layer, per sentence.
SINGLE = words(
    """
    layer head sequence sentence example sample batch pass call model network image document input instance
    attention block run epoch forward backward self multi single whole
    """
)
_POWER = r"(?:\s?\^\s?[({]?\d[)}]?|\s?\*\*\s?\d)?"
_COUNT = rf"\$?(?P<count>[A-Za-z]{_POWER}(?:\s?\*?\s?[A-Za-z]{_POWER}(?![a-z]))?)\$?"
_RATE = r"(?P<rate>\$?(?:O|Θ|\\(?:mathcal|Theta|O)(?![A-Za-z]))[^.;,]*?[)\]}]\$?)"
_THINGS = r"(?:(?:time|input|output)[\s-]+)?(?P<things>[a-z]+s)"
_ONE = r"(?:(?:single|individual|one)\s+)?(?:(?:time|input|output)[\s-]+)?"
_THERE = (
    r"(?:(?:and|with|times|over|but)\s+)?(?:there\s+are\s+|we\s+have\s+|it\s+has\s+|for\s+|over\s+)?"
    r"(?:all\s+)?(?:the\s+|of\s+the\s+)?"
)
# O(d^2) per time step, T time steps
_RATE_FIRST = re.compile(
    rf"{_RATE}\s+(?:(?:work|time|operations|flops)\s+)?(?:per|for\s+each|for\s+every|each|every|in\s+each|at\s+each)\s+{_ONE}(?P<one>[a-z]+)"
    rf"\s*(?:[,;(*]|(?<=\s)[x×](?=\s)|\band\b|\bwith\b|\btimes\b|\bover\b|\bfor\b)\s*{_THERE}{_COUNT}\s+{_THINGS}(?:\s+in\s+(?:total|all))?\)?\W*"
)
# there are T^2 scores and each takes O(d); T queries, O(T d) per query
_COUNT_FIRST = re.compile(
    rf"(?:\W*(?:[Tt]here\s+are|[Ww]e\s+have|[Ii]t\s+has)\s+)?{_COUNT}\s+{_THINGS}\s*[,;]?\s+(?:(?:and|with|where|of\s+which)\s+)?"
    rf"(?:each(?:\s+(?:one|of\s+(?:them|these|which)))?(?:\s+(?!tak|cost|need|requir|is\s|at\s|of\s)(?P<same>[a-z]+))?\s+"
    rf"(?:(?:takes?|taking|costs?|costing|needs?|needing|requir(?:es?|ing)|is|at|of)\s+)?{_RATE}"
    rf"|{_RATE.replace('rate', 'rest')}\s+(?:each|apiece|per\s+{_ONE}(?P<one>[a-z]+)))\W*"
)


@dataclass(frozen=True)
class Counted:
    """What an answer counts, and what its rate is the rate of one of."""

    count: str
    things: str
    thing: str  # in the singular
    rate: str


def times_count(folded: Folded, names: Names, quantities: Quantities, parallel: bool) -> Folded:
    """The text with the product in place of a rate per thing and the number of things, if it says no more.

    In parallel only what must follow one another adds up, and only where one takes constant time: steps and
    layers of longer times may overlap.
    """
    text = folded.text.strip()
    if not any(word in text for word in ("each", " per ", "every", "apiece")):
        return folded
    if len(ORDER.findall(text)) != 1:
        return folded
    found = _counted(text)
    if found is None or (found.thing in SINGLE and not parallel):
        return folded
    counted = quantities.find(f"number of {found.things}")
    if counted is not None and names.find(found.count) != counted:
        raise AnswerError(
            f"{found.count} is not how many {found.things} there are: write the rate of the whole"
        )
    inside = mentions(found.rate, names)
    if parallel and names.find(found.count) in inside and not AT_ONCE.search(text):
        raise AnswerError(f"cannot read how the {found.things} add up: write the rate of the whole")
    if parallel and (found.thing not in IN_TURN or AT_ONCE.search(text) or inside):
        return folded
    letters = re.findall(r"[A-Za-z]", re.sub(r"\{|\}|\$", "", found.count))
    if not all(map(names.find, letters)):
        return folded
    written = f"{found.count} * {found.rate.strip('$')}"
    return Folded(written.ljust(len(folded.text)), folded.columns, folded.typed)


def _counted(text: str) -> Counted | None:
    found = _RATE_FIRST.fullmatch(text) or _COUNT_FIRST.fullmatch(text)
    if found is None:
        return None
    groups = found.groupdict()
    thing = _one(groups["things"])
    ones = (groups["one"], groups.get("same"))
    if any(one is not None and _one(one) != thing for one in ones):
        return None
    return Counted(groups["count"], groups["things"], thing, groups["rate"] or groups["rest"])


def _one(things: str) -> str:
    """A noun in the singular."""
    if things.endswith("ies"):
        return f"{things[:-3]}y"
    return things if things.endswith("ss") else re.sub(r"(?<=ss)es$|(?<=[cs]h)es$|s$", "", things)
