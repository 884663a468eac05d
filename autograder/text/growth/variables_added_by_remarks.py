"""The clauses of an answer come in; the variables by which remarks make the cost larger go out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from autograder.text.expression.clauses import ORDER, Clause, Tie
from autograder.text.expression.quantities import Quantities
from autograder.text.growth.dependence import IRRELEVANT

Mentioned = Callable[[str], Iterable[str]]

AT_ONCE = re.compile(r"parallel|at\s+once|simultaneous|concurrent|same\s+time", re.IGNORECASE)
SERIAL = re.compile(
    r"one\s+(?:after|by)\s+(?:another|one|the\s+other)|serial|sequential|in\s+(?:sequence|turn)|successive",
    re.IGNORECASE,
)
# what orders letters, or speaks of no cost: vectorized over T, with T processors
_LIGHT = re.compile(
    r"[<>]|\\[lg]eq?(?![A-Za-z])|(?<![A-Za-z])(?:independent(?:ly)?|vectori[sz]ed|in\s+advance|interact)(?![A-Za-z])"
    r"|(?<![A-Za-z])[A-Za-z]\$?\s+(?:parallel\s+)?(?:processors|cores|threads|machines|workers|gpus)(?![A-Za-z])",
    re.IGNORECASE,
)
# the sum over K takes …: what is summed over is no cost
_SUMMED = re.compile(
    r"(?<![A-Za-z])(?:sum|average|softmax|product)s?\s+over\s[^.;]*?(?=\s(?:takes?|costs?|needs?|is|are)(?![A-Za-z]))",
    re.IGNORECASE,
)
# T passes, T more steps
_LOOPS = re.compile(
    r"(?<![A-Za-z\\])(?P<count>[A-Za-z])\$?\s+(?:more\s+|extra\s+|additional\s+|further\s+)?"
    r"(?:steps|iterations|passes|rounds|times|loops)(?![A-Za-z])"
)
# each layer taking T, with an overhead of T
_COSTS = re.compile(
    r"(?<![A-Za-z])(?:tak(?:es?|ing)|cost(?:s|ing)?|need(?:s|ing)?|requir(?:es?|ing)|overhead(?:\s+of)?)"
    r"\s+(?P<cost>[^a-z\s]*[A-Za-z](?![A-Za-z]).*)"
)
_RESOURCES = re.compile(
    r"processor|core|thread|machine|worker|memory|space|parameter|compar|time\s?step", re.IGNORECASE
)
# then repeated for T
_REPEATED = re.compile(r"(?<![A-Za-z])(?:repeat|execut|perform|iterat|loop)(?:e?d|ing|s)?\W*$", re.IGNORECASE)
# not counting T, where I left out T
_NOT_COUNTED = re.compile(r"\W*(?:counting|including|considering)\s+(?P<what>.*)", re.IGNORECASE | re.DOTALL)
_LEFT_OUT = re.compile(
    r"(?<![A-Za-z])(?:left\s+out|omitted|dropped|ignored|neglected|excluded)(?![A-Za-z])", re.IGNORECASE
)
# longer sentences take longer, slower for longer sentences
_MORE = r"(?<![A-Za-z])(?:longer|more|larger|bigger|wider|deeper|higher|greater)\s+(?P<thing>\$?[A-Za-z]+\$?)"
_LONGER = r"(?:slower|longer|higher)(?![A-Za-z])"
_TAKES = (
    r"(?:(?:will|also)\s+)*(?:takes?|needs?|means?|requires?|costs?|gives?|is|are)\s+(?:a\s+|the\s+time\s+)?"
)
_RISES = re.compile(
    rf"{_MORE}\s+{_TAKES}(?:{_LONGER}|more(?:\s+(?:time|steps|layers))?\W*$)"
    rf"|{_LONGER}\s+(?:for|when|if|with)\s+{_MORE.replace('thing', 'what')}",
    re.IGNORECASE,
)
_WAIT = re.compile(r"(?<![A-Za-z])waits?\s+for\s+(?:one\s+another|each\s+other)", re.IGNORECASE)
_BY_ONE = re.compile(r"(?<![A-Za-z])(?P<thing>[a-z]+)\s+(?:by|after)\s+(?P=thing)(?![A-Za-z])", re.IGNORECASE)
_DENIED = re.compile(
    r"(?<![A-Za-z])(?:not|no|never|nor|none|nothing|without|cannot|instead|but|however)(?![A-Za-z])|n't",
    re.IGNORECASE,
)
_NOUN = re.compile(r"(?<![A-Za-z\\])(?!(?:the|this|each|one|its|our|their)\s)[a-z]{3,}(?![A-Za-z])")


def weighing(text: str) -> str:
    """What a remark in words says of the cost: nothing of it in 'all T inputs are known in advance'."""
    return "" if _LIGHT.search(text) or IRRELEVANT.search(text) else _SUMMED.sub("", text)


def on_top(clauses: list[Clause], mentioned: Mentioned, quantities: Quantities) -> Iterator[str]:
    """The variables with which remarks multiply the cost or which they leave out."""
    behind_contrast = False
    for before, clause in zip([None, *clauses], clauses, strict=False):
        behind_contrast |= clause.tie == Tie.CONTRAST
        if clause.tie == Tie.CONTRAST and (found := _NOT_COUNTED.match(clause.text)):
            yield from mentioned(found["what"])
        if clause.tie == Tie.WHERE and _LEFT_OUT.search(clause.text):
            yield from mentioned(clause.text)
        if clause.tie == Tie.FOR and before and _REPEATED.search(before.text):
            yield from mentioned(clause.text)
        if behind_contrast or AT_ONCE.search(clause.text) or _DENIED.search(clause.text):
            continue
        serial = (_counted(thing, quantities) for thing in _serial_things(clause.text))
        yield from next(filter(None, serial), [])
        for_each = clause.tie in (Tie.FOR, Tie.WHERE, Tie.ASIDE) or clause.word in ("each", "every")
        if for_each and not ORDER.search(clause.text):
            yield from _multiplied(clause.text, mentioned)


def rises_with(clauses: list[Clause], mentioned: Mentioned, quantities: Quantities) -> Iterator[str]:
    """The variables of which remarks say that more takes longer: longer sentences."""
    for clause, follows in zip(clauses, [*clauses[1:], None], strict=True):
        text = f"{clause.text} {follows.word} {follows.text}" if follows else clause.text
        rises = None if ORDER.search(text) or _DENIED.search(text) else _RISES.search(text)
        if rises and clause.tie != Tie.CONTRAST:
            thing = (rises["thing"] or rises["what"]).strip("$")
            yield from mentioned(thing) if len(thing) == 1 else _counted(thing, quantities)


def _multiplied(text: str, mentioned: Mentioned) -> Iterator[str]:
    for found in _LOOPS.finditer(text):
        yield from mentioned(found["count"])
    cost = _COSTS.search(text)
    if cost and not _RESOURCES.search(cost["cost"]):
        yield from mentioned(cost["cost"])


def _serial_things(text: str) -> Iterator[str]:
    """What may be said to be done one after another, nearest first: the words, word by word."""
    if found := SERIAL.search(text) or _WAIT.search(text):
        yield from reversed(_NOUN.findall(text[: found.start()]))
    if found := _BY_ONE.search(text):
        yield found["thing"]


def _counted(thing: str, quantities: Quantities) -> list[str]:
    """The variable that counts a thing, or is its length or width: T counts words."""
    found = map(quantities.find, (f"number of {thing}", f"{thing} length", f"{thing} width"))
    return [name for name in found if name]
