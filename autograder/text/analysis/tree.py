"""What a formula becomes once it is read: a small frozen tree over numbers, names and applied functions."""

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
class Name:
    """A variable, a matrix, an event, or one of the constants e, pi and I, by its plain name."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One of many values of a name: x_i."""

    name: str
    index: Node


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two or more terms."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product in the order in which it is written."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """A power; a quotient is a product with a power of -1."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of its arguments; of those after a bar, too: P(A, B | C)."""

    name: str
    args: tuple[Node, ...]
    given: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Many:
    """A sum, product, largest, smallest or log-sum-exp over an index; without ends over all there are."""

    name: str
    index: str
    body: Node
    low: Node | None = None
    high: Node | None = None


Node = Num | Name | Entry | Add | Mul | Pow | Apply | Many

ONE = Num(Fraction(1))
MINUS_ONE = Num(Fraction(-1))


def add(*terms: Node) -> Node:
    flat = [part for term in terms for part in (term.terms if isinstance(term, Add) else (term,))]
    return flat[0] if len(flat) == 1 else Add(tuple(flat))


def mul(*factors: Node) -> Node:
    flat = [part for factor in factors for part in (factor.factors if isinstance(factor, Mul) else (factor,))]
    flat = [part for part in flat if part != ONE] or [ONE]
    return flat[0] if len(flat) == 1 else Mul(tuple(flat))


def neg(node: Node) -> Node:
    return Num(-node.value) if isinstance(node, Num) else mul(MINUS_ONE, node)


def inverse(node: Node) -> Node:
    if isinstance(node, Num) and node.value:
        return Num(1 / node.value)
    return Pow(node, MINUS_ONE)


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Entry(_, index):
            return (index,)
        case Add(parts) | Mul(parts):
            return parts
        case Pow(base, exponent):
            return (base, exponent)
        case Apply(_, args, given):
            return (*args, *given)
        case Many(_, _, body, low, high):
            return tuple(each for each in (body, low, high) if each is not None)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    stack = [node]
    while stack:
        spend()
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def free_names(node: Node, bound: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names that no sum binds; x of x_i is one of them."""
    match node:
        case Name(name):
            return frozenset([name]) - bound
        case Entry(name, index):
            return free_names(index, bound) | {name}
        case Many(_, index, body, low, high):
            ends = [free_names(end, bound) for end in (low, high) if end is not None]
            return free_names(body, bound | {index}).union(*ends)
        case _:
            return frozenset().union(*(free_names(child, bound) for child in children(node)))


def replaced(node: Node, values: dict[str, Node]) -> Node:
    """The same formula with names replaced."""
    spend()
    match node:
        case Name(name):
            return values.get(name, node)
        case Entry(name, index):
            return Entry(name, replaced(index, values))
        case Add(parts):
            return add(*(replaced(part, values) for part in parts))
        case Mul(parts):
            return mul(*(replaced(part, values) for part in parts))
        case Pow(base, exponent):
            return Pow(replaced(base, values), replaced(exponent, values))
        case Apply(name, args, given):
            return Apply(
                name, tuple(replaced(a, values) for a in args), tuple(replaced(g, values) for g in given)
            )
        case Many(name, index, body, low, high):
            inner = {key: value for key, value in values.items() if key != index}
            ends = [None if end is None else replaced(end, values) for end in (low, high)]
            return Many(name, index, replaced(body, inner), *ends)
        case _:
            return node
