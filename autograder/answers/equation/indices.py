"""Index lists, and the indices under a sum: `[b, 2t+dt, i']`, `{i=1}^{T/2}`, `{j <= i}`."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from autograder.answers.equation.cursor import Cursor, text_of
from autograder.answers.equation.lexer import Token, Unreadable
from autograder.answers.equation.tree import (
    Binder,
    Condition,
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
    walk,
)
from autograder.answers.equation.vocabulary import spell

RELATIONS = ("<", "<=", ">", ">=", "!=")
PARITIES = ("even", "odd")
MOST = 12  # indices of one tensor
_PIECE = re.compile(r"[a-z]\d?'*")


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

    # ------------------------------------------------------------ under a sum

    def binders(self) -> tuple[Binder, ...]:
        """What stands below and above a sum sign."""
        found: tuple[Binder, ...] = ()
        high: Expr | None = None
        while self.sees("_", "^"):
            if self.next().kind == "^":
                high = self._above()
            else:
                found = self._below()
        if not found:
            raise self.surprise("expected the index of the sum, such as sum_{j}")
        if high is not None:
            found = (*found[:-1], replace(found[-1], high=high))
        return tuple(piece for binder in found for piece in self._pieces_of(binder))

    def _pieces_of(self, binder: Binder) -> list[Binder]:
        """`sum_{xy}` runs over x and y, where what follows speaks of those and not of xy."""
        pieces = [match[0] for match in _PIECE.finditer(binder.name)]
        plain = binder == Binder(binder.name, place=binder.place)
        if not plain or len(pieces) < 2 or "".join(pieces) != binder.name:
            return [binder]
        rest = self.tokens[self.at :]
        used = {token.text for token in rest} | self.scope
        # the same name below another sum sign is no use of it
        whole = self.scope.union(
            token.text
            for at, token in enumerate(rest)
            if all(before.kind != "_" for before in rest[max(at - 2, 0) : at])
        )
        if binder.name in whole or not used.issuperset(pieces):
            return [binder]
        return [Binder(piece, place=binder.place) for piece in pieces]

    def _above(self) -> Expr:
        token = self.peek()
        if token.kind in ("{", "("):
            self.next()
            inner = self._with_sizes(self._total())
            self.expect("}" if token.kind == "{" else ")", "above a sum")
            return inner
        return self._with_sizes(self._atom())

    def _below(self) -> tuple[Binder, ...]:
        if not self.sees("{", "("):
            names = [self.index_name()]
            while self.sees(",") and self.peek(1).kind == "name":  # sum_x,y
                self.next()
                names.append(self.index_name())
            return tuple(Binder(name, place=place) for name, place in names)
        end = self.closing(self.at)
        inner = self.inside(tuple(token for token in self.tokens[self.at + 1 : end]))
        self.at = end + 1
        return inner.binder_list()

    def binder_list(self) -> tuple[Binder, ...]:
        found: list[Binder] = []
        if self.sees("(") and self.closing(self.at) == len(self.tokens) - 1:  # softmax_{(x, y)}
            self.tokens = self.tokens[1:-1]
        while not self.sees("end"):
            binder = self._binder(found)
            found = [known for known in found if known.name != binder.name] + [binder]
            if not self.sees("end", "name") and not self.take(","):
                self.expect(",", "between the indices of a sum")
        return tuple(found)

    def _binder(self, known: list[Binder]) -> Binder:
        start, place = self.at, self.peek().place
        if self.sees("name"):
            name, _ = self.index_name()
            before = next((binder for binder in known if binder.name == name), Binder(name, place=place))
            if self.sees("name") and self.peek().text == "in":
                self.next()
                return self._member(before)
            if self.sees("end", ",") or (self.sees("name") and self.peek().text not in PARITIES):
                return before
            if self.sees("name"):
                return _restricted(before, Condition(Variable(name), self.next().text, Number(Fraction(0))))
            if self.take("in"):
                return self._member(before)
            if self.take("="):
                return self._from(before)
        self.at = start
        return self._relation(known, place)

    def _member(self, binder: Binder) -> Binder:
        """`j in 1..T`, or any set at all: the index then ranges over its axis."""
        start = self.at
        numbered = text_of(self.tokens[start:]).replace("[", "").replace("]", "")
        if numbered[:1].isdigit():
            while self.sees("[", "{", "("):
                self.next()
            return self._from(binder)
        while not self.sees("end"):
            self.next()
        return binder

    def _from(self, binder: Binder) -> Binder:
        """`1`, `1..T`, `1,...,T` or `2,4,...,T` after `i=`."""
        values = [self._with_sizes(self._total())]
        high: Expr | None = None
        while self.sees("dots") or (self.sees(",") and self.peek(1).kind in ("dots", "number")):
            self.take(",")
            if self.take("dots"):
                self.take(",")
                high = self._with_sizes(self._total())
            else:
                values.append(self._with_sizes(self._total()))
        if self.sees("]", "}", ")"):
            self.next()
        binder = replace(binder, low=values[0], high=high)
        first, second = (values * 2)[:2]
        if isinstance(first, Number) and isinstance(second, Number) and second.value - first.value == 2:
            parity = PARITIES[int(first.value) % 2]
            return _restricted(binder, Condition(Variable(binder.name), parity, Number(Fraction(0))))
        return binder

    def _relation(self, known: list[Binder], place: Place) -> Binder:
        """`j <= i` or `1 <= j <= T`: the index that is new here is the one that runs."""
        sides, relations = [self._with_sizes(self._total())], []
        while self.sees(*RELATIONS):
            relations.append(self.next().kind)
            sides.append(self._with_sizes(self._total()))
        names = [node.name for side in sides for node in walk(side) if isinstance(node, Variable)]
        fresh = [name for name in names if name not in self.scope]
        if not relations or not names:
            raise self.surprise("expected an index under the sum, such as j, j=1 or j<=i")
        name = (fresh or names)[0]
        binder = next((binder for binder in known if binder.name == name), Binder(name, place=place))
        for left, relation, right in zip(sides, relations, sides[1:], strict=False):
            binder = _restricted(binder, _condition(left, relation, right))
        return binder


def _condition(left: Expr, relation: str, right: Expr) -> Condition:
    if relation in (">", ">="):
        return Condition(right, relation.replace(">", "<"), left)
    return Condition(left, relation, right)


def _restricted(binder: Binder, condition: Condition) -> Binder:
    return replace(binder, conditions=(*binder.conditions, condition))
