"""What each index of a line runs over, found from the tensors it touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from autograder.text.equation.chosen_sizes import Setting, Span
from autograder.text.equation.combine_shapes import implied_axes
from autograder.text.equation.faults import TooMuch, TypeFault, shown
from autograder.text.equation.shapes import Typer
from autograder.text.equation.sizes import LARGEST, number_of
from autograder.text.equation.tree import (
    Binder,
    Expr,
    Lookup,
    Number,
    Place,
    Product,
    Quotient,
    Size,
    Spread,
    StackOver,
    Sum,
    Total,
    Variable,
    walk,
)

WIDEST = 2_000  # positions one index may run through


@dataclass(frozen=True)
class IndexUse:
    """One index position of a tensor in the line."""

    tensor: str
    index: Expr
    span: Span
    place: Place


@dataclass(frozen=True)
class Outside:
    """A tensor read beyond its ends; `written` where the answer's own bounds led there."""

    message: str
    place: Place
    written: bool


class SpanFinder:
    """Finds the spans of one line whose implied sums are written out."""

    def __init__(self, left: Expr, right: Expr, setting: Setting) -> None:
        self.setting = setting
        self.uses = [use for side in (left, right) for use in self._uses(side)]
        self.binders = {binder.name: binder for binder in _binders(right)}
        self.spans: dict[str, Span] = dict(setting.fixed)
        self.spread = [node for node in walk(right) if isinstance(node, Spread)]
        self.crossed = ""
        self.places = {
            node.name: node.place
            for side in (right, left)
            for node in walk(side)
            if isinstance(node, Variable)
        }

    def find(self) -> dict[str, Span]:
        names = [name for name in (*self.places, *self.binders) if name not in self.spans]
        for name in dict.fromkeys(names):
            span = self._bounds(name) or self._axis(name)
            if span:
                self.spans[name] = span
        for name in dict.fromkeys(names):
            if name not in self.spans and (span := self._solved(name)):
                self.spans[name] = span
        for node in reversed(self.spread):
            if node.index not in self.spans and (span := self._read_off(node)):
                self.spans[node.index] = span
        for name, binder in self.binders.items():
            if name not in self.spans and (span := self._namesake(name)):
                self.spans[name] = span
            if name not in self.spans:
                raise TypeFault(
                    f"the sum over {shown(name)} is a sum over nothing: it indexes no tensor under it",
                    binder.place, shown(name),
                )  # fmt: skip
        for name, span in self.spans.items():
            if len(span) > WIDEST:
                raise TooMuch(f"{shown(name)} runs through {len(span)} positions: write a shorter sum")
        return self.spans

    def _read_off(self, node: Spread) -> Span | None:
        """The range of an index that reads an entry off an array, and stands nowhere else."""
        typer = Typer(self.setting, self.spans)
        try:
            shape = typer.type(node.body)
        except TypeFault:
            return None  # said where the whole line is typed
        before = implied_axes(shape)
        length = len(typer.broadcast[before[0]]) if before else shape.rows or shape.cols
        return Span(self.setting.base, self.setting.base + length - 1) if length else None

    def _namesake(self, name: str) -> Span | None:
        """An index that is idle here runs as its namesake in another sum of the line does."""
        spans = [span for other, span in self.spans.items() if shown(other) == shown(name)]
        return spans[0] if spans and name in self.binders else None

    def _uses(self, side: Expr) -> Iterator[IndexUse]:
        for node in walk(side):
            if isinstance(node, Lookup) and node.tensor in self.setting.vocabulary.tensors:
                for index, span in zip(node.indices, self.setting.spans_of(node.tensor), strict=False):
                    yield IndexUse(node.tensor, index, span, node.place)

    def _bounds(self, name: str) -> Span | None:
        """The span that the answer wrote above and below its sum."""
        binder = self.binders.get(name)
        if not binder or binder.low is None or binder.high is None:
            return None
        low, high = (number_of(end, self.setting.sizes) for end in (binder.low, binder.high))
        if low is None or high is None:
            return None
        if low.denominator != 1 or high.denominator != 1:
            raise TypeFault(
                f"the bounds of the sum over {shown(name)} are no whole numbers", binder.place, shown(name)
            )
        if high < low:
            raise TypeFault(
                f"the sum over {shown(name)} runs from {low} to {high}, which is empty",
                binder.place,
                shown(name),
            )
        if max(abs(low), abs(high)) > LARGEST:
            raise TooMuch(f"the sum over {shown(name)} is far too long: write a shorter one")
        span = Span(int(low), int(high), written=True)
        return self._against_axis(name, binder, span)

    def _against_axis(self, name: str, binder: Binder, span: Span) -> Span:
        """Bounds 1..J and 0..J-1 both mean the whole axis J, and no other axis."""
        axis = self._axis(name)
        if axis is None:
            return span
        numbered = axis.axis in self.setting.numbered
        whole = (span.low, span.high) in ((1, len(axis)), (0, len(axis) - 1))
        if whole and not numbered:
            return axis
        ends_elsewhere = isinstance(binder.high, Size) and self.setting.sizes.get(binder.high.name) != len(
            axis
        )
        if ends_elsewhere and isinstance(binder.high, Size):
            raise TypeFault(
                f"the sum over {shown(name)} ends at {binder.high.name}, but {shown(name)} ranges over "
                f"{axis.axis}: sum to {axis.axis}",
                binder.place, shown(name),
            )  # fmt: skip
        return Span(span.low, span.high, axis.axis, written=True)

    def _axis(self, name: str) -> Span | None:
        """The axis of every tensor that has the index alone in one of its places."""
        found: IndexUse | None = None
        for use in self.uses:
            if not isinstance(use.index, Variable) or use.index.name != name:
                continue
            if found and not _same_axis(found.span, use.span):
                found = self._shared(name, found, use)
            self._check_capital(name, use)
            found = found or use
        return found.span if found else None

    def _shared(self, name: str, first: IndexUse, second: IndexUse) -> IndexUse:
        """Positions that are numbered mean the same on two axes; i for i' makes sense where I is I'."""
        axes = (first.span.axis, second.span.axis)
        if all(axis in self.setting.numbered for axis in axes):
            return min(first, second, key=lambda use: len(use.span))
        if axes[0].rstrip("'") != axes[1].rstrip("'"):
            raise self._conflict(name, first, second)
        self.crossed = (
            f"index {shown(name)} ranges over {axes[0]} in {first.tensor} and over {axes[1]} in "
            f"{second.tensor}: swap the indices, or use the other one"
        )
        return first

    def _check_capital(self, name: str, use: IndexUse) -> None:
        """In index notation the capital of one axis cannot stand for another."""
        vocabulary = self.setting.vocabulary
        letter = shown(name)
        if vocabulary.matrix or not letter[0].isupper() or letter not in vocabulary.axes:
            return
        if use.tensor in vocabulary.tensors and use.span.axis != letter:
            raise TypeFault(
                f"{letter} indexes the axis {use.span.axis} of {use.tensor}, but {letter} is another axis: "
                f"write {use.span.axis}, or a letter of its own",
                use.place, letter,
            )  # fmt: skip

    def _conflict(self, name: str, first: IndexUse, second: IndexUse) -> TypeFault:
        index = shown(name)
        return TypeFault(
            f"index {index} ranges over {first.span.axis} in {first.tensor} and over {second.span.axis} in "
            f"{second.tensor}: one index has one range, use two names or swap the order",
            second.place, index,
        )  # fmt: skip

    def _solved(self, name: str) -> Span | None:
        """An index that only occurs in sums such as 2i-1 runs where every tensor stays inside its ends."""
        lows, highs = [-LARGEST], [LARGEST]
        binder = self.binders.get(name)
        for use in self.uses:
            linear = coefficient(use.index, name)
            if not linear:
                continue
            self.spans[name] = Span(0, 0)
            rest = interval(use.index, self.setting, self.spans)
            del self.spans[name]
            if rest is None:
                continue
            ends = ((use.span.low - rest[0]) / linear, (use.span.high - rest[1]) / linear)
            lows.append(ceil(min(ends)))
            highs.append(floor(max(ends)))
        if len(lows) == 1:
            return None
        low, high = max(lows), min(highs)
        for end, is_low in ((binder.low, True), (binder.high, False)) if binder else ():
            value = number_of(end, self.setting.sizes) if end else None
            if value is not None:
                low, high = (int(value), high) if is_low else (low, int(value))
        return Span(low, high)

    def outside(self) -> list[Outside]:
        """Every place where the line reads a tensor beyond its ends."""
        found = []
        for use in self.uses:
            names = {node.name for node in walk(use.index) if isinstance(node, Variable)}
            reach = interval(use.index, self.setting, self.spans)
            if reach is None or (use.span.low <= reach[0] and reach[1] <= use.span.high):
                continue
            conditions = [name for name in names if name in self.binders and self.binders[name].conditions]
            if conditions:
                continue
            written = not names or any(self.spans[name].written for name in names if name in self.spans)
            where = reach[1] if reach[1] > use.span.high else reach[0]
            message = (
                f"{use.tensor} is read at position {where}, but its axis {use.span.axis} "
                f"runs from {use.span.low} to {use.span.high}"
            )
            found.append(Outside(message, use.place, written))
        return found


