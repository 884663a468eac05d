"""A question with a short answer comes in; a part of a small kind goes out, where it is one."""

from __future__ import annotations

import re
from dataclasses import replace

from autograder.course.model import Choice, Key
from autograder.course.small_kinds import Interval, Matrix, Number, Shape
from autograder.draft.drafted_part import Around, Drafted, part_lines, quoted, sound
from autograder.draft.sheet import SheetQuestion
from autograder.draft.sheet_formulas import DISPLAY, INLINE, math_in, without_name
from autograder.errors import AnswerError
from autograder.text.judge import judge_text

_TRUTH = re.compile(r"\W*(true|false|yes|no)\b", re.I)
_ASKS_TRUTH = re.compile(r"true or false|\b(?:is|are|does|do|can)\b[^.?]*\?", re.I)
_ASKS_SHAPE = re.compile(r"\b(?:shape|dimensions)\b", re.I)
_MATRIX = re.compile(r"\\begin\{[pb]?matrix\}.*\\end\{[pb]?matrix\}", re.S)
_BETWEEN = re.compile(r"[^<>=≤≥]+(?:<|\\leq?|≤)\s*(?P<name>\\?[A-Za-z]+)\s*(?:<|\\leq?|≤)[^<>=≤≥]+")
_ABOUT = re.compile(r"=|\\approx(?![A-Za-z])|≈")
_DECIMAL = re.compile(r"-?\d+\.(\d+)")
_WORDS = 12  # that may stand around the one formula


def draft_small(name: str, question: SheetQuestion, _: Around) -> Drafted | None:
    """The part, where the whole solution is one such answer."""
    bare = INLINE.sub("", DISPLAY.sub("", question.solution)).strip(" .,\n")
    math = [piece.strip(" .,").replace("{,}", ",") for piece in math_in(question.solution)]
    if not math:
        return _choice(name, question)
    if len(math) != 1 or len(bare.split()) > _WORDS:
        return None
    answer, worth = math[0], float(question.points or 1)
    if _ASKS_SHAPE.search(question.ask):
        return _made(
            Shape(name, worth, question.ask, _letters(answer)), answer, {"variables": _letters(answer)}
        )
    if _MATRIX.search(answer):
        return _made(
            Matrix(name, worth, question.ask, _letters(answer)), answer, {"variables": _letters(answer)}
        )
    if between := _BETWEEN.fullmatch(answer):
        variable = between["name"].lstrip("\\")
        others = [each for each in _letters(answer) if each != variable]
        part = Interval(name, worth, question.ask, variable, others)
        return _made(part, answer, {"variable": variable, "variables": others})
    return _number(name, question, answer, bare)


def _number(name: str, question: SheetQuestion, answer: str, bare: str) -> Drafted | None:
    """A number that is said exactly and in decimals: ln 2 ≈ 0.693 nats."""
    sides = [side.strip() for side in _ABOUT.split(without_name(answer)) if side.strip()]
    rounded = _DECIMAL.fullmatch(sides[-1]) if sides else None
    if rounded is None or not re.search(r"\\approx(?![A-Za-z])|≈", answer):
        return None
    unit = bare if bare.isalpha() else ""
    exact = next((side for side in sides[-2:] if re.search(r"\d", side)), sides[-1])
    places = len(rounded[1])
    tolerance = float(f"1e-{places}")
    part = Number(name, float(question.points or 1), question.ask, tolerance=tolerance, unit=unit)
    sound(part, Key(exact))
    if judge_text(sides[-1], part, Key(exact)).share < 1:
        raise AnswerError(f"{exact} is not {sides[-1]} to {places} digits: a slip of the sheet")
    drafted = _made(part, exact, {"tolerance": tolerance, "unit": unit})
    return replace(drafted, notes=(*drafted.notes, f"tolerance {tolerance:g}, as the sheet rounds"))


def _choice(name: str, question: SheetQuestion) -> Drafted | None:
    """True or false, with a reason behind it for the marker."""
    said = _TRUTH.match(question.solution)
    if said is None or not _ASKS_TRUTH.search(question.ask):
        return None
    label = "true" if said[1].casefold() in ("true", "yes") else "false"
    fields = {
        "points": question.points or "1",
        "ask": quoted(question.ask),
        "options": '{"true": "true", "false": "false"}',
    }
    sound(Choice(name, 1, question.ask, {"true": "true", "false": "false"}), Key(label))
    notes = [f"key {label}"]
    if len(question.solution.split()) > 2:
        notes.append("FILL IN: the solution gives a reason, which a choice does not ask for")
    return Drafted(
        name,
        "choice",
        part_lines("Choice", name, fields),
        f"{name} = key({label!r})\n",
        tuple(notes),
        ("Choice",),
    )


def _made(part: Shape | Matrix | Interval | Number, answer: str, settings: dict[str, object]) -> Drafted:
    sound(part, Key(answer))
    kind = type(part).__name__
    fields = {"points": f"{part.points:g}", "ask": quoted(part.ask)}
    fields |= {field: repr(value) for field, value in settings.items() if value}
    solution = f"{part.name} = key({quoted(answer)})\n"
    return Drafted(
        part.name, kind.lower(), part_lines(kind, part.name, fields), solution, (f"key {answer}",), (kind,)
    )


def _letters(math: str) -> list[str]:
    """The names in an answer: single letters, and Greek ones by their plain name."""
    bare = re.sub(
        r"\\(?:begin|end)\{\w+\}|\\(?:mathbb|times|frac|leq?|text\w*|left|right)\b(?:\{R\})?", " ", math
    )
    found = re.findall(r"(?<![A-Za-z])(?:\\?[a-z]{2,}|[A-Za-z])(?![A-Za-z])", bare)
    return list(dict.fromkeys(each.lstrip("\\") for each in found))
