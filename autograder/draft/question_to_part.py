"""A question and its solution come in; a part that our own readers accept goes out, or a FILL IN and why."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from autograder.course.model import Equation, Formula, Growth, Key
from autograder.draft.bounds_that_follow import doubts, unequal_sides
from autograder.draft.declare_equation import declared, other_axes, part_names
from autograder.draft.drafted_part import Around, Drafted, part_lines, quoted, sound
from autograder.draft.equation_axes import dangling
from autograder.draft.matrices import (
    MATRIX,
    function_of_matrix,
    is_down_columns,
    matrix_equation,
    with_shape,
    without_braces,
)
from autograder.draft.sheet import SheetQuestion
from autograder.draft.sheet_formulas import (
    DISPLAY,
    INLINE,
    assumed,
    blocks,
    in_digits,
    math_in,
    rows,
    without_name,
)
from autograder.draft.small_parts import draft_small
from autograder.errors import AnswerError, CourseError
from autograder.text.formula.judge import read_formula
from autograder.text.small.lists import split_outside

_RATE = re.compile(r"(?:\\mathcal\{O\}|\\Theta|O|Θ)\s*(?:\\left)?\(")
_COUNTED = re.compile(
    r"how many|number of|count|what is|compute|express|how large|parameters"
    r"|\b(?:give|find|state|derive|simplify|determine|calculate|evaluate|work out)\b",
    re.I,
)
_CONCLUDES = re.compile(
    r"\b(?:so|then|therefore|thus|hence|altogether|overall|total|we (?:then )?get|gives)\b[^.$]{0,30}\$+\s*"
    r"(?:\\mathcal\{O\}|\\Theta|O|Θ)\s*(?:\\left)?\(",
    re.I,
)
_CONCLUDED = re.compile(
    r"\b(?:so|then|therefore|thus|hence|altogether|in total|we get)\b[^.$]{0,40}\$([^$]+)\$[\s.]*\Z",
    re.I,
)
_LISTED = re.compile(
    r"(?:as a function of|in terms of|\bin)"
    r"((?:[\s,]|\b(?:and|the|input|sequence|length|number|of|layers|heads|items)\b|\$\s*[A-Za-z]\s*\$)+)"
)


def draft_part(name: str, question: SheetQuestion, around: Around) -> Drafted:
    """The most exact kind that holds the solution; prose with a FILL IN where none does."""
    if not question.solution:
        return _prose(name, question, "the sheet gives no solution: FILL IN the kind of the part and its key")
    if not question.ask:
        return _prose(name, question, "the sheet says no question, only an answer: FILL IN what is asked")
    reasons: list[str] = []
    for attempt in (_growth, _equations, draft_small, _formula):
        try:
            found = attempt(name, question, around)
        except (AnswerError, CourseError) as error:
            reasons.append(str(error).replace("\n", "; "))
            if attempt is _equations:
                break  # they are equations, and something is wrong with them
            continue
        if found is not None:
            return found
    why = "; ".join(reasons) or "the solution is text that no reader takes for an answer"
    if not reasons and (formulas := [piece.strip(" .,") for piece in math_in(question.solution)]):
        why = (
            f"the solution is text with {len(formulas)} formula{'s' * (len(formulas) > 1)} in it: "
            f"{'; '.join(formulas[:6])}"
        )
    return _prose(name, question, f"{why}: FILL IN a kind and a key, or leave it to a marker")


def _prose(name: str, question: SheetQuestion, why: str) -> Drafted:
    ask = question.ask or "FILL IN: what is asked?"
    guide = question.solution or "FILL IN"
    problem = f"        Prose({name!r}, points={question.points or 1}, ask={quoted(ask)}),\n"
    return Drafted(name, "prose", problem, f"{name} = {quoted(guide)}\n", (why,), ("Prose",))


# ---------------------------------------------------------------- growth rates


def _growth(name: str, question: SheetQuestion, around: Around) -> Drafted | None:
    rates = [rate for math in math_in(question.solution) for rate in _rates(math)]
    if not rates:
        return None
    if concluded := _CONCLUDES.search(question.solution):  # each row takes O(T), so that we get O(K T)
        final = next(iter(_rates(question.solution[concluded.start() :])), rates[0])
        rates = [final, *(rate for rate in rates if rate != final)]
    asked = _asked_variables(question.ask)
    used = _letters(rates[0])
    variables = asked or used
    assumptions = assumed(around.said, variables)
    part = Growth(name, 1, question.ask, variables, assumptions=assumptions)
    sound(part, Key(rates[0]))
    notes = [f"key {rates[0]}, in {', '.join(variables)}"]
    if assumptions:
        notes.append(f"assumed, as the sheet says: {', '.join(assumptions)}")
    notes += [
        f"asks for a function of {name}, and the solution has no {name}" for name in asked if name not in used
    ]
    notes += [
        f"the solution has {name}, which is not asked about" for name in used if asked and name not in asked
    ]
    notes += doubts(rates[0], part, question.solution, around.equations)
    if len(rates) > 1:
        others = ", ".join(rates[1:])
        notes.append(f"FILL IN: the solution also says {others}: a further reading, or a step on the way?")
    fields = {"points": question.points or "1", "ask": quoted(question.ask), "variables": repr(variables)}
    fields |= {"assumptions": repr(assumptions)} if assumptions else {}
    problem = part_lines("Growth", name, fields)
    return Drafted(name, "growth", problem, f"{name} = key({quoted(rates[0])})\n", tuple(notes), ("Growth",))


def _letters(rate: str) -> list[str]:
    """The variables of a rate: XY is two of them."""
    bare = re.sub(r"\\[A-Za-z]+|\b(?:log|ln|sqrt|min|max)|[OΘ]\s*\(", " ", rate)
    return list(dict.fromkeys(re.findall(r"[A-Za-z]", bare)))


def _rates(math: str) -> list[str]:
    """Each O(…) with its brackets closed."""
    found = []
    for start in _RATE.finditer(math):
        depth = 0
        for at in range(start.end() - 1, len(math)):
            depth += {"(": 1, ")": -1}.get(math[at], 0)
            if depth == 0:
                found.append(math[start.start() : at + 1])
                break
    return found


def _asked_variables(ask: str) -> list[str]:
    """The letters of 'as a function of $T$, $J$ and $K$', up to the end of the list."""
    for found in _LISTED.finditer(ask):
        if letters := re.findall(r"\$\s*([A-Za-z])\s*\$", found[1]):
            return list(dict.fromkeys(letters))
    return []


# ---------------------------------------------------------------- equations


def _equations(name: str, question: SheetQuestion, around: Around) -> Drafted | None:
    written = [row for block in blocks(question.solution) for row in rows(without_braces(block))]
    stated = [row for row in written if "=" in row and not row.startswith("=")]
    lines = [row for row in stated if "[" in row]
    said, named = around.said, ""
    if len(stated) == 1 and (function := function_of_matrix(stated[0], said)):
        named, row, places = function
        said, stated = with_shape(name, row, said, places), [row]
    in_matrices = not lines and all(MATRIX.match(row) for row in stated)
    lines = lines or (stated if in_matrices else [])
    if not lines:
        return None
    loose = dangling(written)
    declare = matrix_equation if in_matrices else declared
    part = declare(name, question.ask, lines, said)
    key = "\n".join(lines)
    if in_matrices and re.search("softmax", key, re.I) and is_down_columns(said):
        part = replace(part, columns=True)
    try:
        sound(part, Key(key))
    except (AnswerError, CourseError) as error:
        raise AnswerError("; ".join((*loose, str(error)))) from None
    tensors = "".join(
        f"\n                Tensor({each.name!r}, {list(each.axes)!r}"
        + (f", {list(each.latex)!r}" if each.latex else "")
        + (f", entries={each.entries!r}" if each.entries else "")
        + "),"
        for each in part.tensors
    )
    fields = {
        "points": question.points or str(len(lines)),
        "ask": quoted(question.ask),
        "tensors": f"[{tensors}\n            ]",
    }
    fields |= {
        field: repr(value)
        for field, value in (
            ("sizes", dict(part.sizes)),
            ("ranges", dict(part.ranges)),
            ("functions", list(part.functions)),
            ("matrix", part.matrix),
            ("columns", part.columns),
        )
        if value
    }
    shapes = ", ".join(f"{each.name}[{', '.join(each.axes)}]" for each in part.tensors)
    notes = [f"{len(lines)} equations over {shapes}", *loose, *other_axes(part, lines, around.own)]
    notes += [
        f"{axis} is taken as {size}: what is read of it, and no more"
        if " - " in size
        else f"taken from the sheet: {axis} = {size}"
        for axis, size in part.sizes.items()
    ]
    notes += [f"FILL IN: {index} is taken to run over {span}" for index, span in part.ranges.items()]
    notes += [f"{function} is taken for a function of its own" for function in part.functions]
    if named:
        notes.append(
            f"{named} of a matrix is called {part.tensors[0].name} here, of the only shape that fits"
        )
    if in_matrices and re.search("softmax", key, re.I):
        notes.append(
            "a softmax is taken down columns, as the sheet defines it"
            if part.columns
            else "FILL IN: a softmax is taken along rows: write columns=True where items are columns"
        )
    if left := len([row for row in written if row.startswith("=")]):
        notes.append(f"FILL IN: {left} lines of a derivation before it are left out")
    problem = _stub(name, part, lines) + part_lines("Equation", name, fields)
    return Drafted(
        name, "equation", problem, f"{name} = key({quoted(key)})\n", tuple(notes), ("Equation", "Tensor")
    )


def _stub(name: str, part: Equation, lines: list[str]) -> str:
    """What the equations define as a function, to be uncommented once a reference answers it."""
    defined = part_names(lines, part)
    inputs = [each for each in part.tensors if each.name not in defined]
    if not defined or not inputs:
        return ""
    last = next(each for each in part.tensors if each.name == defined[-1])
    axes = [part.sizes.get(axis, axis) for axis in last.axes]
    shapes = "  ".join(f"{each.name}[{', '.join(each.axes)}]" for each in inputs)
    arguments = ", ".join(each.name for each in inputs)
    return (
        "        # FILL IN, if code is asked for: a stub above, Code(…) here, a reference in solutions/.\n"
        f"        # def {name}_code({arguments}):\n"
        f'        #     """FILL IN.   {shapes}   returns [{", ".join(axes)}]"""\n'
    )


# ---------------------------------------------------------------- formulas


def _formula(name: str, question: SheetQuestion, around: Around) -> Drafted | None:
    """A solution that is one formula, asked for in so many words."""
    math = [piece.strip(" .,") for piece in math_in(question.solution)]
    if any(_RATE.search(piece) for piece in math) or not _COUNTED.search(question.ask):
        return None
    bare = INLINE.sub("", DISPLAY.sub("", question.solution)).strip(" .,\n")
    notes = []
    if concluded := _CONCLUDED.search(question.solution) if len(math) > 1 else None:
        math = [concluded[1].strip(" .,")]
        notes.append("it is what the solution concludes with")
    elif len(math) != 1 or len(bare.split()) > 12:
        return None
    key, named = _chain(in_digits(math[0]))
    said = " ".join((*math_in(around.own), *math_in(question.ask), *math_in(question.solution)))
    letters = sorted(_single_letters(key, _single_letters(said)) - {"e"})
    greek = re.findall(r"\\(alpha|beta|gamma|lambda|eta|mu|theta|epsilon|delta)\b", key)
    variables = [*letters, *dict.fromkeys(greek)]
    given = [each for each in assumed(around.own, variables) if "<" not in each and each[0] in key]
    variables = sorted({*variables, *re.findall("[A-Z]", " ".join(given))}) if given else variables
    if apart := unequal_sides(key, variables, given):
        raise AnswerError(apart)
    part = Formula(name, 1, question.ask, variables, assumptions=given, defines=named)
    sound(part, Key(key))
    shown = read_formula(key, part).plain
    fields = {"points": question.points or "1", "ask": quoted(question.ask), "variables": repr(variables)}
    fields |= {"defines": quoted(named)} if named else {}
    fields |= {"assumptions": repr(given)} if given else {}
    problem = part_lines("Formula", name, fields)
    taken = (
        f"{', '.join(variables)} taken as positive: write reals=[…] for others" if variables else "a number"
    )
    notes = [f"key read as {shown}; {taken}", *notes]
    notes += [f"taken from the sheet: {', '.join(given)}"] if given else []
    return Drafted(name, "formula", problem, f"{name} = key({quoted(key)})\n", tuple(notes), ("Formula",))


def _single_letters(math: str, known: Collection[str] = ()) -> set[str]:
    """The names of one letter; IJD is three of them where each is known."""
    words = re.findall(r"(?<![A-Za-z\\])[A-Za-z]+", re.sub(r"\\[A-Za-z]+", " ", math))
    return {letter for word in words if len(word) == 1 or {*word} <= {*known} for letter in word}


def _chain(formula: str) -> tuple[str, str]:
    """What is worked out, without a left side that only names it: r = 1 + 2L = 2L + 1; and that name."""
    formula = without_name(formula)
    try:
        first, *sides = [side.strip(" &") for side in split_outside(formula, "=")]
    except AnswerError:
        return formula, ""
    name = re.fullmatch(r"\\?[A-Za-z]+(?:_\{?\w+\}?)?", first)
    others = " ".join(sides)
    if len(sides) < 2 or not name or re.search(rf"(?<![A-Za-z\\]){re.escape(first)}(?![A-Za-z_])", others):
        return formula, ""
    return " = ".join(sides), first
