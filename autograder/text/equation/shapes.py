"""The type of every expression: which indices it depends on, and whether it is a number, vector or matrix."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.text.equation.chosen_sizes import Setting, Span
from autograder.text.equation.combine_shapes import (
    ANY,
    BEFORE,
    Algebra,
    Shape,
    implied_axes,
    plan_contraction,
)
from autograder.text.equation.declarations import ELEMENTWISE
from autograder.text.equation.faults import TooMuch, TypeFault, shown
from autograder.text.equation.implied import wrong_count
from autograder.text.equation.sizes import number_of
from autograder.text.equation.tree import (
    NOWHERE,
    Along,
    Array,
    Call,
    Dots,
    Expr,
    Listing,
    Lookup,
    Number,
    Ones,
    Pair,
    Place,
    Power,
    Product,
    Quotient,
    Size,
    Softmax,
    Spread,
    Stack,
    StackOver,
    Sum,
    Total,
    Transpose,
    Variable,
)

KNOWN = ELEMENTWISE | {"diag", "column", "row", "upright"}
MOST_INDICES = 12
MOST_ENTRIES = 1_000_000  # of one intermediate tensor


class Typer(Algebra):
    """Types the right side of one line, given what its indices run over."""

    def __init__(self, setting: Setting, spans: Mapping[str, Span]) -> None:
        super().__init__(setting)
        self.spans = spans
        self.broadcast: dict[str, Span] = {}  # the axes before the last two, by their place from the end
        self.spent = 0

    def type(self, expr: Expr) -> Shape:
        shape = self._type(expr)
        entries = (shape.rows or 1) * (shape.cols or 1)
        for name in shape.names:
            span = self.spans.get(name) or self.broadcast.get(name)
            entries *= len(span) if span else 1
        self._spend(abs(entries), len(shape.names))
        return shape

    def _spend(self, entries: int, indices: int) -> None:
        self.spent += entries
        if indices > MOST_INDICES or entries > MOST_ENTRIES or self.spent > 10 * MOST_ENTRIES:
            raise TooMuch(
                "the equation builds a tensor with far too many entries: sum sooner, or split the line"
            )

    def _type(self, expr: Expr) -> Shape:
        match expr:
            case Number() | Size():
                return Shape()
            case Variable(name):
                return Shape(frozenset([name]))
            case Lookup():
                return self._lookup(expr)
            case Ones():
                return Shape(rows=ANY)
            case Sum():
                return self._sum(expr)
            case Softmax():
                return self._softmax(expr)
            case Call():
                return self._call(expr)
            case Product(factors, place):
                return self._product(factors, place)
            case Pair():
                return self.pair(expr.kind, self.type(expr.left), self.type(expr.right), expr.place)
            case Quotient(above, below, place):
                return self.quotient(self.type(above), self.type(below), place)
            case Total(_, terms, place):
                return self.total(terms, [self.type(term) for term in terms], place)
            case Power():
                return self._power(expr)
            case Transpose():
                return self._transpose(expr, self.type(expr.body))
            case Along():
                return self._along(expr, self.type(expr.body))
            case Stack() | StackOver():
                return self._stack(expr)
            case Array(indices, body, row):
                return self._array(indices, self.type(body), row)
            case Spread(index, body, place):
                return self._spread(index, self.type(body), place)
            case Dots(place):
                raise TypeFault("the dots stand between no terms: write the sum or the stack out", place)
            case Listing(items, place):
                return self._listing(items, place)
        raise TypeFault("this expression has no meaning here")

    def _lookup(self, expr: Lookup) -> Shape:
        declared = self.setting.vocabulary.tensors.get(expr.tensor)
        if declared is None:
            known = ", ".join(name.replace("*", "h") for name in self.setting.vocabulary.tensors)
            raise TypeFault(f"{shown(expr.tensor)} is not declared: the tensors here are {known}", expr.place)
        if len(expr.indices) != len(declared.axes):  # inside another index, where none may be left out
            raise wrong_count(expr, declared.axes)
        names: frozenset[str] = frozenset()
        for index, span in zip(expr.indices, self.setting.spans_of(expr.tensor), strict=True):
            names |= self._index(index, span, expr)
        return Shape(names)

    def _index(self, index: Expr, span: Span, owner: Lookup) -> frozenset[str]:
        if isinstance(index, Lookup):
            declared = self.setting.vocabulary.declared(index.tensor)
            if declared is None or declared.entries != span.axis:
                raise TypeFault(
                    f"{index.tensor} cannot index the axis {span.axis} of {owner.tensor}: its entries are "
                    f"positions of {declared.entries if declared else 'nothing'}",
                    index.place, index.tensor,
                )  # fmt: skip
        if isinstance(index, Variable) and index.name in self.setting.fixed:
            fixed = self.setting.fixed[index.name]
            if fixed.axis and span.axis and fixed.axis != span.axis:
                raise TypeFault(
                    f"index {index.name} ranges over {fixed.axis}, but here indexes the axis {span.axis} of "
                    f"{owner.tensor}: use an index of {span.axis}",
                    index.place, index.name,
                )  # fmt: skip
        shape = self.type(index)
        value = number_of(index, self.setting.sizes)
        if not shape.scalar or (value is not None and value.denominator != 1):
            raise TypeFault(f"an index of {owner.tensor} is no whole number", owner.place)
        return shape.names

    def _sum(self, expr: Sum) -> Shape:
        """A sum of a product is never multiplied out: only its contraction costs."""
        names = {binder.name for binder in expr.binders}
        within = tuple((binder.name, binder.within) for binder in expr.binders if binder.within)
        self._check_ends(within, expr.place)
        plain = expr.kind == "sum" and not any(binder.conditions for binder in expr.binders)
        if not isinstance(expr.body, Product) or not plain:
            return self._bound(self.type(expr.body), names)
        shapes = [self.type(factor) for factor in expr.body.factors]
        if not all(shape.scalar for shape in shapes):
            return self._bound(self.type(expr.body), names)
        whole = frozenset[str]().union(*(shape.names for shape in shapes))
        lengths = {name: len(self.spans[name]) if name in self.spans else 1 for name in sorted(whole)}
        _, largest = plan_contraction([shape.names for shape in shapes], whole - names, lengths)
        self._spend(largest, 0)
        return Shape(whole - names)

    def _bound(self, shape: Shape, names: set[str]) -> Shape:
        return Shape(shape.names - names, shape.rows, shape.cols)

    def _check_ends(self, ends: tuple[tuple[str, str], ...], place: Place) -> None:
        """An index that is said to run up to a length runs over an axis of that length."""
        for name, length in ends:
            if name in self.spans and len(self.spans[name]) != self.setting.sizes[length]:
                raise TypeFault(
                    f"{shown(name)} does not run over {length}: write {shown(name)} alone for its whole axis",
                    place, shown(name),
                )  # fmt: skip

    def _softmax(self, expr: Softmax) -> Shape:
        body = self.type(expr.body)
        if expr.over:
            for name in expr.over:
                if name not in body.names and name not in self.spans:
                    raise TypeFault(
                        f"softmax over {shown(name)} runs over nothing: it indexes no tensor under it",
                        expr.place, shown(name),
                    )  # fmt: skip
            self._check_ends(expr.ends, expr.place)
            return Shape(body.names | set(expr.over), body.rows, body.cols)
        if body.scalar:
            raise TypeFault("softmax does not say which index it runs over: write softmax_{t}", expr.place)
        return body

    def _call(self, expr: Call) -> Shape:
        if expr.function == "onehot":
            return self._one_hot(expr)
        shapes = [self.type(argument) for argument in expr.arguments]
        names = frozenset[str]().union(*(shape.names for shape in shapes))
        function = self.setting.vocabulary.functions.get(expr.function)
        if function is None or not function.takes:
            if function is None and expr.function not in KNOWN:
                raise TypeFault(f"{expr.function} is not defined: define it, or write it out", expr.place)
            if len(shapes) != 1:
                raise TypeFault(f"{expr.function} takes one argument, found {len(shapes)}", expr.place)
            return self._arranged(expr, shapes[0])
        if len(shapes) != len(function.takes):
            raise TypeFault(
                f"{function.name} takes {len(function.takes)} arguments, found {len(shapes)}", expr.place
            )
        for number, (shape, axes) in enumerate(zip(shapes, function.takes, strict=True), 1):
            lengths = tuple(self.length(axis) for axis in axes)
            if (shape.rows, shape.cols) != (*lengths, None, None)[:2]:
                raise TypeFault(
                    f"argument {number} of {function.name} has shape [{','.join(axes)}], found "
                    f"{self.words(shape)}",
                    expr.place,
                )
        rows, cols = (*(self.length(axis) for axis in function.gives), None, None)[:2]
        return Shape(names, rows, cols)

    def _arranged(self, expr: Call, body: Shape) -> Shape:
        """Functions that act entry by entry keep the shape; a few rearrange the entries."""
        single = (body.rows is None) != (body.cols is None)
        length = body.rows or body.cols
        match expr.function:
            case "diag" if single:
                return Shape(body.names, length, length)
            case "diag" if body.rows == body.cols and body.rows is not None:
                return Shape(body.names, body.rows)
            case "column" | "row" | "upright" if single:
                return Shape(body.names, *((1, length) if expr.function == "row" else (length, 1)))
            case "upright" if body.rows is not None and body.cols is not None and not implied_axes(body):
                return self._stood_up(expr, body, body.rows, body.cols)
            case "column" | "row" | "upright":
                raise TypeFault(f"{self.words(body)} is no vector: a new axis needs one", expr.place)
            case "diag":
                raise TypeFault(f"{self.words(body)} is no vector: diag needs one", expr.place)
        return body

    def _stood_up(self, expr: Call, body: Shape, rows: int, cols: int) -> Shape:
        """`A[..., None]` of a matrix: its rows become an axis before the last two, which code broadcasts."""
        axis = f"{BEFORE}-3"
        known = self.broadcast.setdefault(axis, Span(0, rows - 1, axis))
        if len(known) != rows:
            raise TypeFault(f"{self.words(body)} does not fit the other array: transpose it", expr.place)
        return Shape(body.names | {axis}, cols, 1)

    def _one_hot(self, expr: Call) -> Shape:
        span = self.setting.pointed_at(expr.arguments, self.spans)
        if span is None:
            raise TypeFault("onehot takes one word or one index, such as onehot(w[b,t])", expr.place)
        return Shape(self.type(expr.arguments[0]).names, len(span))

    def _product(self, factors: tuple[Expr, ...], place: Place) -> Shape:
        shape = self.type(factors[0])
        for factor in factors[1:]:
            other = self.type(factor)
            for side in (shape, other):
                if implied_axes(side) and not (shape.scalar or other.scalar):
                    raise TypeFault(
                        f"{self.words(side)} is no matrix: write the indices before the last two", place
                    )
            shape = self.times(shape, other, getattr(factor, "place", NOWHERE) or place)
        return shape

    def _power(self, expr: Power) -> Shape:
        base, exponent = self.type(expr.base), self.type(expr.exponent)
        if base.rows is not None and base.rows == base.cols and number_of(expr.exponent, {}) == -1:
            return base  # the inverse
        if not base.scalar or not exponent.scalar:
            raise TypeFault(
                f"{self.words(base)} cannot be raised to this: write ^T to transpose, or a number", expr.place
            )
        return Shape(base.names | exponent.names)

    def _stack(self, expr: Stack | StackOver) -> Shape:
        if isinstance(expr, StackOver):
            body = self.type(expr.body)
            shapes = [self._bound(body, {expr.binder.name})] * len(self.spans[expr.binder.name])
            sideways = expr.last and body.cols is not None
        else:
            shapes, sideways = [self.type(item) for item in expr.items], expr.sideways
        names = frozenset[str]().union(*(shape.names for shape in shapes))
        if sideways:
            shapes = [Shape(s.names, s.rows, 1 if s.cols is None else s.cols) for s in shapes]
            shapes = [shape.turned for shape in shapes]
        first = shapes[0]
        if any(shape.rows is None or shape.cols != first.cols for shape in shapes):
            scalars = all(shape.scalar for shape in shapes)
            what = "numbers" if scalars else "things of different widths"
            raise TypeFault(f"only vectors and matrices can be stacked, found {what}", expr.place)
        whole = Shape(names, sum(shape.rows or 0 for shape in shapes), first.cols)
        return whole.turned if sideways else whole

    def _array(self, indices: tuple[str, ...], body: Shape, row: bool) -> Shape:
        """The last two indices become rows and columns, those before them axes that are broadcast."""
        if not body.scalar or any(name not in self.spans for name in indices):
            raise TypeFault(
                f"index {shown(indices[0])} is open inside the bracket: sum over it", index=shown(indices[0])
            )
        names = body.names - set(indices)
        before, inner = indices[:-2], indices[-2:]
        for place, index in zip(range(len(indices), 2, -1), before, strict=True):
            axis, span = f"{BEFORE}-{place}", self.spans[index]
            known = self.broadcast.setdefault(axis, Span(0, len(span) - 1, span.axis))
            if len(known) != len(span):
                raise TypeFault(
                    f"the arrays have {known.axis} and {span.axis} as their axis -{place}: make them agree"
                )
            names |= {axis}
        rows, cols = (*(len(self.spans[name]) for name in inner), None, None)[:2]
        return Shape(names, None, rows) if row else Shape(names, rows, cols)

    def _transpose(self, expr: Transpose, body: Shape) -> Shape:
        more = len(implied_axes(body))
        rank = more + (body.rows is not None) + (body.cols is not None)
        if expr.axes in ("", "all"):
            if more:
                raise TypeFault(
                    f"{self.words(body)} is no matrix: name the axes, as in transpose(-2, -1), or write the "
                    "indices before the last two",
                    expr.place,
                )
            return body.turned
        axes = [int(axis) if axis != "None" else 0 for axis in expr.axes.split(",")]
        swapped = [axis % rank for axis in axes] if all(-rank <= axis < rank for axis in axes) else []
        last = [rank - 2, rank - 1]
        if rank < 2 or (sorted(swapped) != last and swapped != [*range(rank - 2), *reversed(last)]):
            raise TypeFault(f"only the last two axes of {self.words(body)} are swapped here", expr.place)
        return body.turned

    def _along(self, expr: Along, body: Shape) -> Shape:
        if body.scalar:
            raise TypeFault(f"{expr.kind} along an axis needs an array: write {expr.kind}_{{j}}", expr.place)
        if not expr.axis:
            return Shape(body.names - set(implied_axes(body)))
        if expr.axis in body.names:
            return Shape(body.names - {expr.axis}, body.rows, body.cols)
        if expr.keeps:
            rows = 1 if expr.axis == "column" else body.rows
            return Shape(body.names, rows, body.cols if expr.axis == "column" else 1)
        return Shape(body.names, body.cols if expr.axis == "column" else body.rows)

    def _spread(self, index: str, inner: Shape, place: Place) -> Shape:
        if index in inner.names:
            raise TypeFault(f"{shown(index)} is used inside the bracket already", place, shown(index))
        if before := implied_axes(inner):
            first = len(self.broadcast[before[0]])
            if index in self.spans and len(self.spans[index]) != first:
                raise TypeFault(f"{shown(index)} cannot index {self.words(inner)}", place, shown(index))
            return Shape(inner.names - {before[0]} | {index}, inner.rows, inner.cols)
        length = inner.cols if inner.rows is None else inner.rows
        if length is None or (index in self.spans and len(self.spans[index]) != length):
            raise TypeFault(f"{shown(index)} cannot index {self.words(inner)}", place, shown(index))
        return Shape(inner.names | {index}, None, inner.cols if inner.rows is not None else None)

    def _listing(self, items: tuple[Expr, ...], place: Place) -> Shape:
        if len(items) == 2:
            return self.pair("inner", self.type(items[0]), self.type(items[1]), place)
        raise TypeFault("a list in round brackets is no product: write <a, b> c", place)
