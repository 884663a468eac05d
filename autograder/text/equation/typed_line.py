"""A line as read becomes a typed line: sums written out, every index with its range, both sides agreeing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.text.equation.chosen_sizes import Setting, Span
from autograder.text.equation.combine_shapes import BEFORE, Shape, implied_axes
from autograder.text.equation.dots import expand_dots
from autograder.text.equation.faults import TypeFault, shown
from autograder.text.equation.implied import Axes, DefinitionsPutIn, only_left, plain_indices, rename
from autograder.text.equation.index_ranges import Outside, SpanFinder
from autograder.text.equation.open_indices import Closer, open_indices
from autograder.text.equation.shapes import Typer
from autograder.text.equation.tree import (
    Along,
    Expr,
    Line,
    Lookup,
    Power,
    Size,
    Softmax,
    Spread,
    Stack,
    StackOver,
    Sum,
    Transpose,
    Variable,
    rebuild,
    walk,
)

PROBABILITIES = ("P", "p", "Pr")


@dataclass(frozen=True)
class Typed:
    """One right side of a line, ready to be evaluated; `target` is the left side with all its indices."""

    left: Lookup
    target: Expr
    right: Expr
    spans: Mapping[str, Span]
    outside: tuple[Outside, ...]
    crossed: str = ""  # an index stands where its sibling belongs: i for i'

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
    right = expand_dots(DefinitionsPutIn(setting).put_in(right, (left.tensor,)), setting.sizes)
    if left.tensor in PROBABILITIES:
        right = _for_the_word(right, left, setting)
    axes = Axes(setting, left)
    target, right = axes.name_all(left), axes.name_all(right)
    closer = Closer(setting.vocabulary, left)
    target, right = closer.close(target, {}), closer.close(right, {})
    finder = SpanFinder(target, right, setting)
    spans = finder.find()
    for name in (node.name for side in left.indices for node in walk(side) if isinstance(node, Variable)):
        if name not in spans:
            raise only_left(left, name)
    typer = Typer(setting, spans)
    right = Settler(typer, left).settle(right)
    shape = typer.type(right)
    _check_dangling(right, left, setting)
    right = _match_left(left, target, right, shape, typer)
    outside = tuple(finder.outside())
    for reading in outside:
        if reading.written:
            raise TypeFault(reading.message, reading.place)
    return Typed(left, target, right, {**spans, **typer.broadcast}, outside, finder.crossed)


def _check_left(left: Lookup, setting: Setting) -> None:
    names = plain_indices(left)
    if left.tensor not in setting.vocabulary.tensors and len(names) < len(left.indices):
        raise TypeFault(f"{left.tensor} is your own: define it for plain indices, such as i, j", left.place)
    for name in names:
        if names.count(name) > 1:
            raise TypeFault(
                f"the left side of {left.tensor} has the index {name} twice: give each place its own name",
                left.place, name,
            )  # fmt: skip


def _for_the_word(right: Expr, left: Lookup, setting: Setting) -> Expr:
    """`P(w_t | ...) = softmax_w e[w,I] ...`: the word that the softmax runs over is the word of P."""
    names = plain_indices(left)
    if len(names) == 1 and names[0] in open_indices(right):
        return _of_the_letter(right, names[0])
    if len(names) != 1:
        return right
    over = {name for node in walk(right) if isinstance(node, Softmax) for name in node.over}
    strange = [name for name in open_indices(right) if name[0].islower() and name not in setting.fixed]
    if len(over) != 1 or over != set(strange) or "_" in strange[0]:  # w_t is a word of its own
        return right
    return rename(right, {strange[0]: Variable(names[0])})


def _of_the_letter(right: Expr, word: str) -> Expr:
    """`softmax_w e[w_t,I]`: a letter that is no index there stands for the one with a subscript."""
    letter = word.partition("_")[0]
    if isinstance(right, Softmax) and right.over == (letter,) and letter not in open_indices(right.body):
        return replace(right, over=(word,))
    changed: Expr = rebuild(right, lambda child: _of_the_letter(child, word))
    return changed


class Settler:
    """Decides by types what the notation leaves open: which axis a softmax runs along, and what ^T means."""

    def __init__(self, typer: Typer, left: Lookup) -> None:
        self.typer = typer
        self.left = left

    def settle(self, expr: Expr, bound: tuple[str, ...] = ()) -> Expr:
        if isinstance(expr, Sum) and expr.written:
            bound = (*bound, *(binder.name for binder in expr.binders))
        expr = rebuild(expr, lambda child: self.settle(child, bound))
        match expr:
            case Transpose(body, letter=True) if "T" in self.typer.setting.sizes:
                if self.typer.type(body).scalar:  # the power of a number, where T is a length
                    return Power(body, Size("T", expr.place), expr.place)
            case Softmax(over=()):
                return self._softmax(expr, self.typer.type(expr.body), bound)
            case Softmax():
                axes = self._axes_of_left(expr)
                return self._softmax(axes, self.typer.type(expr.body), bound) if axes else expr
            case Along(axis=axis) if axis:
                return self._reduced(expr, self.typer.type(expr.body))
        return expr

    def _reduced(self, expr: Along, body: Shape) -> Expr:
        """A sum or mean along one axis, or along several, one after another."""
        axes = [self._axis(number, body, expr) for number in _numbers(expr.axis)]
        if len(axes) == 1:
            return replace(expr, axis=axes[0])
        inner = [axis for axis in axes if axis not in body.names]
        left = set(implied_axes(body)) - set(axes)
        if expr.keeps or len(set(axes)) < len(axes) or (len(inner) > 1 and left):
            raise TypeFault(
                f"{expr.kind} is not read along these axes together: write one at a time", expr.place
            )
        whole: Expr = expr.body
        for axis in [
            *(axis for axis in axes if axis in body.names),
            *([inner[0]] if len(inner) == 1 else []),
        ]:
            whole = replace(expr, body=whole, axis=axis)
        return replace(expr, body=whole, axis="") if len(inner) > 1 else whole

    def _softmax(self, expr: Softmax, body: Shape, bound: tuple[str, ...]) -> Expr:
        if body.scalar:
            return self._over_index(expr, bound)
        if expr.axis in ("row", "column"):
            return expr
        if not expr.axis:
            return replace(expr, axis="column" if self.typer.setting.vocabulary.columns else "row")
        axes = [self._axis(number, body, expr) for number in _numbers(expr.axis)]
        inner = [axis for axis in axes if axis not in body.names]
        over = tuple(axis for axis in axes if axis in body.names)
        return replace(expr, over=over, axis=inner[0] if len(inner) == 1 else "both" if inner else "")

    def _axes_of_left(self, expr: Softmax) -> Softmax | None:
        """`alpha = softmax(...)` over x, y, where an array has no index to name: the axes X, Y of alpha."""
        declared = self.typer.setting.vocabulary.tensors.get(self.left.tensor)
        if declared is None or self.left.indices or set(expr.over) & set(open_indices(expr.body)):
            return None
        names = [axis.lower() for axis in declared.axes]
        if self._count(self.typer.type(expr.body)) != len(names) or len(set(names)) < len(names):
            return None
        if not all(name in names for name in expr.over):
            return None
        return replace(expr, over=(), axis=",".join(str(names.index(name)) for name in expr.over))

    @staticmethod
    def _count(body: Shape) -> int:
        return len(implied_axes(body)) + (body.rows is not None) + (body.cols is not None)

    def _over_index(self, expr: Softmax, bound: tuple[str, ...]) -> Expr:
        """Without its index a softmax runs over the only one there is: the left side's, or a sum's."""
        inside = open_indices(expr.body)
        names = plain_indices(self.left)
        numbers = [int(number) for number in _numbers(expr.axis) if number.removeprefix("-").isdigit()]
        there = all(-len(names) <= number < len(names) for number in numbers)
        if (
            numbers and there and len(names) == len(self.left.indices)
        ):  # alpha[k,t1,t2] = softmax(..., dim=-1)
            return replace(expr, over=tuple(names[number] for number in numbers), axis="")
        around = [name for name in bound if name in inside]
        if not expr.axis and len(around) == 1:
            return replace(expr, over=(around[0],))
        alone = names[0] if len(names) == len(self.left.indices) == 1 else None
        if not expr.axis and alone and alone in inside and not around:
            return replace(expr, over=(alone,))
        return expr

    def _axis(self, written: str, body: Shape, expr: Softmax | Along) -> str:
        """An axis by its number: "column" runs down the rows, "row" along the columns, others by name."""
        axes = [*implied_axes(body), *(["column"] if body.rows is not None else [])]
        axes += ["row"] if body.cols is not None else []
        number = int(written) if written.removeprefix("-").isdigit() else None
        if number is None or not -len(axes) <= number < len(axes):
            raise TypeFault(
                f"there is no axis {written} of {self.typer.words(body)}: it has {len(axes)}, counted from 0",
                expr.place,
            )
        return axes[number]


def _numbers(axis: str) -> list[str]:
    """The axes of `dim=(-2, -1)`."""
    return [number.strip() for number in axis.strip("()[]").split(",")]


def _check_dangling(right: Expr, left: Lookup, setting: Setting) -> None:
    known = {node.name for index in left.indices for node in walk(index) if isinstance(node, Variable)}
    uses = [node for node in walk(right) if isinstance(node, Lookup | Spread | Softmax)]
    indexing = {node.name for use in uses for node in walk(use) if isinstance(node, Variable)}
    for name in open_indices(right):
        if name in known or name in setting.fixed or name.startswith(BEFORE):
            continue
        place = next(
            (node.place for node in walk(right) if isinstance(node, Variable) and node.name == name),
            left.place,
        )
        if name not in indexing:
            lengths = ", ".join(setting.vocabulary.axes)
            raise TypeFault(f"{shown(name)} is nothing here: the lengths are {lengths}", place, shown(name))
        fix = "repeat it, sum over it" if name[0].isupper() else "sum over it"
        raise TypeFault(
            f"index {shown(name)} dangles: it stands on the right side of {left.tensor} only; "
            f"{fix} or put it on the left",
            place, shown(name),
        )  # fmt: skip


def _match_left(left: Lookup, target: Expr, right: Expr, shape: Shape, typer: Typer) -> Expr:
    """Bring the right side into the form of the left one, or say why they do not agree."""
    setting = typer.setting
    if left.tensor not in setting.vocabulary.tensors:
        return right
    want = typer.type(target)
    spread = _as_stacked(left, right, shape, want, typer)
    if spread:
        return spread
    turned = (shape.cols, shape.rows) == (want.rows, want.cols) and None in (want.rows, want.cols)
    if implied_axes(want) != implied_axes(shape) or (
        (shape.rows, shape.cols) != (want.rows, want.cols) and not turned
    ):
        raise TypeFault(_disagreement(left, want, shape, typer), left.place)
    if turned and (shape.rows, shape.cols) != (want.rows, want.cols):
        right = Transpose(right)
    used = any(isinstance(node, Lookup) for node in walk(right))
    bound = {shown(name) for name in typer.spans if "@" in name}
    for name in plain_indices(left):
        if used and name not in shape.names and name not in bound and name not in setting.fixed:
            raise only_left(left, name)
    return right


def _as_stacked(left: Lookup, right: Expr, shape: Shape, want: Shape, typer: Typer) -> Expr | None:
    """`h[x,y,J] = Out[1,x,y,I]; ...`: what is stacked has no index to write; the left side names it."""
    missing = [name for name in plain_indices(left) if name not in shape.names]
    lengths = [len(typer.spans[name]) for name in missing]
    inside = [length for length in (shape.rows, shape.cols) if length is not None]
    stacked = any(isinstance(node, Stack | StackOver) for node in walk(right))
    if not missing or not stacked or not want.scalar or inside != lengths:
        return None
    for name in missing:
        right = Spread(name, right)
    return right


def _disagreement(left: Lookup, want: Shape, shape: Shape, typer: Typer) -> str:
    name = left.tensor.replace("*", "h")
    said = f"the left side of {name} is {typer.words(want)}, the right side {typer.words(shape)}"
    if want.scalar and not shape.scalar:
        return f"{said}: write the last index on both sides, or on neither"
    return f"{said}: make them agree"
