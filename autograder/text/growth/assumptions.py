"""Assumptions as an author writes them come in; what they say about the variables' logarithms goes out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.read import read
from autograder.text.expression.tree import Call, Expr, Num, Pow, Sym, mul, names_in, substitute
from autograder.text.growth.conditions_on_exponents import Demand, meet_demands
from autograder.text.growth.exact_numbers import TooLarge, value_of
from autograder.text.growth.max_of_min_terms import Lattice, Undecided
from autograder.text.growth.regime import Budget, Regime
from autograder.text.growth.terms import Term, log_form, point, raised, times
from autograder.text.growth.tree_to_terms import shape_of
from autograder.text.step_bound import Remembered, remembered

MOST_CASES = 16
MOST_SHAPES = 1000
BOUNDED_VALUE = 16  # what a bounded name counts as; its logarithm and that one's are positive
IS_CONSTANT = re.compile(r"^\s*(.+?)\s*(?:\bis\b)?\s*(?:\ba\b)?\s*\b(?:constant|fixed|bounded)\b\s*\.?\s*$")
# What may stand before the right side: m = O(n) bounds from above only.
BOUND = re.compile(r"=\s*\\?(?:mathcal\s*\{?\s*)?(O|o|Θ|Theta|Ω|Omega|ω|omega)\s*\}?\s*(?=[(\[])")
BOUND_SIGNS = {"O": "<=", "o": "<<", "Ω": ">=", "Omega": ">=", "ω": ">>", "omega": ">>"}
SIGNS = {
    "≤": "<=",
    "≥": ">=",
    "≪": "<<",
    "\\le": "<=",
    "\\leq": "<=",
    "\\ge": ">=",
    "\\geq": ">=",
    "\\ll": "<<",
}


@dataclass(frozen=True)
class Relation:
    """left sign right, with sign one of <= << = (>= and > are turned round)."""

    left: Expr
    sign: str
    right: Expr
    exact: bool = True  # not of L = O(T), which may be 5T


@dataclass
class Domain:
    """Where growth rates are compared: the names in play, those that are constants, and the demands."""

    names: tuple[str, ...]
    bounded: frozenset[str] = frozenset()
    values: dict[str, Expr] = field(default_factory=dict)  # variables that others give
    cases: tuple[tuple[Demand, ...], ...] = ((),)  # alternatives, each a set of demands on logarithms
    linear: tuple[Demand, ...] = ()  # U <= J orders the values too, which matters in exponents

    def __post_init__(self) -> None:
        self._shape = Remembered(self._work_out, MOST_SHAPES)

    def place(self, node: Expr, constant: int = BOUNDED_VALUE) -> Expr:
        """The expression in the free variables alone; bounded names become a number."""
        for _ in range(len(self.values)):
            node = substitute(node, self.values)
        if not self.bounded:
            return node
        return substitute(node, {name: Num(Fraction(constant)) for name in self.bounded})

    def shape(self, node: Expr, constant: int = BOUNDED_VALUE) -> Lattice:
        return self._shape(node, constant)

    def _work_out(self, node: Expr, constant: int) -> Lattice:
        return shape_of(self.place(node, constant), self.fades, self.under)

    def strangers(self, node: Expr) -> tuple[str, ...]:
        """The names of an expression that the question does not declare."""
        return tuple(name for name in names_in(node) if name not in self.names)

    def fades(self, term: Term, others: tuple[Term, ...]) -> bool:
        """Whether a term is of lower order than the largest of the others, wherever the assumptions hold."""
        demands = [Demand(log_form(times(term, raised(other, -1))), False) for other in others]
        return self.find(demands) is None

    def under(self, term: Term, other: Term) -> bool:
        """Whether an assumption between two names holds a term at or below another, constants and all."""
        ratio = {point(*at): power for at, power in times(other, raised(term, -1)).powers}
        alike = term.exponent == other.exponent
        return alike and any(ratio == demand.form for demand in self.linear)

    def find(self, demands: Sequence[Demand]) -> Regime | None:
        """A regime within the assumptions that meets the demands."""
        budget = Budget()
        terms = {term for demand in demands for term in demand.form}
        demands = [*demands, *(demand for demand in self.linear if terms.issuperset(demand.form))]
        for case in self.cases:
            found = meet_demands([*demands, *case], budget)
            if found is not None:
                return found
        return None


@remembered(maxsize=512)
def domain_of(variables: tuple[str, ...], assumptions: tuple[str, ...]) -> Domain:
    """The domain of a question. Raises AnswerError, naming the assumption that cannot be used."""
    names = list(variables)
    relations: list[Relation] = []
    bounded: set[str] = set()
    for text in assumptions:
        try:
            found, constants = read_assumption(text, names)
        except AnswerError as error:
            raise AnswerError(f"assumption '{text}': {error}") from None
        relations += found
        bounded |= constants
        for name in (
            *sorted(constants),
            *(n for r in found for n in (*names_in(r.left), *names_in(r.right))),
        ):
            if name not in names:
                names.append(name)
    domain = Domain(tuple(names), frozenset(bounded))
    rest: list[Relation] = []
    for relation in relations:
        if relation.sign != "=" or not relation.exact or not _solve(domain, relation):
            rest.append(relation)
    _add_demands(domain, rest)
    # Where nothing can grow, everything would bound everything.
    if domain.find(()) is None:
        listed = ", ".join(assumptions)
        raise AnswerError(
            f"the assumptions ({listed}) contradict each other: they keep variables from growing"
        )
    return domain


def read_assumption(text: str, names: Sequence[str]) -> tuple[list[Relation], set[str]]:
    """The relations of one assumption, and the names that it says are constant."""
    constant = IS_CONSTANT.match(text)
    if constant:
        parts = [read(part, names).sides[0] for part in re.split(r",|\band\b", constant[1])]
        return [], {name for part in parts for name in names_in(part)}
    text, bound = _bound_sign(text)
    sides, signs = _sides(text, names)
    if not signs:
        raise AnswerError("an assumption is a relation: write U <= J, I = J/K or d = O(1)")
    relations: list[Relation] = []
    constants: set[str] = set()
    for left, sign, right in _pairs(sides, signs):
        relation = replace(_oriented(left, bound or sign, right), exact=not bound)
        name = _constant_name(relation)
        if name is not None:
            constants.add(name)
        elif not _is_trivial(relation):
            relations.append(relation)
    return relations, constants


def _bound_sign(text: str) -> tuple[str, str]:
    found = BOUND.search(text)
    if found is None:
        return text, ""
    sign = BOUND_SIGNS.get(found[1], "=")
    return text[: found.start()] + "= " + text[found.end() :], sign


def _sides(text: str, names: Sequence[str]) -> tuple[list[list[Expr]], list[str]]:
    """The sides of a chain of relations; a side may list several expressions: I, U < J."""
    pieces = re.split(r"(<=|>=|<<|≤|≥|≪|\\leq?\b|\\geq?\b|\\ll\b|=|<|>)", text)
    if len(pieces) == 1:
        reading = read(text, names)
        return [[side] for side in reading.sides], list(reading.signs)
    sides = []
    for piece in pieces[::2]:
        sides.append([read(part, names).sides[0] for part in _split_list(piece)])
    return sides, [SIGNS.get(sign, sign) for sign in pieces[1::2]]


def _split_list(piece: str) -> list[str]:
    """Commas outside brackets separate."""
    out, depth = [""], 0
    for char in re.sub(r"\band\b", ",", piece):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            out.append("")
        else:
            out[-1] += char
    return out


def _pairs(sides: list[list[Expr]], signs: list[str]) -> list[tuple[Expr, str, Expr]]:
    return [
        (left, sign, right)
        for before, sign, after in zip(sides, signs, sides[1:], strict=False)
        for left, right in itertools.product(before, after)
    ]


def _oriented(left: Expr, sign: str, right: Expr) -> Relation:
    if sign in (">", ">=", ">>"):
        left, right = right, left
    strict = sign in ("<<", ">>")
    return Relation(left, "=" if sign == "=" else "<<" if strict else "<=", right)


def _is_constant(node: Expr) -> bool:
    try:
        return value_of(node) is not None
    except TooLarge:
        return True


def _constant_name(relation: Relation) -> str | None:
    """k in k = O(1), k = 3 and k <= 5; not in 3 <= k."""
    if isinstance(relation.left, Sym) and _is_constant(relation.right):
        return relation.left.name
    if relation.sign == "=" and isinstance(relation.right, Sym) and _is_constant(relation.left):
        return relation.right.name
    return None


def _is_trivial(relation: Relation) -> bool:
    """A constant below a variable says nothing about growth."""
    return _is_constant(relation.left)


def _solve(domain: Domain, relation: Relation) -> bool:
    """Use an equation to express one variable by others: J = I·K rather than I = J/K, and L = log T."""
    left, right = domain.place(relation.left), domain.place(relation.right)
    try:
        sides = [shape_of(side, domain.fades, domain.under) for side in (left, right)]
    except AnswerError:
        return False
    terms = [side[0][0] for side in sides if len(side) == 1 and len(side[0]) == 1]
    if len(terms) != 2:
        return False
    for side, value, term in ((left, right, terms[1]), (right, left, terms[0])):
        rises = all(power > 0 for _, power in (*term.powers, *term.exponent))
        if isinstance(side, Sym) and rises and side.name not in names_in(value):
            domain.values[side.name] = value
            return True
    ratio = times(terms[0], raised(terms[1], -1))
    for (name, level), power in sorted(ratio.powers, key=repr):
        rest = [(at, other) for at, other in ratio.powers if at != (name, level)]
        if level or any(at[0] == name for at, _ in rest) or ratio.exponent:
            continue
        solution = [(at, Fraction(-other) / power) for at, other in rest]
        if solution and all(value > 0 for _, value in solution):
            domain.values[name] = _tree(solution)
            return True
    return False


def _tree(powers: list[tuple[tuple[str, int], Fraction]]) -> Expr:
    factors: list[Expr] = []
    for (name, level), power in sorted(powers, key=repr):
        node: Expr = Sym(name)
        for _ in range(level):
            node = Call("ln", (node,))
        factors.append(node if power == 1 else Pow(node, Num(power)))
    return mul(*factors)


def _add_demands(domain: Domain, relations: list[Relation]) -> None:
    cases: list[tuple[Demand, ...]] = [()]
    for relation in relations:
        left, right = domain.shape(relation.left), domain.shape(relation.right)
        options = _at_most(left, right, relation.sign == "<<")
        if relation.sign == "=":
            options = [(*a, *b) for a in options for b in _at_most(right, left, False)]
        domain.linear += _linear(domain, relation)
        cases = [(*case, *option) for case in cases for option in options]
        if len(cases) > MOST_CASES:
            raise Undecided("the assumptions leave too many cases: write them as products")
    domain.cases = tuple(cases)


def _at_most(left: Lattice, right: Lattice, strict: bool) -> list[tuple[Demand, ...]]:
    """The ways in which one maximum of minima can stay below another."""
    ways: list[tuple[Demand, ...]] = [()]
    for low in left:
        here: list[tuple[Demand, ...]] = []
        for term in low:
            for high in right:
                demands = (Demand(log_form(times(bound, raised(term, -1))), strict) for bound in high)
                here.append(tuple(demand for demand in demands if demand.form or demand.strict))
        ways = [(*way, *more) for way in ways for more in here]
        if len(ways) > MOST_CASES:
            raise Undecided("the assumptions leave too many cases: write them as products")
    return ways


def _linear(domain: Domain, relation: Relation) -> tuple[Demand, ...]:
    left, right = domain.place(relation.left), domain.place(relation.right)
    if isinstance(left, Sym) and isinstance(right, Sym) and relation.sign == "<=" and relation.exact:
        return (Demand({point(right.name): 1, point(left.name): -1}, False),)
    return ()
