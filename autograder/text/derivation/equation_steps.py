"""Equations, a line each, come in; whether each follows from the one before goes out."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal

from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision, World, decide, drawn_points, factor_between, value_at
from autograder.text.analysis.evaluate import Point, Value
from autograder.text.analysis.scope import Scope
from autograder.text.derivation.read import DerivationLine
from autograder.text.derivation.roots import SMALL_VALUE, roots_in, with_value
from autograder.text.derivation.steps import DerivationStep
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Call, Expr, Num, Sym, add, mul, names_in, neg, replace, walk

FEWEST = 3  # points at which an equation was solved
CHANCES = ("P", "Pr", "p")
NO_CLAIM = "this holds for any values, and says nothing of them"
OTHER_RESULT = "this is not the result that is asked for"

Equation = tuple[Expr, Expr]


def equation_steps(lines: tuple[DerivationLine, ...], wanted: Equation, world: World) -> list[DerivationStep]:
    """Every equation against the one before; the last is the key's."""
    steps: list[DerivationStep] = []
    before: Equation | None = None
    for line in lines:
        if len(line.sides) != 2:
            raise AnswerError(
                f"line {line.number}: one equation a line is asked for, such as  2 a = 6 b  and then  a = 3 b"
            )
        mine = (line.sides[0].first, line.sides[1].first)
        if before is not None:
            because = NO_CLAIM if decide(*mine, world) == Decision.EQUAL else ""
            decision = Decision.DIFFERENT if because else implied(mine, before, world)
            steps.append(DerivationStep(line.number, decision, _shown(mine), _shown(before), because))
        before = mine
    assert before is not None
    if all(step.decision != Decision.DIFFERENT for step in steps):
        decision = _is_result(before, wanted, world)
        steps.append(DerivationStep(lines[-1].number, decision, _shown(before), "", OTHER_RESULT))
    return steps


def _shown(sides: Equation) -> str:
    return " = ".join(plain(side) for side in sides)


def _is_result(last: Equation, wanted: Equation, world: World) -> Decision:
    """Whether an equation says what the key says: each follows from the other, and is solved as it is."""
    found = {implied(last, wanted, world), implied(wanted, last, world)}
    if Decision.DIFFERENT in found:
        return Decision.DIFFERENT
    name = wanted[0]
    solved = not isinstance(name, Sym) or (last[0] == name and name.name not in names_in(last[1]))
    return Decision.EQUAL if found == {Decision.EQUAL} and solved else Decision.UNDECIDED


def implied(mine: Equation, before: Equation, world: World) -> Decision:
    """Whether an equation holds wherever the one before does: tried where that can be solved for one name."""
    if not world.scope.functions:
        return _holds_at_roots(mine, before, world)
    atoms = _atoms(mine, before, world.scope)
    found = _holds_at_roots(
        (replace(mine[0], atoms), replace(mine[1], atoms)),
        (replace(before[0], atoms), replace(before[1], atoms)),
        _world_of_atoms(atoms, world),
    )
    if found != Decision.DIFFERENT:
        return found
    # What does not follow of any functions may follow of these: Bayes' rule, say. It does not where the
    # line before holds of all of them, and this one does not.
    always = decide(*before, world) != Decision.DIFFERENT and set(atoms) and not world.independent
    return Decision.DIFFERENT if always and decide(*mine, world) == Decision.DIFFERENT else Decision.UNDECIDED


def _atoms(mine: Equation, before: Equation, scope: Scope) -> dict[Expr, Expr]:
    """A name for everything that a declared function gives."""
    found = [
        node
        for tree in (*mine, *before)
        for node in walk(tree)
        if isinstance(node, Call) and scope.is_function(node.name)
    ]
    return {node: Sym(f"{node.name}·{number}") for number, node in enumerate(dict.fromkeys(found))}


def _world_of_atoms(atoms: dict[Expr, Expr], world: World) -> World:
    names = [each.name for each in atoms.values() if isinstance(each, Sym)]
    chances = tuple(name for name in names if name.split("·")[0] in CHANCES)
    scope = world.scope
    others = tuple(name for name in names if name not in chances)
    known = Scope((*scope.positive, *chances), (*scope.reals, *others), (), scope.matrices, scope.vectors)
    return World(known, world.values, world.bounds, world.symmetric, world.unsolved, world.independent)


def _holds_at_roots(mine: Equation, before: Equation, world: World) -> Decision:
    residual, other = (world.place(add(left, neg(right))) for left, right in (before, mine))
    tried = [
        _tried(residual, other, name, world)
        for name in sorted(set(names_in(residual)) & set(world.scope.names))
    ]
    missed, kept = any(each.missed for each in tried), any(each.kept for each in tried)
    if any(each.is_false for each in tried) or (missed and not kept):
        return Decision.DIFFERENT
    if missed or sum(each.solved for each in tried) < FEWEST:
        return Decision.UNDECIDED  # a root that is lost: x^2 = 4 and x = 2
    is_sure = any(each.solved == each.certain >= FEWEST for each in tried)
    return Decision.EQUAL if is_sure or _is_scaled(mine, before, world) else Decision.UNDECIDED


@dataclass(frozen=True)
class _Tried:
    """At how many points the line before was solved for a name, and how often this line holds there."""

    solved: int = 0
    certain: int = 0  # where all roots are known
    missed: int = 0
    kept: int = 0
    is_false: bool = False


def _tried(residual: Expr, other: Expr, name: str, world: World) -> _Tried:
    solved = certain = missed = kept = 0
    is_false = False
    for point in drawn_points(residual, other, world):
        roots = roots_in(residual, name, point)
        away = value_at(other, point)
        values = [value_at(other, with_value(point, name, root)) for root in roots.found]
        limit = SMALL_VALUE * max(Decimal(1), size(away))
        holds = [size(value) <= limit for value in values if value is not None]
        if away is None or not holds:
            continue
        solved += 1
        certain += roots.are_all
        missed += not all(holds)
        kept += any(holds)
        is_only = roots.are_all and len(values) == 1
        is_false |= not all(holds) and (is_only or _has_more(other, residual, name, point))
    return _Tried(solved, certain, missed, kept, is_false)


def size(value: Value | None) -> Decimal:
    """The largest entry, without its sign."""
    if value is None:
        return Decimal(0)
    return abs(value) if isinstance(value, Decimal) else max(abs(entry) for row in value for entry in row)


def _has_more(other: Expr, residual: Expr, name: str, point: Point) -> bool:
    """Whether the equation said last has a solution that the one before has not: (x - 2)(x + 3) = 0 after
    (x - 2)(x - 3) = 0."""
    reals = dataclasses.replace(point.scope, reals=(*point.scope.reals, name))
    anywhere = dataclasses.replace(point, scope=reals)
    for root in roots_in(other, name, anywhere).found:
        value = value_at(residual, with_value(point, name, root))
        if value is not None and size(value) > SMALL_VALUE * max(Decimal(1), size(value_at(residual, point))):
            return True
    return False


def _is_scaled(mine: Equation, before: Equation, world: World) -> bool:
    """Whether both sides, or their difference, were only multiplied by something."""
    crossed = mul(mine[0], before[1]), mul(mine[1], before[0])
    if decide(*crossed, world) == Decision.EQUAL:
        return True
    one, other = (add(left, neg(right)) for left, right in (mine, before))
    factor = factor_between(one, other, world)
    return factor is not None and decide(one, mul(Num(factor), other), world) == Decision.EQUAL
