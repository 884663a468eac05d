"""A number as people write it, with a sign of about, separators, a percent sign or a unit, is compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from autograder.course.small_kinds import Number
from autograder.errors import AnswerError
from autograder.text.expression.tree import Num
from autograder.text.fold import fold
from autograder.text.formula.evaluate import value_at
from autograder.text.small.entries import read_entry
from autograder.text.verdict import Judgement

EXAMPLE = "0.25, 3/8 or 4.9e3"
SLACK = Decimal(10) ** -25  # of fifty digits: what working out √2 · √2 may lose

# Units of one kind, each with its size; one that is not asked for is converted.
_BYTES = {"b": 1, "byte": 1, "bytes": 1} | {
    f"{prefix}{unit}": base**power
    for power, prefix in enumerate("kmgt", start=1)
    for unit, base in (("b", 1000), ("ib", 1024))
}
_COUNTS = {"": 1, "k": 10**3, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SECONDS = {"s": "1", "sec": "1", "second": "1", "seconds": "1", "ms": "0.001", "us": "0.000001"} | {
    "ns": "0.000000001", "min": "60", "minutes": "60", "h": "3600", "hours": "3600",
}  # fmt: skip
_LN2 = Decimal("0.69314718055994530941723212145817656807550013436026")
_INFORMATION = {"nat": Decimal(1), "nats": Decimal(1), "bit": _LN2, "bits": _LN2, "shannon": _LN2}
_FLOPS = {
    f"{prefix}flop{s}": 1000**power
    for power, prefix in enumerate(["", "k", "m", "g", "t"])
    for s in ("", "s")
}
FAMILIES: tuple[dict[str, Decimal], ...] = tuple(
    {name: Decimal(size) for name, size in family.items()}
    for family in (_BYTES, _SECONDS, _INFORMATION, _FLOPS)
)

_ABOUT = re.compile(r"^(?:\\approx|\\sim|~|=|about|approximately|approx\.?|roughly|ca\.?|circa)\s*", re.I)
_BOUND = re.compile(
    r"(?<![A-Za-z\\])(?:at|most|least|less|more|than|under|below|above|up|not|no)(?![A-Za-z])", re.I
)
_NAMED = re.compile(r"^[^\W\d][\w\s(){}\\^]*?(?:=|\\sim|\\approx|:=)\s*")
_UNIT = re.compile(r"(?<=[\d\s)}%!π])\s*(?:\\(?:text|mathrm|rm)\s*\{\s*)?([^\W\d][^\W\d_]*)\s*\}?\s*\.?$")
_THOUSANDS = re.compile(r"(?<![\d.,])([1-9]\d{0,2})((?:[,\u2009\u202f'_ ]\d{3})+)(?![\d,])")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d+)(?![\d,.])")
_POWER_OF_TEN = re.compile(r"(\d)\s*[eE]\s*([+-]?\d+)")


@dataclass(frozen=True)
class Quantity:
    """A number that was read: its value, as typed without what stands around it, and its unit."""

    value: Decimal
    typed: str
    unit: str = ""
    exact: bool = False  # typed as a whole number, a fraction or a finite decimal


def read_number(answer: str, part: Number) -> Quantity:
    """The number in the part's own unit; AnswerError says what to write."""
    text = fold(answer.strip().strip("$`* ")).text.strip()
    text = re.sub(r"\\[,;:! ]|~(?=\d)", " ", text.replace("\\%", "%")).rstrip(".").strip()
    if _BOUND.search(text):
        raise AnswerError(f"'{answer.strip()}' is a bound: write one number, such as {EXAMPLE}")
    text = _ABOUT.sub("", _NAMED.sub("", _ABOUT.sub("", text)))
    body, unit = _split_unit(text, part)
    percent = body.endswith("%")
    body = body[:-1].strip() if percent else body
    tree = read_entry(_plain_digits(body), (), answer, f"one number, such as {EXAMPLE}")
    value = value_at(tree, {})
    if value is None:
        raise AnswerError(f"'{answer.strip()}' has no value: write one number, such as {EXAMPLE}")
    if percent and part.unit != "%":
        value /= 100
    return Quantity(value * _conversion(unit, part), text, unit, isinstance(tree, Num))


def _split_unit(text: str, part: Number) -> tuple[str, str]:
    found = _UNIT.search(text)
    if not found or found[1].casefold() in ("e", "pi", "ln", "log", "sqrt", "inf"):
        return text, ""
    return text[: found.start()].strip(), found[1]


def _plain_digits(text: str) -> str:
    text = _THOUSANDS.sub(lambda m: m[1] + re.sub(r"\D", "", m[2]), text)
    text = re.sub(r"\)\s*\(", ")*(", text)
    text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _POWER_OF_TEN.sub(r"\1*10^(\2)", text)


def _conversion(unit: str, part: Number) -> Decimal:
    """What turns the unit that was typed into the one that is asked for."""
    typed, asked = unit.casefold().replace("µ", "u").replace("μ", "u"), part.unit.casefold()
    if not typed or typed == asked or typed.rstrip("s") == asked.rstrip("s"):
        return Decimal(1)
    for family in FAMILIES:
        if typed in family and asked in family:
            return family[typed] / family[asked]
    if typed in _COUNTS and asked not in _COUNTS:
        return Decimal(_COUNTS[typed])
    if not asked and typed in _COUNTS:
        return Decimal(_COUNTS[typed])
    wanted = f"in {part.unit}" if part.unit else "without a unit"
    raise AnswerError(f"the unit '{unit}' is not known here: write the number {wanted}")


def judge_number(answer: str, part: Number, key: str) -> Judgement:
    """Within the tolerance or not. How far off is not told: that would give the number away."""
    want = read_number(key, part)
    got = read_number(answer, part)
    off, allowed = abs(got.value - want.value), _allowed(part, want.value)
    if off <= allowed + SLACK * max(abs(want.value), Decimal(1)):
        return Judgement("equal", 1.0, read_as=got.typed)
    if allowed and off <= 10 * allowed:
        said = "close, but not within the tolerance: give more digits"
    else:
        said = "this is not the number that is asked for"
    return Judgement("different", 0.0, said, read_as=got.typed)


def _allowed(part: Number, want: Decimal) -> Decimal:
    if isinstance(part.tolerance, str):
        return abs(want) * read_number(part.tolerance, Number("tolerance", 0, "")).value
    return Decimal(str(part.tolerance))
