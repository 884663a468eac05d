"""A number as people write it, with a sign of about, separators, a percent sign or a unit, is compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from autograder.course.small_kinds import Number
from autograder.errors import AnswerError
from autograder.text.fold import fold
from autograder.text.formula.evaluate import value_at
from autograder.text.small.entries import read_entry
from autograder.text.small.units import COUNTS, conversion
from autograder.text.verdict import Judgement

EXAMPLE = "0.25, 3/8 or 4.9e3"
SLACK = Decimal(10) ** -25  # of fifty digits: what working out √2 · √2 may lose

_ABOUT = re.compile(
    r"^(?:\\approx|\\sim|~|=|about|approximately|approx\.?|roughly|around|nearly|ca\.?|circa)\s*", re.I
)
_BOUND = re.compile(
    r"(?<![A-Za-z\\])(?:at|most|least|less|more|than|under|below|above|up|not|no)(?![A-Za-z])", re.I
)
_CHAIN = re.compile(r"=|\\approx|\\sim(?![A-Za-z])")
_NAMED = re.compile(
    r"^[^\W\d]\w*\s*\([^()]{1,40}\)\s*(?:=|\\approx)\s*"  # P(X = 1) =
    r"|^[^\W\d][\w\s(){}\\^]*?(?:=|\\sim|\\approx|:=)\s*"
    r"|^(?:[A-Za-z]{1,20}\s+){1,6}(?:is|are|equals)\s+(?=[\d\\.~(+-]|about|approx|roughly|around|(?:ln|log|exp|sqrt)(?:[_\d(]|\b))"
)
_UNIT = re.compile(
    r"(?<=[\d\s)}%!π$])[\s$]*(?:\\(?:text|mathrm|rm)\s*\{\s*)?([^\W\d][^\W\d_]*)\s*\}?\s*\$?\s*\.?$"
)
_IN_BRACKETS = re.compile(r"(?<=[\d%)}])\s+[(\[]\s*([A-Za-z]{1,20})\s*[)\]]$")  # 1.386 (nats)
_IN_ALL = re.compile(r"\s+(?:in total|in all|altogether|overall)$", re.I)
_AGAIN = re.compile(
    r"\s*\(\s*(=|\\approx|\\sim(?![A-Za-z]))\s*([^()]*(?:\([^()]*\))?)\s*\)$"
)  # 2.303 (= ln 10)
_MINUS = re.compile(r"^(?:minus|negative)\s+", re.I)
_COUNTED = re.compile(rf"(?<=[\d\s)}}])\s*({'|'.join(COUNTS)})$")  # 25.6 million parameters
_MIXED = re.compile(r"(\d+)(?:\s+(\d+)\s*/\s*(\d+)|\s*\\[td]?frac\s*(?:\{(\d+)\}\{(\d+)\}|(\d)(\d)))$")
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_SHARES = ["half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_IN_WORDS = re.compile(
    rf"(?:({'|'.join(_ONES)}|an?)[\s-]+)?(?:({'|'.join(_SHARES)})s?|halves)|({'|'.join(_ONES)})", re.I
)
_THOUSANDS = re.compile(r"(?<![\d.,])([1-9]\d{0,2})((?:[,\u2009\u202f'_ ]\d{3})+)(?![\d,])")
_EITHER_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}),(\d{3})(?![\d.,])")  # thousands here, a fraction there
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d+)(?![\d,.])")
_POWER_OF_TEN = re.compile(r"(\d)\s*[eE]\s*([+-]?\d+)")


@dataclass(frozen=True)
class Quantity:
    """A number that was read: its value, as typed without what stands around it, and its unit."""

    value: Decimal
    typed: str
    unit: str = ""


def read_number(answer: str, part: Number) -> Quantity:
    """The number in the part's own unit, of a chain the last; AnswerError says what to write."""
    return read_chain(answer, part)[-1]


def read_chain(answer: str, part: Number) -> list[Quantity]:
    """3/2 = 1.5 says one number twice: every one that is said."""
    text = fold(answer.strip().strip("$`* ")).text.strip()
    text = text.replace("\\%", "%").replace("{,}", ",")
    text = re.sub(r"\\[,;:! ]|~(?=\d)", " ", text).rstrip(".").strip()
    if _BOUND.search(text):
        raise AnswerError(f"'{answer.strip()}' is a bound: write one number, such as {EXAMPLE}")
    text = _AGAIN.sub(r" \1 \2", _IN_ALL.sub("", text))
    text = _MINUS.sub("-", _ABOUT.sub("", _NAMED.sub("", _ABOUT.sub("", text))))
    return [_read_one(side.strip(), answer, part) for side in _CHAIN.split(text)]


