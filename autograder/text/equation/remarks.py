"""A remark beside an equation comes in; it is refused where it says something else than the equation does."""

from __future__ import annotations

import re
from itertools import pairwise, product

from autograder.text.equation.chosen_sizes import read_size
from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.sizes import number_of
from autograder.text.equation.tree import Place

# What a remark must not say, for it would change the equation that it stands beside.
_DOUBTS = re.compile(
    r"(?<![A-Za-z])(?:not|never|wrong|false|incorrect|except|unless|instead|but|however|or|else|otherwise|only"
    r"|transposed?|scaled|divided?|multipl(?:y|ied)|times|squared?|negat(?:ed?|ive)|masked|causal|minus|plus"
    r"|swap(?:ped)?|exchanged|interchanged|switched|reversed|flipped|shifted|replaced|omitted|dropped|dropout"
    r"|ignor(?:ed|ing)|removed|added|subtracted|halved|doubled|inverted|(?:un)?normali[sz]ed|symmetric|diagonal"
    r"|temperature|then\s+[a-z]+|afterwards?|averaged|clipped|rounded|set\s+to|(?:arg|hard)max|denotes\s+[A-Z]|equals?|up\s+to\s+[a-z](?![A-Za-z]))(?![A-Za-z])",
    re.IGNORECASE,
)
# what holds for some entries only, and bounds of a sum that cannot be checked
_PARTLY = re.compile(
    r"(?<![A-Za-z])for\s+(?:very\s+)?(?:small|tiny|short|large|long|half|some|most|certain|few)(?![A-Za-z])"
    r"|(?<![A-Za-z])for\s+the\s+(?:first|second|last)(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:sum|product|loop|index)\s+(?:starts?|begins?|ends?|stops?|runs?\s+(?:up\s+)?(?:to|from))(?![A-Za-z])"
    r"|(?:(?<![A-Za-z])in|∈|\\in)\s*\$?\\?\{[^.…}]*\}",
    re.IGNORECASE,
)
# for t = 2..T, where t runs from 0 to T-1
_BOUNDS = re.compile(
    r"(?<![A-Za-z])(?P<index>[A-Za-z]\w*'*)\$?\s*(?:=|∈|\\in(?![A-Za-z])|(?:in|from|(?:runs?|ranges?|goes)\s+(?:from|over))(?![A-Za-z]))"
    r"\s*\$?\\?[{\[(]?\s*(?P<low>\d+)\s*,?\s*(?:(?:\d+\s*,\s*)*(?:\.\.+|…|\\[lc]?dots)|(?:up\s+)?to(?![A-Za-z]))"
    r"\s*,?\s*\$?(?P<size>[A-Z])\$?\s*(?P<less>[-+]\s*\d+)?(?![\w/*^])"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z])(?P<what>[a-z]{3,})\s+(?:(?:of|is)\s+)?(?P<number>\d+)(?![\w.*^])"
)  # stride 2
_BOUND = frozenset(["from", "until", "than", "most", "least", "and", "where", "for", "with", "over"])
_UNSCALED = re.compile(
    r"(?<![A-Za-z])(?:no|without)(?![A-Za-z]).*(?:scal|factor|root|sqrt|divi)", re.IGNORECASE
)
_SCALING = re.compile(r"sqrt|√|\^\s*[{(]?\s*-?\s*(?:1/2|0?\.5)|\*\*\s*\(?-?\s*(?:1/2|0?\.5)")
_OVER = re.compile(
    r"(softmax|sum)\w*\s.*?(?<![A-Za-z])(?:over|along|across)\s+(?:the\s+)?(?:index\s+)?"
    r"\$?([b-z](?:_?\{?\d\}?)?'*)\$?(?![A-Za-z_])",
    re.IGNORECASE,
)
# what a softmax hardly ever runs over; that it does cannot be checked
_OVER_WORDS = re.compile(
    r"(?:softmax|normali[sz])\w*.*(?<![A-Za-z])(?:quer(?:y|ies)|heads?|features?|channels?|dimensions?|batch|first)",
    re.IGNORECASE,
)
_ROWS = re.compile(r"(?<![A-Za-z])rows?(?![A-Za-z])", re.IGNORECASE)
_COLUMNS = re.compile(r"(?<![A-Za-z])col(?:umn)?s?(?![A-Za-z])", re.IGNORECASE)
_REASON = re.compile(r"\W*(?:\\\w+\s*\{\s*)?(?:since|because)(?![A-Za-z])", re.IGNORECASE)
_PARITY = re.compile(
    r"(?<![A-Za-z])(?:(?P<before>odd|even)\s+\$?(?P<a>[A-Z])|(?P<b>[A-Z])\$?\s+(?:is\s+|be\s+|being\s+)?(?:an\s+)?"
    r"(?P<after>odd|even))(?![A-Za-z])"
)
_RELATION = re.compile(r"<=|>=|!=|:?=|<|>|≤|≥|≠|\\(?:leq?|geq?|neq?|lt|gt|ll|gg)(?![A-Za-z])")
_SMALLER = frozenset(["<=", "<", "≤", r"\le", r"\leq", r"\lt", r"\ll"])
_LARGER = frozenset([">=", ">", "≥", r"\ge", r"\geq", r"\gt", r"\gg"])
_RANGE = re.compile(r"\.\.|…|\\[lc]?dots|(?<![A-Za-z])(?:to|in)(?![A-Za-z])|∈|\\in(?![A-Za-z])")
_LENGTH = re.compile(r"[\s$]*[A-Z](?:\s*[-+/]\s*\d+)?[\s$.,]*")


