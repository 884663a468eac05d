"""The indices under a sum, and the bounds they have there: `{x,y}`, `{i=1}^{T/2}`, `{j <= i}`."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from autograder.answers.equation.cursor import text_of
from autograder.answers.equation.indices import IndexReader
from autograder.answers.equation.tree import Binder, Condition, Expr, Number, Place, Variable, walk

RELATIONS = ("<", "<=", ">", ">=", "!=")
PARITIES = ("even", "odd")
_PIECE = re.compile(r"[a-z]\d?'*")


class BinderReader(IndexReader):
    """Reads what stands below and above a sum sign."""

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
        inner = BinderReader(self.tokens[self.at + 1 : end], self.vocabulary, self.scope)
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
