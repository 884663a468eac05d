"""A formula as a student types it and its key come in; the verdict, the marks and the reason go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from autograder.course.model import Formula, Key, Mistake
from autograder.errors import AnswerError
from autograder.text.analysis.judge import (
    UNDECIDED,
    analysis_key_faults,
    is_wanted,
    judge_analysis,
    read_analysis,
)
from autograder.text.expression.definitions import Definitions, said_of
from autograder.text.expression.read import ReadBack, read
from autograder.text.expression.render import latex, plain
from autograder.text.expression.tree import Expr, Sym, names_in
from autograder.text.formula.equality import (
    Disagreement,
    QuestionSetting,
    equal,
    same_equation,
    setting_of,
)
from autograder.text.formula.outputs import INEQUALITY, Output, label, labels, split_outputs, split_steps
from autograder.text.formula.side import read_side, take_definitions
from autograder.text.formula.usual_mistakes import find_slip
from autograder.text.verdict import Judgement, LineVerdict, written_in

__all__ = ["check_formula_key", "judge_formula", "read_formula"]


class FormulaVerdict(StrEnum):
    """What an answer is to the key."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNPARSEABLE = "unparseable"


@dataclass(frozen=True)
class ReadOutput:
    """An output that was read: what it calls itself, as typed, and its sides as trees."""

    name: str
    sides: tuple[Expr, ...]
    notes: tuple[str, ...] = ()
    is_inequality: bool = False

    @property
    def value(self) -> Expr:
        return self.sides[-1]

    @property
    def plain(self) -> str:
        shown = " = ".join(plain(side) for side in self.sides)
        return f"{self.name} = {shown}" if self.name else shown

    @property
    def latex(self) -> str:
        return " = ".join(latex(side) for side in self.sides)


@dataclass(frozen=True)
class JudgedOutput:
    """What is said of one output."""

    verdict: FormulaVerdict
    feedback: str = ""
    mistake: str | None = None
    is_explained: bool = True
    apart: tuple[Expr, Expr] | None = None  # what was written for what, where a slip may explain it


JudgedLine = tuple[ReadOutput, JudgedOutput]


