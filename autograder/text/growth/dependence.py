"""The clauses of an answer come in; how it says that the cost depends on each variable goes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autograder.text.expression.clauses import ORDER, Clause, Tie, is_doubtful, said_in
from autograder.text.growth.claims import SHAPE_WORD

# the number of heads has no influence
IRRELEVANT = re.compile(
    r"(?<![A-Za-z])(?:(?:has|have|plays?|makes?)\s+no\s+(?:effect|influence|impact|role|bearing|difference)"
    r"|(?:does\s+not|do\s+not|doesn't|don't)\s+(?:matter|play|enter|count|appear|affect|influence)"
    r"|(?:is|are)\s+irrelevant|drops?\s+out|cancels?(?:\s+out)?"
    r"|changes?\s+nothing|(?:does\s+not|do\s+not|doesn't|don't)\s+change(?:\s+(?:it|this|that|the\s+[a-z]+))?\W*$)(?![A-Za-z])",
    re.IGNORECASE,
)
# L is the number of layers and T does not matter
_SAID_BEFORE = re.compile(
    r"^.*(?<![A-Za-z])(?:is|are|has|have|takes?|needs?|costs?)\s.*?\s(?:and|but|while)\s", re.DOTALL
)
MATTERS = re.compile(
    r"(?<![A-Za-z])(?:(?<!not )(?<!n't )matters?"
    r"|(?:is|are)\s+(?:(?:also|very|too)\s+)?(?:important|relevant|significant)"
    r"|(?:has|have|having)\s+(?:an?|some)\s+(?:[a-z]+\s+)?(?:effect|influence|impact))(?![A-Za-z])",
    re.IGNORECASE,
)
_SUBJECT = r"\W*(?:(?:and|but|so|it|which|that|this|the|an?|time|cost|is|also|will|only|strongly|slowly)\s+)*"
_RISES = (
    r"(?:grow|increas|ris|doubl|scal|climb|expand)(?:e?s|ing|e)?|go(?:es|ing)?\s+up"
    r"|(?:gets?|getting|becomes?|becoming)\s+(?:larger|bigger|longer|slower)"
    r"|(?:larger|longer|slower|higher)\s+(?:for|when|if)\s+(?:larger|longer|more)"
)
_FALLS = (
    r"(?:shrink|decreas|fall|drop|diminish)(?:e?s|ing|e)?|(?:smaller|shorter|lower)\s+for\s+(?:larger|more)"
)
_VARIES = (
    r"var(?:ies|y|ying)|chang(?:es|e|ing)|(?:affected|influenced|driven|controlled|governed)\s+by"
    r"|sensitive\s+to|functions?\s+of"
)
_HOW = r"(?:\s+[a-z]+){0,2}?\s+(?:with|in|by|as|when|for|if|to)(?![A-Za-z])"
_CHANGES = re.compile(
    rf"{_SUBJECT}(?P<not>(?:(?:does|do|is|will)\s*(?:not|n't)|not|never|nor)\s+)?"
    rf"(?:(?P<rises>{_RISES})|(?P<falls>{_FALLS})|(?P<varies>{_VARIES})"
    r"|(?P<same>(?:stay|remain)(?:s|ing)?\s+the\s+same|unaffected\s+by|unchanged|insensitive\s+to|invariant))(?![A-Za-z])(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OF_TIME = re.compile(r"(?:it|this|(?:the\s+)?(?:running\s+)?(?:time|cost|runtime))\s", re.IGNORECASE)
_IN_TURN = re.compile(r"(?<![A-Za-z])in\s+(?:sequence|turn)(?![A-Za-z])", re.IGNORECASE)
_LINKED = re.compile(_HOW, re.IGNORECASE)


@dataclass(frozen=True)
class Dependence:
    """Names on which an answer says that the cost depends, does not depend, grows and shrinks with."""

    needs: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    rises: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()


NOTHING_SAID = Dependence()


def said_of_dependence(
    clauses: list[Clause], variables: tuple[str, ...], mentioned: Callable[[str], Iterable[str]]
) -> Dependence:
    """What the clauses say; `mentioned` are the variables in a text, by letter or in words."""
    on = [clause for clause in clauses if clause.tie in (Tie.ON, Tie.ONLY)]
    on += [clause for clause in clauses if MATTERS.search(clause.text) and not is_doubtful(clause.text)]
    needs = [name for clause in on for name in mentioned(clause.text)]
    on += [clause for clause in clauses if clause.tie == Tie.FOR and _IN_TURN.search(clause.text)]
    free = [name for clause in clauses if clause.tie == Tie.FREE for name in mentioned(clause.text)]
    irrelevant = (_irrelevant(clause) for clause in clauses)
    free += [name for text in irrelevant if text for name in mentioned(text)]
    if needs and any(clause.tie == Tie.ONLY or said_in(clause.text) & {"only", "alone"} for clause in on):
        free += [name for name in variables if name not in needs]
    rises: list[str] = []
    falls: list[str] = []
    for clause, follows in zip(clauses, [*clauses[1:], None], strict=True):
        found = _change(clause, follows)
        if found is None:
            continue
        names = mentioned(found["rest"] or (follows.text if follows else ""))
        unchanged = found["not"] or found["same"] or clause.tie == Tie.CONTRAST
        sort = free if unchanged else rises if found["rises"] else falls if found["falls"] else needs
        sort += names
    return Dependence(*(tuple(dict.fromkeys(names)) for names in (needs, free, rises, falls)))


def _irrelevant(clause: Clause) -> str:
    """What a clause says has no influence: 'the number of heads does not matter'."""
    found = IRRELEVANT.search(clause.text)
    if found is None or ORDER.search(clause.text):
        return ""
    return _SAID_BEFORE.sub("", clause.text[: found.start()])


def _change(clause: Clause, follows: Clause | None) -> re.Match[str] | None:
    """How a remark says that the cost changes; 'linearly' and a rate say more, and are read elsewhere."""
    own = clause.tie in (Tie.FIRST, Tie.WHERE) or (clause.tie == Tie.WHY and not _OF_TIME.match(clause.text))
    if own or ORDER.search(clause.text) or SHAPE_WORD.search(clause.text):
        return None
    found = _CHANGES.match(clause.text)
    if found is None or found["same"] or found["varies"] or _LINKED.match(found["rest"]):
        return found
    return found if follows and follows.word in ("when", "as") and not found["rest"].strip() else None
