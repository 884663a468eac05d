"""Dots written out: `X_T - X_{T-1} + ... - X_1` and `Out[1]; ...; Out[K]` for sizes that are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from autograder.text.equation.faults import TypeFault
from autograder.text.equation.sizes import number_of
from autograder.text.equation.tree import (
    Dots,
    Expr,
    Listing,
    Lookup,
    Number,
    Place,
    Size,
    Stack,
    Total,
    Variable,
    children,
    rebuild,
    walk,
    without_places,
)

LONGEST = 200  # items
PERIODS = (1, 2, 3)
Signed = tuple[int, Expr]


def expand_dots(expr: Expr, sizes: Mapping[str, int]) -> Expr:
    """The expression without dots, where they stand between terms of a recognisable row."""
    if not any(isinstance(node, Dots) for node in walk(expr)):
        return expr
    expr = rebuild(expr, lambda child: expand_dots(child, sizes))
    match expr:
        case Total(signs, terms, place) if _has_dots(terms):
            full = _row(list(zip(signs, terms, strict=True)), sizes, place)
            return Total(tuple(sign for sign, _ in full), tuple(term for _, term in full), place)
        case Stack(items, place=place) | Listing(items, place) if _has_dots(items):
            full = _row([(1, item) for item in items], sizes, place)
            return replace(expr, items=tuple(item for _, item in full))
    return expr


def _has_dots(items: tuple[Expr, ...]) -> bool:
    return any(isinstance(item, Dots) for item in items)


def _row(items: list[Signed], sizes: Mapping[str, int], place: Place) -> list[Signed]:
    at = next(number for number, (_, item) in enumerate(items) if isinstance(item, Dots))
    items = _with_positions(items, sizes)
    head = [(sign, _numbered(item, sizes)) for sign, item in items[:at]]
    tail = [(sign, _numbered(item, sizes)) for sign, item in items[at + 1 :]]
    if len(tail) > 1 and _has_dots(tuple(item for _, item in tail)):  # X_2 + ... + X_T - X_1 - ... - X_{T-1}
        return [*_row(items[: at + 2], sizes, place), *_row(items[at + 2 :], sizes, place)]
    if not head or not tail or _has_dots(tuple(item for _, item in tail)):
        raise TypeFault("the dots need a term before and one after: write the first, ..., the last", place)
    reached = [_key(item) for item in head]
    if _key(tail[0]) in reached:  # a row so short that its first items already reach its last one
        return [*head[: reached.index(_key(tail[0]))], *tail]
    nested = _nested(head, tail)
    if nested:
        return nested
    for start in range(len(head)):  # a row may begin after other terms
        for period in PERIODS:
            between = _between(head[start:], tail, period)
            if between is not None:
                return [*head, *between, *tail[1:]]
    raise TypeFault("the dots join terms that form no row: write the sum or the stack out", place)


def _with_positions(items: list[Signed], sizes: Mapping[str, int]) -> list[Signed]:
    """In `Out[1,x,I]; ...; Out[K,x,I]` K is the last position, since a number stands there elsewhere."""
    counted = {
        (node.tensor, at)
        for _, item in items
        for node in walk(item)
        if isinstance(node, Lookup)
        for at, index in enumerate(node.indices)
        if number_of(index, sizes) is not None
    }

    def settle(node: Expr) -> Expr:
        node = rebuild(node, settle)
        if isinstance(node, Lookup):
            indices = [
                Size(index.name, index.place)
                if isinstance(index, Variable) and index.name in sizes and (node.tensor, at) in counted
                else index
                for at, index in enumerate(node.indices)
            ]
            return replace(node, indices=tuple(indices))
        return node

    return [(sign, settle(item)) for sign, item in items]


def _between(head: list[Signed], tail: list[Signed], period: int) -> list[Signed] | None:
    """The items from the dots up to and with the last one, if the row repeats with this period."""
    if len(head) < period:
        return None
    if len(head) > period:
        steps = [_step(head[at], head[at + period]) for at in range(len(head) - period)][:period]
        steps += [steps[0]] * (period - len(steps))
    else:
        steps = _block_steps(head, tail)
    if not all(steps):
        return None

    def item(at: int) -> Signed:
        return _shifted(head[at % period], steps[at % period] or [], at // period)

    if any(_key(item(at)) != _key(head[at]) for at in range(period, len(head))):
        return None
    found: list[Signed] = []
    for at in range(len(head), len(head) + LONGEST):
        found.append(item(at))
        if _key(found[-1]) == _key(tail[0]):
            return found
    return None


def _block_steps(head: list[Signed], tail: list[Signed]) -> list[list[int] | None]:
    """With one block before the dots, such as X_2 - X_1, the next block takes up where it ends."""
    if len(tail) < len(head):
        return [None]
    far = [_step(first, last) for first, last in zip(head, tail, strict=False)]
    moving = [
        value
        for (_, item), steps in zip(head, far, strict=True)
        for value, step in zip(_numbers(item), steps or [], strict=False)
        if step
    ]
    width = int(max(moving) - min(moving)) + 1 if moving else 1
    return [[width * ((step > 0) - (step < 0)) for step in steps] if steps else None for steps in far]


def _single_step(first: Signed, last: Signed) -> list[int] | None:
    """With one item before the dots the row counts by one, up or down."""
    far = _step(first, last)
    return [(value > 0) - (value < 0) for value in far] if far else None


def _step(first: Signed, second: Signed) -> list[int] | None:
    """By how much each number grows from one item to the next; None where the items differ otherwise."""
    if first[0] != second[0] or _key(first, blank=True) != _key(second, blank=True):
        return None
    steps = [int(b - a) for a, b in zip(_numbers(first[1]), _numbers(second[1]), strict=True)]
    return steps if any(steps) else None


def _shifted(item: Signed, step: list[int], times: int) -> Signed:
    left = iter(step)

    def shift(node: Expr) -> Expr:
        if isinstance(node, Number):
            return Number(node.value + next(left) * times)
        changed: Expr = rebuild(node, shift)
        return changed

    return item[0], shift(item[1])


def _numbers(node: Expr) -> list[Fraction]:
    if isinstance(node, Number):
        return [node.value]
    return [value for child in children(node) for value in _numbers(child)]


def _numbered(node: Expr, sizes: Mapping[str, int]) -> Expr:
    """Every constant worked out: T-1 becomes 9 where T is 10."""
    value = number_of(node, sizes)
    if value is not None:
        return Number(value)
    changed: Expr = rebuild(node, lambda child: _numbered(child, sizes))
    return changed


def _key(item: Signed, blank: bool = False) -> tuple[int, Expr]:
    def strip(node: Expr) -> Expr:
        if isinstance(node, Number):
            return Number(Fraction(0)) if blank else node
        changed: Expr = rebuild(node, strip)
        return changed

    return item[0], without_places(strip(item[1]))


def _nested(head: list[Signed], tail: list[Signed]) -> list[Signed] | None:
    """`a_4 ... - (a_1 - b)` stands for a_4 - (a_3 - (a_2 - (a_1 - b)))."""
    (sign, last), first = tail[0], head[-1]
    if len(tail) > 1 or sign > 0 or not isinstance(last, Total) or not last.terms:
        return None
    end = (last.signs[0], last.terms[0])
    step = _single_step((1, first[1]), end)
    if step is None:
        return None
    row: list[Expr] = []
    for times in range(1, LONGEST):
        item = _shifted((1, first[1]), step, times)
        if _key(item) == _key(end):
            break
        row.append(item[1])
    inner: Expr = last
    for item_expr in reversed(row):
        inner = Total((1, -1), (item_expr, inner))
    return [*head, (-1, inner)]
