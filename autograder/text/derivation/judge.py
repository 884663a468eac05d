"""A derivation and its result come in; the first false step and what the rest is worth go out."""

from __future__ import annotations

from autograder.course.small_kinds import Derivation
from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision, World, decide, drawn_points, value_at
from autograder.text.analysis.evaluate import Unfit
from autograder.text.analysis.read import Side, world_of
from autograder.text.analysis.scope import Scope, scope_of
from autograder.text.derivation.equation_steps import equation_steps
from autograder.text.derivation.index_steps import index_steps
from autograder.text.derivation.read import DerivationLine, read_derivation
from autograder.text.derivation.steps import DerivationStep
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, walk
from autograder.text.verdict import Judgement

LONGER = 2  # times as long as the key: whether such a last line is a result is for a person to say


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
    steps = (
        equation_steps(lines, (wanted[0], wanted[1]), world)
        if len(wanted) == 2
        else _steps(lines, wanted, world)
    )
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
        shown = len(steps) - 1
        count = f"{shown} step is" if shown == 1 else f"{shown} steps are"
        asked = f"{part.steps} {'is' if part.steps == 1 else 'are'} asked for"
        said = f"{count} shown, and at least {asked}: write those between"
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
