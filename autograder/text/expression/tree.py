"""The small frozen expression tree that an answer's text becomes before anything is decided about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from autograder.text.patience import spend


@dataclass(frozen=True, slots=True)
class Num:
    """An exact number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Const:
    """A named real constant: `e` or `pi`."""

    name: str


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable, by its plain name."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two or more terms."""

    terms: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of two or more factors; a quotient is a product with a power of -1."""

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """A power."""

    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied: ln, log (its base second), max, min, factorial, binom, abs, ceil, floor, log*."""

    name: str
    args: tuple[Expr, ...]


Expr = Num | Const | Sym | Add | Mul | Pow | Call

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
    return Num(-node.value) if isinstance(node, Num) else mul(MINUS_ONE, node)


def div(above: Expr, below: Expr) -> Expr:
    return mul(above, Pow(below, MINUS_ONE))


def children(node: Expr) -> tuple[Expr, ...]:
    match node:
        case Add(terms):
            return terms
        case Mul(factors):
            return factors
        case Pow(base, exponent):
            return (base, exponent)
        case Call(_, args):
            return args
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


def names_in(node: Expr) -> tuple[str, ...]:
    """The variables of an expression, each once, in order of appearance."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Sym)))


def substitute(node: Expr, values: dict[str, Expr]) -> Expr:
    """The same expression with variables replaced."""
    spend()
    match node:
        case Sym(name):
            return values.get(name, node)
        case Add(terms):
            return add(*(substitute(term, values) for term in terms))
        case Mul(factors):
            return mul(*(substitute(factor, values) for factor in factors))
        case Pow(base, exponent):
            return Pow(substitute(base, values), substitute(exponent, values))
        case Call(name, args):
            return Call(name, tuple(substitute(arg, values) for arg in args))
        case _:
            return node
