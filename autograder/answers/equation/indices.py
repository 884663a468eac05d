"""Index lists: `[b, 2t+dt, i']`, `w[b,t]` as an index, and indices written as subscripts."""

from __future__ import annotations

from fractions import Fraction

from autograder.answers.equation.cursor import Cursor
from autograder.answers.equation.lexer import Token, Unreadable
from autograder.answers.equation.tree import (
    Expr,
    Lookup,
    Number,
    Place,
    Product,
    Quotient,
    Size,
    Total,
    Variable,
    rebuild,
)
from autograder.answers.equation.vocabulary import spell

MOST = 12  # indices of one tensor


def read_number(token: Token) -> Number:
    if len(token.text) > 15:
        raise Unreadable("a number has more than 15 digits: write it shorter", token.place)
    return Number(Fraction(token.text))


class IndexReader(Cursor):
    """Reads what may stand between the index brackets of a tensor."""

    defining = False  # on a left side `w_t` is an index, whatever w is elsewhere

    def index(self) -> Expr:
        """One index: a name alone is the index itself, a capital inside arithmetic is a size."""
        expr = self._total()
        return expr if isinstance(expr, Variable) else self._with_sizes(expr)

    def index_list(self, close: str) -> tuple[Expr, ...]:
        """The indices up to a closing bracket, which is read too."""
        items: list[Expr] = []
        start = self.peek().place
        while not self.take(close):
            if items:
                self.expect(",", f"or '{close}' in an index list")
            if self.sees("(") and self._is_pair():  # h[(x,y),J]
                self.next()
                items += self.index_list(")")
                continue
            items.append(self.index())
            if self.take("="):  # P(w_t = w): the value is the index
                items[-1] = self.index()
            if len(items) > MOST:
                raise Unreadable(f"a tensor has more than {MOST} indices: no tensor here has", start)
        return tuple(items)

    def _is_pair(self) -> bool:
        return any(token.kind == "," for token in self.tokens[self.at : self.closing(self.at)])

    def _with_sizes(self, expr: Expr) -> Expr:
        if isinstance(expr, Variable):
            known = expr.name in self.vocabulary.axes or expr.name in self.vocabulary.sizes
            if known and expr.name not in self.scope:
                return Size(expr.name, expr.place)
            return expr
        if isinstance(expr, Lookup):
            return expr
        changed: Expr = rebuild(expr, self._with_sizes)
        return changed

    def _total(self) -> Expr:
        place = self.peek().place
        sign = -1 if self.take("-") else 1
        signs, terms = [sign], [self._term()]
        while self.sees("+", "-"):
            signs.append(-1 if self.next().kind == "-" else 1)
            terms.append(self._term())
        if len(terms) == 1 and sign == 1:
            return terms[0]
        return Total(tuple(signs), tuple(terms), place)

    def _term(self) -> Expr:
        left = self._atom()
        while True:
            place = self.peek().place
            if self.take("*") or self.take("dot"):
                left = Product((left, self._atom()), place)
            elif self.take("/"):
                left = Quotient(left, self._atom(), place)
            elif self.sees("name", "number", "(", "{", "frac"):
                left = Product((left, self._atom()), place)
            else:
                return left

    def _atom(self) -> Expr:
        token = self.next()
        if token.kind == "number":
            return read_number(token)
        if token.kind in ("(", "{"):
            expr = self._total()
            self.expect(")" if token.kind == "(" else "}", "in an index")
            return expr
        if token.kind == "frac":
            return Quotient(self._braced(), self._braced(), token.place)
        if token.kind == "name":
            return self._named(token)
        self.at -= 1
        raise self.surprise("expected an index such as t, 2t+1 or J")

    def _braced(self) -> Expr:
        if self.sees("number"):
            return read_number(self.next())
        self.expect("{", "after a fraction")
        expr = self._total()
        self.expect("}", "after a fraction")
        return expr

    def _named(self, token: Token) -> Expr:
        """An index by its name, or the entry of a tensor of whole numbers used as an index."""
        name, end = self._spelled_index(token)
        if name not in self.scope and not self.defining and (found := self._entry(token)):
            return found
        self.at = end
        return Variable(name, token.place)

    def _spelled_index(self, token: Token) -> tuple[str, int]:
        """`t_1`, `t1` and `t_{1}` are one name, and so are `x'` and `x^{\\prime}`."""
        mark_before, _, letter = token.text.rpartition(":")
        name, at = f"{letter}_{mark_before}" if mark_before else letter, self.at
        while mark := self.mark_at(at):
            text = ",".join(mark.texts)
            if mark.sign == "^" and text.strip("'"):
                break
            if mark.sign == "_" and not text.isdigit():
                text = f"_{text}" if len(text) == 1 or text.isalpha() else f"_{{{text}}}"
            name, at = name + text, mark.end
        while at < len(self.tokens) and self.tokens[at].kind == "'":
            name, at = name + "'", at + 1
        base = name.rstrip("'")
        return base.replace("'", "") + "'" * name.count("'"), at

    def _entry(self, token: Token) -> Lookup | None:
        declared = self.vocabulary.find(spell(token.text, (), ()), 0)
        if not declared or not declared.entries or not self.sees("_", "[", "("):
            return None
        indices: list[Expr] = []
        while mark := self.mark_at(self.at):
            for item in mark.items:
                indices += self.subscript(item)
            self.at = mark.end
        while self.sees("[", "("):
            close = "]" if self.next().kind == "[" else ")"
            indices += self.index_list(close)
        return Lookup(declared.name, tuple(indices), token.place)

    def subscript(self, item: tuple[Token, ...]) -> list[Expr]:
        """One subscript as an index; `ij` and `i j` are two where i and j are known."""
        if len(item) == 1 and item[0].kind == "name" and item[0].text not in self.scope:
            letters = list(item[0].text)
            if len(letters) > 1 and all(letter in self.scope for letter in letters):
                return [Variable(letter, item[0].place) for letter in letters]
        if len(item) > 1 and all(token.kind == "name" and token.text in self.scope for token in item):
            return [Variable(token.text, token.place) for token in item]
        return [self.inside(item).whole_index()]

    def inside(self, tokens: tuple[Token, ...]) -> IndexReader:
        return IndexReader(tokens, self.vocabulary, self.scope)

    def whole_index(self) -> Expr:
        expr = self.index()
        if not self.sees("end"):
            raise self.surprise("expected the end of an index")
        return expr

    def index_name(self) -> tuple[str, Place]:
        token = self.expect("name", "as an index")
        name, self.at = self._spelled_index(token)
        return name, token.place
