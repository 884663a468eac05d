"""The tree of an index equation: what is left of a line once its notation is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from autograder.text.step_bound import spend


@dataclass(frozen=True)
class Place:
    """Where something stands in the answer, counted from 1."""

    line: int
    column: int


NOWHERE = Place(0, 0)


class Expr:
    """Anything that has a value."""


@dataclass(frozen=True)
class Number(Expr):
    value: Fraction


@dataclass(frozen=True)
class Size(Expr):
    """A capital letter used as a number: the length of its axis."""

    name: str
    place: Place = NOWHERE


@dataclass(frozen=True)
class Variable(Expr):
    """An index. A capital one stands for the whole axis."""

    name: str
    place: Place = NOWHERE

    @property
    def capital(self) -> bool:
        return self.name[0].isupper()


@dataclass(frozen=True)
class Lookup(Expr):
    """A tensor with its indices; axes left out at the end make it a vector or a matrix."""

    tensor: str
    indices: tuple[Expr, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True)
class Whole(Expr):
    """`:` in an index list: the whole axis, as in e[w[b,t], :]."""


@dataclass(frozen=True)
class Ones(Expr):
    """The vector of ones, as long as its neighbour asks."""


@dataclass(frozen=True)
class Condition:
    """A restriction under a sum: `j <= i`, `j != i`, `t even`."""

    left: Expr
    relation: str  # "<", "<=", "!=", "even" or "odd"
    right: Expr


@dataclass(frozen=True)
class Binder:
    """An index bound by a sum, with its bounds where they are written."""

    name: str
    low: Expr | None = None
    high: Expr | None = None
    conditions: tuple[Condition, ...] = ()
    place: Place = NOWHERE
    within: str = ""  # the axis in which it is said to be


@dataclass(frozen=True)
class Sum(Expr):
    """A sum over indices; `written` is false where a repeated capital index implies it.

    `kind` may also be max, min, product or mean: wrong answers use them.
    """

    binders: tuple[Binder, ...]
    body: Expr
    place: Place = NOWHERE
    written: bool = True
    kind: str = "sum"


@dataclass(frozen=True)
class Softmax(Expr):
    """Over the named indices, down each column, along each row, or along a numbered axis as in code."""

    over: tuple[str, ...]
    body: Expr
    axis: str = ""  # "column", "row", a number such as "-1", or nothing
    place: Place = NOWHERE
    ends: tuple[tuple[str, str], ...] = ()  # an index and the length up to which it is said to run


@dataclass(frozen=True)
class Along(Expr):
    """`A.sum(dim=1, keepdim=True)`: a sum, mean, max or min along one axis of an array, or along all."""

    kind: str
    body: Expr
    axis: str = ""
    keeps: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True)
class Einsum(Expr):
    """`einsum('kia,kib->kab', A, B)`, as torch and numpy spell a product summed over indices."""

    pattern: str
    operands: tuple[Expr, ...]
    place: Place = NOWHERE


@dataclass(frozen=True)
class Call(Expr):
    function: str
    arguments: tuple[Expr, ...]
    place: Place = NOWHERE


@dataclass(frozen=True)
class Product(Expr):
    factors: tuple[Expr, ...]
    place: Place = NOWHERE


@dataclass(frozen=True)
class Pair(Expr):
    """Two operands: `dot`, `inner`, `kron`, `matmul` (`@` of code) or `each` (elementwise)."""

    kind: str
    left: Expr
    right: Expr
    place: Place = NOWHERE


@dataclass(frozen=True)
class Quotient(Expr):
    above: Expr
    below: Expr
    place: Place = NOWHERE


@dataclass(frozen=True)
class Total(Expr):
    """Terms with their signs, +1 or -1."""

    signs: tuple[int, ...]
    terms: tuple[Expr, ...]
    place: Place = NOWHERE


@dataclass(frozen=True)
class Power(Expr):
    base: Expr
    exponent: Expr
    place: Place = NOWHERE


@dataclass(frozen=True)
class Transpose(Expr):
    """`^T` may also be the power T of a number: the type decides.

    `axes` are what code names: `A.transpose(1, 2)` swaps these two, `A.T` ("all") turns all of them round.
    """

    body: Expr
    letter: bool = False
    place: Place = NOWHERE
    axes: str = ""


@dataclass(frozen=True)
class Stack(Expr):
    """Items one under another (or side by side)."""

    items: tuple[Expr, ...]
    sideways: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True)
class StackOver(Expr):
    """The body for each value of one index, one under another, or along the `last` axis of arrays."""

    binder: Binder
    body: Expr
    place: Place = NOWHERE
    last: bool = False


@dataclass(frozen=True)
class Dots(Expr):
    """`...` between the terms of a sum or the items of a stack."""

    place: Place = NOWHERE


@dataclass(frozen=True)
class Listing(Expr):
    """Items between round brackets, which are no product: `(a, b, c)`."""

    items: tuple[Expr, ...]
    place: Place = NOWHERE


@dataclass(frozen=True)
class Array(Expr):
    """Indices of the body taken as axes in this order; never written, only implied.

    The last two are rows and columns; those before them are broadcast, as torch and numpy do it.
    """

    indices: tuple[str, ...]
    body: Expr
    row: bool = False  # a single axis that lies down


@dataclass(frozen=True)
class Spread(Expr):
    """The entries of a vector taken as an index: implied, or written as (A x)[i]."""

    index: str
    body: Expr
    place: Place = NOWHERE


@dataclass(frozen=True)
class Line:
    """One equation: what it defines, and one or more right sides."""

    left: Lookup
    rights: tuple[Expr, ...]
    place: Place = NOWHERE


_parts_of: dict[type[object], tuple[str, ...]] = {}


def _parts(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a node that may hold expressions; `fields` itself is slow."""
    if kind not in _parts_of:
        _parts_of[kind] = tuple(
            part.name for part in fields(kind) if part.type not in ("Place", "str", "bool")
        )
    return _parts_of[kind]


