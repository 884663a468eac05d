"""The shape of a tensor, in any of the ways that people write one, is compared axis by axis."""

from __future__ import annotations

import re

from autograder.course.small_kinds import Shape
from autograder.errors import AnswerError
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Const, Expr, walk
from autograder.text.fold import fold
from autograder.text.formula.equality import equal, setting_of
from autograder.text.small.entries import read_entry
from autograder.text.small.lists import split_outside, unwrapped, without_brackets
from autograder.text.verdict import Judgement

EXAMPLE = "(32, 64, 7, 7) or 32 x 64 x 7 x 7"
_SPACE = re.compile(r"^(?:(?:\\in(?![A-Za-z])|∈)\s*)?(?:\\mathbb\s*\{?\s*[RZ]\s*\}?|ℝ|R)\s*\^\s*")
_TIMES = re.compile(r"\s*(?:\\times|×|✕|⨯|⨉)\s*|(?<=[\d\s)])\s*[xX]\s*(?=[\d\s(A-Z])")
_STAR = re.compile(r"\s*(?<!\*)\*(?!\*)\s*")  # parts axes only where nothing else does
_DOT = re.compile(r"\s*(?:·|\\cdot(?![A-Za-z])|\*)\s*")
_NUMBERS = re.compile(r"\d+(?:\s*(?:·|\\cdot(?![A-Za-z])|\*)\s*\d+){2,}")  # no length of one axis
_TYPED = re.compile(r"^(?:(?:torch|np|numpy)\.)?(?:tensor|float|int|double|half|f|i|bool)\d*\s*(?=\[)", re.I)
_BY = re.compile(r"[\s-]+by[\s-]+|\s+[xX]\s+")
_SCALAR = re.compile(r"(?:(?:an?|the)\s+)?(?:scalar|single number)", re.I)
_NOUN = re.compile(
    r"^(?:(?:(?:(?:the|its|this|my)\s+)?[a-z]+\s+)?(?:has|is\s+of|of)\s+)?(?:(?:an?|the)\s+)?"
    r"(?:(?:tensor|matrix|array)\s+(?:of|with)\s+)?(?:shape|size)"
    r"\s*(?:is|of|==?|:)?\s+"
    r"|^(?:an?|the|tuple)\s+|\s*-?\s*(?:matrix|tensor|array)$",
    re.I,
)
_LONG = re.compile(
    r"^(?:an?\s+)?vector\s+(?:of|with)\s+(?:length\s+|size\s+)?|\s*-?(?:dimensional)?\s*vector$", re.I
)
_AXIS_NAME = re.compile(r"^[^\W\d]\w*\s*[=:]\s*(?=\S)")  # N=32, H: 112
_AXIS_SAID = re.compile(r"^[A-Za-z]{2,}\s+(?=\d+$)")  # heads 8
_ROWS = re.compile(r"rows?\s*[:=]\s*(.+)|(.+?)\s*rows?", re.I)
_COLUMNS = re.compile(r"(?:columns?|cols?)\s*[:=]\s*(.+)|(.+?)\s*(?:columns?|cols?)", re.I)
_RUN = re.compile(
    r"[(\[]\s*(?!.*\s(?:[xX]|by)\s)\w+(?:[/^*.]\w+)*(?:\s+\w+(?:[/^*.]\w+)*){2,}\s*[)\]]|\d+(?:-\d+){2,}"
)
_EACH_IN_BRACKETS = re.compile(r"\[[^\[\],;]+\](?:\s*\[[^\[\],;]+\])+")  # [16][3][32]
_CHAINED = re.compile(r"\]\s*\[")