def _read_one(text: str, answer: str, part: Number) -> Quantity:
    body, unit = _split_unit(text)
    percent = body.endswith("%")
    body = body[:-1].strip() if percent else body
    body, count = _split_count(body) if unit else (body, 1)
    tree = read_entry(_plain_digits(_in_digits(body)), (), answer, f"one number, such as {EXAMPLE}")
    value = value_at(tree, {})
    if value is None:
        raise AnswerError(f"'{answer.strip()}' has no value: write one number, such as {EXAMPLE}")
    if percent and part.unit != "%":
        value /= 100
    return Quantity(value * count * conversion(unit, part.unit), text, unit)


def _split_unit(text: str) -> tuple[str, str]:
    text = _IN_BRACKETS.sub(r" \1", text)
    found = _UNIT.search(text)
    if (
        not found
        or _IN_WORDS.fullmatch(text.lstrip("+- "))
        or found[1].casefold() in ("e", "pi", "ln", "log", "sqrt", "inf")
    ):
        return text, ""
    return text[: found.start()].strip(), found[1]


def _split_count(body: str) -> tuple[str, int]:
    found = _COUNTED.search(body)
    return (body[: found.start()].strip(), COUNTS[found[1]]) if found else (body, 1)


def _in_digits(text: str) -> str:
    """One quarter as 1/4, and 3 1/2 as (3 + 1/2): a whole number beside a fraction is added to it."""
    sign, rest = (text[0], text[1:].strip()) if text.startswith(("+", "-")) else ("", text)
    if words := _IN_WORDS.fullmatch(rest):
        if words[3]:
            return f"{sign}{_ONES.index(words[3].casefold())}"
        of = _SHARES.index(words[2].casefold()) + 2 if words[2] else 2
        many = (words[1] or "a").casefold()
        return f"{sign}{_ONES.index(many) if many in _ONES else 1}/{of}"
    if mixed := _MIXED.fullmatch(rest):
        whole, *pairs = mixed.groups()
        above, below = (each for each in pairs if each)
        if int(above) < int(below):
            return f"{sign}({whole} + {above}/{below})"
    return text


def _plain_digits(text: str) -> str:
    text = _THOUSANDS.sub(lambda m: m[1] + re.sub(r"\D", "", m[2]), text)
    text = re.sub(r"\)\s*\(", ")*(", text)
    text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _POWER_OF_TEN.sub(r"\1*10^(\2)", text)


def judge_number(answer: str, part: Number, key: str) -> Judgement:
    """Within the tolerance or not. How far off is not told: that would give the number away."""
    want = read_number(key, part).value
    chain = read_chain(answer, part)
    allowed = _allowed(part, want)
    off = max(abs(got.value - want) for got in chain)
    read_as = " = ".join(got.typed for got in chain)
    if off <= allowed + SLACK * max(abs(want), Decimal(1)):
        return Judgement("equal", 1.0, read_as=read_as)
    if _EITHER_COMMA.search(answer):
        other = read_chain(_EITHER_COMMA.sub(r"\1.\2", answer), part)
        if max(abs(got.value - want) for got in other) <= allowed:
            said = f"'{answer.strip()}' may be in thousands or have a decimal comma: a person decides"
            return Judgement("undecided", 0.0, said, read_as=read_as, mistake="undecided")
    if allowed and off <= 10 * allowed:
        said = "close, but not within the tolerance: give more digits"
    else:
        said = "this is not the number that is asked for"
    return Judgement("different", 0.0, said, read_as=read_as)


def shown_number(read: Quantity, part: Number) -> str:
    """As it was typed, with the unit that is asked for and what a comma of two meanings means."""
    unit = f" {part.unit}" if part.unit and not read.unit else ""
    meant = (
        f", which is {read.value:f}"
        if _EITHER_COMMA.search(read.typed) and read.value == int(read.value)
        else ""
    )
    return f"{read.typed}{unit}{meant}"


def _allowed(part: Number, want: Decimal) -> Decimal:
    if isinstance(part.tolerance, str):
        return abs(want) * read_number(part.tolerance, Number("tolerance", 0, "")).value
    return Decimal(str(part.tolerance))