def children(node: object) -> Iterator[Expr]:
    """The expressions directly below a node, those of its binders and conditions included."""
    for part in _parts(type(node)):
        yield from _expressions(getattr(node, part))


def _expressions(value: object) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions(item)
    elif isinstance(value, Binder | Condition):
        yield from children(value)


def walk(node: Expr) -> Iterator[Expr]:
    """A node and everything below it."""
    spend()
    yield node
    for child in children(node):
        yield from walk(child)


def depth(node: Expr) -> int:
    """How many expressions stand inside one another; found without recursion, since it guards recursion."""
    deepest, left = 0, [(node, 1)]
    while left:
        inner, level = left.pop()
        deepest = max(deepest, level)
        left += [(child, level + 1) for child in children(inner)]
    return deepest


def rebuild(node: Any, change: Callable[[Expr], Expr]) -> Any:
    """The same node with `change` applied to every expression directly below it."""
    changed = {}
    for part in _parts(type(node)):
        before = getattr(node, part)
        after = _changed(before, change)
        if after is not before:
            changed[part] = after
    return replace(node, **changed) if changed else node


def _changed(value: object, change: Callable[[Expr], Expr]) -> object:
    if isinstance(value, Expr):
        return change(value)
    if isinstance(value, tuple):
        items = tuple(_changed(item, change) for item in value)
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if isinstance(value, Binder | Condition):
        return rebuild(value, change)
    return value


def without_places(node: object) -> Any:
    """The same tree with every place forgotten, so that two readings can be compared."""
    if isinstance(node, tuple):
        return tuple(without_places(item) for item in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, Place):
        return NOWHERE
    return replace(node, **{part.name: without_places(getattr(node, part.name)) for part in fields(node)})


def signature(line: Line) -> str:
    """Equal for two lines that differ only in the names of their indices."""
    return _written((line.left, line.rights), {})


def _written(node: object, names: dict[str, str]) -> str:
    if isinstance(node, tuple):
        return "(" + " ".join(_written(item, names) for item in node) + ")"
    if not is_dataclass(node) or isinstance(node, Place):
        return "" if isinstance(node, Place) else repr(node)
    pieces = [type(node).__name__]
    for part in fields(node):
        value = getattr(node, part.name)
        if isinstance(node, Variable | Binder) and part.name == "name":
            pieces.append(names.setdefault(value, f"#{len(names)}"))
        elif isinstance(node, Softmax) and part.name == "over":
            pieces += [names.setdefault(name, f"#{len(names)}") for name in value]
        else:
            pieces.append(_written(value, names))
    return "<" + " ".join(pieces) + ">"
