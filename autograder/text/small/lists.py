"""Bracketed lists, whatever brackets, commas or LaTeX they are written with, become their items as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError

_CALL = re.compile(r"^(?:(?:torch|np|numpy|jnp)\.)?(?:Size|tensor|array|Tensor|matrix)\s*\(", re.I)
_OPTIONS = re.compile(r",\s*dtype\s*=\s*[\w.]+\s*$")
_PLAIN_TEX = re.compile(r"\\([pb]?matrix)\s*(?=\{)")  # \\pmatrix{1 & 2 \\cr 3 & 4}
_BARRED = re.compile(r"\s*\|[^|\n]*(?:;|\\\\)[^|\n]*\|\s*")  # |a b; 0 1|, its rows in one line
_DETERMINANT = re.compile(r"\\begin\{[vV]matrix\}")
_LATEX = re.compile(r"\\begin\{(?:[pbB]?matrix|array|smallmatrix)\}(?:\{[^}]*\})?(.*?)\\end\{\w+\}", re.S)
_TRANSPOSE = re.compile(r"(?<=[\])}])\s*(?:\^\s*\{?\s*(?:T|⊤|\\top|\\intercal|t)\s*\}?|\.T|ᵀ|\.t\(\)|')$")
_NUMBER = (
    r"-(?=\s*[\[(\\])"
    r"|-?\s*(?:\d+(?:\.\d+)?(?:\s*/\s*\d+)?|\(-?\d+\s*/\s*\d+\)|\\[td]?frac\s*(?:\d\d|\{-?\d+\}\{\d+\}))"
)
_TIMES = re.compile(
    rf"^({_NUMBER})\s*(?:\*|·|×|\\cdot|\\times)?\s*(?=\(\s*\(|\([^()]*,|\\begin|\[|(?:np|torch)\.)"
)
_NAMED_FACTOR = re.compile(
    r"^([A-Za-z][\w.^]*(?:\s*/\s*\w+)?)\s*(?:\*|·|×|\\cdot|\\times)\s*(?=[\[(]|\\begin)|^([A-Za-z])\s*(?=\\begin)"
)  # x*[2y, x]
_OVER = re.compile(r"(?<=[\])}])\s*/\s*(\d+(?:\.\d+)?)$")
_IDENTITY = re.compile(
    r"(?:(?:np|numpy|torch|jnp)\.)?(?:eye|identity)\(\s*(\d{1,2})\s*\)|(?:\\mathbf\{I\}|I)_?(?:\{(\d{1,2})\}|(\d{1,2}))"
)
_DIAGONAL = re.compile(
    r"(?:(?:np|numpy|torch|jnp)\.|\\operatorname\{|\\text\{|\\mathrm\{)?diag\}?\s*\((.*)\)", re.S
)
_FILLED = re.compile(
    r"(?:(?:np|numpy|torch|jnp)\.)?(zeros|ones)\(\s*[(\[]?\s*(\d{1,2})\s*,\s*(\d{1,2})\s*[)\]]?\s*\)", re.I
)
_ANGLES = re.compile(r"^(?:<|\\langle(?![A-Za-z]))([^<>]*,[^<>]*)(?:>|\\rangle)$")  # ⟨1, 2⟩
_LARGEST = 20
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 6


def unwrapped(text: str) -> str:
    """The text without dollar signs, a name in front, and calls such as torch.Size(…)."""
    text = text.strip().strip("$`").strip().rstrip(".")
    text = re.sub(r"^[^\W\d][\w.^{}\\]*(?:\(\))?\s*(?:==?|:|\\in|∈)\s*", "", text)
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


@dataclass(frozen=True)
class Rows:
    """The entries of a matrix as text; a flat list does not say whether it lies or stands."""

    entries: list[list[str]]
    is_flat: bool = False


def read_rows(text: str) -> Rows:
    """A matrix: lists, LaTeX, a row a line, one of those that have names, times a number or transposed."""
    text = _ANGLES.sub(r"(\1)", unwrapped(text))
    if found := _TRANSPOSE.search(text):
        inner = read_rows(text[: found.start()])
        return Rows([list(column) for column in zip(*inner.entries, strict=False)])
    if (found := _TIMES.match(text)) and text[found.end() :].strip():
        return _scaled("-1" if found[1] == "-" else found[1], "*", read_rows(text[found.end() :]))
    if found := _NAMED_FACTOR.match(text):
        return _scaled(found[1] or found[2], "*", read_rows(text[found.end() :]))
    if (found := _OVER.search(text)) and text[: found.start()].strip():
        return _scaled(found[1], "/", read_rows(text[: found.start()]))
    return _named(text) or _listed(text)


def _scaled(factor: str, sign: str, rows: Rows) -> Rows:
    entries = [
        [f"({factor})*({entry})" if sign == "*" else f"({entry})/({factor})" for entry in row]
        for row in rows.entries
    ]
    return Rows(entries, rows.is_flat)


def _named(text: str) -> Rows | None:
    """The identity, diagonal matrices, and those of zeros or ones."""
    if found := _IDENTITY.fullmatch(text):
        return _diagonal(["1"] * int(found[1] or found[2] or found[3]))
    if found := _DIAGONAL.fullmatch(text):
        return _diagonal(_entries(without_brackets(found[1].strip())))
    if found := _FILLED.fullmatch(text):
        fill = "0" if found[1].lower() == "zeros" else "1"
        return Rows([[fill] * int(found[3])] * int(found[2]))
    return None


def _diagonal(entries: list[str]) -> Rows:
    if len(entries) > _LARGEST:
        raise AnswerError(f"a matrix of {len(entries)} rows is too large to be read")
    return Rows([["0"] * at + [entry] + ["0"] * (len(entries) - at - 1) for at, entry in enumerate(entries)])


def _listed(text: str) -> Rows:
    if _DETERMINANT.search(text) or _BARRED.fullmatch(text):
        raise AnswerError("bars and vmatrix are for a determinant, a number: write the matrix in brackets")
    if (found := _PLAIN_TEX.match(text)) and (end := _closing(text[found.end() :])) > 0:
        inner = text[found.end() + 1 : found.end() + end].replace("\\cr", "\\\\")
        text = f"\\begin{{{found[1]}}}{inner}\\end{{{found[1]}}}{text[found.end() + end + 1 :]}"
    if found := _LATEX.search(text):
        if (text[: found.start()] + text[found.end() :]).strip("()[]{} \n"):
            raise AnswerError("more than the matrix stands there: work it out, and write its entries alone")
        lines = [line for line in re.split(r"\\\\(?:\[[^\]]*\])?", found[1]) if line.strip()]
        return Rows([[entry.strip() for entry in line.split("&")] for line in lines])
    text = re.sub(r"(?m)^[ \t]*\|(.*)\|[ \t]*$", lambda row: re.sub(r"\s\|\s", ", ", row[1]), text)  # | 2 1 |
    inner = without_brackets(text)
    if (inner[:1] in _PAIRS and "," in inner) or inner[:1] == "[":
        rows = [each for each in split_outside(inner.replace("\n", " "), ",;") if each]
        if all(each[0] in _PAIRS and _closing(each) == len(each) - 1 for each in rows):
            return Rows([_entries(without_brackets(each)) for each in rows])
        spaced = [each for each in re.split(r"(?<=[\])])\s+(?=[\[(])", inner) if each]
        if len(spaced) > 1 and all(_closing(each) == len(each) - 1 for each in spaced):
            return Rows([_entries(without_brackets(each)) for each in spaced])
    lines = [line for line in re.split(r"[;\n]|\\\\", inner) if line.strip()]
    return Rows(
        [_entries(without_brackets(line.strip().rstrip(","))) for line in lines], is_flat=len(lines) == 1
    )


def _entries(row: str) -> list[str]:
    pieces = split_outside(row, ",&")
    if len(pieces) > 1:
        return pieces if pieces[-1] else pieces[:-1]
    return [each for each in split_outside(row, " \t") if each]
