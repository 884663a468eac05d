"""A formula with functions, reals, matrices or probabilities and its key come in; the verdict goes out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.course.model import Formula, Key, Mistake
from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision, World, decide, factor_between
from autograder.text.analysis.read import Output, Side, read_expression, read_outputs, world_of
from autograder.text.analysis.scope import scope_of
from autograder.text.expression.read import ReadBack
from autograder.text.expression.render import latex, plain
from autograder.text.expression.tree import Call, Expr, Num, Sym, mul, names_in, neg
from autograder.text.formula.usual_mistakes import named_factor
from autograder.text.verdict import Judgement, written_in

# Words and signs that only this reader knows.
ONLY_HERE = re.compile(
    r"(?<![A-Za-z])(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?(?![A-Za-z])|sigmoid|\\sigma\s*(?:\\left)?[(\[]|[σ]\s*\(|relu|softplus"
    r"|logsumexp|\\?Gamma\s*(?:\\left)?[(\[]|Γ\s*[(\[]|(?<![A-Za-z])LSE(?![A-Za-z])|\\sum|\\prod|[∑∏]|(?<![A-Za-z])(?:sum|prod)\s*[_(]|sgn|\bsign\s*\("
    r"|//|(?<![A-Za-z])C\([^(),]+,",
    re.IGNORECASE,
)
# What LaTeX takes for a space, and others for "not": before an event that opens a bracket or a condition.
SPACED_BAR = re.compile(r"~\s*(?:\||\\mid|\\vert)\s*~")
NOT_SIGN = re.compile(r"(?<=[(\[|])\s*~(?=\s*[A-Za-z(])")
DOUBTFUL_SIGN = re.compile(r"(?:,|\\mid|\\vert|\\cap|∩)\s*~\s*[A-Z]")
# What stands between values in any order, and before them.
VALUES = re.compile(
    r"^\s*(?:(?:so|hence|thus|therefore)\s*,?\s*)?(?:the\s+)?(?:two\s+|three\s+)?"
    r"(?:eigenvalues?|roots?|solutions?|values?|zeros?|answers?)\b\s*(?:of\s+\w+\s+)?(?:are|is|:|=)?\s*",
    re.IGNORECASE,
)
MEMBER = re.compile(r"(?:\\in(?![A-Za-z])|∈)\s*(?=\\?\{|\\left)")
BETWEEN = re.compile(r"\\text\{\s*(?:and|or)\s*\}|(?<![\w\\])or(?!\w)|(?<!\\)&(?=[^=&]*$)")
EITHER = re.compile(r"(?<!\w)(?:either|both)(?!\w)", re.IGNORECASE)
SIGNS = re.compile(r"±|\\pm(?![A-Za-z])|\+/-")  # both signs: two answers
UNDECIDED = "this could not be decided for certain: your instructor will look at it"
TWO_WAYS = (
    "this can be read in two ways, {} and {}: brackets would say which; your instructor will look at it"
)


def is_wanted(part: Formula, *texts: str) -> bool:
    """Whether a formula is this reader's: by what the part declares, or by what is written."""
    declared = part.reals or part.functions or part.matrices or part.unordered
    return bool(declared) or any(ONLY_HERE.search(text) for text in texts)


