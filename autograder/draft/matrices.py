"""Equations between matrices come in; a part goes out whose shapes the sheet says: Q, K in R^{D x D}."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from autograder.course.model import Equation, Key, Tensor
from autograder.draft.drafted_part import sound
from autograder.draft.sheet_formulas import blocks, rows
from autograder.errors import AnswerError, CourseError
from autograder.text.judge import judge_text

_BOLD = r"\\(?:mathbf|boldsymbol|bm)\{[A-Z]\}"
_MARKED = rf"{_BOLD}(?:_(?:\{{[^{{}}]*\}}|\\ell|\w))?"
_LIES_IN = re.compile(
    rf"({_MARKED}(?:\s*,\s*{_MARKED})*)\s*\\in\s*\\mathbb\{{R\}}\^\{{\s*(\w)\s*(?:\\times\s*(\w)\s*)?\}}"
)
_BRACE = re.compile(r"\\(?:over|under)brace\s*\{")
_FUNCTION_OF = re.compile(
    rf"\\(?:text|operatorname|mathrm)\{{(?P<name>\w+)\}}\s*(?:\\left)?\(\s*(?P<matrix>{_BOLD})\s*(?:\\right)?\)\s*=\s*(?P<right>.+)"
)
MATRIX = re.compile(_BOLD)


def matrix_equation(name: str, ask: str, lines: list[str], said: str) -> Equation:
    """The part; AnswerError where the sheet does not say the shape of a matrix."""
    shapes: dict[str, list[str]] = {}
    for found in _LIES_IN.finditer(said):
        for letter in re.findall(r"\{([A-Z])\}", found[1]):
            shapes.setdefault(letter, [axis for axis in found.groups()[1:] if axis])
    for summed in re.findall(r"\\sum_\{?([a-z])", "\n".join(lines)):
        raise AnswerError(f"matrices are summed over {summed}: declare them with an axis for it by hand")
    tensors: dict[str, Tensor] = {}
    for written in re.findall(_MARKED, "\n".join(lines)):
        letter = re.search(r"\{([A-Z])\}", written)
        axes = shapes.get(letter[1]) if letter else None
        if letter is None or axes is None:
            raise AnswerError(f"the sheet does not say the shape of {written}")
        below = re.sub(r"[{}\s]|\\(?=ell)", "", written.partition("_")[2]).replace("ell", "l")
        plain = f"{letter[1]}_{{{below}}}" if below else letter[1]
        tensors.setdefault(plain, Tensor(plain, axes, [written]))
    return Equation(name, 1, ask, list(tensors.values()), matrix=True)


def function_of_matrix(row: str, said: str) -> tuple[str, str, tuple[str, ...]] | None:
    """SoftMax(M) = … as S = … with a letter that is free: its name, the row, and what S may lie in."""
    found = _FUNCTION_OF.fullmatch(row.strip())
    shapes = [lies.groups()[1:] for lies in _LIES_IN.finditer(said) if found and found["matrix"] in lies[1]]
    free = [letter for letter in "SRYZ" if f"{{{letter}}}" not in row + said]
    if not found or not shapes or not all(shapes[0]) or not free:
        return None
    result = rf"\mathbf{{{free[0]}}}"
    times = r" \times "
    lies_in = (
        rf"{result} \in \mathbb{{R}}^{{{times.join(axes)}}}"
        for axes in dict.fromkeys((shapes[0], shapes[0][::-1]))
    )
    return found["name"], f"{result} = {found['right']}", tuple(lies_in)


def with_shape(name: str, row: str, said: str, places: Sequence[str]) -> str:
    """What is said and the one place in which the left side can lie; AnswerError where it is not one."""
    fitting = []
    for place in places:
        try:
            sound(matrix_equation(name, "", [row], f"{said} ${place}$"), Key(row))
        except (AnswerError, CourseError):
            continue
        fitting.append(f"{said} ${place}$")
    if len(fitting) != 1:
        raise AnswerError(
            f"what shape {row.partition('=')[0].strip()} has does not follow: declare it by hand"
        )
    return fitting[0]


def is_down_columns(said: str) -> bool:
    """Whether the sheet defines its softmax, and by columns alone: exp(M)/(1^T exp(M))."""
    for row in (row for block in blocks(said) for row in rows(without_braces(block))):
        function = function_of_matrix(row, said)
        if not function or function[0].casefold() != "softmax":
            continue
        _, line, places = function
        try:
            part = matrix_equation("softmax", "", [line], with_shape("softmax", line, said, places))
            result, argument = (each.latex[0] for each in part.tensors[:2])
            answer = rf"{result} = \text{{softmax}}({argument})"
            ways = (replace(part, columns=columns) for columns in (False, True))
            return [judge_text(answer, way, Key(line)).share for way in ways] == [0, 1]
        except (AnswerError, CourseError):
            continue
    return False


def without_braces(text: str) -> str:
    """The text without the braces that LaTeX puts above and below a formula, and what they say."""
    while found := _BRACE.search(text):
        end = _group_end(text, found.end() - 1)
        behind = text[end + 1 :]
        if label := re.match(r"\s*[_^]\s*(?=\{)", behind):
            behind = behind[_group_end(behind, label.end()) + 1 :]
        text = f"{text[: found.start()]}{text[found.end() : end]} {behind}"
    return text


def _group_end(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text) - 1
