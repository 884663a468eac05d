"""A line as read becomes a typed line: sums written out, every index with its range, both sides agreeing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.answers.equation.algebra import Shape
from autograder.answers.equation.closing import Closer, open_indices
from autograder.answers.equation.dots import expand_dots
from autograder.answers.equation.faults import TypeFault, shown
from autograder.answers.equation.lines import read_definition
from autograder.answers.equation.setting import OwnTensor, Setting, Span
from autograder.answers.equation.shapes import Typer
from autograder.answers.equation.spans import Outside, SpanFinder
from autograder.answers.equation.tree import (
    Call,
    Expr,
    Line,
    Lookup,
    Power,
    Size,
    Softmax,
    Spread,
    StackOver,
    Sum,
    Transpose,
    Variable,
    rebuild,
    walk,
)


@dataclass(frozen=True)
class Typed:
    """One right side of a line, ready to be evaluated."""

    left: Lookup
    right: Expr
    spans: Mapping[str, Span]
    own: OwnTensor | None
    outside: tuple[Outside, ...]

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(
            node.name for index in self.left.indices for node in walk(index) if isinstance(node, Variable)
        )

    @property
    def summed(self) -> tuple[str, ...]:
        binders = [b for node in walk(self.right) if isinstance(node, Sum) for b in node.binders]
        binders += [node.binder for node in walk(self.right) if isinstance(node, StackOver)]
        return tuple(dict.fromkeys(binder.name for binder in binders))


def type_line(line: Line, right: Expr, setting: Setting) -> Typed:
    """Check one right side against its left side."""
    left = line.left
    _check_left(left, setting)
    right = _inlined(expand_dots(right, setting.sizes), setting)
    right = Closer(setting.vocabulary, left).close(right, {})
    right = _with_softmax_index(right, left)
    finder = SpanFinder(left, right, setting)
    spans = finder.find()
    for index in (node for side in left.indices for node in walk(side) if isinstance(node, Variable)):
        if index.name not in spans:
            raise _only_left(left, index.name)
    typer = Typer(setting, spans)
    right = _settle_powers(right, typer)
    shape = typer.type(right)
    _check_dangling(right, left, setting)
    right, shape = _match_left(left, right, shape, typer)
    outside = tuple(finder.outside())
    for reading in outside:
        if reading.written:
            raise TypeFault(reading.message, reading.place)
    own = None
    if left.tensor not in setting.vocabulary.tensors:
        own = OwnTensor(tuple(spans[name] for name in _left_names(left)), shape.rows, shape.cols)
    return Typed(left, right, spans, own, outside)


def _left_names(left: Lookup) -> list[str]:
    return [index.name for index in left.indices if isinstance(index, Variable)]


def _only_left(left: Lookup, name: str) -> TypeFault:
    return TypeFault(
        f"index {name} stands on the left side of {left.tensor} only: use it on the right or drop it",
        left.place,
        name,
    )


def _check_left(left: Lookup, setting: Setting) -> None:
    names = _left_names(left)
    if left.tensor not in setting.vocabulary.tensors and len(names) < len(left.indices):
        raise TypeFault(f"{left.tensor} is your own: define it for plain indices, such as i, j", left.place)
    for name in names:
        if names.count(name) > 1:
            raise TypeFault(
                f"the left side of {left.tensor} has the index {name} twice: give each place its own name",
                left.place, name,
            )  # fmt: skip


def _inlined(expr: Expr, setting: Setting) -> Expr:
    """Functions that the part defines, replaced by their definitions."""
    expr = rebuild(expr, lambda child: _inlined(child, setting))
    if not isinstance(expr, Call):
        return expr
    function = setting.vocabulary.functions.get(expr.function)
    if not function or not function.body:
        return expr
    if len(expr.arguments) != 1:
        raise TypeFault(f"{function.name} takes one argument, found {len(expr.arguments)}", expr.place)
    body = read_definition(function, setting.vocabulary)
    return _substituted(body, function.argument, expr.arguments[0])


def _substituted(expr: Expr, name: str, value: Expr) -> Expr:
    if isinstance(expr, Lookup) and expr.tensor == name:
        return value
    changed: Expr = rebuild(expr, lambda child: _substituted(child, name, value))
    return changed


def _with_softmax_index(right: Expr, left: Lookup) -> Expr:
    """A softmax without its index runs over the only one there is: the left side's, or that of a sum."""
    names = _left_names(left)
    alone = names[0] if len(names) == len(left.indices) == 1 else None

    def visit(node: Expr, bound: tuple[str, ...]) -> Expr:
        if isinstance(node, Sum) and node.written:
            bound = (*bound, *(binder.name for binder in node.binders))
        node = rebuild(node, lambda child: visit(child, bound))
        if isinstance(node, Softmax) and not node.over:
            inside = open_indices(node.body)
            around = [name for name in bound if name in inside]
            if len(around) == 1:
                return replace(node, over=(around[0],))
            if alone and alone in inside and not around:
                return replace(node, over=(alone,))
        return node

    return visit(right, ())


def _settle_powers(expr: Expr, typer: Typer) -> Expr:
    """`^T` of a number is its power, where T is a length; otherwise it transposes."""
    if isinstance(expr, Transpose) and expr.letter and "T" in typer.setting.sizes:
        body = _settle_powers(expr.body, typer)
        if typer.type(body).scalar:
            return Power(body, Size("T", expr.place), expr.place)
        return replace(expr, body=body)
    changed: Expr = rebuild(expr, lambda child: _settle_powers(child, typer))
    return changed


def _check_dangling(right: Expr, left: Lookup, setting: Setting) -> None:
    known = {node.name for index in left.indices for node in walk(index) if isinstance(node, Variable)}
    for name in open_indices(right):
        if name in known or name in setting.fixed:
            continue
        place = next(
            (node.place for node in walk(right) if isinstance(node, Variable) and node.name == name),
            left.place,
        )
        fix = "repeat it, sum over it" if name[0].isupper() else "sum over it"
        raise TypeFault(
            f"index {shown(name)} dangles: it stands on the right side of {left.tensor} only; "
            f"{fix} or put it on the left",
            place, shown(name),
        )  # fmt: skip


def _match_left(left: Lookup, right: Expr, shape: Shape, typer: Typer) -> tuple[Expr, Shape]:
    """Bring the right side into the form of the left one, or say why they do not agree."""
    setting = typer.setting
    if left.tensor not in setting.vocabulary.tensors:
        return right, shape
    want = typer.type(left)
    missing = [name for name in _left_names(left) if name not in shape.names]
    lengths = [len(typer.spans[name]) for name in missing]
    inside = [length for length in (shape.rows, shape.cols) if length is not None]
    if missing and want.scalar and inside == lengths:
        for name in missing:
            right = Spread(name, right)
        return right, Shape(shape.names | set(missing))
    if (shape.rows, shape.cols) != (want.rows, want.cols):
        if (shape.cols, shape.rows) == (want.rows, want.cols) and None in (want.rows, want.cols):
            return Transpose(right), shape.turned
        raise TypeFault(
            f"the left side of {left.tensor.replace('*', 'h')} is {typer.words(want)}, the right side "
            f"{typer.words(shape)}: make them agree",
            left.place,
        )
    used = any(isinstance(node, Lookup) for node in walk(right))
    bound = {shown(name) for name in typer.spans if "@" in name}
    for name in missing:
        if used and name not in bound and name not in setting.fixed:
            raise _only_left(left, name)
    return right, shape