def judge_analysis(answer: str, part: Formula, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer. A key or an assumption that cannot be used raises AnswerError: the author's fault."""
    world = _world(part)
    wanted = _read_key(key.answer, part)
    try:
        got = _read(answer, part, len(wanted) > 1)
        strange = sorted(_strangers(got, part))
        shown = _shown(got)
        decisions, said = _decide_all(got, wanted, part, world)
    except AnswerError as error:
        return Judgement("unparseable", 0.0, str(error))
    verdict = _worst(decisions)
    if verdict == Decision.EQUAL:
        return Judgement("equal", 1.0, "", *shown)
    for reading in key.readings:
        if _matches(got, reading.answer, part, world):
            equal = "equal" if reading.share == 1 else "different"
            return Judgement(equal, reading.share, reading.says or said, *shown)
    for mistake in mistakes:
        if isinstance(mistake.answer, str) and _matches(got, mistake.answer, part, world):
            return Judgement("different", 0.0, mistake.says, *shown, mistake.id)
    if verdict == Decision.UNDECIDED and not strange:
        return Judgement("undecided", 0.0, said or UNDECIDED, *shown, "undecided")
    if strange:
        said = written_in(scope_of(part).names, sorted(strange))
        return Judgement("different", 0.0, said, *shown, "extra_variable")
    slip, says = _slip(got, wanted, world)
    return Judgement("different", 0.0, says or said, *shown, slip)


def read_analysis(answer: str, part: Formula) -> ReadBack:
    """What was read, never whether it is right."""
    try:
        outputs = _read(answer, part, several=False)
    except AnswerError:
        outputs = _read(answer, part, several=True)
    strangers = sorted(_strangers(outputs, part))
    notes = [written_in(scope_of(part).names, strangers)] if strangers else []
    for output in outputs:
        for side in output.sides:
            if len(side.readings) > 1:
                notes.append(
                    f"can also be read as {plain(side.readings[1])}: write brackets to say which is meant"
                )
    return ReadBack(*_shown(outputs), tuple(notes))


def analysis_key_faults(part: Formula, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """The author's faults: what cannot be read or decided, and mistakes that are none."""
    try:
        wanted = _read_key(key.answer, part)
        judged = judge_analysis(key.answer, part, Key(key.answer))
    except AnswerError as error:
        return [f"{part.name}: {error}"]
    faults = [
        f"{part.name}: the key uses {name}, which the question does not declare"
        for name in sorted(_strangers(wanted, part))
    ]
    if judged.verdict != "equal":
        faults.append(f"{part.name}: the key does not equal itself: {judged.feedback}")
    others = [(f"reading {number}", each.answer) for number, each in enumerate(key.readings, 1)]
    others += [(f"mistake '{each.id}'", each.answer) for each in mistakes if isinstance(each.answer, str)]
    for place, text in others:
        judged = judge_analysis(text, part, Key(key.answer))
        if judged.verdict == "unparseable":
            faults.append(f"{part.name}: {place}: {judged.feedback}")
        elif judged.verdict == "equal":
            faults.append(f"{part.name}: {place} equals the key: '{text}'")
    return faults


# ---------------------------------------------------------------- reading


def _world(part: Formula) -> World:
    return world_of(scope_of(part), tuple(part.assumptions))


def _read(text: str, part: Formula, several: bool) -> tuple[Output, ...]:
    if part.unordered and len(SIGNS.findall(text)) == 1 and not re.search(r"[,;\n]", text):
        text = f"{SIGNS.sub('+', text)}, {SIGNS.sub('-', text)}"
    scope = scope_of(part)
    if part.unordered and not any(scope.find(word) for word in ("or", "either", "both")):
        text = EITHER.sub("", BETWEEN.sub(",", MEMBER.sub("= ", VALUES.sub("", text))))
    if part.functions:
        text = _with_not(text)
    return read_outputs(text, scope, several or part.unordered)


def _with_not(text: str) -> str:
    """P(~B) as P(not B). AnswerError where a tilde may be a space as well."""
    if SPACED_BAR.search(text):
        return text
    if found := DOUBTFUL_SIGN.search(text):
        raise AnswerError(f"'{found[0].strip()}' can be read in two ways: write 'not' before what is not")
    return NOT_SIGN.sub(r"\\neg ", text)


def _read_key(text: str, part: Formula) -> tuple[Output, ...]:
    try:
        try:
            wanted = _read(text, part, several=False)
        except AnswerError:
            wanted = _read(text, part, several=True)
        for output in wanted:
            for side in output.sides:
                if len(side.readings) > 1:
                    both = " and ".join(plain(reading) for reading in side.readings)
                    raise AnswerError(f"it can be read as {both}: write brackets")
    except AnswerError as error:
        raise AnswerError(f"key '{text}': {error}") from None
    return wanted


def _strangers(outputs: tuple[Output, ...], part: Formula) -> set[str]:
    scope = scope_of(part)
    used = {name for o in outputs for side in o.sides for name in names_in(side.first)}
    return {name for name in used if name not in scope.names}


def _shown(outputs: tuple[Output, ...]) -> tuple[str, str]:
    """Plain and in LaTeX."""

    def joined(output: Output, show: type[str] | object, equals: str) -> str:
        assert callable(show)
        nodes = [
            *([output.label] if output.label is not None else []),
            *(side.first for side in output.sides),
        ]
        return equals.join(show(node) for node in nodes)

    return (
        ", ".join(joined(output, plain, " = ") for output in outputs),
        ",\\quad ".join(joined(output, latex, " = ") for output in outputs),
    )


# ---------------------------------------------------------------- comparing


def _decide_all(
    got: tuple[Output, ...], wanted: tuple[Output, ...], part: Formula, world: World
) -> tuple[list[Decision], str]:
    """The decision for each output that is asked for, and a sentence on the first that is not right."""
    if len(got) != len(wanted):
        asked = f"{len(wanted)} outputs are" if len(wanted) > 1 else "one expression is"
        return [Decision.DIFFERENT], f"{asked} asked for, not {len(got)}"
    if part.unordered:
        return _unordered(got, wanted, world)
    decisions, said = [], ""
    for mine, want in zip(got, wanted, strict=True):
        decision, says = _decide_output(mine, want, part, world)
        decisions.append(decision)
        said = said or says
    return decisions, said


def _decide_output(mine: Output, want: Output, part: Formula, world: World) -> tuple[Decision, str]:
    """Every side must equal the key: a chain that holds something else says something else."""
    if says := _other_label(mine, want, part, world):
        return Decision.DIFFERENT, says
    sides = mine.sides
    if mine.label is not None and _is_claim(mine.label, want, part, world):
        sides = (Side((mine.label,)), *sides)
    decisions = [_decide_side(side, want.sides[-1].first, world) for side in sides]
    for side, decision in zip(sides, decisions, strict=True):
        if decision == Decision.DIFFERENT:
            return decision, f"{plain(side.first)} is not equal to the answer asked for"
    for side, decision in zip(sides, decisions, strict=True):
        if decision == Decision.UNDECIDED and len(side.readings) > 1:
            return decision, TWO_WAYS.format(*(plain(reading) for reading in side.readings))
    return _worst(decisions), ""


def _other_label(mine: Output, want: Output, part: Formula, world: World) -> str:
    """What an answer says it works out, if that is something else than what is asked for."""
    asked = want.label
    if asked is None and part.defines:
        try:
            asked = read_expression(part.defines, world.scope).first
        except AnswerError:
            return ""
    if mine.label is None or not isinstance(asked, Call) or not isinstance(mine.label, Call):
        return ""
    if decide(mine.label, asked, World(world.scope)) == Decision.EQUAL:
        return ""
    return f"this is an answer for {plain(mine.label)}; {plain(asked)} is asked for"


def _is_claim(label: Expr, want: Output, part: Formula, world: World) -> bool:
    """Whether a left side says something: a name of the question does, unless it is what is asked."""
    if want.label is not None or part.defines:
        return False
    return isinstance(label, Sym) and label.name in world.scope.names


def _decide_side(side: Side, key: Expr, world: World) -> Decision:
    decisions = {decide(reading, key, world) for reading in side.readings}
    return decisions.pop() if len(decisions) == 1 else Decision.UNDECIDED


def _unordered(
    got: tuple[Output, ...], wanted: tuple[Output, ...], world: World
) -> tuple[list[Decision], str]:
    """Each wanted output is met by another one of the answer."""
    left = list(got)
    decisions = []
    for want in wanted:
        key = want.sides[-1].first
        found = [(_worst([_decide_side(side, key, world) for side in mine.sides]), mine) for mine in left]
        best = next((mine for decision, mine in found if decision == Decision.EQUAL), None)
        if best is not None:
            left.remove(best)
            decisions.append(Decision.EQUAL)
        else:
            unsure = any(decision == Decision.UNDECIDED for decision, _ in found)
            decisions.append(Decision.UNDECIDED if unsure else Decision.DIFFERENT)
    right = decisions.count(Decision.EQUAL)
    return decisions, f"{right} of {len(wanted)} are right"


def _worst(decisions: Sequence[Decision]) -> Decision:
    for decision in (Decision.DIFFERENT, Decision.UNDECIDED):
        if decision in decisions:
            return decision
    return Decision.EQUAL


def _matches(got: tuple[Output, ...], text: str, part: Formula, world: World) -> bool:
    try:
        decisions, _ = _decide_all(got, _read_key(text, part), part, world)
    except AnswerError:
        return False
    return _worst(decisions) == Decision.EQUAL


def _slip(got: tuple[Output, ...], wanted: tuple[Output, ...], world: World) -> tuple[str | None, str]:
    """The usual slips; none where the key is a plain number, which a factor would give away."""
    if len(wanted) != 1 or len(got) != 1:
        return None, ""
    mine, key = got[0].sides[-1].first, wanted[0].sides[-1].first
    if not names_in(key):
        return None, ""
    shown = plain(mine)
    if decide(mine, key, world) == Decision.EQUAL:
        return None, ""  # another side is the wrong one
    if decide(neg(mine), key, world) == Decision.EQUAL:
        return "sign", f"{shown}: the sign is wrong"
    if world.scope.is_linear and decide(Call("transpose", (mine,)), key, world) == Decision.EQUAL:
        return "transposed", f"{shown}: this is the transpose of what is asked for"
    factor = factor_between(mine, key, world)
    if factor is not None and decide(mul(Num(1 / factor), mine), key, world) == Decision.EQUAL:
        return "constant_factor", f"{shown}: off by {named_factor(factor)}"
    return None, ""
