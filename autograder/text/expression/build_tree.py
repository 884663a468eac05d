"""A parse tree comes in; the expression tree goes out, with notes where it could be read otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeGuard

from lark import Token, Tree

from autograder.errors import AnswerError
from autograder.text.expression.names import Names
from autograder.text.expression.render import plain
from autograder.text.expression.tree import (
    MINUS_ONE,
    ONE,
    TWO,
    Call,
    Const,
    E,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
    add,
    div,
    mul,
    neg,
)

ARITIES = {"max": (1, 20), "min": (1, 20), "binom": (2, 2), "pow": (2, 2)}


class Builder:
    """Builds the tree of one answer. `declared` are the variables that a bare 'linear' may be about."""

    def __init__(self, names: Names, declared: Sequence[str]) -> None:
        self.names = names
        self.declared = declared
        self.notes: dict[str, None] = {}
        self.orders = 0

    def build(self, tree: Tree[Token]) -> Any:
        """What a rule's method makes of its children; lark's own transformer wraps each call anew."""
        children = [self.build(child) if isinstance(child, Tree) else child for child in tree.children]
        return getattr(self, tree.data)(*children)

    def start(self, *parts: Any) -> tuple[list[Expr], list[str]]:
        return list(parts[::2]), [str(token) for token in parts[1::2]]

    # ------------------------------------------------------------ sums and products

    def plus(self, left: Expr, right: Expr) -> Expr:
        return add(left, right)

    def minus(self, left: Expr, right: Expr) -> Expr:
        return add(left, neg(right))

    def negative(self, node: Expr) -> Expr:
        return neg(node)

    def times(self, left: Expr, right: Expr) -> Expr:
        self._warn(left, right, "*")
        return mul(left, right)

    def over(self, above: Expr, below: Expr) -> Expr:
        self._warn(above, below, "/")
        if isinstance(below, Mul) and below.loose:
            # 3/5 v is three fifths of v: two plain numbers make a coefficient. 3/(5 v) is what it says.
            if isinstance(above, Num) and isinstance(below.factors[0], Num):
                return mul(_quotient(above, below.factors[0]), *below.factors[1:])
            other = f"{plain(above)}/{plain(below.factors[0])}*{plain(mul(*below.factors[1:]))}"
            self._note(
                f"all of {plain(below)} was read as the denominator; for the other reading write {other}"
            )
        if isinstance(above, Pow) and above.exponent == ONE and isinstance(below, Num):
            base, half = plain(above.base), f"1/{plain(below)}"
            self._note(
                f"the exponent ends before /: {base}^{half}; for the other reading write {base}^({half})"
            )
        if isinstance(above, Num) and isinstance(below, Num) and below.value:
            return _quotient(above, below)
        return div(above, below)

    def wholes(self, above: Expr, below: Expr) -> Expr:
        return Call("floor", (div(above, below),))

    def together(self, left: Expr, right: Expr) -> Expr:
        if isinstance(right, Num) and isinstance(left, Num):
            raise AnswerError(
                f"cannot read '{plain(left)} {plain(right)}': write an operator between two numbers"
            )
        return _loosely(mul(left, right))

    def group(self, node: Expr) -> Expr:
        # A bracket settles what is inside it.
        return replace(node, loose=False) if _is_loose(node) else node

    def absolute(self, node: Expr) -> Expr:
        return Call("abs", (node,))

    # ------------------------------------------------------------ powers and calls

    def power(self, base: Expr, exponent: Expr) -> Expr:
        return Pow(base, exponent)

    def squared(self, base: Expr, token: Token) -> Expr:
        return Pow(base, Num(Fraction(str(token))))

    def square_of(self, _: Token, base: Expr) -> Expr:
        return Pow(base, TWO)

    def factorial(self, node: Expr) -> Expr:
        return Call("factorial", (node,))

    def binom(self, above: Expr, below: Expr) -> Expr:
        return Call("binom", (above, below))

    def root(self, token: Token, node: Expr) -> Expr:
        return Pow(node, Num(Fraction(1, 3 if token == "cbrt" else 2)))

    def nth_root(self, _: Token, index: Expr, node: Expr) -> Expr:
        return Pow(node, Num(1 / index.value) if isinstance(index, Num) and index.value else div(ONE, index))

    def exp(self, _: Token, node: Expr) -> Expr:
        return Pow(E, node)

    def func(self, token: Token, *args: Expr) -> Expr:
        least, most = ARITIES.get(token, (1, 1))
        if not least <= len(args) <= most:
            raise AnswerError(f"cannot read '{token}' of {len(args)} expressions: it takes {least}")
        if token == "pow":
            return Pow(args[0], args[1])
        if token == "square":
            return Pow(args[0], TWO)
        return Call(str(token), args)

    def order(self, _: Token, node: Expr) -> Expr:
        self.orders += 1
        return node

    def product_of(self, _: Token, left: Expr, right: Expr) -> Expr:
        return mul(left, right)

    def larger_of(self, token: Token, left: Expr, right: Expr) -> Expr:
        return Call(str(token), (left, right))

    def total_of(self, _: Token, left: Expr, right: Expr) -> Expr:
        return add(left, right)

    # ------------------------------------------------------------ logarithms

    def logarithm(self, token: Token, base: Expr | None = None) -> tuple[str, Expr | None, Expr]:
        name = "ln" if token == "ln" else "log"
        return name, TWO if token == "log2" and base is None else self._base(base), ONE

    def logarithm_power(self, token: Token, power: Expr) -> tuple[str, Expr | None, Expr]:
        return (*self.logarithm(token)[:2], power)

    def logarithm_squared(self, token: Token, power: Token) -> tuple[str, Expr | None, Expr]:
        return (*self.logarithm(token)[:2], Num(Fraction(str(power))))

    def logarithm_base_power(self, token: Token, base: Expr, power: Expr) -> tuple[str, Expr | None, Expr]:
        return (*self.logarithm(token, base)[:2], power)

    def logarithm_power_base(self, token: Token, power: Expr, base: Expr) -> tuple[str, Expr | None, Expr]:
        return (*self.logarithm(token, base)[:2], power)

    def log(self, head: tuple[str, Expr | None, Expr], node: Expr) -> Expr:
        name, base, power = head
        inner = node.base if isinstance(node, Pow) else node
        made = Call(name, (node,) if base is None else (node, base), loose=_is_loose(inner))
        return made if power == ONE else Pow(made, power)

    def log_power(self, head: tuple[str, Expr | None, Expr], node: Expr, power: Expr) -> Expr:
        return Pow(self.log(head, node), power)

    def log_to_base(self, head: tuple[str, Expr | None, Expr], node: Expr, base: Expr) -> Expr:
        return self.log((head[0], self._base(base), head[2]), node)

    def log_run(self, head: tuple[str, Expr | None, Expr], run: Expr) -> Expr:
        made = self.log(head, run)
        if isinstance(run, Mul) and len([f for f in run.factors if not isinstance(f, Num)]) > 1:
            first, rest = run.factors[0], mul(*run.factors[1:])
            other = plain(mul(rest, self.log(head, first)))
            self._note(
                f"the logarithm reaches over all of it: {plain(made)}; for the other reading write {other}"
            )
        return _loosely(made)

    def log_star(self, _: Token, node: Expr) -> Expr:
        return Call("log*", (node,))

    def run(self, *factors: Expr) -> Expr:
        return mul(*factors)

    def _base(self, base: Expr | None) -> Expr | None:
        """A base that no question declares is some constant."""
        if isinstance(base, Sym) and self.names.find(base.name) is None:
            self._note(f"the base {base.name} of the logarithm was read as a constant")
            return None
        return base

    # ------------------------------------------------------------ words

    def shape(self, token: Token, first: Expr | None = None, *tails: tuple[str, Expr]) -> Expr:
        if first is None:
            return self._bare(str(token))
        made = shaped(str(token), first)
        for kind, node in tails:
            if token == "logarithmic" and isinstance(node, Call) and node.name == "log":
                made = add(made, node)
            elif kind == "shape":
                made = mul(made, node)
            elif token == "constant":
                continue
            elif token == "logarithmic":
                made = add(made, shaped(str(token), node))
            else:
                raise AnswerError(
                    f"'{token} in {plain(first)} and {plain(node)}' may mean a sum or a product: "
                    f"write {plain(add(first, node))} or {plain(mul(first, node))}"
                )
        return made

    def proportional(self, token: Token, node: Expr, *tails: tuple[str, Expr]) -> Expr:
        made = node if token == "1" else Pow(node, MINUS_ONE)
        for kind, more in tails:
            if kind != "shape":
                raise AnswerError(
                    f"'proportional to {plain(node)} and {plain(more)}' may mean a sum or a product: "
                    f"write {plain(add(node, more))} or {plain(mul(node, more))}"
                )
            made = mul(made, more)
        return made

    def inside(self, *factors: Expr) -> Expr:
        return mul(*factors)

    def and_also(self, node: Expr) -> tuple[str, Expr]:
        return "name", node

    def and_shape(self, node: Expr) -> tuple[str, Expr]:
        return "shape", node

    def _bare(self, word: str) -> Expr:
        if word == "constant":
            return ONE
        if len(self.declared) != 1:
            raise AnswerError(f"'{word}' does not say in which variable: write '{word} in n'")
        return shaped(word, Sym(self.declared[0]))

    # ------------------------------------------------------------ leaves and notes

    def number(self, token: Token) -> Expr:
        return Num(Fraction(str(token)), typed=True)

    def name(self, token: Token) -> Expr:
        return Sym(str(token))

    def const(self, token: Token) -> Expr:
        return Const(str(token))

    def _note(self, text: str) -> None:
        self.notes[text] = None

    def _warn(self, left: Expr, right: Expr, sign: str) -> None:
        """ln T * U is ln(T)·U; say so, and how to write the other reading."""
        last = left.factors[-1] if isinstance(left, Mul) else left
        if not isinstance(last, Call) or not last.loose or isinstance(right, Num):
            return
        inner = mul(last.args[0], right) if sign == "*" else div(last.args[0], right)
        made = mul(last, right) if sign == "*" else div(last, right)
        other = plain(Call(last.name, (inner, *last.args[1:])))
        self._note(f"the logarithm ends before {sign}: {plain(made)}; for the other reading write {other}")


def _loosely(node: Expr) -> Expr:
    """The node, marked as one around which nothing has brackets."""
    match node:
        case Mul() | Call():
            return replace(node, loose=True)
        case Pow(base=Call() as call):
            return replace(node, base=replace(call, loose=True))
    return node


def _is_loose(node: Expr) -> TypeGuard[Mul | Call]:
    return isinstance(node, Mul | Call) and node.loose


def _quotient(above: Num, below: Num) -> Expr:
    return Num(above.value / below.value) if below.value else mul(above, Pow(below, MINUS_ONE))


def shaped(word: str, node: Expr) -> Expr:
    """The rate that a word names, in a variable."""
    match word:
        case "constant":
            return ONE
        case "linear":
            return node
        case "quadratic":
            return Pow(node, TWO)
        case "cubic":
            return Pow(node, Num(Fraction(3)))
        case "logarithmic":
            return Call("log", (node,))
        case "linearithmic":
            return mul(node, Call("log", (node,)))
        case "exponential":
            return Pow(TWO, node)
        case _:
            return Call("factorial", (node,))
