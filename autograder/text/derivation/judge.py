"""A derivation and its result come in; the first false step and what the rest is worth go out."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from autograder.course.small_kinds import Derivation
from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision, World, decide, drawn_points, value_at
from autograder.text.analysis.evaluate import Point
from autograder.text.analysis.read import Side, world_of
from autograder.text.analysis.scope import Scope
from autograder.text.derivation.read import DerivationLine, read_derivation
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, Sym, add, names_in, neg, walk
from autograder.text.verdict import Judgement

LONGER = 2  # times as long as the key: whether such a last line is a result is for a person to say
SMALL_VALUE = Decimal(10) ** -25


@dataclass(frozen=True)
class DerivationStep:
    """One claim: that an expression or an equation follows from what stood before it."""

    line: int
    decision: Decision
    shown: str
    before: str


def scope_of(part: Derivation) -> Scope:
    reals = tuple(part.reals)
    positive = tuple(name for name in part.variables if name not in reals)
    return Scope(positive, reals, tuple(part.functions), tuple(part.matrices), tuple(part.vectors))


def shown_lines(lines: tuple[DerivationLine, ...]) -> str:
    """How a derivation is read, a line each."""
    rows = []
    for line in lines:
        sides = " = ".join(plain(side.first) for side in line.sides)
        rows.append(f"{line.number}: {f'{line.label} = ' if line.label else ''}{sides}")
    return "\n".join(rows)


def judge_derivation(answer: str, part: Derivation, key: str) -> Judgement:
    """Each step against the one before it. A false one costs its share; what follows from it does not."""
    scope = scope_of(part)
    world = world_of(scope, tuple(part.assumptions))
    lines = read_derivation(answer, scope)
    wanted = _wanted(key, scope)
    steps = _equation_steps(lines, wanted, world) if len(wanted) == 2 else _steps(lines, wanted, world)
    read_as = shown_lines(lines)
    unsure = next((step for step in steps if step.decision == Decision.UNDECIDED), None)
    false = [step for step in steps if step.decision == Decision.DIFFERENT]
    if false:
        share = max(0.0, 1 - len(false) / max(1, min(len(steps), part.steps + 1)))
        share = 0.0 if share == 1 or len(steps) == len(false) else share
        return Judgement(
            "different", share, _said(false, steps), read_as=read_as, mistake=f"line_{false[0].line}"
        )
    if unsure is not None:
        said = f"line {unsure.line} could not be decided for certain: your instructor will look at it"
        return Judgement("undecided", 0.0, said, read_as=read_as, mistake="undecided")
    if len(steps) <= part.steps:
        said = (
            f"{len(steps) - 1} steps are shown, and at least {part.steps} are asked for: write those between"
        )
        return Judgement("different", 0.0, said, read_as=read_as, mistake="too_few_steps")
    if len(wanted) == 1 and _length(lines[-1].sides[-1].first) > LONGER * _length(wanted[0]):
        said = "every step holds; whether the last line is the result asked for is left to your instructor"
        return Judgement("undecided", 0.0, said, read_as=read_as, mistake="undecided")
    return Judgement("equal", 1.0, read_as=read_as)


def _said(false: list[DerivationStep], steps: list[DerivationStep]) -> str:
    first, *others = false
    said = (
        f"line {first.line}: {first.shown} does not follow from {first.before}"
        if first.before
        else f"line {first.line}: {first.shown} is not equal to what is asked for"
    )
    if others:
        return f"{said}; nor does line {', '.join(str(step.line) for step in others)} from the one before it"
    return said if first is steps[-1] else f"{said}; the lines after it follow from one another"


def _wanted(key: str, scope: Scope) -> tuple[Expr, ...]:
    """The result at which the key's own derivation ends: an expression, or the two sides of an equation."""
    try:
        lines = read_derivation(key, scope)
    except AnswerError as error:
        raise AnswerError(f"key '{key}': {error}") from None
    last = [side.first for side in lines[-1].sides]
    if all(len(line.sides) == 2 for line in lines):
        left, right = last
        if decide(left, right, World(scope)) != Decision.EQUAL:
            return left, right
    return (last[-1],)


