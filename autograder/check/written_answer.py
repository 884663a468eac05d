"""A text answer of the notebook becomes its view: how it is read and whether it can be marked, no more.

Each language is loaded with the first answer in it: a notebook that asks for a function waits for none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.calls.syntax_fault import Pointed
from autograder.check.panel import LineView, PartView, State
from autograder.course.model import Choice, Equation, Formula, Growth, Key
from autograder.course.small_kinds import Small
from autograder.errors import AnswerError
from autograder.release.handout import kind_of_part

if TYPE_CHECKING:
    from autograder.text.equation import EquationReading, LineReading
    from autograder.text.expression.read import ReadBack
    from autograder.text.judge import TextPart
    from autograder.text.verdict import Judgement

_WHERE = re.compile(r"^line \d+, column \d+: ")
_STRANGER = re.compile(r"\S+ is not a variable of this question|the answer is to be ")
_KEY = re.compile(r"^key '.*?': ", re.S)
UNANSWERED = "not answered yet: the text is empty"


def check_text(part: TextPart, answer: str) -> PartView:
    """Read an answer. Nothing here knows what is right."""
    view = PartView(part.name, kind_of_part(part), part.points, State.READ, "")
    if not answer.strip():
        return replace(view, state=State.UNANSWERED, headline=UNANSWERED)
    match part:
        case Growth() | Formula():
            return _expression(view, part, answer)
        case Equation():
            from autograder.text.equation import read_equation

            return _equations(view, read_equation(answer, part), answer)
        case Choice():
            return _choice(view, part, answer)
        case _:
            return _small(view, part, answer)


def _expression(view: PartView, part: Growth | Formula, answer: str) -> PartView:
    try:
        read = _read(part, answer)
    except AnswerError as error:
        fault = Pointed(*_line_at(answer, error.column), str(error))
        return replace(
            view, state=State.UNREADABLE, headline="cannot be read", lines=(LineView(fault=fault),)
        )
    strange = tuple(note for note in read.notes if _STRANGER.match(note))
    view = replace(view, slips=strange)
    notes = tuple(note for note in read.notes if note not in strange)
    about = f"in {', '.join(part.variables)}" if part.variables else ""
    line = LineView(read.plain, read.latex, about)
    doubt = _doubt(part, answer)
    if doubt:
        return replace(
            view, state=State.UNREADABLE, headline="read, but cannot be marked", lines=(line,),
            notes=(doubt, *notes),
        )  # fmt: skip
    headline = "read, but with a letter that is not asked for" if strange else "read, and can be marked"
    return replace(view, headline=headline, lines=(line,), notes=notes)


def _read(part: Growth | Formula, answer: str) -> ReadBack:
    if isinstance(part, Growth):
        from autograder.text.growth.judge import read_growth

        return read_growth(answer, part)
    from autograder.text.formula.judge import read_formula

    return read_formula(answer, part)


def _doubt(part: Growth | Formula, answer: str) -> str:
    """Why an answer that can be read cannot be marked: it is judged against itself."""
    try:
        judged = _judged_by_itself(part, answer)
    except AnswerError as error:
        return _KEY.sub("", str(error))
    return "" if judged.share == 1 else judged.feedback


def _judged_by_itself(part: Growth | Formula, answer: str) -> Judgement:
    if isinstance(part, Growth):
        from autograder.text.growth.judge import judge_growth

        return judge_growth(answer, part, Key(answer))
    from autograder.text.formula.judge import judge_formula

    return judge_formula(answer, part, Key(answer))


def _line_at(answer: str, column: int | None) -> tuple[str, int]:
    """The line of the answer in which a column of its whole text lies, and the column there; 0 for none."""
    if column is None:
        return answer.strip(), 0
    before = answer[: column - 1]
    start = before.rfind("\n") + 1
    end = answer.find("\n", start)
    return answer[start : end if end >= 0 else len(answer)], column - start


def _equations(view: PartView, reading: EquationReading, answer: str) -> PartView:
    lines = tuple(_equation(line, answer) for line in reading.lines)
    if not lines:
        return replace(view, state=State.UNANSWERED, headline=UNANSWERED)
    faulty = sum(line.fault is not None for line in lines)
    equations = f"{len(lines)} equation{'' if len(lines) == 1 else 's'}"
    if faulty:
        which = f"{faulty} of {equations}" if len(lines) > 1 else "the equation"
        headline = f"{which} cannot be marked as written"
        return replace(view, state=State.UNREADABLE, headline=headline, lines=lines)
    return replace(view, headline=f"{equations} read, and can be marked", lines=lines)


def _equation(line: LineReading, answer: str) -> LineView:
    if line.fault:
        rows = answer.replace("\r\n", "\n").split("\n")
        text = rows[line.line - 1] if 0 < line.line <= len(rows) else line.plain
        fault = Pointed(text, line.column, _WHERE.sub("", line.fault))
        return LineView(line.plain, line.latex, fault=fault)
    about = [f"for each {', '.join(line.free)}"] if line.free else []
    about += [f"summed over {', '.join(line.summed)}"] if line.summed else []
    return LineView(line.plain, line.latex, "; ".join(about))


def _small(view: PartView, part: Small, answer: str) -> PartView:
    from autograder.text.small.judge import read_small

    try:
        plain = read_small(answer, part)
    except AnswerError as error:
        fault = Pointed(answer.strip().split("\n")[0][:80], 0, str(error))
        return replace(
            view, state=State.UNREADABLE, headline="cannot be read", lines=(LineView(fault=fault),)
        )
    return replace(view, headline="read, and can be marked", lines=(LineView(plain),))


def _choice(view: PartView, part: Choice, answer: str) -> PartView:
    from autograder.text.small.choice import read_choice

    label = read_choice(answer, part)
    if label is None:
        labels = ", ".join(f'"{label}"' for label in part.options)
        fault = Pointed(answer.strip().split("\n")[0][:80], 0, f"this is none of {labels}")
        return replace(
            view, state=State.UNREADABLE, headline="cannot be read", lines=(LineView(fault=fault),)
        )
    return replace(
        view, headline=f"read as ({label}), and can be marked", notes=(f"({label}) {part.options[label]}",)
    )