def refuse_doubt(remark: str, text: str, at: int, vocabulary: Vocabulary) -> None:
    """Raise Unreadable where a remark says something else than the equation: (without the scaling)."""
    if _false_parity(remark, vocabulary) or (
        not _REASON.match(remark) and _changes(remark, text, vocabulary)
    ):
        place = Place(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        said = " ".join(remark.split()).strip(" ,;")
        raise Unreadable(f"cannot read '{said[:40]}': write it into the equation, or leave it out", place)


def _changes(remark: str, text: str, vocabulary: Vocabulary) -> bool:
    over = _OVER.search(remark)
    across = _ROWS if vocabulary.columns else _COLUMNS
    return bool(
        _DOUBTS.search(remark)
        or _PARTLY.search(remark)
        or _measures(remark, vocabulary)
        or _misses_some(remark, text, vocabulary)
        or (_UNSCALED.search(remark) and _SCALING.search(text.replace(remark, "")))
        or (over and _runs_elsewhere(over[1], over[2], text))
        or _OVER_WORDS.search(remark)
        or (across.search(remark) and re.search("softmax|normali", remark, re.IGNORECASE))
        or _confines(remark)
    )


def _runs_elsewhere(kind: str, index: str, text: str) -> bool:
    """Whether no softmax or sum of an answer names this index as one that it runs over."""
    below = re.findall(
        rf"{kind}\w*?\s*(?:\}}\s*)?_\s*(\{{[^{{}}]*(?:\{{[^{{}}]*\}}[^{{}}]*)*\}}|\w+)", text, re.IGNORECASE
    )
    names = {re.sub(r"[_{}\s]", "", name) for names in below for name in names.split(",")}
    return re.sub(r"[_{}]", "", index) not in {name.partition("=")[0] for name in names}


def _confines(remark: str) -> bool:
    """`for j <= i` and `for k = 1` hold for some values only; 1 <= t <= T, t > 0 and i = 1..T for all."""
    if _RANGE.search(remark):
        return False
    for piece in re.split(r"[,;]", remark):
        signs = _RELATION.findall(piece)
        sides = _RELATION.split(piece)
        for sign, (left, right) in zip(signs, pairwise(sides), strict=True):
            small, large = (right, left) if sign in _LARGER else (left, right)
            number = re.search(r"(?<![\w.])\d+[\s$]*$", small) or re.fullmatch(r"[\s$]*\d+[\s$.]*", small)
            compared = sign in _SMALLER or sign in _LARGER
            if not compared or not (number or _LENGTH.fullmatch(large)):
                return True
    return False


def _measures(remark: str, vocabulary: Vocabulary) -> bool:
    """Whether a remark gives a number to something, and the question does not: with stride 1."""
    return any(
        not re.search(rf"(?<![a-z]){found['what']}\s+{found['number']}(?!\d)", vocabulary.ask, re.IGNORECASE)
        for found in _NUMBER.finditer(remark)
        if found["what"] not in _BOUND
    )


def _misses_some(remark: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a remark lets an index run over another range than its axis has: from 2 to T."""
    for found in _BOUNDS.finditer(remark):
        ends = f"{found['low']}..{found['size']}{(found['less'] or '').replace(' ', '')}"
        counted = {f"1..{found['size']}", f"0..{found['size']}-1"}
        span = vocabulary.numbering.get(found["size"])
        open_on_left = re.search(
            rf"(?<![A-Za-z]){re.escape(found['index'])}(?![A-Za-z])", text.partition("=")[0]
        )
        if ends not in ({span} if span and not open_on_left else counted):
            return True
    return False


def _false_parity(remark: str, vocabulary: Vocabulary) -> bool:
    """Whether a remark calls a length odd or even that the question does not make so."""
    return any(
        not _has_parity(found["a"] or found["b"], found["before"] or found["after"], vocabulary)
        for found in _PARITY.finditer(remark)
    )


def _has_parity(size: str, parity: str, vocabulary: Vocabulary) -> bool:
    if size not in vocabulary.sizes:
        return False
    expr = read_size(vocabulary.sizes[size], vocabulary)
    words = sorted(set(re.findall(r"[A-Za-z]+'*", vocabulary.sizes[size])))
    values = (
        number_of(expr, dict(zip(words, drawn, strict=True))) for drawn in product((2, 3), repeat=len(words))
    )
    return all(value is not None and value % 2 == (parity == "odd") for value in values)
