"""An answer of one or more equations becomes a judgement: a verdict for each line, and the reason."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from autograder.course.model import Equation, Key, Mistake
from autograder.errors import CourseError
from autograder.text.equation.chosen_sizes import Setting, build_settings
from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.faults import RANKS, TooMuch, TypeFault
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.lines import (
    ReadAnswer,
    circle,
    own_lines,
    read_answer,
    recurrent,
    uses,
    vocabulary_of,
)
from autograder.text.equation.render import latex_lines, plain_line, plain_lines
from autograder.text.equation.sizes import number_of
from autograder.text.equation.tree import (
    Call,
    Expr,
    Line,
    Lookup,
    Number,
    Quotient,
    Variable,
    rebuild,
    signature,
    walk,
)
from autograder.text.equation.usual_mistakes import MistakenLine, slips_of
from autograder.text.step_bound import at_most
from autograder.text.verdict import Judgement, LineVerdict

if TYPE_CHECKING:
    from autograder.text.equation.compare import Finding, Reference

KEPT = 256  # keys


@dataclass(frozen=True)
class SlipLine:
    """One line of a known mistake: its form, and its values where it has any."""

    form: str
    finding: Finding


@dataclass(frozen=True)
class Ground:
    """What answers to one part are judged on."""

    vocabulary: Vocabulary
    settings: tuple[Setting, Setting]
    lines: Mapping[str, Line]
    reference: Reference
    holds: Mapping[str, Line] = field(default_factory=dict)  # of given tensors
    held: Reference | None = None
    slips: dict[str, dict[str, SlipLine]] = field(default_factory=dict)
    derived: dict[str, list[tuple[MistakenLine, SlipLine]]] = field(default_factory=dict)


_grounds: deque[tuple[Equation, tuple[str, ...], Ground]] = deque(maxlen=KEPT)  # the latest first


def ground_of(part: Equation, answer: str, holds: tuple[str, ...] = ()) -> Ground:
    """The key read, typed and evaluated, once for a part; `holds` are equations of given tensors."""
    for known, key, ground in _grounds:
        if key == (answer, *holds) and known == part:
            return ground
    ground = _build_ground(part, answer, holds)
    _grounds.appendleft((part, (answer, *holds), ground))
    return ground


def _build_ground(part: Equation, answer: str, holds: tuple[str, ...]) -> Ground:
    from autograder.text.equation.compare import build_reference  # torch only where numbers are needed

    vocabulary = vocabulary_of(part)
    settings = build_settings(vocabulary)
    lines = key_lines(part, answer, vocabulary)
    given = key_lines(part, "\n".join(holds), vocabulary) if holds else {}
    try:
        reference = build_reference(lines, settings)
        held = build_reference(given, settings) if given else None
    except (TypeFault, TooMuch) as fault:
        raise CourseError(f"the key of {part.name!r} is ill-typed: {fault}") from fault
    return Ground(vocabulary, settings, lines, reference, given, held)


def key_lines(part: Equation, answer: str, vocabulary: Vocabulary) -> dict[str, Line]:
    """The lines of a key, by what they define. A key that cannot be read is its author's fault."""
    try:
        read = read_answer(answer, vocabulary, {})
    except Unreadable as fault:
        raise CourseError(f"the key of {part.name!r} cannot be read: {fault}") from fault
    lines: dict[str, Line] = {}
    for line in read.lines:
        if line.line is None:
            raise CourseError(f"the key of {part.name!r} cannot be read: {line.fault}")
        if line.defines not in vocabulary.tensors:
            raise CourseError(
                f"the key of {part.name!r} defines {line.defines}, which the part does not declare"
            )
        lines[line.defines] = line.line
    return lines