# ---------------------------------------------------------------- expressions


def _steps(lines: tuple[DerivationLine, ...], wanted: tuple[Expr, ...], world: World) -> list[DerivationStep]:
    """Every side against the one before; the first against what is to be worked out."""
    start = wanted[0]
    steps: list[DerivationStep] = []
    last: Side | None = None
    for line in lines:
        for side in line.sides:
            if last is not None and side == last:
                continue  # said once more
            before = start if last is None else last.first
            decision = _follows(side, last or Side((start,)), world)
            steps.append(
                DerivationStep(line.number, decision, plain(side.first), plain(before) if last else "")
            )
            last = side
    return steps


def _follows(side: Side, before: Side, world: World) -> Decision:
    decisions = {decide(mine, other, world) for mine in side.readings for other in before.readings}
    return decisions.pop() if len(decisions) == 1 else Decision.UNDECIDED


def _length(node: Expr) -> int:
    return sum(1 for _ in walk(node))


# ---------------------------------------------------------------- equations


def _equation_steps(
    lines: tuple[DerivationLine, ...], wanted: tuple[Expr, ...], world: World
) -> list[DerivationStep]:
    """Every equation against the one before; the last is the key's."""
    steps: list[DerivationStep] = []
    before: tuple[Expr, Expr] | None = None
    for line in lines:
        if len(line.sides) != 2:
            raise AnswerError(
                f"line {line.number}: one equation a line is asked for, such as {_shown(wanted)}"
            )
        mine = (line.sides[0].first, line.sides[1].first)
        if before is not None:
            decision = _implied(mine, before, world)
            steps.append(DerivationStep(line.number, decision, _shown(mine), _shown(before)))
        before = mine
    assert before is not None
    decision = _implied(before, (wanted[0], wanted[1]), world)
    if decision != Decision.DIFFERENT and isinstance(wanted[0], Sym) and before[0] != wanted[0]:
        decision = Decision.UNDECIDED
    if all(step.decision != Decision.DIFFERENT for step in steps):
        steps.append(DerivationStep(lines[-1].number, decision, _shown(before), "the equations before it"))
    return steps


def _shown(sides: tuple[Expr, ...]) -> str:
    return " = ".join(plain(side) for side in sides)


def _implied(mine: tuple[Expr, Expr], before: tuple[Expr, Expr], world: World) -> Decision:
    """Whether an equation holds wherever the one before does: tried where that can be solved for one name."""
    residual, other = (world.place(add(left, neg(right))) for left, right in (before, mine))
    names = sorted(set(names_in(residual)) & set(world.scope.names) - set(world.scope.matrices))
    compared = trivial = 0
    for name in names:
        for point in drawn_points(residual, other, world):
            root = _root(residual, name, point)
            if root is None:
                continue
            there = value_at(other, Point({**point.values, name: root}, point.scope, point.seed))
            away = value_at(other, point)
            if not isinstance(there, Decimal) or not isinstance(away, Decimal):
                continue
            compared += 1
            trivial += abs(away) < SMALL_VALUE
            if abs(there) > SMALL_VALUE * max(Decimal(1), abs(away)):
                return Decision.DIFFERENT
    if compared < 3:
        return Decision.UNDECIDED
    return Decision.DIFFERENT if trivial == compared else Decision.EQUAL


def _root(residual: Expr, name: str, point: Point) -> Decimal | None:
    """The value of a name at which a residual that is linear in it vanishes."""
    at = [
        value_at(residual, Point({**point.values, name: Decimal(x)}, point.scope, point.seed))
        for x in (1, 2, 3)
    ]
    one, two, three = at
    if not isinstance(one, Decimal) or not isinstance(two, Decimal) or not isinstance(three, Decimal):
        return None
    slope = two - one
    if not slope or abs(three - two - slope) > SMALL_VALUE * max(Decimal(1), abs(three)):
        return None
    root = 1 - one / slope
    return root if root > 0 or name in point.scope.reals else None
