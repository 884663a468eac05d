"""The tokens of a formula come in; its tree goes out, and whether it can be read in two ways."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.analysis.events import INFIX, apply_declared
from autograder.text.analysis.indexed import over_index
from autograder.text.analysis.known_functions import HALF, arguments, call
from autograder.text.analysis.scope import BINDERS, SPELLINGS, Scope, is_column, is_constant, symbol
from autograder.text.analysis.words import is_greek, spelled, split_word
from autograder.text.equation.lexer import Token
from autograder.text.expression.tree import (
    MINUS_ONE,
    Call,
    Entry,
    Expr,
    Num,
    Pow,
    Sym,
    add,
    inverse,
    mul,
    neg,
)
from autograder.text.symbols import OPENING

NORMS = {"": "norm", "F": "norm", "2": "norm_2"}  # of a matrix, norm_2 is another one
PRODUCTS = ("*", "dot", "matmul", "each", "kron")
END = Token("end", "", None)  # type: ignore[arg-type]
LARGEST_EXPONENT = 400


class Parser:
    """One pass over the tokens of one expression.

    `tight` decides what can be read in two ways: whether 1/2x divides by x, and ln x y takes in y;
    `doubtful` says afterwards whether anything could.
    """

    def __init__(self, tokens: Sequence[Token], scope: Scope, *, tight: bool = True) -> None:
        self.tokens = tokens
        self.scope = scope
        self.tight = tight
        self.doubtful = False
        self.at = 0
        self.bars = ""  # the open | or ||, which the same sign closes
        self.conditions = 0  # open P(…), in which a bar separates
        self.bound: list[str] = []

    # ------------------------------------------------------------ tokens

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else END

    def take(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *kinds: str) -> bool:
        if self.peek().kind in kinds:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> None:
        if not self.accept(kind):
            raise self.fail(f"write '{kind}' before it")

    def fail(self, fix: str) -> AnswerError:
        token = self.peek()
        if token is END:
            return AnswerError(f"the formula breaks off at its end: {fix}")
        return AnswerError(
            f"cannot read '{token.text}' at column {token.place.column}: {fix}", token.place.column
        )

    def is_word(self, words: Sequence[str]) -> bool:
        token = self.peek()
        return (
            token.kind in ("name", "strange") and token.text in words and self.scope.find(token.text) is None
        )

    # ------------------------------------------------------------ sums and products

    def whole(self) -> Expr:
        """The expression; nothing may be left over."""
        node = self.sum()
        if self.peek() is not END:
            raise self.fail("write an operation before it, or leave it out")
        return node

    def sum(self) -> Expr:
        terms = [self.term(self.signs())]
        while self.peek().kind in ("+", "-"):
            subtracted = self.take().kind == "-"
            term = self.term(self.signs())
            terms.append(neg(term) if subtracted else term)
        return add(*terms)

    def signs(self) -> bool:
        """Steps over signs before a term; whether they make it negative."""
        negative = False
        while self.peek().kind in ("+", "-"):
            negative ^= self.take().kind == "-"
        return negative

    def term(self, negative: bool = False) -> Expr:
        factors = self.beside()
        while True:
            if self.peek().kind == "/":
                whole = self.take().text == "//"
                below = self.signed_beside()
                if len(below) > 1:
                    self.doubtful = True
                if len(below) > 1 and not self.tight:
                    factors += [inverse(below[0]), *below[1:]]
                else:
                    factors.append(inverse(mul(*below)))
                if whole:  # -n//b is the floor of -n/b
                    above = mul(*factors)
                    factors = [Call("floor", (neg(above) if negative else above,))]
                    negative = False
            elif self.peek().kind in PRODUCTS:
                sign = self.take().kind
                left, behind = mul(*factors), self.signed_beside()
                if sign == "each":
                    factors = [Call("each", (left, mul(*behind)))]
                elif sign == "dot" and all(is_column(side, self.scope) for side in (left, mul(*behind))):
                    factors = [Call("inner", (left, mul(*behind)))]
                else:
                    factors += behind
            else:
                return neg(mul(*factors)) if negative else mul(*factors)

    def signed_beside(self) -> list[Expr]:
        negative = self.signs()
        factors = self.beside()
        return [neg(factors[0]), *factors[1:]] if negative else factors

    def beside(self) -> list[Expr]:
        """Factors that stand next to each other."""
        factors = self.factor()
        while self.starts_factor():
            if self.peek().kind == "number" and self.tokens[self.at - 1].kind == "number":
                raise self.fail("write an operation between the numbers")
            factors += self.factor()
        return factors

    def starts_factor(self) -> bool:
        token = self.peek()
        if token.kind == "|":
            return self.bars != "|" and not self.conditions
        if token.kind == "||":
            return self.bars != "||"
        if token.kind == "<":  # 2 <x, y>, but not 2 < x
            kinds = [ahead.kind for ahead in self.tokens[self.at :]]
            return "," in kinds and ">" in kinds[kinds.index(",") :]
        if self.is_word(INFIX):
            return False
        return token.kind in (
            "number", "name", "(", "[", "{", "frac", "sqrt", "cbrt", "sum", "binom", "lfloor", "lceil",
        )  # fmt: skip

    # ------------------------------------------------------------ powers and what stands behind an operand

    def factor(self) -> list[Expr]:
        """One factor with its power; letters next to each other are several."""
        *before, last = self.atom()
        return [*before, self.behind(last)]

    def behind(self, node: Expr) -> Expr:
        """Factorials, transposes and powers that follow an operand."""
        while True:
            token = self.peek()
            if token.kind == "strange" and token.text == "!":
                self.take()
                node = Call("factorial", (node,))
            elif token.kind == "." and self.peek(1).text == "T" and self.scope.is_linear:
                self.at += 2
                node = Call("transpose", (node,))
            elif token.kind == "'" and self.scope.is_linear:
                self.take()
                node = Call("transpose", (node,))
            elif self.accept("choose"):
                node = Call("binom", (node, mul(*self.factor())))
            elif self.accept("^"):
                node = self.raised(node)
            else:
                return node

    def raised(self, node: Expr) -> Expr:
        if self.is_transpose():
            return Call("transpose", (node,))
        if self.is_transpose(inverted=True):
            return Call("transpose", (Call("inverse", (node,)),))
        if self.conditions and self.is_complement():
            return Call("not", (node,))
        exponent = self.exponent()
        if self.scope.is_linear and exponent == MINUS_ONE:
            return Call("inverse", (node,))
        return Pow(node, exponent)

    def is_transpose(self, *, inverted: bool = False) -> bool:
        """Steps over T or ⊤, where it is inverted -T, in an exponent, with or without brackets."""
        start = self.at
        opened = self.accept("{", "(")
        negative = self.accept("-")
        if not opened and self.scope.is_linear and self.scope.find(self.peek().text) is None:
            self.cut("T")
        named = self.peek().kind == "name" and self.peek().text in ("T", "t") and self.scope.is_linear
        if (named and self.scope.find(self.peek().text) is None) or self.peek().kind == "top":
            self.take()
            if negative == inverted and (not opened or self.accept("}", ")")):
                return True
        self.at = start
        return False

    def is_complement(self) -> bool:
        start = self.at
        opened = self.accept("{")
        if self.peek().text in ("c", "C", "complement") and self.scope.find(self.peek().text) is None:
            self.take()
            if not opened or self.accept("}"):
                return True
        self.at = start
        return False

    def exponent(self) -> Expr:
        if self.peek().kind in ("+", "-"):
            negative = self.take().kind == "-"
            node = self.exponent()
            return neg(node) if negative else node
        if self.peek().kind == "{":
            return self.group()
        first, *rest = self.atom()
        node = mul(first, *rest)
        return Pow(node, self.exponent()) if self.accept("^") else node

    # ------------------------------------------------------------ operands

    def group(self) -> Expr:
        opening = self.take().kind
        bars, self.bars = self.bars, ""
        node = self.sum()
        self.bars = bars
        self.expect(OPENING[opening])
        return node

    def barred(self) -> Expr:
        bars, self.bars = self.bars, self.take().kind
        inner = self.sum()
        self.expect(self.bars)
        self.bars = bars
        return inner

    def atom(self) -> list[Expr]:
        token = self.peek()
        match token.kind:
            case "number":
                return [Num(_number(self.take().text, self))]
            case "(" | "[" | "{":
                return [self.group()]
            case "frac":
                self.take()
                above, below = self.argument(), self.argument()
                return [mul(above, inverse(below))]
            case "binom":
                self.take()
                return [Call("binom", (self.argument(), self.argument()))]
            case "sqrt":
                self.take()
                root = inverse(self.group()) if self.peek().kind == "[" else HALF
                return [Pow(self.argument(), root)]
            case "cbrt":
                self.take()
                return [Pow(self.argument(), Num(Fraction(1, 3)))]
            case "lfloor" | "lceil":
                self.take()
                inner = self.sum()
                self.expect("r" + token.kind[1:])
                return [Call(token.kind[1:], (inner,))]
            case "|":
                return [Call("abs", (self.barred(),))]
            case "||":
                inner = self.barred()
                which = self.subscript()[1] if self.accept("_") else ""
                if which not in NORMS:
                    raise self.fail(f"no norm with {which} below it is read: write it with sums")
                return [Call(NORMS[which], (inner,))]
            case "<":
                self.take()
                left = self.sum()
                self.expect(",")
                right = self.sum()
                self.expect(">")
                return [Call("inner", (left, right))]
            case "sum":
                self.take()
                return [over_index(self, "sum")]
            case "name":
                return self.word()
        if token is END:
            raise self.fail("write what is missing there")
        raise self.fail("this has no meaning in a formula")

    def cut(self, first: str) -> None:
        """Take the token that comes apart after its first character: A^Tx is A^T x."""
        token = self.peek()
        if token.kind in ("name", "number") and token.text[:1] == first and len(token.text) > 1:
            pieces = [Token(token.kind, first, token.place, token.spaced)]
            pieces.append(Token(token.kind, token.text[1:], token.place))
            self.tokens = [*self.tokens[: self.at], *pieces, *self.tokens[self.at + 1 :]]

    def argument(self) -> Expr:
        """What a fraction or root takes: a group, or one operand without a bracket."""
        if self.peek().kind in OPENING:
            return self.group()
        token = self.peek()
        if token.kind == "number" and token.text.isdigit():
            self.cut(token.text[0])  # \frac12 is a half
        return mul(*self.atom())

    # ------------------------------------------------------------ names

    def word(self) -> list[Expr]:
        token = self.take()
        text = spelled(token.text)
        bare = text.rstrip("'")
        if bare != text and self.scope.find(text) is None and (found := self.scope.find(bare)) is not None:
            return [self.primed(found, text[len(bare) :])]
        if self.peek().kind == "number" and not self.peek().spaced and self.is_numbered(text):
            text += self.take().text
            return [self.named(self.scope.find(text) or text)]
        if self.conditions and token.text.startswith("bar:") and self.scope.find(text) is None:
            return [Call("not", (Sym(self.scope.find(token.text[4:]) or token.text[4:]),))]
        if text in BINDERS and self.scope.find(text) is None:
            return [over_index(self, BINDERS[text])]
        if (found := self.scope.find(text)) is None and (built := self.builtin(text)) is not None:
            return [call(self, built)]
        if text == "C" and found is None and self.peek().kind == "(" and (chosen := self.chosen()):
            return [chosen]
        if found is not None or text in self.bound or len(text) == 1 or is_constant(text, self.scope):
            return [self.named(found or text)]
        if self.peek().kind == "_" and not any(self.scope.find(c) for c in text):
            return [self.named(text)]  # seq_len is one name
        return self.several(token, text)

    def chosen(self) -> Expr | None:
        """C(n, k), where the question has no C of its own, is a binomial."""
        start = self.at
        args = arguments(self)
        if len(args) == 2:
            return Call("binom", tuple(args))
        self.at = start
        return None

    def primed(self, name: str, primes: str) -> Expr:
        """f'(x) is a function of its own, A' a transpose."""
        if self.scope.is_function(name):
            return apply_declared(self, name + primes)
        if self.scope.is_linear:
            node: Expr = Sym(name)
            for _ in primes:
                node = Call("transpose", (node,))
            return node
        if self.conditions and primes == "'" and name.isupper():
            return Call("not", (Sym(name),))  # P(B')
        return Sym(name + primes)

    def is_numbered(self, text: str) -> bool:
        """Whether the number right behind a name is its subscript: λ1."""
        return self.scope.find(text + self.peek().text) is not None or (
            self.unknown(text) and self.scope.builtin(text) is None
        )

    def builtin(self, text: str) -> str | None:
        found = self.scope.builtin(text)
        if text == "Gamma" and self.peek().kind not in ("(", "[", "{"):
            return None
        if text.rstrip("'") == "sigma" and self.peek().kind not in ("(", "[", "{", "'", "^"):
            return None
        return found

    def several(self, token: Token, text: str) -> list[Expr]:
        """A run of letters as its names: ab is a times b where they are declared, xsin(x) has a function."""
        pieces = split_word(text, self.scope, self.bound)
        strange = [piece for piece in pieces if self.unknown(piece)]
        if (len(text) > 2 and len(strange) > 1) or (strange and text.lower() in ("and", "or", "is", "if")):
            if is_greek(text):
                return [self.named(text)]
            raise AnswerError(
                f"cannot read '{text}' at column {token.place.column}: {self.hint()}", token.place.column
            )
        *before, last = pieces
        nodes: list[Expr] = [self.symbol(self.scope.find(piece) or piece) for piece in before]
        if (built := self.builtin(last)) is not None:
            return [*nodes, call(self, built)]
        return [*nodes, self.named(self.scope.find(last) or last)]

    def unknown(self, piece: str) -> bool:
        known = self.scope.find(piece) or piece in self.bound or piece in SPELLINGS
        return not known and not is_constant(piece, self.scope)

    def hint(self) -> str:
        names = self.scope.names
        return f"the names here are {', '.join(names)}" if names else "write products with *"

    def named(self, name: str) -> Expr:
        """A name with its subscript, or a declared function with its arguments."""
        lower = self.subscript() if self.accept("_") else None
        if lower is not None:
            tokens, text = lower
            if (found := self.scope.find(name + text)) is not None:
                name = found
            elif self.scope.find(name) and self.scope.is_function(name):
                name = f"{name}_{text}"
            elif self.scope.find(name):
                return Entry(name, self.inside(tokens))
            else:
                name = f"{name}_{text}"
        if self.scope.is_function(name):
            return apply_declared(self, name)
        return self.symbol(name)

    def symbol(self, name: str) -> Expr:
        return Sym(name) if name in self.bound else symbol(name, self.scope)

    def subscript(self) -> tuple[list[Token], str]:
        """The tokens below a name and their text."""
        if not self.accept("{"):
            token = self.take()
            return [token], token.text
        start, depth = self.at, 1
        while depth:
            token = self.take()
            if token is END:
                raise self.fail("close the subscript")
            depth += {"{": 1, "}": -1}.get(token.kind, 0)
        tokens = list(self.tokens[start : self.at - 1])
        return tokens, "".join(token.text for token in tokens)

    def inside(self, tokens: Sequence[Token]) -> Expr:
        """The formula in a subscript."""
        parser = Parser(tokens, self.scope, tight=self.tight)
        parser.bound = self.bound
        return parser.whole()


def _number(text: str, parser: Parser) -> Fraction:
    exponent = text.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise parser.fail("this number is too large to mean anything")
    return Fraction(text)
