"""All values between two ends, as an inequality or in brackets, are compared by their ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.course.small_kinds import Interval
from autograder.errors import AnswerError
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, neg
from autograder.text.fold import fold
from autograder.text.formula.equality import equal, setting_of
from autograder.text.small.entries import read_entry
from autograder.text.small.lists import split_outside
from autograder.text.small.solve_inequality import LinearSide, linear_side
from autograder.text.symbols import GREEK
from autograder.text.verdict import Judgement

_SIGN = re.compile(r"\\leq?(?:slant)?(?![A-Za-z])|\\geq?(?:slant)?(?![A-Za-z])|\\lt\b|\\gt\b|<=|>=|=<|=>|<|>")
_IN = re.compile(r"^\s*(\S+?)\s*(?:\\in|∈|\b(?:is |lies )?in\b)\s*(?=[\[\](])")
_INFINITE = re.compile(r"^([+-]?)\s*(?:\\infty|infinity|infty|inf|oo|∞)$", re.I)
_SET = re.compile(r"^\\?\{\s*[^|:{}]+?\s*(?:\\mid|[|:])\s*(.*?)\s*\\?\}$", re.S)  # {x | 0 < x < 1}
_ABSOLUTE = re.compile(r"^(?:\||abs\()\s*(\S+?)\s*(?:\||\))$")
_AND = re.compile(r"\s+and\s+|\s*(?:\\wedge|\\land|∧|&)\s*|\s*,\s*")
_BETWEEN = re.compile(
    r"^(?:(\S+)\s+(?:is\s+|lies\s+)?)?(strictly\s+)?between\s+(.+?)\s+and\s+(.+?)"
    r"(?:[\s,(]+(?:both\s+(?:ends\s+)?)?(in|ex)clu(?:ded|sive|sively)\)?)?$",
    re.I,
)
_FROM_TO = re.compile(
    r"^(?:(\S+)\s+(?:is\s+|goes\s+|runs\s+)?)?from\s+(.+?)\s*\(?\b(in|ex)clu(?:ded|sive|ding)\)?"
    r"\s*,?\s*(?:up\s+)?to\s+(.+?)\s*\(?\b(in|ex)clu(?:ded|sive|ding)\)?$",
    re.I,
)
_REALS = re.compile(r"\s*(?:\\in|∈|\bin\b)\s*(?:\\mathbb\s*\{?\s*R\s*\}?|ℝ)(?=\s*(?:\\mid|[|:]))")  # x ∈ ℝ :
_WORDS = re.compile(r"\b(?:for|where|with|all|any|every|each)\b\s*", re.I)
_SUCH_THAT = re.compile(r"^(\S+)\s+(?:such that\s+)?(?=[^\s<>=\\]\S*\s*(?:[<>]|\\[lg]))")  # all η with 0 < η
_POSITIVE = re.compile(
    r"\s*(?:,|\band\b)\s*(?:([^\W\d]\w*|\\[A-Za-z]+)\s*>\s*0|0\s*<\s*([^\W\d]\w*|\\[A-Za-z]+))\s*$"
)


class TwoIntervals(AnswerError):
    """What is on both sides of an interval: |x| > 1."""


@dataclass(frozen=True)
class End:
    """One end: its place, None for infinity, and whether it belongs to the interval."""

    at: Expr | None
    closed: bool


@dataclass(frozen=True)
class ReadInterval:
    """What was read: the values of the variable from one end to the other."""

    low: End
    high: End


def read_interval(answer: str, part: Interval) -> ReadInterval:
    """The two ends; AnswerError says what to write."""
    text = answer.strip().strip("$`").strip().rstrip(".")
    text = re.sub(r"\\(?:left|right|,|;|!|quad)(?![A-Za-z])", "", text)
    text = re.sub(r"\\[lr]?vert(?![A-Za-z])", "|", text)
    text = fold(_WORDS.sub("", _REALS.sub(" ", text))).text
    if found := _IN.match(text):
        if _name(found[1]) != _name(part.variable):
            raise _unreadable(answer, part)
        text = text[found.end() :].strip()
    if found := _SET.match(text):
        text = found[1]
    if (such := _SUCH_THAT.match(text)) and _name(such[1]) == _name(part.variable):
        behind = text[such.end() :]
        text = behind if _name(part.variable) in _name(_AND.split(behind)[0]) else text  # not of x L < 2
    if (found := _POSITIVE.search(text)) and _name(found[1] or found[2]) in _names(part):
        text = text[: found.start()]  # as every variable of the question is
    if found := _BETWEEN.match(text):
        return _between(found, part, answer)
    if found := _FROM_TO.match(text):
        return _from_to(found, part, answer)
    if text[:1] in "[](" and text[-1:] in "[])" and len(split_outside_ends(text)) == 2:
        return _bracketed(text, part, answer)
    both = _AND.split(text)
    if len(both) == 2 and all(_SIGN.search(each) for each in both):
        return _met([_inequality(each, part, answer) for each in both], part, answer)
    return _inequality(text, part, answer)


def _between(said: re.Match[str], part: Interval, answer: str) -> ReadInterval:
    name, strictly, low, high, included = said.groups()
    if name and _name(name) != _name(part.variable):
        raise _unreadable(answer, part)
    if bool(strictly) == bool(included):
        raise AnswerError(f"'{answer.strip()}' does not say whether the ends belong: write {_example(part)}")
    closed = bool(included) and included.casefold() == "in"
    return ReadInterval(
        _end(low, closed, part, answer, low=True), _end(high, closed, part, answer, low=False)
    )


def _from_to(said: re.Match[str], part: Interval, answer: str) -> ReadInterval:
    name, low, low_included, high, high_included = said.groups()
    if name and _name(name) != _name(part.variable):
        raise _unreadable(answer, part)
    return ReadInterval(
        _end(low, low_included.casefold() == "in", part, answer, low=True),
        _end(high, high_included.casefold() == "in", part, answer, low=False),
    )


def _met(spans: list[ReadInterval], part: Interval, answer: str) -> ReadInterval:
    """x > 0 and x <= 1: one gives the lower end, the other the upper."""
    for one, other in (spans, spans[::-1]):
        if one.high.at is None and other.low.at is None:
            return ReadInterval(one.low, other.high)
    raise _unreadable(answer, part)


def split_outside_ends(text: str) -> list[str]:
    """The two ends between the outer brackets, which need not match: [0, 1) and ]0, 1[ are intervals."""
    try:
        return split_outside(text[1:-1], ",;")
    except AnswerError:
        return []


def _bracketed(text: str, part: Interval, answer: str) -> ReadInterval:
    low, high = split_outside_ends(text)
    return ReadInterval(
        _end(low, text[0] == "[", part, answer, low=True),
        _end(high, text[-1] == "]", part, answer, low=False),
    )


def _inequality(text: str, part: Interval, answer: str) -> ReadInterval:
    signs = [match[0] for match in _SIGN.finditer(text)]
    sides = [side.strip() for side in _SIGN.split(text)]
    if len(sides) == 2 and (found := _ABSOLUTE.match(sides[0])) and _name(found[1]) == _name(part.variable):
        return _around_zero(signs[0], sides[1], part, answer)
    own = [place for place, side in enumerate(sides) if _name(side) == _name(part.variable)]
    linear = None
    if not own:  # lr L < 2
        linears = {place: read for place, side in enumerate(sides) if (read := _linear(side, part))}
        own = list(linears)
        linear = next(iter(linears.values()), None)
    if len(own) != 1 or len(sides) not in (2, 3) or (len(sides) == 3 and own != [1]):
        raise _unreadable(answer, part)
    low, high = End(None, False), End(None, False)
    for place, sign in enumerate(signs):
        variable_left = place == own[0]
        other = sides[place + 1] if variable_left else sides[place]
        upper = _is_less(sign) == variable_left
        end = _end(other, _is_closed(sign), part, answer, low=not upper)
        if linear is not None:
            upper ^= linear.is_falling
            end = End(None if end.at is None else linear.solved(end.at), end.closed)
        if upper:
            high = end
        else:
            low = end
    if len({_is_less(sign) for sign in signs}) > 1:
        raise AnswerError(f"the signs of '{answer.strip()}' point both ways: write 0 < {part.variable} < 1")
    return ReadInterval(low, high)


def _linear(side: str, part: Interval) -> LinearSide | None:
    variable, names = _name(part.variable), _names(part)
    try:
        return linear_side(read_entry(side, (*names, variable), side, "an interval"), variable)
    except AnswerError:
        return None


def _around_zero(sign: str, bound: str, part: Interval, answer: str) -> ReadInterval:
    if not _is_less(sign):
        raise TwoIntervals(
            f"'{answer.strip()}' is not one interval but two: write one, such as {_example(part)}"
        )
    high = _end(bound, _is_closed(sign), part, answer, low=False)
    return ReadInterval(End(None if high.at is None else neg(high.at), high.closed), high)


def _is_less(sign: str) -> bool:
    return "<" in sign or "\\l" in sign


def _is_closed(sign: str) -> bool:
    return "=" in sign or sign.startswith(("\\le", "\\ge"))


def _end(text: str, closed: bool, part: Interval, answer: str, *, low: bool) -> End:
    text = text.strip()
    if found := _INFINITE.match(text):
        if (found[1] == "-") != low:
            raise _unreadable(answer, part)
        return End(None, False)
    return End(read_entry(text, _names(part), answer, f"an interval such as {_example(part)}"), closed)


def _name(text: str) -> str:
    """A name in plain letters, however it is typed: η, \\eta and eta are one."""
    return re.sub(r"[\s\\{}]", "", "".join(GREEK.get(char, char) for char in text))


def _names(part: Interval) -> tuple[str, ...]:
    return tuple(_name(each) for each in part.variables)


def _example(part: Interval) -> str:
    return f"0 < {part.variable} < 1 or (0, 1)"


def _unreadable(answer: str, part: Interval) -> AnswerError:
    return AnswerError(f"cannot read '{answer.strip()[:60]}': write an interval such as {_example(part)}")


def shown(span: ReadInterval, part: Interval) -> str:
    left = "" if span.low.at is None else f"{plain(span.low.at)} {'<=' if span.low.closed else '<'} "
    right = "" if span.high.at is None else f" {'<=' if span.high.closed else '<'} {plain(span.high.at)}"
    return f"{left}{part.variable}{right}" if left or right else f"all {part.variable}"


def judge_interval(answer: str, part: Interval, key: str) -> Judgement:
    """Both ends, and whether they belong."""
    want = read_interval(key, part)
    try:
        got = read_interval(answer, part)
    except TwoIntervals:
        return Judgement("different", 0.0, "these are two intervals, and one is asked for")
    read_as = shown(got, part)
    setting = setting_of(_names(part), ())

    def same(mine: End, right: End) -> bool:
        if mine.at is None or right.at is None:
            return mine.at is right.at
        return equal(mine.at, right.at, setting)

    wrong = [
        word
        for word, mine, right in (("lower", got.low, want.low), ("upper", got.high, want.high))
        if not same(mine, right)
    ]
    if wrong:
        ends = "neither end is right" if len(wrong) == 2 else f"the {wrong[0]} end is not right"
        return Judgement("different", 0.0, ends, read_as=read_as)
    if (got.low.closed, got.high.closed) != (want.low.closed, want.high.closed):
        said = "the ends are right, but not which of them belong to it: < or ≤ is the question"
        return Judgement("different", 0.0, said, read_as=read_as)
    return Judgement("equal", 1.0, read_as=read_as)