def judge_formula(answer: str, part: Formula, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Judge an answer. A key or an assumption that cannot be used raises AnswerError: the author's fault."""
    if is_wanted(part, key.answer, answer):
        return judge_analysis(answer, part, key, mistakes)
    setting = _setting(part)
    wanted = _read_key(key.answer, part, setting)
    try:
        got = _read_answer(answer, part, setting, wanted)
    except AnswerError as error:
        return Judgement(FormulaVerdict.UNPARSEABLE, 0.0, feedback=str(error))
    shown = _shown(got)
    try:
        lines, missing = _lines(got, wanted, setting)
    except Disagreement:
        return _second_look(answer, part, key, mistakes, shown)
    except AnswerError as error:
        return Judgement(FormulaVerdict.UNPARSEABLE, 0.0, str(error), *shown)
    if not missing and all(line.verdict == FormulaVerdict.EQUAL for _, line in lines):
        return Judgement(FormulaVerdict.EQUAL, 1.0, "", *shown, lines=_table(lines, wanted))
    for reading in key.readings:
        if _matches(got, reading.answer, part, setting):
            verdict = FormulaVerdict.EQUAL if reading.share == 1 else FormulaVerdict.DIFFERENT
            says = reading.says or _first_reason(_explained(lines, setting), missing)
            return Judgement(verdict, reading.share, says, *shown)
    for mistake in mistakes:
        if isinstance(mistake.answer, str) and _matches(got, mistake.answer, part, setting):
            return Judgement(FormulaVerdict.DIFFERENT, 0.0, mistake.says, *shown, mistake.id)
    lines = _explained(lines, setting)
    return Judgement(
        FormulaVerdict.DIFFERENT,
        0.0,
        _first_reason(lines, missing),
        *shown,
        next((line.mistake for _, line in lines if line.mistake), None),
        _table(lines, wanted),
        missing,
    )


def _second_look(
    answer: str, part: Formula, key: Key, mistakes: Sequence[Mistake], shown: tuple[str, str]
) -> Judgement:
    """What the normal form cannot decide (n! against n (n-1)!) is compared by values alone."""
    try:
        judged = judge_analysis(answer, part, key, mistakes)
    except AnswerError:
        judged = None
    if judged is None or judged.verdict == FormulaVerdict.UNPARSEABLE:
        return Judgement("undecided", 0.0, UNDECIDED, *shown, "undecided")
    return replace(judged, read_as=shown[0], latex=shown[1])


def read_formula(answer: str, part: Formula) -> ReadBack:
    """What was read, never whether it is right. Raises AnswerError where nothing can be read."""
    if is_wanted(part, answer):
        return read_analysis(answer, part)
    setting = _setting(part)
    outputs = _read_all(answer, part, setting)
    if not outputs:
        raise AnswerError("there is nothing to read: write an answer such as 2*I*J")
    notes = [note for output in outputs for note in output.notes]
    met = dict.fromkeys(name for o in outputs for side in o.sides for name in names_in(side))
    if strangers := [name for name in met if name not in setting.names]:
        notes.append(written_in(setting.names, strangers))
    return ReadBack(*_shown(outputs), tuple(notes))


def _shown(outputs: tuple[ReadOutput, ...]) -> tuple[str, str]:
    """Plain and in LaTeX."""
    return ", ".join(o.plain for o in outputs), ",\\quad ".join(o.latex for o in outputs)


def check_formula_key(part: Formula, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """The author's faults: what cannot be read or decided, and mistakes that are none."""
    if is_wanted(part, key.answer):
        return analysis_key_faults(part, key, mistakes)
    faults: list[str] = []
    try:
        setting = _setting(part)
        wanted = _read_key(key.answer, part, setting)
        judgement = judge_formula(key.answer, part, Key(key.answer))
        if judgement.verdict != FormulaVerdict.EQUAL:
            faults.append(f"{part.name}: the key does not equal itself: {judgement.feedback}")
    except AnswerError as error:
        return [f"{part.name}: {error}"]
    strange = {name for o in wanted for name in names_in(o.value) if name not in setting.names}
    faults += [
        f"{part.name}: the key uses {name}, which the question does not declare" for name in sorted(strange)
    ]
    for number, reading in enumerate(key.readings, 1):
        faults += _check_other(f"{part.name}: reading {number}", reading.answer, part, key)
    for mistake in mistakes:
        text = mistake.answer if isinstance(mistake.answer, str) else ""
        faults += _check_other(f"{part.name}: mistake '{mistake.id}'", text, part, key)
    return faults


def _check_other(place: str, text: str, part: Formula, key: Key) -> list[str]:
    judgement = judge_formula(text, part, Key(key.answer))
    if judgement.verdict == FormulaVerdict.UNPARSEABLE:
        return [f"{place}: {judgement.feedback}"]
    return [f"{place} equals the key: '{text}'"] if judgement.verdict == FormulaVerdict.EQUAL else []


# ---------------------------------------------------------------- reading


def _setting(part: Formula) -> QuestionSetting:
    return setting_of((*part.variables, *part.vectors), tuple(part.assumptions))


def _read_key(text: str, part: Formula, setting: QuestionSetting) -> tuple[ReadOutput, ...]:
    try:
        return _read_all(text, part, setting)
    except AnswerError as error:
        raise AnswerError(f"key '{text}': {error}") from None


def _read_all(text: str, part: Formula, setting: QuestionSetting) -> tuple[ReadOutput, ...]:
    """As many outputs as the text has."""
    text, definitions = take_definitions(text, setting.names)
    several = split_outputs(text, True)
    chosen = several if len(several) > 1 else split_outputs(text, False)
    return tuple(_read_output(output, part, setting, definitions) for output in chosen)


def _read_answer(
    text: str, part: Formula, setting: QuestionSetting, wanted: tuple[ReadOutput, ...]
) -> tuple[ReadOutput, ...]:
    text, definitions = take_definitions(text, setting.names)
    outputs = split_outputs(text, len(wanted) > 1)
    if _asks_equation(wanted) and len(steps := split_steps(text)) > 1:
        outputs = steps
    if not outputs:
        raise AnswerError("there is nothing to read: write an answer such as 2*I*J")
    for name, value in definitions.claims:
        if not equal(Sym(name), value, setting):
            raise AnswerError(
                f"the question does not say that {said_of(name, value)}: write the formula without it"
            )
    return tuple(_read_output(output, part, setting, definitions) for output in outputs)


def _read_output(
    output: Output, part: Formula, setting: QuestionSetting, definitions: Definitions
) -> ReadOutput:
    """The sides of an output. A left side that only names it, such as y_1 or <x_1, x_3>, is kept as text."""
    sides = output.sides
    name = ""
    if len(sides) > 1 and _only_names(sides[0], part, setting):
        name, *others = sides
        # ||x_1|| = ||d + b|| = …: what only says again what is asked for is no answer yet
        sides = (*(side for side in others[:-1] if label(side)[:1] not in ("<", "|")), others[-1])
    sides = tuple(setting.given.put_in(side) for side in sides)
    names = (*setting.names, *definitions.names)
    if INEQUALITY.search(sides[-1]):
        reading = read(" = ".join(sides), names, (), "2*I*J")
        return ReadOutput("", reading.sides, reading.notes, is_inequality=True)
    read_sides = [read_side(side, names) for side in sides]
    trees = [definitions.apply(tree) for side in read_sides for tree in side.trees]
    notes = [note for side in read_sides for note in side.notes]
    return ReadOutput(name, tuple(trees), (*notes, *definitions.notes.values()))


def _only_names(text: str, part: Formula, setting: QuestionSetting) -> bool:
    named = {spelling for one in part.defines.split(";") for spelling in labels(one)}
    if label(text) in named or label(text)[:1] in ("<", "|"):
        return True
    try:
        side, *more = read_side(text, setting.names).trees
    except AnswerError:
        return text.replace(" ", "").replace("_", "").isalnum()
    own = not set(names_in(side)) & set(setting.names)
    return not more and own and (isinstance(side, Sym) or text.strip().isalpha())


# ---------------------------------------------------------------- comparing


def _lines(
    got: tuple[ReadOutput, ...], wanted: tuple[ReadOutput, ...], setting: QuestionSetting
) -> tuple[list[JudgedLine], tuple[str, ...]]:
    """Each wanted output with what is said of the one handed in for it, and the names of those missing."""
    if len(wanted) == 1:
        if len(got) > 1 and _asks_equation(wanted):
            steps = [_line(step, wanted[0], setting) for step in got]
            wrong = [line for line in steps if line.verdict != FormulaVerdict.EQUAL]
            return [(wanted[0], (wrong or steps)[0])], ()
        if len(got) > 1:
            return [
                (
                    wanted[0],
                    JudgedOutput(FormulaVerdict.DIFFERENT, "one expression is asked for, not several"),
                )
            ], ()
        return [(wanted[0], _line(got[0], wanted[0], setting))], ()
    by_name = {label(output.name): output for output in got if output.name}
    unnamed = [output for output in got if not output.name]
    lines: list[JudgedLine] = []
    missing: list[str] = []
    for number, want in enumerate(wanted, 1):
        mine = by_name.get(label(want.name))
        if mine is None and unnamed and not by_name:
            mine = unnamed.pop(0)
        if mine is None:
            missing.append(want.name or f"output {number}")
        else:
            lines.append((want, _line(mine, want, setting)))
    if unnamed and not by_name:
        raise_line = JudgedOutput(
            FormulaVerdict.DIFFERENT, f"{len(wanted)} outputs are asked for, not {len(got)}"
        )
        lines.append((wanted[-1], raise_line))
    return lines, tuple(missing)


def _asks_equation(wanted: tuple[ReadOutput, ...]) -> bool:
    return len(wanted) == 1 and len(wanted[0].sides) == 2


def _line(got: ReadOutput, want: ReadOutput, setting: QuestionSetting) -> JudgedOutput:
    if got.is_inequality:
        return JudgedOutput(
            FormulaVerdict.DIFFERENT, "an inequality is no exact answer: write one expression, or an equation"
        )
    if len(want.sides) == 2:
        return _equation_line(got, want, setting)
    if got.name and want.name and label(got.name) != label(want.name) and _alike(got.name, want.name):
        return JudgedOutput(
            FormulaVerdict.DIFFERENT, f"this defines {got.name}, but {want.name} is asked for", "other_output"
        )
    wrong = next((side for side in got.sides if not equal(side, want.value, setting)), None)
    if wrong is None:
        return JudgedOutput(FormulaVerdict.EQUAL)
    shown = f"{want.name} = {plain(wrong)}" if want.name else plain(wrong)
    return _different(shown, (wrong, want.value))


def _alike(mine: str, other: str) -> bool:
    """y_2 for y_1 is another output; N for y_1 is only another name."""
    return label(mine).rstrip("0123456789") == label(other).rstrip("0123456789")


def _equation_line(got: ReadOutput, want: ReadOutput, setting: QuestionSetting) -> JudgedOutput:
    left, right = want.sides
    if len(got.sides) == 1:
        named, value = (left, right) if isinstance(left, Sym) else (right, left)
        if isinstance(named, Sym) and equal(got.value, value, setting):
            return JudgedOutput(FormulaVerdict.EQUAL)
        return _different(plain(got.value), (got.value, value) if isinstance(named, Sym) else None)
    pairs = list(zip(got.sides, got.sides[1:], strict=False))
    if all(same_equation((a, b), (left, right), setting) or equal(a, b, setting) for a, b in pairs) and any(
        same_equation(pair, (left, right), setting) for pair in pairs
    ):
        return JudgedOutput(FormulaVerdict.EQUAL)
    is_slip = got.sides[0] == left and not equal(got.value, right, setting)
    return _different(got.plain, (got.value, right) if is_slip else None)


def _different(shown: str, apart: tuple[Expr, Expr] | None) -> JudgedOutput:
    return JudgedOutput(FormulaVerdict.DIFFERENT, shown, is_explained=False, apart=apart)


def _explained(lines: list[JudgedLine], setting: QuestionSetting) -> list[JudgedLine]:
    """What was only found to be unequal, with the slip that explains it: equality alone needs none."""
    return [(want, _with_slip(line, setting)) for want, line in lines]


def _with_slip(line: JudgedOutput, setting: QuestionSetting) -> JudgedOutput:
    if line.is_explained:
        return line
    slip = find_slip(*line.apart, setting) if line.apart else None
    if slip is None:
        said = f"{line.feedback} is not equal to the answer asked for"
        return replace(line, feedback=said, is_explained=True)
    said = f"{line.feedback}: {slip.says}"
    return replace(line, feedback=said, mistake=slip.id, is_explained=True)


def _matches(got: tuple[ReadOutput, ...], text: str, part: Formula, setting: QuestionSetting) -> bool:
    other = _read_key(text, part, setting)
    try:
        lines, missing = _lines(got, other, setting)
    except Disagreement:
        return False
    return not missing and all(line.verdict == FormulaVerdict.EQUAL for _, line in lines)


def _first_reason(lines: list[JudgedLine], missing: tuple[str, ...]) -> str:
    reasons = [line.feedback for _, line in lines if line.feedback]
    if missing:
        reasons.append(f"missing: {', '.join(missing)}")
    return "; ".join(reasons)


def _table(lines: list[JudgedLine], wanted: tuple[ReadOutput, ...]) -> tuple[LineVerdict, ...]:
    if len(wanted) == 1:
        return ()
    return tuple(
        LineVerdict(
            want.name,
            line.verdict,
            plain(want.value) if not line.feedback else "",
            line.feedback,
            line.mistake,
        )
        for want, line in lines
    )
