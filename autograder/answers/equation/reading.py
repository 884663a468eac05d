"""What a student's check shows of an answer: how it is read, its indices, type errors; never its worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autograder.answers.equation.faults import TooMuch, TypeFault, shown
from autograder.answers.equation.lexer import Unreadable
from autograder.answers.equation.lines import ReadAnswer, ReadLine, read_answer
from autograder.answers.equation.order import in_order
from autograder.answers.equation.render import latex_line, plain_line
from autograder.answers.equation.setting import Setting, build_settings
from autograder.answers.equation.tree import NOWHERE, Line, Place
from autograder.answers.equation.typing import Typed, type_line
from autograder.answers.equation.vocabulary import build_vocabulary
from autograder.model import Equation


@dataclass(frozen=True)
class LineReading:
    """One equation as it is read. `fault` is empty where the line is well-typed."""

    defines: str
    latex: str = ""
    plain: str = ""
    free: tuple[str, ...] = ()
    summed: tuple[str, ...] = ()
    fault: str = ""
    verdict: str = ""  # "ill-typed" or "unparseable" where there is a fault
    line: int = 0
    column: int = 0
    index: str = ""


@dataclass(frozen=True)
class EquationReading:
    """A whole answer as it is read."""

    lines: tuple[LineReading, ...]

    @property
    def latex(self) -> str:
        """All lines that can be read, aligned at their left sides."""
        rows = [line.latex.replace(" = ", " &= ", 1) for line in self.lines if line.latex]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}" if rows else ""

    @property
    def faults(self) -> tuple[str, ...]:
        return tuple(line.fault for line in self.lines if line.fault)


def read_equation(answer: str, part: Equation) -> EquationReading:
    """Read and type an answer without its key."""
    vocabulary = build_vocabulary(part)
    try:
        read = read_answer(answer, vocabulary, {})
    except Unreadable as fault:
        return EquationReading((_unread("", fault.place, str(fault)),))
    settings = build_settings(vocabulary)
    setting = _with_own(read, replace(settings[0], vocabulary=read.vocabulary))
    return EquationReading(tuple(_line_reading(line, setting) for line in read.lines))


def _unread(defines: str, place: Place, message: str) -> LineReading:
    where = f"line {place.line}, column {place.column}: {message}"
    return LineReading(defines, fault=where, verdict="unparseable", line=place.line, column=place.column)


def _with_own(read: ReadAnswer, setting: Setting) -> Setting:
    """The setting with every definition of the answer's own that can be typed."""
    own = {
        line.defines: line.line for line in read.lines if line.line and line.defines in read.vocabulary.own
    }
    for name in in_order(own):
        try:
            typed = _typed(own[name], setting)
        except (TypeFault, TooMuch):
            continue  # shown where its own line is read
        if typed.own:
            setting = replace(setting, own={**setting.own, name: typed.own})
    return setting


def _typed(line: Line, setting: Setting) -> Typed:
    """Type a line, counting unnumbered axes from 0 or from 1, whichever suits it."""
    first: TypeFault | None = None
    for base in (0, 1):
        try:
            for right in line.rights[1:]:
                type_line(line, right, replace(setting, base=base))
            return type_line(line, line.rights[0], replace(setting, base=base))
        except TypeFault as fault:
            first = first or fault
    assert first is not None
    raise first


def _line_reading(line: ReadLine, setting: Setting) -> LineReading:
    if line.line is None:
        assert line.fault is not None
        return _unread(line.defines, line.fault.place, str(line.fault))
    vocabulary = setting.vocabulary
    reading = LineReading(line.defines, latex_line(line.line, vocabulary), plain_line(line.line, vocabulary))
    try:
        typed = _typed(line.line, setting)
    except TypeFault as fault:
        place = fault.place if fault.place != NOWHERE else line.line.place
        return replace(
            reading, fault=f"line {place.line}, column {place.column}: {fault}", verdict="ill-typed",
            line=place.line, column=place.column, index=fault.index,
        )  # fmt: skip
    except TooMuch as fault:
        return replace(reading, fault=str(fault), verdict="unparseable", line=line.line.place.line)
    free, summed = (tuple(dict.fromkeys(map(shown, names))) for names in (typed.free, typed.summed))
    return replace(reading, free=free, summed=summed)
