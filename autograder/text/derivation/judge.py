"""A derivation and its result come in; the first false step and what the rest is worth go out."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext

from autograder.course.small_kinds import Derivation
from autograder.errors import AnswerError
from autograder.text.analysis.decide import DIGITS, Decision, World, decide, drawn_points, value_at
from autograder.text.analysis.evaluate import Point, Unfit
from autograder.text.analysis.read import Side, world_of
from autograder.text.analysis.scope import Scope
from autograder.text.derivation.index_steps import index_steps
from autograder.text.derivation.read import DerivationLine, read_derivation
from autograder.text.derivation.steps import DerivationStep
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, Sym, add, names_in, neg, walk
from autograder.text.verdict import Judgement

LONGER = 2  # times as long as the key: whether such a last line is a result is for a person to say
SMALL_VALUE = Decimal(10) ** -25
ROOT_VALUE = Decimal(10) ** -45
LEAST_ROOT = Decimal(10) ** -6  # of what is positive: anything smaller is zero
MOST_SECANTS = 40


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
    if part.tensors:
        return _weighed(*index_steps(answer, part, key), part)
    scope = scope_of(part)
    world = world_of(scope, tuple(part.assumptions))
    lines = read_derivation(answer, scope)
    wanted = _wanted(key, scope)
    steps = _equation_steps(lines, wanted, world) if len(wanted) == 2 else _steps(lines, wanted, world)
    judged = _weighed(steps, shown_lines(lines), part)
    longer = len(wanted) == 1 and _length(lines[-1].sides[-1].first) > LONGER * _length(wanted[0])
    if judged.verdict == "equal" and longer:
        said = "every step holds; whether the last line is the result asked for is left to your instructor"
        return Judgement("undecided", 0.0, said, read_as=judged.read_as, mistake="undecided")
    return judged


def _weighed(steps: list[DerivationStep], read_as: str, part: Derivation) -> Judgement:
    """What the steps are worth."""
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
    return Judgement("equal", 1.0, read_as=read_as)


def _said(false: list[DerivationStep], steps: list[DerivationStep]) -> str:
    first, *others = false
    said = (
        f"line {first.line}, {first.shown}: {first.because}"
        if first.because
        else f"line {first.line}: {first.shown} does not follow from {first.before}"
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
    if doubtful := next((side for line in lines for side in line.sides if len(side.readings) > 1), None):
        both = " and ".join(plain(reading) for reading in doubtful.readings)
        raise AnswerError(f"key '{key}': it can be read as {both}: write brackets")
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
            shown = plain(side.first), plain(before) if last else ""
            if because := _unfit(side.first, world):
                steps.append(DerivationStep(line.number, Decision.DIFFERENT, *shown, because))
            elif last is not None and _unfit(last.first, world):
                steps.append(DerivationStep(line.number, Decision.UNDECIDED, *shown))
            else:
                decision = _follows(side, last or Side((start,)), world)
                steps.append(DerivationStep(line.number, decision, *shown))
            last = side
    return steps


def _unfit(node: Expr, world: World) -> str:
    """Why an expression has no meaning, as where a row and a column are added."""
    if not world.scope.is_linear:
        return ""
    try:
        for point in drawn_points(node, node, world)[:1]:
            value_at(node, point)
    except Unfit as error:
        return str(error)
    return ""


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
                f"line {line.number}: one equation a line is asked for, such as  2 a = 6 b  and then  a = 3 b"
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
        because = "this is not the result that is asked for"
        steps.append(DerivationStep(lines[-1].number, decision, _shown(before), "", because))
    return steps


def _shown(sides: tuple[Expr, ...]) -> str:
    return " = ".join(plain(side) for side in sides)


def _implied(mine: tuple[Expr, Expr], before: tuple[Expr, Expr], world: World) -> Decision:
    """Whether an equation holds wherever the one before does: tried where that can be solved for one name."""
    residual, other = (world.place(add(left, neg(right))) for left, right in (before, mine))
    names = sorted(set(names_in(residual)) & set(world.scope.names) - set(world.scope.matrices))
    compared = trivial = missed = 0
    for name in names:
        for point in drawn_points(residual, other, world):
            found = _root(residual, name, point)
            is_only = found is not None
            root = found if is_only else _some_root(residual, name, point)
            if root is None:
                continue
            there = value_at(other, Point({**point.values, name: root}, point.scope, point.seed))
            away = value_at(other, point)
            if not isinstance(there, Decimal) or not isinstance(away, Decimal):
                continue
            compared += 1
            trivial += abs(away) < SMALL_VALUE
            if abs(there) > SMALL_VALUE * max(Decimal(1), abs(away)):
                missed += 1
                if is_only:
                    return Decision.DIFFERENT
    if compared < 3 or 0 < missed < compared:
        return Decision.UNDECIDED  # another root is another solution: x^2 = 4 and x = 2
    return Decision.DIFFERENT if missed or trivial == compared else Decision.EQUAL


def _root(residual: Expr, name: str, point: Point) -> Decimal | None:
    """The value of a name at which a residual that is linear in it vanishes."""
    at = [
        value_at(residual, Point({**point.values, name: Decimal(x)}, point.scope, point.seed))
        for x in (1, 2, 3)
    ]
    one, two, three = at
    if not isinstance(one, Decimal) or not isinstance(two, Decimal) or not isinstance(three, Decimal):
        return None
    with localcontext() as context:
        context.prec = DIGITS
        slope, bend = two - one, three - two - (two - one)
    if not slope or abs(bend) > SMALL_VALUE * max(Decimal(1), abs(three)):
        return None
    with localcontext() as context:
        context.prec = DIGITS
        root = 1 - one / slope
    return root if root > 0 or name in point.scope.reals else None


def _some_root(residual: Expr, name: str, point: Point) -> Decimal | None:
    """A value of a name at which a residual that is not linear in it vanishes: by secants, to many digits."""

    def at(x: Decimal) -> Decimal | None:
        found = value_at(residual, Point({**point.values, name: x}, point.scope, point.seed))
        return found if isinstance(found, Decimal) else None

    for start in (Decimal("0.3"), Decimal("0.7"), Decimal(2), Decimal(40), Decimal(-1)):
        root = _secants(at, start)
        if root is not None and (root > LEAST_ROOT or name in point.scope.reals):
            return root
    return None


def _secants(at: Callable[[Decimal], Decimal | None], start: Decimal) -> Decimal | None:
    one, two = start, start * Decimal("1.01")
    low, high = at(one), at(two)
    for _ in range(MOST_SECANTS):
        if low is None or high is None:
            return None
        if abs(high) < ROOT_VALUE:
            return two
        if high == low:
            return None
        with localcontext() as context:
            context.prec = DIGITS
            one, two = two, two - high * (two - one) / (high - low)
        low, high = high, at(two)
    return None
