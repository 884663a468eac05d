"""A derivation in index notation comes in; each line goes out with what it is to the one before it."""

from __future__ import annotations

import re

from autograder.course.model import Equation, Key
from autograder.course.small_kinds import Derivation
from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision
from autograder.text.derivation.steps import DerivationStep
from autograder.text.equation import judge_equation, read_equation
from autograder.text.verdict import Judgement

_FRAME = re.compile(
    r"\\(?:begin|end)\{(?:aligned|align|split|gather|equation|array)\*?\}(?:\{[lcr ]*\})?|\$\$?|&"
)
_BREAK = re.compile(r"\\\\(?:\[[^\]]*\])?|\n")
_REMARK = re.compile(r"(?:[,;]|\s)\s*[(\[]?(?:by|since|because|using|as|where|with)\s+[A-Za-z].*$|\s#.*$")
MOST_LINES, LONGEST = 30, 4000


def index_steps(answer: str, part: Derivation, key: str) -> tuple[list[DerivationStep], str]:
    """Every side against the one before, the first against the key's, and how the lines are read."""
    start = _sides(_lines(key, part)[0][1])[0]
    steps: list[DerivationStep] = []
    last = ""
    for number, row in _lines(answer, part):
        defined = _defined(row, part)
        for side in [row] if defined else _sides(row):
            if side == last:
                continue
            before = defined or last or start
            judged = _judged(side, before, part, defined)
            if judged.verdict == "unparseable":
                raise AnswerError(f"line {number}: {judged.feedback}")
            shown = before if last or defined else ""
            because = judged.feedback if judged.verdict == "ill-typed" else ""
            steps.append(DerivationStep(number, _decision(judged), side, shown, because))
            last = last if defined else side
    return steps, shown_index_lines(answer, part)


def shown_index_lines(answer: str, part: Derivation) -> str:
    """How a derivation is read, a line each; AnswerError names the line that cannot be."""
    rows = []
    for number, row in _lines(answer, part):
        defined = _defined(row, part)
        read = []
        for side in [row] if defined else _sides(row):
            line = side if defined else f"{part.defines} = {side}"
            reading = read_equation("\n".join((*part.assumptions, line)), _equation(part)).lines[-1]
            if reading.verdict == "unparseable":
                raise AnswerError(f"line {number}: {reading.fault}")
            read.append(reading.plain if defined else reading.plain.partition(" = ")[2] or side)
        rows.append(f"{number}: {' = '.join(read)}")
    return "\n".join(rows)


def _lines(text: str, part: Derivation) -> list[tuple[int, str]]:
    if len(text) > LONGEST:
        raise AnswerError(f"the answer has {len(text)} characters: write at most {LONGEST}")
    bare = (_REMARK.sub("", row).strip(" .,;\t") for row in _BREAK.split(_FRAME.sub(" ", text)))
    rows = [row for row in bare if row]
    if not rows or len(rows) > MOST_LINES:
        raise AnswerError(f"write between one and {MOST_LINES} lines, such as {part.defines} = …")
    return list(enumerate(rows, start=1))


def _sides(row: str) -> list[str]:
    """The sides of a line without the left one that only says what is derived."""
    pieces, depth = [""], 0
    for char in row:
        depth += (char in "([{") - (char in ")]}")
        if char == "=" and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += char
    sides = [piece.strip() for piece in pieces]
    sides = sides[1:] if len(sides) > 1 else sides
    if not all(sides):
        raise AnswerError(f"nothing stands beside a sign of equality in '{row[:60]}': write the step there")
    return sides


def _defined(row: str, part: Derivation) -> str:
    """The assumption that defines the same tensor as a line does, or nothing."""
    left, sign, _ = row.partition("=")
    for text in part.assumptions if sign and left.strip() else ():
        name = text.partition("[")[0].strip()
        tensor = next((each for each in part.tensors if each.name == name), None)
        names = (name, *tensor.latex) if tensor else (name,)
        if _bare(left).startswith(tuple(f"{_bare(each)}[" for each in names)):
            return text
    return ""


def _bare(text: str) -> str:
    return re.sub(r"[\s{}\\]", "", text)


def _equation(part: Derivation) -> Equation:
    return Equation(part.name, 1, part.ask, part.tensors, functions=part.functions)


def _judged(side: str, before: str, part: Derivation, defined: str) -> Judgement:
    if defined:
        return judge_equation(side, _equation(part), Key(before))
    mine, other = ("\n".join((*part.assumptions, f"{part.defines} = {text}")) for text in (side, before))
    return judge_equation(mine, _equation(part), Key(other))


def _decision(judged: Judgement) -> Decision:
    known = {"equal": Decision.EQUAL, "different": Decision.DIFFERENT, "ill-typed": Decision.DIFFERENT}
    return known.get(judged.verdict, Decision.UNDECIDED)
