"""A typed line becomes numbers: float64 tensors whose axes carry the names of the indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

import torch

from autograder.text.equation.chosen_sizes import Setting, Span
from autograder.text.equation.combine_shapes import BEFORE, plan_contraction
from autograder.text.equation.named_tensors import (
    ELEMENTWISE,
    Stored,
    Uninterpreted,
    Value,
    aligned,
    einsum,
    kron,
    reduce,
    stretched,
    turned,
    union,
)
from autograder.text.equation.tree import (
    Along,
    Array,
    Binder,
    Call,
    Condition,
    Expr,
    Listing,
    Lookup,
    Number,
    Ones,
    Pair,
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
from autograder.text.equation.typed_line import Typed

ARRANGED = ("diag", "onehot", "column", "row", "upright")
Caller = Mapping[str, Uninterpreted]


class Evaluator:
    """Evaluates right sides for one setting and one draw of the tensors."""

    def __init__(self, setting: Setting, tensors: Mapping[str, Stored], functions: Caller) -> None:
        self.setting = setting
        self.tensors = tensors
        self.functions = functions
        self.spans: Mapping[str, Span] = {}

    def run(self, typed: Typed) -> Value:
        self.spans = typed.spans
        return self.value(typed.right)

    def left(self, typed: Typed, target: Stored) -> Value:
        """The key's values at the positions that the left side names."""
        self.spans = typed.spans
        given, self.tensors = self.tensors, {**self.tensors, typed.left.tensor: target}
        value = self.value(typed.target)
        self.tensors = given
        return value

    def value(self, expr: Expr) -> Value:
        match expr:
            case Number(number):
                return Value((), torch.tensor(float(number), dtype=torch.float64))
            case Size(name):
                return Value((), torch.tensor(float(self.setting.sizes[name]), dtype=torch.float64))
            case Variable(name):
                span = self.spans[name]
                return Value((name,), torch.arange(span.low, span.high + 1, dtype=torch.float64))
            case Lookup(tensor):
                return self._stored(expr, self.tensors[tensor])
            case Ones():
                return Value((), torch.ones(1, dtype=torch.float64), rows=True)
            case Sum():
                return self._sum(expr)
            case Softmax():
                return self._softmax(expr)
            case Call():
                return self._call(expr)
            case Product(factors):
                return self._product([self.value(factor) for factor in factors], None)
            case Pair():
                return self._pair(expr)
            case Quotient(above, below):
                return self._divided(self.value(above), self.value(below))
            case Total():
                return self._total(expr)
            case Power(base, exponent):
                return self._power(self.value(base), self.value(exponent))
            case Transpose(body):
                return turned(self.value(body))
            case Stack() | StackOver():
                return self._stack(expr)
            case Array(indices, body, row):
                return self._array(indices, self.value(body), row)
            case Along():
                return self._along(expr, self.value(expr.body))
            case Spread(index, body):
                return self._spread(index, self.value(body))
            case Listing(items):
                return self._pair(Pair("inner", items[0], items[1]))
        raise AssertionError(f"no value for {expr}")

    # ------------------------------------------------------------ tensors and indices

    def _stored(self, expr: Lookup, stored: Stored) -> Value:
        spans = [self.setting.fixed[name] for name in stored.outer]
        for part, whole in zip_longest(stored.spans, self.setting.spans_of(expr.tensor)):
            spans.append(part or whole)
        indices: list[Expr] = [*(Variable(name) for name in stored.outer), *expr.indices]
        names = [index.name for index in indices if isinstance(index, Variable)]
        whole = len(names) == len(set(names)) == len(indices)
        if whole and all(self._covers(name, span) for name, span in zip(names, spans, strict=False)):
            found = Value(tuple(names), stored.data)
        else:
            found = self._gathered(stored.data, indices, spans)
        return self._entries(expr, found)

    def _array(self, indices: tuple[str, ...], body: Value, row: bool) -> Value:
        """The indices laid out as axes: the last two inside, those before them under names of their own."""
        body = self._expanded(body, indices)
        names = tuple(name for name in body.names if name not in indices)
        before = tuple(f"{BEFORE}-{place}" for place in range(len(indices), 2, -1))
        inner = min(len(indices), 2)
        data = aligned(body, (*names, *indices))
        return Value((*names, *before), data, inner > 0 and not row, inner > 1 or row)

    def _spread(self, index: str, body: Value) -> Value:
        """The first axis of an array under the name of an index."""
        before = sorted(
            (name for name in body.names if name.startswith(BEFORE)), key=lambda name: int(name[4:])
        )
        if before:
            return replace(body, names=tuple(index if name == before[0] else name for name in body.names))
        return Value((*body.names, index), body.data, rows=False, cols=body.inner == 2)

    def _covers(self, name: str, span: Span) -> bool:
        return (self.spans[name].low, self.spans[name].high) == (span.low, span.high)

    def _entries(self, expr: Lookup, found: Value) -> Value:
        """Whole-number entries count from where their axis does."""
        declared = self.setting.vocabulary.tensors.get(expr.tensor)
        if declared is None or not declared.entries:
            return found
        return replace(found, data=found.data + self.setting.axis_span(declared.entries).low)

    def _gathered(self, data: torch.Tensor, indices: list[Expr], spans: list[Span]) -> Value:
        values = [self.value(index) for index in indices]
        names = union(*values)
        positions = []
        for value, span in zip(values, spans, strict=False):
            at = aligned(value, names).round().long() - span.low
            positions.append(at % len(span))  # reading beyond an end is reported, and never right
        return Value(names, data[tuple(positions)] if positions else data)

    def _expanded(self, value: Value, extra: tuple[str, ...]) -> Value:
        """The value with an axis for each name, constant along those it lacks."""
        missing = tuple(name for name in extra if name not in value.names)
        if not missing:
            return value
        names = (*missing, *value.names)
        lengths = [len(self.spans[name]) for name in missing]
        return Value(names, value.data.expand([*lengths, *value.data.shape]), value.rows, value.cols)

    # ------------------------------------------------------------ sums and products

    def _sum(self, expr: Sum) -> Value:
        bound = frozenset(binder.name for binder in expr.binders)
        conditions = [condition for binder in expr.binders for condition in binder.conditions]
        if isinstance(expr.body, Product) and not conditions and expr.kind == "sum":
            values = [self.value(factor) for factor in expr.body.factors]
            if all(value.inner == 0 for value in values):
                return self._product(values, bound)
        body = self._expanded(self.value(expr.body), tuple(sorted(bound)))
        for condition in conditions:
            body = self._masked(body, condition)
        dims = [at for at, name in enumerate(body.names) if name in bound]
        names = tuple(name for name in body.names if name not in bound)
        return Value(names, reduce(expr.kind, body.data, dims), body.rows, body.cols)

    def _masked(self, body: Value, condition: Condition) -> Value:
        left, right = self.value(condition.left), self.value(condition.right)
        names = union(left, right)
        a, b = aligned(left, names), aligned(right, names)
        a, b = a + 0 * b, b + 0 * a
        holds = {
            "<": a < b, "<=": a <= b, "!=": a != b, "even": a % 2 == 0, "odd": a % 2 == 1,
        }[condition.relation]  # fmt: skip
        mask = Value(names, holds)
        body = self._expanded(body, names)
        kept = aligned(mask, body.names)
        kept = kept.reshape([*kept.shape, *[1] * body.inner])
        return replace(body, data=torch.where(kept, body.data, torch.zeros((), dtype=torch.float64)))

    def _product(self, values: list[Value], bound: frozenset[str] | None) -> Value:
        if bound is None and any(value.inner for value in values):
            whole = values[0]
            for value in values[1:]:
                whole = self._times(whole, value)
            return whole
        bound = bound or frozenset()
        values = [self._expanded(values[0], tuple(sorted(bound - set(union(*values))))), *values[1:]]
        keep = frozenset(union(*values)) - bound
        values = [self._reduced(value, at, values, keep) for at, value in enumerate(values)]
        lengths = {name: len(self.spans[name]) for name in union(*values)}
        for step in plan_contraction([frozenset(value.names) for value in values], keep, lengths)[0]:
            pair = values[step.left], values[step.right]
            rest = [value for at, value in enumerate(values) if at not in (step.left, step.right)]
            values = [*rest, einsum(*pair, tuple(name for name in union(*pair) if name in step.keep))]
        return values[0]

    def _reduced(self, value: Value, at: int, values: list[Value], keep: frozenset[str]) -> Value:
        """A bound index that only one factor has is summed there."""
        others = keep.union(*(other.names for number, other in enumerate(values) if number != at))
        dims = [number for number, name in enumerate(value.names) if name not in others]
        if not dims:
            return value
        return Value(tuple(name for name in value.names if name in others), value.data.sum(dim=dims))

    def _times(self, left: Value, right: Value) -> Value:
        """The product of numbers, vectors and matrices."""
        names = union(left, right)
        a, b = aligned(left, names), aligned(right, names)
        if left.inner == 0 or right.inner == 0:
            other = right if left.inner == 0 else left
            a = a.reshape([*a.shape, *[1] * (other.inner - left.inner)])
            b = b.reshape([*b.shape, *[1] * (other.inner - right.inner)])
            return Value(names, a * b, other.rows, other.cols)
        a = a if left.rows else a.unsqueeze(-2)
        a = a if left.cols else a.unsqueeze(-1)
        b = b if right.rows else b.unsqueeze(-2)
        b = b if right.cols else b.unsqueeze(-1)
        a, b = stretched(a, b)
        data = a @ b
        data = data if right.cols else data.squeeze(-1)
        data = data if left.rows else data.squeeze(-1 if not right.cols else -2)
        return Value(names, data, left.rows, right.cols)

    def _pair(self, expr: Pair) -> Value:
        left, right = self.value(expr.left), self.value(expr.right)
        vectors = left.inner == 1 and right.inner == 1
        if expr.kind == "kron" and left.inner and right.inner:
            return kron(left, right)
        if expr.kind == "each":
            return self._each(torch.mul, left, right)
        if expr.kind == "matmul" and not vectors:
            left = turned(left) if left.rows and not left.cols else left
            right = turned(right) if right.cols and not right.rows else right
            product = self._times(left, right)
            return replace(product, rows=True, cols=False) if product.inner == 1 else product
        if vectors and expr.kind in ("dot", "inner", "matmul"):
            row, column = replace(left, rows=False, cols=True), replace(right, rows=True, cols=False)
            return self._times(row, column)
        if expr.kind == "dot" and left.rows and not left.cols and right.rows:
            left = turned(left)
        return self._times(left, right)

    def _divided(self, above: Value, below: Value) -> Value:
        if above.rows and below.cols and not below.rows:
            below = Value(below.names, below.data.unsqueeze(-2), rows=True, cols=True)
        return self._each(torch.div, above, below)

    def _each(self, operation: object, left: Value, right: Value) -> Value:
        names = union(left, right)
        a, b = aligned(left, names), aligned(right, names)
        a = a.reshape([*a.shape, *[1] * max(0, right.inner - left.inner)])
        b = b.reshape([*b.shape, *[1] * max(0, left.inner - right.inner)])
        wider = left if left.inner >= right.inner else right
        assert callable(operation)
        return Value(names, operation(a, b), wider.rows, wider.cols)

    def _power(self, base: Value, exponent: Value) -> Value:
        if base.inner == 2:
            return replace(base, data=torch.linalg.inv_ex(base.data).inverse)
        return self._each(torch.pow, base, exponent)

    def _along(self, expr: Along, body: Value) -> Value:
        """A sum, mean, max or min along one axis of an array, or along all of them."""
        named = [name for name in body.names if name == expr.axis]
        named = named if expr.axis else [name for name in body.names if name.startswith(BEFORE)]
        last = [-1, -2][: body.inner] if not expr.axis else []
        if expr.axis and not named:
            last = [-2 if expr.axis == "column" and body.inner == 2 else -1]
        dims = [*(body.names.index(name) for name in named), *(body.data.dim() + at for at in last)]
        data = reduce(expr.kind, body.data, dims)
        names = tuple(name for name in body.names if name not in named)
        if not last:
            return Value(names, data, body.rows, body.cols)
        if expr.keeps and expr.axis:
            return Value(
                names, data.unsqueeze(-2 if expr.axis == "column" and body.inner == 2 else -1), True, True
            )
        return Value(names, data, rows=bool(expr.axis) and body.inner == 2)

    def _total(self, expr: Total) -> Value:
        total: Value | None = None
        for sign, term in zip(expr.signs, expr.terms, strict=True):
            value = self.value(term)
            value = replace(value, data=sign * value.data)
            total = value if total is None else self._each(torch.add, total, value)
        assert total is not None
        return total

    # ------------------------------------------------------------ functions and stacks

    def _softmax(self, expr: Softmax) -> Value:
        body = self.value(expr.body)
        if expr.over:
            body = self._expanded(body, expr.over)
        dims = [body.names.index(name) for name in expr.over]
        if expr.axis == "both":
            dims += [-2, -1]
        elif expr.axis or not expr.over:
            dims.append(-2 if expr.axis == "column" and body.inner == 2 else -1)
        return replace(body, data=torch.exp(body.data - torch.logsumexp(body.data, dim=dims, keepdim=True)))

    def _call(self, expr: Call) -> Value:
        values = [self.value(argument) for argument in expr.arguments]
        function = self.setting.vocabulary.functions.get(expr.function)
        if expr.function in ARRANGED:
            return self._arranged(expr, values[0])
        if function is None:
            return replace(values[0], data=ELEMENTWISE[expr.function](values[0].data))
        called = self.functions[expr.function]
        if not function.takes:
            return replace(values[0], data=called.each(values[0].data))
        names = union(*values)
        flat = []
        for value in values:
            data = aligned(value, names)
            flat.append(data.reshape(*data.shape[: len(names)], -1))
        data = called.joint(flat)
        shape = (*data.shape[:-1], *called.gives)
        return Value(names, data.reshape(shape), len(called.gives) > 0, len(called.gives) > 1)

    def _arranged(self, expr: Call, body: Value) -> Value:
        """diag, onehot, and a vector stood up as a column or laid down as a row."""
        match expr.function:
            case "onehot":
                span = self.setting.pointed_at(expr.arguments, self.spans)
                assert span is not None
                positions = torch.arange(span.low, span.high + 1, dtype=torch.float64)
                return Value(body.names, (body.data.unsqueeze(-1) == positions).double(), rows=True)
            case "diag" if body.inner == 1:
                return Value(body.names, torch.diag_embed(body.data), True, True)
            case "diag":
                return Value(body.names, torch.diagonal(body.data, dim1=-2, dim2=-1), rows=True)
        names = (*body.names, f"{BEFORE}-3") if body.inner == 2 else body.names
        return Value(names, body.data.unsqueeze(-2 if expr.function == "row" else -1), True, True)

    def _stack(self, expr: Stack | StackOver) -> Value:
        if isinstance(expr, StackOver):
            return self._stack_over(expr.binder, self.value(expr.body), expr.last)
        values = [self.value(item) for item in expr.items]
        names = union(*values)
        rows = [self._expanded(value, names) for value in values]
        data = [aligned(value, names) for value in rows]
        if expr.sideways:
            data = [piece if row.cols else piece.unsqueeze(-1) for piece, row in zip(data, rows, strict=True)]
            return Value(names, torch.cat(data, dim=-1), rows[0].rows, True)
        return Value(names, torch.cat(data, dim=-rows[0].inner), rows[0].rows, rows[0].cols)

    def _stack_over(self, binder: Binder, body: Value, last: bool) -> Value:
        body = self._expanded(body, (binder.name,))
        names = tuple(name for name in body.names if name != binder.name)
        data = aligned(body, (*names, binder.name))
        if last and body.cols:
            return Value(names, data.movedim(len(names), -2).flatten(-2), body.rows, body.cols)
        return Value(names, data.flatten(len(names), len(names) + 1), body.rows, body.cols)
