"""Tokens become trees: sums of products of tensors, functions, softmax, stacks and matrices.

Written by hand rather than as a grammar: where a bracket is an index list, how far a softmax reaches
and whether `XY` is one name or two depend on what the part declares.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from autograder.answers.equation import symbols
from autograder.answers.equation.indices import read_number
from autograder.answers.equation.lexer import Token, Unreadable
from autograder.answers.equation.operators import REDUCTIONS, STARTS, OperatorReader
from autograder.answers.equation.tree import (
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
    Spread,
    Stack,
    StackOver,
    Total,
    Transpose,
    Variable,
)

_PAIRS = {"kron": "kron", "each": "each"}


class Parser(OperatorReader):
    """Reads one right side."""

    def whole(self) -> Expr:
        expr = self.sequence()
        if not self.sees("end"):
            raise self.surprise("expected the end of the equation")
        return expr

    def sequence(self) -> Expr:
        """Items with `;` between them are stacked."""
        place = self.peek().place
        items = [self.total()]
        while self.sees(";", "||"):
            self.next()
            items.append(self.total())
        return items[0] if len(items) == 1 else Stack(tuple(items), place=place)

    def total(self, first: Expr | None = None) -> Expr:
        place = self.peek().place
        signs, terms = [1], []
        if first is None and self.sees("+", "-"):
            signs = [-1 if self.next().kind == "-" else 1]
        while True:
            terms.append(Dots(self.next().place) if self.sees("dots") else self.term(first))
            first = None
            if self.sees("+", "-"):
                signs.append(-1 if self.next().kind == "-" else 1)
            elif self.sees("dots"):
                signs.append(1)
            else:
                break
        if len(terms) == 1 and signs[0] == 1:
            return terms[0]
        return Total(tuple(signs), tuple(terms), place)

    def term(self, first: Expr | None = None, below: bool = False) -> Expr:
        """A product. Below a fraction bar a sum ends at the next `*` or sum sign."""
        place = self.peek().place
        factors = [self.factor() if first is None else first]
        while True:
            sign = self.peek()
            if below and (sign.kind in ("*", "/", "sum")):
                break
            if sign.kind == "*":
                self.next()
                factors.append(self.factor())
            elif sign.kind == "dot":
                self.next()
                factors = [Pair("dot", _product(factors, place), self.factor(), sign.place)]
            elif sign.kind in _PAIRS:
                self.next()
                factors[-1] = Pair(_PAIRS[sign.kind], factors[-1], self.factor(), sign.place)
            elif sign.kind == "/":
                self.next()
                above = _product(factors, place)
                factors = [Quotient(above, self.factor(below=True), sign.place)]
            elif sign.kind in STARTS and not self._closes_inner(sign):
                factors.append(self.factor())
            else:
                break
        return _product(factors, place)

    def _closes_inner(self, sign: Token) -> bool:
        return sign.kind == "<" and self.peek(1).kind == "end"

    def factor(self, below: bool = False) -> Expr:
        """A primary with its powers; a dot binds closer than a space."""
        left = self.primary(below)
        while self.sees("dot") and not below:
            place = self.next().place
            left = Pair("dot", left, self.primary(below), place)
        return left

    def primary(self, below: bool = False) -> Expr:
        token = self.peek()
        match token.kind:
            case "number":
                return self.powers(read_number(self.next()))
            case "-":
                self.next()
                return Total((-1,), (self.primary(below),), token.place)
            case "sum":
                return self.summation(below)
            case "frac":
                self.next()
                return self.powers(Quotient(self.braced(), self.braced(), token.place))
            case "sqrt":
                self.next()
                return self.powers(Call("sqrt", (self.argument(tight=True),), token.place))
            case "<":
                return self.powers(self.inner())
            case "(" | "[" | "{":
                return self.powers(self.group())
            case "underset":
                return self.underset()
            case "overbrace":
                return self.annotated()
            case "|":
                return self.powers(self.bars("|"))
            case "||" if self.peek(1).kind not in ("_", "^"):
                return self.powers(self.bars("||"))
            case "stack" | "||":
                self.next()
                return self.stack_over(token.place)
            case "name":
                return self.named()
        raise self.surprise("expected a tensor, a number, a function or a bracket")

    def named(self) -> Expr:
        token = self.peek()
        function = self.function_at(token)
        if function and self._tensor_follows(token):
            function = None
        if function:
            self.next()
            return self.call(function, token)
        if token.text in REDUCTIONS and self.peek(1).kind == "_":
            self.next()
            return self.reduction(REDUCTIONS[token.text], token.place)
        if token.text == "max" and self.peek(1).kind == "(":
            self.next()
            return self.powers(_larger(self.group(), token.place))
        start = self.at
        found = None if self._is_exponential(token) else self.symbol()
        if found is not None:
            return self.powers(found)
        self.at = start + 1
        if token.text == "e" and self.sees("^"):
            self.next()
            return self.powers(Call("exp", (self.exponent(),), token.place))
        return self.powers(self._undeclared(token))

    def _is_exponential(self, token: Token) -> bool:
        """`e^x` is a number even where e[w,I] is a tensor."""
        tensor = self.vocabulary.find("e", 0)
        return token.text == "e" and self.peek(1).kind == "^" and bool(tensor and tensor.axes)

    def _tensor_follows(self, token: Token) -> bool:
        """A declared tensor wins over a function of the same name."""
        return token.text in self.vocabulary.tensors

    def _undeclared(self, token: Token) -> Expr:
        """A name that means nothing here keeps its place, for the type checker to complain about."""
        name, end = self._spelled_index(token)
        self.at = end
        if self.sees("[") and self._looks_like_indices() is not None:
            self.next()
            return Lookup(name, self.index_list("]"), token.place)
        if token.text[0].islower() and len(token.text.rstrip("'")) <= 2:
            return Variable(name, token.place)
        return Lookup(name, (), token.place)

    # ------------------------------------------------------------ powers and brackets

    def powers(self, left: Expr) -> Expr:
        while True:
            place = self.peek().place
            if self._is_entry():
                self.next()
                left = _entry(left, self.index_list("]"), place)
            elif self.take("'"):
                left = Transpose(left, place=place)
            elif self.sees("^"):
                self.next()
                left = self._raised(left, place)
            else:
                return left

    def _is_entry(self) -> bool:
        """`(A B)[i,j]`: one entry of a matrix that stands in brackets."""
        if not self.sees("[") or self.peek().spaced or self.at == 0 or not self.vocabulary.matrix:
            return False
        return self.tokens[self.at - 1].kind == ")" and self._looks_like_indices() is not None

    def _raised(self, left: Expr, place: Place) -> Expr:
        token = self.peek()
        braced = token.kind == "{" and self.closing(self.at) == self.at + 2
        mark = self.peek(1) if braced else token
        if mark.kind in ("top", "'"):
            self.at += 3 if braced else 1
            return Transpose(Ones() if left == Number(Fraction(1)) else left, place=place)
        if mark.kind == "name" and mark.text[0] == "T" and not braced and len(mark.text) > 1:
            self.split(self.at, 1)
            mark = self.peek()
        if mark.kind == "name" and mark.text == "T":
            self.at += 3 if braced else 1
            return Transpose(Ones() if left == Number(Fraction(1)) else left, letter=True, place=place)
        return Power(left, self.exponent(), place)

    def exponent(self) -> Expr:
        if self.sees("{", "("):
            return self.group()
        if self.sees("-"):
            place = self.next().place
            return Total((-1,), (self.exponent(),), place)
        token = self.peek()
        if token.kind == "number":
            return read_number(self.next())
        if token.kind == "name":
            return self.symbol() or self._undeclared(token)
        raise self.surprise("expected an exponent")

    def group(self) -> Expr:
        """Anything in brackets: an expression, items one under another, side by side, or a listing."""
        opening = self.next()
        close = symbols.OPENING[opening.kind]
        items = [self.sequence()]
        while self.take(","):
            items.append(Dots(self.next().place) if self.sees("dots") else self.sequence())
        self.expect(close, "to close the bracket")
        if opening.kind == "[" and self.sees("_"):
            return self._stacked(items[0], opening.place)
        if len(items) == 1:
            return items[0]
        if opening.kind == "[":
            return Stack(tuple(items), sideways=self.vocabulary.matrix, place=opening.place)
        return Listing(tuple(items), opening.place)

    def _stacked(self, body: Expr, place: Place) -> Expr:
        binders = self.binders()
        return StackOver(binders[0], body, place)

    def inner(self) -> Expr:
        place = self.next().place
        left = self.total()
        if not self.take(",") and not self.take("|"):
            raise self.surprise("expected ',' in an inner product <a, b>")
        right = self.total()
        self.expect(">", "to close the inner product")
        return Pair("inner", left, right, place)

    def bars(self, sign: str) -> Expr:
        """`|x|` is the size of a number, `||x||` the length of a vector."""
        place = self.next().place
        inside = self.total()
        self.expect(sign, "to close the bars")
        if sign == "|":
            return Call("abs", (inside,), place)
        return Call("sqrt", (Pair("inner", inside, inside, place),), place)

    def braced(self) -> Expr:
        if self.sees("{", "("):
            return self.group()
        token = self.peek()
        if token.kind == "number" and len(token.text) > 1:  # \frac12
            self.tokens[self.at] = replace(token, text=token.text[1:])
            return Number(Fraction(token.text[0]))
        return self.primary()


def _larger(inside: Expr, place: Place) -> Expr:
    """`max(0, z)` is relu(z)."""
    items = inside.items if isinstance(inside, Listing) else ()
    others = [item for item in items if item != Number(Fraction(0))]
    if len(items) != 2 or len(others) != 1:
        raise Unreadable("max is read with an index, max_{j} a[j], or as max(0, z)", place)
    return Call("relu", (others[0],), place)


def _entry(left: Expr, indices: tuple[Expr, ...], place: Place) -> Expr:
    for index in indices:
        if not isinstance(index, Variable):
            raise Unreadable("an entry of a bracket needs plain indices, such as (A B)[i,j]", place)
        left = Spread(index.name, left, place)
    return left


def _product(factors: list[Expr], place: Place) -> Expr:
    return factors[0] if len(factors) == 1 else Product(tuple(factors), place)