def read_shape(answer: str, part: Shape) -> tuple[Expr, ...]:
    """The length of each axis; AnswerError says what to write."""
    text = answer.strip().strip("$`").strip().rstrip(".;")
    if _RUN.fullmatch(text):  # (B T d), 3-32-32: a product or a difference, or axes?
        raise AnswerError(f"cannot read '{text[:60]}': write the axes with commas, such as {EXAMPLE}")
    text = _TYPED.sub("", re.sub(r"^\.(?=shape|size)", "", text))
    text = _CHAINED.sub(", ", text) if _EACH_IN_BRACKETS.fullmatch(text) else text
    if _SCALAR.fullmatch(text):
        return ()
    if named := _rows_and_columns(text):
        return tuple(_length(piece, part, answer) for piece in named)
    text = _SPACE.sub("", unwrapped(_LONG.sub("", _NOUN.sub("", _NOUN.sub("", text)))))
    inner = without_brackets(text)
    while inner.startswith("(") and without_brackets(inner) != inner:  # ((B, T))
        inner = without_brackets(inner)
    if not inner and text:
        return ()
    if not inner:
        raise AnswerError(f"there is nothing to read: write a shape such as {EXAMPLE}")
    pieces = split_outside(inner, ",;")
    if len(pieces) == 1:
        pieces = _TIMES.split(_BY.sub(" × ", inner))
        pieces = _STAR.split(inner) if len(pieces) == 1 else pieces
        pieces = _DOT.split(inner) if _NUMBERS.fullmatch(inner) else pieces
    elif not pieces[-1]:
        pieces = pieces[:-1]  # (5,)
    if all(map(_AXIS_SAID.match, pieces)):
        pieces = [_AXIS_SAID.sub("", piece) for piece in pieces]
    return tuple(_length(_AXIS_NAME.sub("", piece), part, answer) for piece in pieces)


def _rows_and_columns(text: str) -> tuple[str, str] | None:
    """3 rows, 7 columns, in whichever order they are said."""
    pieces = re.split(r"\s*[,;]\s*|\s+and\s+|\s+(?:by|x)\s+|\s*×\s*", text)
    if len(pieces) != 2:
        return None
    for first, second in (pieces, pieces[::-1]):
        rows, columns = _ROWS.fullmatch(first), _COLUMNS.fullmatch(second)
        if rows and columns:
            return rows[1] or rows[2], columns[1] or columns[2]
    return None


def _length(text: str, part: Shape, answer: str) -> Expr:
    side = read_entry(fold(text).text, tuple(part.variables), answer, f"a shape such as {EXAMPLE}")
    if any(isinstance(each, Const) for each in walk(side)):  # no axis is e or π long
        raise AnswerError(f"cannot read '{answer.strip()[:60]}': write a shape such as {EXAMPLE}")
    return side


def shown(shape: tuple[Expr, ...]) -> str:
    return f"({', '.join(plain(each) for each in shape)}{',' if len(shape) == 1 else ''})"


def judge_shape(answer: str, part: Shape, key: str) -> Judgement:
    """Equal axis by axis; what differs is named by its place, not by its length."""
    want, got = read_shape(key, part), read_shape(answer, part)
    read_as = shown(got)
    if len(got) != len(want):
        return Judgement("different", 0.0, "the number of axes is another one", read_as=read_as)
    wrong = [str(axis) for axis, same in enumerate(_same_axes(got, want, part)) if not same]
    if wrong and ("//" in answer or "//" in key):  # d // H is d/H where that is a length at all
        mine, right = (read_shape(text.replace("//", "/"), part) for text in (answer, key))
        wrong = [axis for axis in wrong if not _same_axes(mine, right, part)[int(axis)]]
    if not wrong:
        return Judgement("equal", 1.0, read_as=read_as)
    axes = f"axis {wrong[0]} differs" if len(wrong) == 1 else f"axes {', '.join(wrong)} differ"
    return Judgement("different", 0.0, f"{axes}, counted from 0", read_as=read_as)


def _same_axes(got: tuple[Expr, ...], want: tuple[Expr, ...], part: Shape) -> list[bool]:
    setting = setting_of(tuple(part.variables), ())
    return [equal(mine, right, setting) for mine, right in zip(got, want, strict=True)]
