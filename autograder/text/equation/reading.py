"""What a student's check shows of an answer: how it is read, its indices, type errors; never its worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autograder.course.model import Equation
from autograder.text.equation.chosen_sizes import Setting, build_settings
from autograder.text.equation.faults import TooMuch, TypeFault, shown
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.lines import ReadLine, own_lines, read_answer, vocabulary_of
from autograder.text.equation.render import latex_line, plain_line
from autograder.text.equation.tree import NOWHERE, Line, Place
from autograder.text.equation.typed_line import Typed, type_line


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
    vocabulary = vocabulary_of(part)
    try:
        read = read_answer(answer, vocabulary, {})
    except Unreadable as fault:
        return EquationReading((_unread("", fault.place, str(fault)),))
    settings = build_settings(vocabulary)
    setting = replace(settings[0], vocabulary=read.vocabulary, own=own_lines(read))
    return EquationReading(tuple(_line_reading(line, setting) for line in read.lines))


def _unread(defines: str, place: Place, message: str) -> LineReading:
    where = f"line {place.line}, column {place.column}: {message}"
    return LineReading(defines, fault=where, verdict="unparseable", line=place.line, column=place.column)


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
