"""Equations between matrices come in; a part goes out whose shapes the sheet says: Q, K in R^{D x D}."""

from __future__ import annotations

import re

from autograder.course.model import Equation, Tensor
from autograder.errors import AnswerError

_BOLD = r"\\(?:mathbf|boldsymbol|bm)\{[A-Z]\}"
_MARKED = rf"{_BOLD}(?:_(?:\{{[^{{}}]*\}}|\\ell|\w))?"
_LIES_IN = re.compile(
    rf"({_MARKED}(?:\s*,\s*{_MARKED})*)\s*\\in\s*\\mathbb\{{R\}}\^\{{\s*(\w)\s*(?:\\times\s*(\w)\s*)?\}}"
)
_BRACE = re.compile(r"\\(?:over|under)brace\s*\{")
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
