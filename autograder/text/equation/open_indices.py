"""Which indices an expression leaves open, and the sums that a repeated capital index implies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from autograder.text.equation.declarations import Function, Vocabulary
from autograder.text.equation.faults import TypeFault
from autograder.text.equation.tree import (
    Array,
    Binder,
    Call,
    Condition,
    Expr,
    Lookup,
    Number,
    Pair,
    Product,
    Quotient,
    Softmax,
    Spread,
    Stack,
    StackOver,
    Sum,
    Total,
    Variable,
    children,
    rebuild,
    walk,
)

Counts = Counter[str]


def open_indices(expr: Expr) -> Counts:
    """How often each index occurs that nothing inside the expression binds."""
    match expr:
        case Variable(name):
            return Counter([name])
        case Sum(binders, body):
            counts = open_indices(body)
            for child in _of_binders(binders):
                counts += open_indices(child)
            return _without(counts, {binder.name for binder in binders})
        case StackOver(binder, body):
            return _without(open_indices(body), {binder.name})
        case Softmax(over, body):
            return open_indices(body) | Counter(over)
        case Array(indices, body):
            return _without(open_indices(body), set(indices))
        case Spread(index, body):
            return open_indices(body) + Counter([index])
        case Total(_, terms):
            counts = Counter()
            for term in terms:
                counts |= open_indices(term)
            return counts
    counts = Counter()
    for child in children(expr):
        counts += open_indices(child)
    return counts


def _of_binders(binders: tuple[Binder, ...]) -> list[Expr]:
    return [child for binder in binders for child in children(binder)]


def _without(counts: Counts, names: set[str]) -> Counts:
    return Counter({name: count for name, count in counts.items() if name not in names})


class Closer:
    """Writes out what a line implies: sums over capitals, and vectors that functions take whole."""

    def __init__(self, vocabulary: Vocabulary, left: Lookup) -> None:
        self.vocabulary = vocabulary
        names = [index.name for index in left.indices if isinstance(index, Variable)]
        inside = {node.name for index in left.indices for node in walk(index) if isinstance(node, Variable)}
        self.known = inside | set(vocabulary.fixed)
        self.used = set(self.known)
        declared = vocabulary.declared(left.tensor)
        axes = declared.axes if declared else ()
        self.left_of_axis = dict(zip(axes, names, strict=False)) if len(names) == len(axes) else {}

    def close(self, expr: Expr, bound: Mapping[str, str], within: bool = False) -> Expr:
        """The expression with every implied sum written out and every bound index named apart."""
        match expr:
            case Variable(name, place):
                return Variable(bound.get(name, name), place)
            case Sum(binders, body):
                fresh, inner = self._bind(binders, bound)
                return replace(expr, binders=fresh, body=self.close(body, inner))
            case StackOver(binder, body):
                (binder,), inner = self._bind((binder,), bound)
                return replace(expr, binder=binder, body=self._vector(self.close(body, inner), inner))
            case Softmax(over, body):
                names = tuple(bound.get(name, name) for name in over)
                ends = tuple((bound.get(name, name), length) for name, length in expr.ends)
                return replace(expr, over=names, body=self.close(body, bound), ends=ends)
            case Array(indices, body, row):
                fresh, inner = self._bind(tuple(Binder(name) for name in indices), bound)
                return Array(tuple(binder.name for binder in fresh), self.close(body, inner), row)
            case Spread(index, body, place):
                inside = self.close(body, bound)
                if (
                    isinstance(body, Call)
                    and isinstance(inside, Spread)
                    and inside.index == bound.get(index, index)
                ):
                    return inside  # CELL(…)[j], where the left side has that j
                return Spread(bound.get(index, index), inside, place)
            case Stack(items):
                closed = tuple(self._vector(self.close(item, bound), bound) for item in items)
                return replace(expr, items=closed)
            case Call(function, arguments) if function in self.vocabulary.functions:
                return self._call(expr, self.vocabulary.functions[function], arguments, bound)
        changed: Expr = rebuild(expr, lambda child: self.close(child, bound, isinstance(expr, Product)))
        if isinstance(expr, Product | Quotient | Pair) or (isinstance(expr, Lookup) and not within):
            return self._summed(changed, bound)
        return changed

    def _summed(self, expr: Expr, bound: Mapping[str, str]) -> Expr:
        taken = self.known | set(bound.values())
        repeated = [
            name
            for name, count in open_indices(expr).items()
            if count > 1 and name[0].isupper() and name not in taken
        ]
        if not repeated:
            return expr
        fresh, renamed = self._bind(tuple(Binder(name) for name in repeated), {})
        return Sum(fresh, _renamed(expr, renamed), getattr(expr, "place", Sum.place), written=False)

    def _bind(
        self, binders: tuple[Binder, ...], bound: Mapping[str, str]
    ) -> tuple[tuple[Binder, ...], dict[str, str]]:
        inner = dict(bound)
        for binder in binders:
            name, count = binder.name, 2
            while name in self.used:
                name, count = f"{binder.name}@{count}", count + 1
            self.used.add(name)
            inner[binder.name] = name
        return tuple(self._bounds(binder, bound, inner) for binder in binders), inner

    def _bounds(self, binder: Binder, bound: Mapping[str, str], inner: Mapping[str, str]) -> Binder:
        """Bounds that depend on another index become conditions on a sum over the whole axis."""
        name = inner[binder.name]
        conditions = [
            Condition(self.close(c.left, inner), c.relation, self.close(c.right, inner))
            for c in binder.conditions
        ]
        low = self.close(binder.low, bound) if binder.low else None
        high = self.close(binder.high, bound) if binder.high else None
        known = self.known | set(bound.values())
        strange = [name for end in (low, high) if end for name in open_indices(end) if name not in known]
        if strange and not _is_whole(low, high):
            raise TypeFault(
                f"{strange[0]} is no length here: end the sum at a size of the part", binder.place
            )
        if strange:
            low, high = None, None
        if low and set(open_indices(low)) & known:
            conditions.append(Condition(low, "<=", Variable(name)))
            low = None
        if high and set(open_indices(high)) & known:
            conditions.append(Condition(Variable(name), "<=", high))
            high, low = None, None
        return Binder(name, low, high, tuple(conditions), binder.place, binder.within)

    def _vector(self, item: Expr, bound: Mapping[str, str]) -> Expr:
        """A stacked item with one open capital index is a vector along it."""
        taken = self.known | set(bound.values())
        capitals = [name for name in open_indices(item) if name[0].isupper() and name not in taken]
        return Array((capitals[0],), item) if len(capitals) == 1 else item

    def _call(
        self, call: Call, function: Function, arguments: tuple[Expr, ...], bound: Mapping[str, str]
    ) -> Expr:
        closed = tuple(self.close(argument, bound) for argument in arguments)
        if not function.takes:
            return replace(call, arguments=closed)
        taken = []
        for argument, axes in zip(closed, function.takes, strict=False):
            capitals = [name for name in open_indices(argument) if name[0].isupper()]
            single = len(axes) == 1 and len(capitals) == 1
            taken.append(Array((capitals[0],), argument) if single else argument)
        whole = replace(call, arguments=(*taken, *closed[len(taken) :]))
        index = self.left_of_axis.get(function.gives[0]) if len(function.gives) == 1 else None
        return Spread(index, whole, call.place) if index else whole


def _is_whole(low: Expr | None, high: Expr | None) -> bool:
    """An end with a name of its own, as in 1..n, 0..n-1 or 1..n/2, means the whole axis."""
    match low, high:
        case (None | Number(), Variable() | Quotient(Variable(), Number())):
            return low is None or low == Number(Fraction(1))
        case (
            Number(first),
            Total((1, -1), (Variable() | Quotient(Variable(), Number()), Number(last)))
            | Total((-1, 1), (Number(last), Variable() | Quotient(Variable(), Number()))),
        ):
            return (first, last) == (Fraction(0), Fraction(1))
    return False


def _renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    if isinstance(expr, Variable):
        return Variable(names.get(expr.name, expr.name), expr.place)
    if isinstance(expr, Softmax):
        expr = replace(expr, over=tuple(names.get(name, name) for name in expr.over))
    changed: Expr = rebuild(expr, lambda child: _renamed(child, names))
    return changed