def _same_axis(first: Span, second: Span) -> bool:
    return first.axis == second.axis if first.axis and second.axis else len(first) == len(second)


def _binders(expr: Expr) -> Iterator[Binder]:
    for node in walk(expr):
        if isinstance(node, Sum):
            yield from node.binders
        elif isinstance(node, StackOver):
            yield node.binder


def coefficient(expr: Expr, name: str) -> Fraction:
    """The factor of an index in a linear expression; 0 where it does not occur."""
    match expr:
        case Variable(found):
            return Fraction(int(found == name))
        case Total(signs, terms):
            parts = [s * coefficient(term, name) for s, term in zip(signs, terms, strict=True)]
            return sum(parts, Fraction(0))
        case Product((Number(value), other)) | Product((other, Number(value))):
            return value * coefficient(other, name)
        case Quotient(above, Number(value)) if value:
            return coefficient(above, name) / value
    return Fraction(0)


def interval(expr: Expr, setting: Setting, spans: dict[str, Span]) -> tuple[Fraction, Fraction] | None:
    """The smallest and largest value of an index expression; None where it cannot be told."""
    value = number_of(expr, setting.sizes)
    if value is not None:
        return value, value
    match expr:
        case Variable(name) if name in spans:
            return Fraction(spans[name].low), Fraction(spans[name].high)
        case Total(signs, terms):
            low = high = Fraction(0)
            for sign, term in zip(signs, terms, strict=True):
                inner = interval(term, setting, spans)
                if inner is None:
                    return None
                low += min(sign * end for end in inner)
                high += max(sign * end for end in inner)
            return low, high
        case Product((left, right)):
            ends = interval(left, setting, spans), interval(right, setting, spans)
            if ends[0] is None or ends[1] is None:
                return None
            corners = [a * b for a in ends[0] for b in ends[1]]
            return min(corners), max(corners)
        case Quotient(above, below):
            over, by = interval(above, setting, spans), number_of(below, setting.sizes)
            if over is None or not by:
                return None
            return min(end / by for end in over), max(end / by for end in over)
    return None
