"""Tokens become trees: sums of products of tensors, functions, softmax, stacks and matrices.

Written by hand rather than as a grammar: where a bracket is an index list, how far a softmax reaches
and whether `XY` is one name or two depend on what the part declares.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from autograder.text import symbols
from autograder.text.equation import calls
from autograder.text.equation.binders import BinderReader
from autograder.text.equation.cursor import Cursor
from autograder.text.equation.declarations import Declared, Vocabulary
from autograder.text.equation.factor_suffixes import Suffixes
from autograder.text.equation.functions import STARTS, WORDS, Functions
from autograder.text.equation.lexer import Token, Unreadable
from autograder.text.equation.names import NameFinder
from autograder.text.equation.tree import (
    Binder,
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
    Stack,
    StackOver,
    Total,
    Variable,
    Whole,
    rebuild,
)

MOST_INDICES = 12  # of one tensor
_PAIRS = {"kron": "kron", "each": "each"}


def read_number(token: Token) -> Number:
    if len(token.text) > 15:
        raise Unreadable("a number has more than 15 digits: write it shorter", token.place)
    return Number(Fraction(token.text))


def _is_code(tokens: tuple[Token, ...]) -> bool:
    """Is this written as torch or numpy would have it, where `*` multiplies entry by entry?"""
    for token, after in pairwise(tokens):
        called = token.kind == "." and after.kind in WORDS and not after.spaced
        if called or token.kind in ("matmul", "string") or (token.kind in (",", "[") and after.kind == ":"):
            return True
    return False


class Parser:
    """Reads one side of an equation, or what stands inside an index list of it."""

    def __init__(
        self, cursor: Cursor, vocabulary: Vocabulary, scope: frozenset[str], indexing: bool = False
    ) -> None:
        self.cursor = cursor
        self.vocabulary = vocabulary
        self.scope = scope  # the indices that are known at this point
        self.indexing = indexing  # inside an index list a name alone is an index
        self.names = NameFinder(self)
        self.functions = Functions(self)
        self.suffixes = Suffixes(self)
        self.code = _is_code(cursor.tokens)

    def on(self, cursor: Cursor, indexing: bool = False) -> Parser:
        """The same grammar, reading elsewhere."""
        return Parser(cursor, self.vocabulary, self.scope, indexing)

    def whole(self) -> Expr:
        expr = self.sequence()
        if not self.cursor.sees("end"):
            raise self.cursor.surprise("expected the end of the equation")
        return expr

    # ------------------------------------------------------------ the left side

    def left(self) -> tuple[Lookup, Declared | None]:
        """What a line defines; the second value declares a name that is the answer's own."""
        cursor = self.cursor
        if not cursor.sees("name"):
            raise cursor.surprise("expected the name of the tensor that the line defines")
        token = cursor.next()
        self.names = NameFinder(self, defining=True)
        found, own = self.names.tensor(token), None
        if found is None:
            found, own = self.names.own(token)
        turned = cursor.sees("^") and cursor.peek(1).text in ("top", "T") and cursor.peek(2).kind == "end"
        if not cursor.sees("end") and not turned:
            raise cursor.surprise("expected '=' after the tensor that the line defines")
        return found, own

    # ------------------------------------------------------------ indices

    def index(self) -> Expr:
        """One index: a name alone is the index itself, a capital inside arithmetic is a size."""
        cursor = self.cursor
        if cursor.sees(":", "dot") and cursor.peek(1).kind in (",", "]", ")", "end"):
            cursor.next()
            return Whole()
        before, self.indexing = self.indexing, True
        expr = self.total()
        self.indexing = before
        return expr if isinstance(expr, Variable) else self._with_sizes(expr)

    def bound(self) -> Expr:
        """A bound of a sum, where a capital alone is a size too."""
        self.indexing = True
        return self._with_sizes(self.total())

    def bound_of(self, tokens: tuple[Token, ...]) -> Expr:
        """The tokens of one bound, such as T+1."""
        inner = self.on(Cursor(tokens))
        expr = inner.bound()
        if not inner.cursor.sees("end"):
            raise inner.cursor.surprise("expected the end of a bound")
        return expr

    def index_of(self, tokens: tuple[Token, ...]) -> Expr:
        """The tokens of one subscript as an index."""
        inner = self.on(Cursor(tokens))
        inner.names.defining = self.names.defining
        expr = inner.index()
        if not inner.cursor.sees("end"):
            raise inner.cursor.surprise("expected the end of an index")
        return expr

    def index_list(self, close: str) -> tuple[Expr, ...]:
        """The indices up to a closing bracket, which is read too."""
        cursor = self.cursor
        items: list[Expr] = []
        start = cursor.peek().place
        while not cursor.take(close):
            if items:
                cursor.expect(",", f"or '{close}' in an index list")
            if cursor.sees("(") and any(token.kind == "," for token in cursor.inside(cursor.at)):
                cursor.next()  # h[(x,y),J]
                items += self.index_list(")")
                continue
            items.append(self.index())
            if cursor.take("="):  # P(w_t = w): the value is the index
                items[-1] = self.index()
            if len(items) > MOST_INDICES:
                raise Unreadable(f"a tensor has more than {MOST_INDICES} indices: no tensor here has", start)
        return tuple(items)

    def _with_sizes(self, expr: Expr) -> Expr:
        if isinstance(expr, Variable):
            known = self.vocabulary.is_size(expr.name) and expr.name not in self.scope
            return Size(expr.name, expr.place) if known else expr
        if isinstance(expr, Lookup):
            return expr
        changed: Expr = rebuild(expr, self._with_sizes)
        return changed

    def binders(self) -> tuple[Binder, ...]:
        """The indices below a sum sign, with what stands above it."""
        return self.binder_reader().read(self.cursor)

    def binder_reader(self) -> BinderReader:
        return BinderReader(self.scope, lambda cursor: self.on(cursor).bound())

    # ------------------------------------------------------------ sums and products

    def sequence(self) -> Expr:
        """Items with `;` between them are stacked."""
        place = self.cursor.peek().place
        items = [self.total()]
        while self.cursor.sees(";", "||", "stack"):
            self.cursor.next()
            items.append(self.total())
        return items[0] if len(items) == 1 else Stack(tuple(items), place=place)

    def total(self, first: Expr | None = None) -> Expr:
        cursor = self.cursor
        place = cursor.peek().place
        signs, terms = [1], []
        if first is None and cursor.sees("+", "-"):
            signs = [-1 if cursor.next().kind == "-" else 1]
        while True:
            dotted = cursor.sees("dots") and not self.indexing
            terms.append(Dots(cursor.next().place) if dotted else self.term(first))
            first = None
            if cursor.sees("+", "-"):
                signs.append(-1 if cursor.next().kind == "-" else 1)
            elif cursor.sees("dots") and not self.indexing:
                signs.append(1)
            else:
                break
        if len(terms) == 1 and signs[0] == 1:
            return terms[0]
        return Total(tuple(signs), tuple(terms), place)

    def term(self, first: Expr | None = None, below: bool = False) -> Expr:
        """A product. Below a fraction bar a sum ends at the next `*` or sum sign."""
        cursor = self.cursor
        place = cursor.peek().place
        factors = [self.factor() if first is None else first]
        while True:
            sign = cursor.peek()
            if below and sign.kind in ("*", "/", "sum", "matmul"):
                break
            if sign.kind in ("*", "dot", "matmul", "/", *_PAIRS):
                cursor.next()
                factors = self._joined(factors, sign, place)
            elif sign.kind in STARTS and not self._stands_between(sign):
                factor = self.factor()
                factors.append(Ones() if factor == Number(Fraction(1)) and not self.indexing else factor)
            else:
                break
            if self.indexing:
                factors = [_product(factors, place)]
        return _product(factors, place)

    def _stands_between(self, sign: Token) -> bool:
        """`a ⊕ b` stacks; `⊕_k a` begins something. A '<' at the end opens nothing."""
        after = self.cursor.peek(1).kind
        return (sign.kind == "stack" and after not in ("_", "^")) or (sign.kind == "<" and after == "end")

    def _joined(self, factors: list[Expr], sign: Token, place: Place) -> list[Expr]:
        """The factors so far and the next one, joined by the sign between them."""
        match sign.kind:
            case "*" if self.code:
                return [Pair("each", _product(factors, place), self.factor(), sign.place)]
            case "dot" | "matmul" if not self.indexing:
                return [Pair(sign.kind, _product(factors, place), self.factor(), sign.place)]
            case "/":
                above = _product(factors, place)
                return [Quotient(above, self.factor(below=True), sign.place)]
            case "kron" | "each":
                return [*factors[:-1], Pair(_PAIRS[sign.kind], factors[-1], self.factor(), sign.place)]
        return [*factors, self.factor()]

    def factor(self, below: bool = False) -> Expr:
        """A primary with its powers; a dot binds closer than a space."""
        left = self.primary(below)
        while self.cursor.sees("dot") and not below and not self.indexing:
            place = self.cursor.next().place
            left = Pair("dot", left, self.primary(below), place)
        return left

    def primary(self, below: bool = False) -> Expr:
        cursor = self.cursor
        token = cursor.peek()
        match token.kind:
            case "number":
                return self._number()
            case "ones":
                cursor.next()
                return self._indicator(token.place) or self.ones()
            case "-":
                cursor.next()
                return Total((-1,), (self.primary(below),), token.place)
            case "sum" if not self.indexing:
                return self.functions.summation(below)
            case "frac":
                cursor.next()
                return self.powers(Quotient(self._braced(), self._braced(), token.place))
            case "sqrt" if not self.indexing:
                cursor.next()
                return self.powers(self._root(token.place))
            case "<":
                return self.powers(self._inner())
            case "(" | "[" | "{":
                return self.powers(self.group())
            case "underset":
                return self.functions.underset()
            case "overbrace":
                return self.functions.annotated()
            case "|":
                return self.powers(self._bars("|"))
            case "||" if cursor.peek(1).kind not in ("_", "^"):
                return self.powers(self._bars("||"))
            case "stack" | "||":
                cursor.next()
                return self.functions.stack_over(token.place)
            case "name":
                return self.names.index() if self.indexing else self.functions.named()
        if self.indexing:
            raise cursor.surprise("expected an index such as t, 2t+1 or J")
        raise cursor.surprise("expected a tensor, a number, a function or a bracket")

    def _root(self, place: Place) -> Expr:
        """`\\sqrt{I}`, and `\\sqrt[4]{I}`."""
        cursor = self.cursor
        if cursor.sees("[") and cursor.peek(1).kind == "number" and cursor.peek(3).kind == "{":
            cursor.next()
            order = read_number(cursor.next())
            cursor.next()
            if order.value:
                return Power(self.group(), Quotient(Number(Fraction(1)), order, place), place)
        return Call("sqrt", (self.functions.argument(tight=True),), place)

    def _indicator(self, place: Place) -> Expr | None:
        """`1[w = v]`, after its 1: one where two indices agree, and nothing elsewhere."""
        cursor = self.cursor
        if not cursor.sees(*symbols.OPENING) or self.indexing:
            return None
        inside = cursor.inside(cursor.at)
        sides = [at for at, token in enumerate(inside) if token.kind == "=" and cursor.level(inside, at) == 0]
        if len(sides) != 1:
            return None
        cursor.skip(len(inside) + 2)
        first, second = (self.index_of(side) for side in (inside[: sides[0]], inside[sides[0] + 1 :]))
        return calls.agreement(first, second, place)

    def _number(self) -> Expr:
        token = self.cursor.next()
        found = self._indicator(token.place) if token.text == "1" else None
        if found is not None:
            return self.powers(found)
        if token.text == "1" and self.cursor.sees("_") and not self.indexing:  # 1_T
            return self.ones()
        return self.powers(read_number(token))

    def ones(self) -> Expr:
        while mark := self.cursor.mark_at(self.cursor.spot):
            if mark.sign == "^":
                break
            self.cursor.spot = mark.end
        return self.powers(Ones())

    def under(self, binders: tuple[Binder, ...]) -> frozenset[str]:
        """Add the bound indices to the scope; returns the scope to go back to."""
        before = self.scope
        self.scope = before | {binder.name for binder in binders}
        return before

    # ------------------------------------------------------------ powers and brackets

    def powers(self, left: Expr) -> Expr:
        """A factor with what stands behind it."""
        return self.suffixes.read(left)

    def exponent(self) -> Expr:
        cursor = self.cursor
        if cursor.sees("{", "("):
            return self.group()
        if cursor.sees("-"):
            place = cursor.next().place
            return Total((-1,), (self.exponent(),), place)
        token = cursor.peek()
        if token.kind == "number":
            return read_number(cursor.next())
        if token.kind == "name":
            found = self.names.symbol()
            if found is None:
                cursor.next()
                found = self.functions.undeclared(token)
            return found
        raise cursor.surprise("expected an exponent")

    def group(self) -> Expr:
        """Anything in brackets: an expression, items one under another, side by side, or a listing."""
        cursor = self.cursor
        if not cursor.sees(*symbols.OPENING):
            raise cursor.surprise("expected a bracket")
        if cursor.sees("[") and (found := self._indicator(cursor.peek().place)) is not None:
            return found  # [w = v]
        opening = cursor.next()
        close = symbols.OPENING[opening.kind]
        items = [self.sequence()]
        while cursor.take(","):
            items.append(Dots(cursor.next().place) if cursor.sees("dots") else self.sequence())
        cursor.expect(close, "in an index" if self.indexing else "to close the bracket")
        if opening.kind == "[" and cursor.sees("_") and len(items) == 1:
            return StackOver(self.binders()[0], items[0], opening.place)
        if len(items) == 1:
            return items[0]
        if opening.kind == "[":
            return Stack(tuple(items), sideways=self.vocabulary.matrix, place=opening.place)
        return Listing(tuple(items), opening.place)

    def _inner(self) -> Expr:
        cursor = self.cursor
        place = cursor.next().place
        left = self.total()
        if not cursor.take(",") and not cursor.take("|"):
            raise cursor.surprise("expected ',' in an inner product <a, b>")
        right = self.total()
        cursor.expect(">", "to close the inner product")
        return Pair("inner", left, right, place)

    def _bars(self, sign: str) -> Expr:
        """`|x|` is the size of a number, `||x||` the length of a vector."""
        place = self.cursor.next().place
        inside = self.total()
        self.cursor.expect(sign, "to close the bars")
        if sign == "|":
            return Call("abs", (inside,), place)
        return Call("sqrt", (Pair("inner", inside, inside, place),), place)

    def _braced(self) -> Expr:
        """What stands above or below the bar of \\frac: a group, or a single sign as in \\frac12."""
        if self.cursor.sees("{", "("):
            return self.group()
        if self.cursor.sees("number"):
            return read_number(self.cursor.next_letter())
        return self.primary()


def _product(factors: list[Expr], place: Place) -> Expr:
    return factors[0] if len(factors) == 1 else Product(tuple(factors), place)
