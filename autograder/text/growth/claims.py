"""The rates that an answer states come in, one a clause; the one that counts goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from autograder.errors import AnswerError
from autograder.text.expression.clauses import ORDER, Clause, Tie
from autograder.text.expression.definitions import defines
from autograder.text.expression.read import ReadSides
from autograder.text.expression.render import latex, plain
from autograder.text.expression.tree import Expr, Mul, Sym, add, names_in
from autograder.text.expression.vocabulary import SHAPES

# all T positions run in parallel: how many there are, and no rate
_TOGETHER = re.compile(
    r"(?<![A-Za-z])[A-Za-z]\$?\s+(?:positions|words|tokens|heads|layers|queries|keys|inputs|pixels|places|rows|entries)\b"
    r".*(?<![A-Za-z])(?:in\s+parallel|at\s+once|simultaneously|at\s+the\s+same\s+time)",
    re.IGNORECASE,
)
# with a wavefront schedule it is O(…)
_SAID_WITH = re.compile(
    r"(?<![A-Za-z])(?:it|this|that)\s+(?:only\s+)?(?:is|takes|costs|needs|becomes)\s+(?:only\s+|just\s+)?\$?(?:O|Θ|\\)"
)
SHAPE_WORD = re.compile(rf"(?<![A-Za-z])({'|'.join(SHAPES)})(?![A-Za-z])", re.IGNORECASE)


@dataclass(frozen=True)
class Rate:
    """A growth rate that was read: the tree, and notes on how."""

    tree: Expr
    notes: tuple[str, ...] = ()
    tight: bool = False
    per: str = ""  # what it is the rate of one of, where the question counts them: 'O(d) per position'

    beside: str = ""  # a variable of which it speaks, and which is not in it

    @property
    def shown(self) -> tuple[str, str]:
        """Plain and in LaTeX."""
        sign, command = ("Θ", "\\Theta") if self.tight else ("O", "O")
        return f"{sign}({plain(self.tree)})", f"{command}\\left({latex(self.tree)}\\right)"


@dataclass(frozen=True)
class StatedRate:
    """A rate that the answer states, perhaps of a part of what is asked, perhaps as what follows."""

    tie: Tie
    sides: tuple[Expr, ...]
    reading: ReadSides
    partial: bool
    final: bool
    per: str = ""
    of_part: bool = False  # it has a subject of its own: 'the softmax is O(T^2)', 'scores: O(T^2 d)'
    said: str = ""  # the clause, or its label

    @property
    def tree(self) -> Expr:
        return self.sides[-1]

    @property
    def is_step(self) -> bool:
        """Whether it is an equation on the way, L(w-1) + 1 = N, and no rate."""
        return len(self.sides) > 1 and self.reading.orders == 0


def several_of(rate: Clause, one: Clause, clauses: list[Clause]) -> tuple[str, str] | None:
    """How an answer says how many there are of what a rate is for one of: O(T) per layer, L layers."""
    thing = re.match(r"(?:(?:each|every|one|an?|the|single)\s+)*([a-z]{3,})", one.text)
    if thing is None and not rate.leaves_out(one):
        return None
    noun = re.escape(thing[1].removesuffix("s")) if thing else "[a-z]+"
    count = r"(?<![A-Za-z\\])(?:[A-Za-z]|\d+|several|many|multiple)\$?"
    many = rf"{count}\s+(?:[a-z]+\s+)?{noun}(?:s|es)(?![a-z])"
    said = any(re.search(many, clause.text) for clause in clauses if clause.begins >= one.begins)
    return (many, thing[1] if thing else "of several") if said else None


def may_claim(clause: Clause) -> bool:
    """Whether a clause may state a rate."""
    has_order = ORDER.search(clause.text) is not None
    has_shape = SHAPE_WORD.search(clause.text) is not None
    match clause.tie:
        case Tie.FREE | Tie.ON | Tie.CONTRAST:
            return False
        case Tie.WHERE:
            return has_order and _SAID_WITH.search(clause.text) is not None
        case Tie.FOR:
            return has_order
        case Tie.WHY:
            formula = not re.search(r"(?<!\\)[A-Za-z]{3}", clause.text)
            return (has_shape and not has_order) or (formula and not defines(clause))
        case Tie.ASIDE:
            return (has_order or has_shape) and not defines(clause)
        case _:
            return has_order or not _TOGETHER.search(clause.text)


def choose(claims: list[StatedRate]) -> tuple[StatedRate, list[Expr], list[Expr]]:
    """The claim that counts, the rates that it must be the same as, and those of its parts."""
    first = next((number for number, claim in enumerate(claims) if claim.final), None)
    if first is None:
        joined = _joined(claims)
        whole = [claim for claim in joined if not claim.partial] or joined
        if not whole[0].of_part:
            whole = [claim for claim in whole if not claim.of_part]
        return whole[-1], _trees(whole[:-1]), _trees(claim for claim in joined if claim not in whole)
    parts = _joined(claims[:first])
    rest = [claim for claim in claims[first:] if claim.final or not (claim.partial or claim.of_part)]
    chosen = next(claim for claim in reversed(rest) if claim.final)
    same = [claim for claim in rest if claim is not chosen]
    if len(parts) == 1 and _says_all(parts[0]):
        same, parts = [*same, *parts], []
    parts = [claim for claim in parts if not claim.is_step]
    return chosen, _trees(same), _trees([*parts, *(claim for claim in claims[first:] if claim not in rest)])


def _trees(claims: Iterable[StatedRate]) -> list[Expr]:
    return [claim.tree for claim in claims]


def _says_all(claim: StatedRate) -> bool:
    """Whether a claim that leads to another is of the same thing."""
    return not (claim.partial or claim.of_part or claim.is_step)


def _joined(claims: list[StatedRate]) -> list[StatedRate]:
    """O(a) for this plus O(b) for that is one claim, their sum."""
    out: list[StatedRate] = []
    for claim in claims:
        if claim.tie == Tie.PLUS and out:
            out[-1] = replace(out[-1], sides=(add(out[-1].tree, claim.tree),), partial=False)
        else:
            out.append(claim)
    return out


def sides_of(reading: ReadSides, known: tuple[str, ...]) -> tuple[Expr, ...]:
    """T(n) = …, cost = …: the left side only names what is asked for; O(T) = O(T^2) claims two rates.

    T = O(L) says something of a T that is given, and nothing of the cost.
    """
    sides = reading.sides
    first = sides[0]
    given = isinstance(first, Sym) and first.name in known and first.name not in names_in(sides[-1])
    if len(sides) > 1 and given and reading.orders == 1:
        said = f"{plain(first)} is given, and you say how {plain(first)} grows"
        raise AnswerError(f"{said}: write the growth of what is asked for alone, such as O(n^2 d)")
    rates = reading.orders > 1 and set(names_in(sides[0])) <= set(known)
    return sides[1:] if len(sides) > 1 and _is_name(sides[0]) and not rates else sides


def _is_name(side: Expr) -> bool:
    return isinstance(side, Sym) or (
        isinstance(side, Mul) and all(isinstance(factor, Sym) for factor in side.factors)
    )