def judge_equation(answer: str, part: Equation, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer line by line against the key, and name the known mistake it makes."""
    ground = ground_of(part, key.answer, key.holds)
    judged = _judge(answer, ground, mistakes)
    for reading in key.readings:
        if judged.share >= reading.share:
            continue
        other = _judge(answer, ground_of(part, reading.answer), ())
        if other.share == 1:
            return Judgement(
                "equal", reading.share, reading.says, other.read_as, other.latex, None, other.lines
            )
    return judged


def _judge(answer: str, ground: Ground, mistakes: Sequence[Mistake]) -> Judgement:
    lefts = {name: line.left for name, line in ground.lines.items()}
    try:
        read = read_answer(answer, ground.vocabulary, lefts)
    except Unreadable as fault:
        return Judgement("unparseable", 0.0, f"{_place(fault)}{fault}", missing=tuple(lefts))
    verdicts = _line_verdicts(read, ground, mistakes)
    return _assembled(verdicts, read, ground)


def _place(fault: Unreadable) -> str:
    return f"line {fault.place.line}, column {fault.place.column}: "


def _line_verdicts(read: ReadAnswer, ground: Ground, mistakes: Sequence[Mistake]) -> list[LineVerdict]:
    from autograder.text.equation.compare import compare_line

    own = own_lines(read)
    verdicts = []
    for line in read.lines:
        if line.line is None:
            assert line.fault is not None
            verdicts.append(LineVerdict(line.defines, "unparseable", "", f"{_place(line.fault)}{line.fault}"))
        elif line.defines in ground.lines:
            finding = compare_line(line.line, own, read.vocabulary, ground.reference)
            if finding.verdict == "equal" or finding.crossed:
                finding = _round(line.line, line.defines, own, ground) or finding
            slip = None
            if finding.verdict != "equal":
                slip = _recognised(line.line, line.defines, finding, ground, mistakes)
            says = slip.says if slip else _advice(line.line, finding.verdict, ground)
            feedback = f"{says} ({finding.feedback})" if says else finding.feedback
            read_as = plain_line(line.line, read.vocabulary)
            verdicts.append(
                LineVerdict(line.defines, finding.verdict, read_as, feedback, slip.id if slip else None)
            )
        elif fault := _unfounded(line.line, own, read.vocabulary, ground):
            verdicts.append(LineVerdict(line.defines, "unparseable", "", fault))
    return verdicts


def _unfounded(line: Line, own: Mapping[str, Line], vocabulary: Vocabulary, ground: Ground) -> str:
    """Why a line that no one asked for is none that an answer may state; "" where it may."""
    name = line.left.tensor
    if name in ground.holds:
        from autograder.text.equation.compare import compare_line

        assert ground.held is not None
        same = compare_line(line, own, vocabulary, ground.held).verdict == "equal"
        return "" if same else f"{name} is given, and it is not this: leave this line out"
    if name in ground.vocabulary.tensors:
        given = f"{name} is given, and may have any values: leave this line out"
        return given if _restricts(line, ground) else ""
    if ground.vocabulary.is_size(name) and not line.left.indices:
        fits = all(_may_be(right, name, ground) for right in line.rights)
        return "" if fits else f"the question does not say this of {name}: leave this line out"
    number = any(isinstance(right, Number) for right in line.rights)
    if number and name[0].islower() and not any(name in uses(other) for other in own.values()):
        return f"{name} takes all its values: leave this line out"
    return ""


def _restricts(line: Line, ground: Ground) -> bool:
    """Whether a line about a given tensor demands something of it: H_0 = 0, w[b,t] = w[t,b], W = A B."""
    return bool(uses(line) & set(ground.vocabulary.tensors)) or any(
        isinstance(r, Number) for r in line.rights
    )


def _may_be(value: Expr, size: str, ground: Ground) -> bool:
    """Whether a length may have a value: J = K I where the question says so, T = 2n where T is even."""
    letters = {node for node in walk(value) if isinstance(node, Lookup | Variable)}
    if len(letters) > 1 or (letters and size not in ground.vocabulary.sizes):
        return False
    for setting in ground.settings:
        first, second = (number_of(_at(value, number), setting.sizes) for number in (0, 1))
        if first is None or second is None:
            return False
        rest = setting.sizes[size] - first
        if (rest % (second - first) if first != second else rest) != 0:
            return False
    return True


def _at(value: Expr, number: int) -> Expr:
    """A value with a number for its letter."""
    if isinstance(value, Lookup | Variable):
        return Number(Fraction(number))
    changed: Expr = rebuild(value, lambda child: _at(child, number))
    return changed


def _advice(line: Line, verdict: str, ground: Ground) -> str:
    """What the question has otherwise than an ill-typed line supposes, in the question's own words."""
    key = ground.lines[line.left.tensor]
    scaled, asked = (any(_scales(right) for right in each.rights) for each in (line, key))
    if verdict != "ill-typed":
        return ""
    said = ["this question has no scaling"] if scaled and not asked else []
    said += ["items are columns"] if ground.vocabulary.columns else []
    return ", and ".join(said)


def _scales(right: Expr) -> bool:
    """Is something divided by a root, as scores often are?"""
    roots = (node for node in walk(right) if isinstance(node, Quotient))
    return any(
        isinstance(node, Call) and node.function == "sqrt" for root in roots for node in walk(root.below)
    )


def _round(line: Line, defines: str, own: Mapping[str, Line], ground: Ground) -> Finding | None:
    """A line that defines a tensor by itself says nothing, though its values agree with the key's."""
    from autograder.text.equation.compare import Finding

    other = circle(defines, line, own, ground.lines, recurrent(ground.lines))
    if other is None:
        return None
    through = "itself" if other == defines else f"{other}, which needs {defines}"
    return Finding(
        "ill-typed", f"{defines} is defined by {through}: define it by the tensors that come before"
    )


def slip_lines(answer: str, ground: Ground) -> dict[str, SlipLine]:
    """The lines of a known mistake that are not right, by what they define."""
    from autograder.text.equation.compare import compare_line

    if answer not in ground.slips:
        lefts = {name: line.left for name, line in ground.lines.items()}
        try:
            read = read_answer(answer, ground.vocabulary, lefts)
        except Unreadable as fault:
            raise CourseError(f"the mistake {answer!r} cannot be read: {fault}") from fault
        own = own_lines(read)
        found = {}
        for line in read.lines:
            if line.line and line.defines in ground.lines:
                finding = compare_line(line.line, own, read.vocabulary, ground.reference)
                if finding.verdict != "equal":
                    found[line.defines] = SlipLine(signature(line.line), finding)
        ground.slips[answer] = found
    return ground.slips[answer]


def _recognised(
    line: Line, defines: str, finding: Finding, ground: Ground, mistakes: Sequence[Mistake]
) -> Mistake | MistakenLine | None:
    """The known mistake that a wrong line makes, else the slip of the key's own line: the same values, or
    the same form where it has none."""
    from autograder.text.equation.compare import same_values, tells

    def fits(slip: SlipLine) -> bool:
        return slip.form == signature(line) or same_values(finding.values, slip.finding.values)

    for known in mistakes:
        listed = slip_lines(str(known.answer), ground).get(defines)
        if listed is not None and fits(listed):
            return known
    form = signature(line)
    for slip, made in derived_slips(defines, ground):
        if made.form == form or (tells(finding.values) and same_values(finding.values, made.finding.values)):
            return slip
    return None


def derived_slips(defines: str, ground: Ground) -> list[tuple[MistakenLine, SlipLine]]:
    """What the slips of a key's line give, worked out once; those that are right after all are none."""
    from autograder.text.equation.compare import compare_line

    if defines not in ground.derived:
        tensors = {name: len(declared.axes) for name, declared in ground.vocabulary.tensors.items()}
        found = []
        with at_most(inf):  # they are the same for everybody, and no answer pays for them
            for slip in slips_of(ground.lines[defines], tensors):
                try:
                    finding = compare_line(slip.line, {}, ground.vocabulary, ground.reference)
                except (TypeFault, TooMuch):
                    continue
                if finding.verdict != "equal":
                    found.append((slip, SlipLine(signature(slip.line), finding)))
        ground.derived[defines] = found
    return ground.derived[defines]


def _assembled(verdicts: list[LineVerdict], read: ReadAnswer, ground: Ground) -> Judgement:
    """One judgement of all lines: the worst verdict, and the share of the key's lines that are right."""
    given = {verdict.defines: verdict for verdict in verdicts}
    missing = tuple(name for name in ground.lines if name not in given)
    lost = _undermined(verdicts, read, ground)
    right = [
        name for name in ground.lines if name in given and name not in lost and _all_equal(verdicts, name)
    ]
    share = len(right) / len(ground.lines)
    worst = max(verdicts, key=lambda verdict: RANKS[verdict.verdict], default=None)
    lines = tuple(verdicts)
    shown = [line.line for line in read.lines if line.line]
    read_as = "\n".join(plain_lines(shown, read.vocabulary))
    latex = r" \\ ".join(latex_lines(shown, read.vocabulary))
    if worst is None:
        names = ", ".join(ground.lines)
        feedback = f"no line defines what is asked: start a line with {names}"
        return Judgement("ill-typed", 0.0, feedback, read_as, latex, missing=missing)
    faults = [verdict for verdict in verdicts if verdict.verdict != "equal"]
    reasons = [_reason(verdict, len(ground.lines) > 1) for verdict in faults]
    if missing:
        reasons.append(f"missing: {', '.join(missing)}")
    mistake = next((verdict.mistake for verdict in faults if verdict.mistake), None)
    return Judgement(worst.verdict, share, "\n".join(reasons), read_as, latex, mistake, lines, missing)


def _undermined(verdicts: list[LineVerdict], read: ReadAnswer, ground: Ground) -> set[str]:
    """The lines that an answer takes back by what it may not state: a given W that they use, a length."""
    faulty = {verdict.defines for verdict in verdicts if verdict.verdict != "equal"}
    lines = {line.defines: line.line for line in read.lines if line.line is not None}
    unfounded = {name for name in lines if name in faulty and name not in ground.lines}
    lost: set[str] = set()
    for name, key in ground.lines.items():
        used = uses(key) | (uses(lines[name]) if name in lines else set())
        used |= {other for each in used & set(ground.holds) for other in uses(ground.holds[each])}
        if any(other in used or other not in ground.vocabulary.tensors for other in unfounded):
            lost.add(name)
    return lost


def _all_equal(verdicts: list[LineVerdict], name: str) -> bool:
    return all(verdict.verdict == "equal" for verdict in verdicts if verdict.defines == name)


def _reason(verdict: LineVerdict, several: bool) -> str:
    """The feedback of one line of several begins with what the line defines, or with its place."""
    begins = verdict.feedback.startswith((f"{verdict.defines} ", f"{verdict.defines},"))
    return f"{verdict.defines}: {verdict.feedback}" if several and not begins else verdict.feedback
