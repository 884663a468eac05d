"""The one small frozen tree that an expression becomes before anything is decided about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from autograder.text.step_bound import spend


@dataclass(frozen=True, slots=True)
class Num:
    """An exact number; it is shown as 0.6 where it was `typed` so, and not worked out from 3/5."""

    value: Fraction
    typed: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Const:
    """A named constant: `e`, `pi`, or `I`, the identity of formulas with matrices."""

    name: str


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable, a matrix or an event, by its plain name."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One of many values of a name: x_i."""

    name: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two or more terms."""

    terms: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of two or more factors in their order; a quotient is a product with a power of -1."""

    factors: tuple[Expr, ...]
    loose: bool = field(default=False, compare=False, repr=False)  # nothing around it has brackets


@dataclass(frozen=True, slots=True)
class Pow:
    """A power."""

    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied: ln, log (its base second), max, factorial, one that a question declares, …

    `given` are the arguments after a bar: P(A, B | C).
    """

    name: str
    args: tuple[Expr, ...]
    given: tuple[Expr, ...] = ()
    loose: bool = field(default=False, compare=False, repr=False)  # nothing around it has brackets


@dataclass(frozen=True, slots=True)
class Many:
    """A sum, product, largest, smallest or log-sum-exp over an index; without ends over all there are."""

    name: str
    index: str
    body: Expr
    low: Expr | None = None
    high: Expr | None = None


Expr = Num | Const | Sym | Entry | Add | Mul | Pow | Call | Many

# Calls by a sign: the events of which a probability may be, such as X = 1.
RELATIONS = ("=", "<", ">", "<=", ">=", "!=", "in")

ZERO = Num(Fraction(0))
ONE = Num(Fraction(1))
TWO = Num(Fraction(2))
MINUS_ONE = Num(Fraction(-1))
E = Const("e")


def add(*terms: Expr) -> Expr:
    """A sum, flattened."""
    flat: list[Expr] = []
    for term in terms:
        flat.extend(term.terms if isinstance(term, Add) else (term,))
    return flat[0] if len(flat) == 1 else Add(tuple(flat))


def mul(*factors: Expr) -> Expr:
    """A product, flattened, without factors of one."""
    flat: list[Expr] = []
    for factor in factors:
        flat.extend(factor.factors if isinstance(factor, Mul) else (factor,))
    flat = [factor for factor in flat if factor != ONE] or [ONE]
    return flat[0] if len(flat) == 1 else Mul(tuple(flat))


def neg(node: Expr) -> Expr:
    return Num(-node.value, node.typed) if isinstance(node, Num) else mul(MINUS_ONE, node)


def div(above: Expr, below: Expr) -> Expr:
    return mul(above, Pow(below, MINUS_ONE))


def inverse(node: Expr) -> Expr:
    """One over it, worked out for a number."""
    return Num(1 / node.value) if isinstance(node, Num) and node.value else Pow(node, MINUS_ONE)


def children(node: Expr) -> tuple[Expr, ...]:
    match node:
        case Entry(_, index):
            return (index,)
        case Add(parts) | Mul(parts):
            return parts
        case Pow(base, exponent):
            return (base, exponent)
        case Call(_, args, given):
            return (*args, *given)
        case Many(_, _, body, low, high):
            return tuple(each for each in (body, low, high) if each is not None)
        case _:
            return ()


def walk(node: Expr) -> Iterator[Expr]:
    """The node and everything below it."""
    stack = [node]
    while stack:
        spend()
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def names_in(node: Expr, bound: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The variables that no sum binds, each once, in order of appearance; x of x_i is one of them."""
    spend()
    match node:
        case Sym(name):
            return () if name in bound else (name,)
        case Entry(name, index):
            found = [name, *names_in(index, bound)]
        case Many(_, index, body, low, high):
            ends = [name for end in (low, high) if end is not None for name in names_in(end, bound)]
            found = [*names_in(body, bound | {index}), *ends]
        case _:
            found = [name for child in children(node) for name in names_in(child, bound)]
    return tuple(dict.fromkeys(found))


def worked_out(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """The same expression with variables replaced, those of their values too."""
    for _ in range(len(values)):
        node = substitute(node, values)
    return node


def substitute(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """The same expression with variables replaced."""
    spend()
    match node:
        case Sym(name):
            return values.get(name, node)
        case Entry(name, index):
            return Entry(name, substitute(index, values))
        case Add(terms):
            return add(*(substitute(term, values) for term in terms))
        case Mul(factors):
            return mul(*(substitute(factor, values) for factor in factors))
        case Pow(base, exponent):
            return Pow(substitute(base, values), substitute(exponent, values))
        case Call(name, args, given):
            now, later = (tuple(substitute(arg, values) for arg in each) for each in (args, given))
            return Call(name, now, later)
        case Many(name, index, body, low, high):
            inner = {key: value for key, value in values.items() if key != index}
            ends = [None if end is None else substitute(end, values) for end in (low, high)]
            return Many(name, index, substitute(body, inner), *ends)
        case _:
            return node


def replace(node: Expr, values: Mapping[Expr, Expr]) -> Expr:
    """The same expression with whole parts of it replaced: P(A) by a name."""
    spend()
    if node in values:
        return values[node]
    match node:
        case Add(terms):
            return add(*(replace(term, values) for term in terms))
        case Mul(factors):
            return mul(*(replace(factor, values) for factor in factors))
        case Pow(base, exponent):
            return Pow(replace(base, values), replace(exponent, values))
        case Call(name, args, given):
            now, later = (tuple(replace(arg, values) for arg in each) for each in (args, given))
            return Call(name, now, later)
        case _:
            return node
