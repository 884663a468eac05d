"""Bracketed lists, whatever brackets, commas or LaTeX they are written with, become their items as text."""

from __future__ import annotations

import re

from autograder.errors import AnswerError

_CALL = re.compile(
    r"^(?:(?:torch|np|numpy|jnp)\.)?(?:Size|tensor|array|Tensor|matrix|zeros|ones|empty)\s*\(", re.I
)
_OPTIONS = re.compile(r",\s*dtype\s*=\s*[\w.]+\s*$")
_LATEX = re.compile(r"\\begin\{(?:[pbvBV]?matrix|array|smallmatrix)\}(?:\{[^}]*\})?(.*?)\\end\{\w+\}", re.S)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 6


def unwrapped(text: str) -> str:
    """The text without dollar signs, a name in front, and calls such as torch.Size(…)."""
    text = text.strip().strip("$`").strip().rstrip(".")
    text = re.sub(r"^[^\W\d][\w.^{}\\]*\s*(?:=|:|\\in|∈)\s*", "", text)
    text = re.sub(r"\\(?:left|right|big|Big|bigl|bigr|,|;|!|quad)(?![A-Za-z])", "", text).strip()
    for _ in range(_DEEPEST):
        match = _CALL.match(text)
        if not match or not text.endswith(")"):
            break
        text = _OPTIONS.sub("", text[match.end() : -1].strip())
    return text


def without_brackets(text: str) -> str:
    """Inside one pair of brackets that holds everything; the same text where there is none."""
    if text[:1] in _PAIRS and _closing(text) == len(text) - 1:
        return text[1:-1].strip()
    return text


def _closing(text: str) -> int:
    """Where the bracket that opens the text is closed; -1 where it is not."""
    waiting: list[str] = []
    for place, char in enumerate(text):
        if char in _PAIRS:
            waiting.append(_PAIRS[char])
        elif waiting and char == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place
    return -1


def split_outside(text: str, separators: str) -> list[str]:
    """Split at separators that are inside no bracket."""
    pieces, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            raise AnswerError(f"a bracket is closed that was not opened, at column {place + 1}")
        if depth == 0 and char in separators:
            pieces.append(text[start:place].strip())
            start = place + 1
    if depth:
        raise AnswerError("a bracket is not closed")
    return [*pieces, text[start:].strip()]


def read_rows(text: str) -> list[list[str]]:
    """The rows of a matrix as lists of entries; a vector is one row."""
    text = unwrapped(text)
    if found := _LATEX.search(text):
        if (text[: found.start()] + text[found.end() :]).strip("()[]{} \n"):
            raise AnswerError("more than the matrix stands there: work it out, and write its entries alone")
        lines = [line for line in re.split(r"\\\\(?:\[[^\]]*\])?", found[1]) if line.strip()]
        return [[entry.strip() for entry in line.split("&")] for line in lines]
    inner = without_brackets(text)
    if (inner[:1] in _PAIRS and "," in inner) or inner[:1] == "[":
        rows = [each for each in split_outside(inner.replace("\n", " "), ",;") if each]
        if all(each[0] in _PAIRS and _closing(each) == len(each) - 1 for each in rows):
            return [_entries(without_brackets(each)) for each in rows]
        spaced = [each for each in re.split(r"(?<=[\])])\s+(?=[\[(])", inner) if each]
        if len(spaced) > 1 and all(_closing(each) == len(each) - 1 for each in spaced):
            return [_entries(without_brackets(each)) for each in spaced]
    lines = [line for line in re.split(r"[;\n]|\\\\", inner) if line.strip()]
    return [_entries(without_brackets(line.strip().rstrip(","))) for line in lines]


def _entries(row: str) -> list[str]:
    pieces = split_outside(row, ",&")
    if len(pieces) > 1:
        return pieces if pieces[-1] else pieces[:-1]
    return [each for each in split_outside(row, " \t") if each]
