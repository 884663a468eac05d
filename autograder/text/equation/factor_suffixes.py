"""What stands behind a factor: powers, transposes, entries of a bracket, methods such as .sum(dim=1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from autograder.text.equation import calls
from autograder.text.equation.calls import Arguments
from autograder.text.equation.cursor import Cursor
from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.functions import Functions
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.names import NEW_AXIS, NameFinder
from autograder.text.equation.tree import (
    Call,
    Expr,
    Lookup,
    Number,
    Ones,
    Place,
    Power,
    Spread,
    Transpose,
    Variable,
)

# Where a bracket puts a new axis: behind all others, or as the other axis of a vector.
_NEW_AXES = {
    "dots,None": "upright",
    ":,None": "column",
    "None,:": "row",
    "None,dots": "row",
    "None": "row",
}


class SuffixGrammar(Protocol):
    """What reading a suffix asks of the grammar around it."""

    cursor: Cursor
    vocabulary: Vocabulary
    scope: frozenset[str]
    indexing: bool
    names: NameFinder
    functions: Functions

    def exponent(self) -> Expr: ...

    def index_list(self, close: str) -> tuple[Expr, ...]: ...


class Suffixes:
    """Reads what stands behind a factor that has been read."""

    def __init__(self, grammar: SuffixGrammar) -> None:
        self.grammar = grammar

    def read(self, left: Expr) -> Expr:
        cursor = self.grammar.cursor
        while not self.grammar.indexing:
            place = cursor.peek().place
            if self._is_entry():
                cursor.next()
                left = self._entry(left, place)
            elif cursor.sees("_") and cursor.at and cursor.tokens[cursor.at - 1].kind == ")":
                left = self._lowered(left, place)
            elif cursor.take("'"):
                left = Transpose(left, place=place)
            elif cursor.sees("^"):
                cursor.next()
                left = self._raised(left, place)
            elif (
                cursor.sees(".")
                and not cursor.peek(1).spaced
                and cursor.peek(1).kind in ("name", "sum", "sqrt")
            ):
                cursor.next()
                left = self._method(left, place)
            else:
                return left
        if cursor.take("^"):
            return Power(left, self.grammar.exponent(), cursor.peek().place)
        return left

    def _method(self, left: Expr, place: Place) -> Expr:
        """`A.T`, `A.sum(dim=1)`, `A.shape[0]`: what follows a dot."""
        cursor = self.grammar.cursor
        name = cursor.next().text
        if name in ("shape", "size") and cursor.sees("[", "("):
            inside = cursor.inside(cursor.at)
            cursor.skip(len(inside) + 2)
            axis = "".join(token.text for token in inside)
            return calls.length_of(left, axis, self.grammar.vocabulary, place)
        if name not in calls.METHODS:
            raise Unreadable(f"'.{name}' is not read here: write it as a sum or a product", place)
        if name in calls.UNCALLED:
            return calls.METHODS[name](left, Arguments((), {}), place)
        if not cursor.sees("("):
            raise cursor.surprise(f"expected '(' after .{name}")
        return calls.METHODS[name](left, self.grammar.functions.arguments(), place)

    def _is_entry(self) -> bool:
        """`(A B)[i,j]`: one entry of what stands in brackets; `b[:, None]`: a vector stood up."""
        cursor = self.grammar.cursor
        if not cursor.sees("[") or cursor.peek().spaced or cursor.at == 0:
            return False
        inside = cursor.inside(cursor.at)
        if any(token.text in NEW_AXIS for token in inside):
            return True
        plain = all(token.kind in ("name", "number", ",", ":", "_", "{", "}", "'") for token in inside)
        names = [token.text for token in inside if token.kind == "name"]
        known = [name for name in names if name in self.grammar.vocabulary.spellings]
        entries = all(name in self.grammar.scope or self._points(name) for name in known)
        return cursor.tokens[cursor.at - 1].kind == ")" and plain and entries and bool(inside)

    def _points(self, name: str) -> bool:
        declared = self.grammar.vocabulary.find(name, 0)
        return bool(declared and declared.entries)

    def _entry(self, left: Expr, place: Place) -> Expr:
        cursor = self.grammar.cursor
        inside = cursor.inside(cursor.at - 1)
        if any(token.text in NEW_AXIS for token in inside):
            written = "".join("None" if token.text in NEW_AXIS else token.text for token in inside)
            where = _NEW_AXES.get(written)
            if written == ":,:,None" and self._open_axes(left) == 2:
                where = "upright"
            if where is None:
                fix = "write [..., None], or for a vector [:, None]"
                raise Unreadable(f"a new axis is not read there: {fix}", place)
            cursor.skip(len(inside) + 1)
            return Call(where, (left,), place)
        return _entries(left, self.grammar.index_list("]"), place)

    def _open_axes(self, expr: Expr) -> int:
        """How many axes of a declared tensor have no index; 0 of anything else."""
        declared = self.grammar.vocabulary.tensors.get(expr.tensor) if isinstance(expr, Lookup) else None
        return len(declared.axes) - len(expr.indices) if declared and isinstance(expr, Lookup) else 0

    def _lowered(self, left: Expr, place: Place) -> Expr:
        """`(A B)_{ij}`: one entry of what stands in brackets."""
        cursor = self.grammar.cursor
        mark = cursor.mark_at(cursor.spot)
        if mark is None:
            raise cursor.surprise("expected an index after '_'")
        cursor.spot = mark.end
        indices = [index for item in mark.items for index in self.grammar.names.subscript(item)]
        return _entries(left, tuple(indices), place)

    def _raised(self, left: Expr, place: Place) -> Expr:
        cursor = self.grammar.cursor
        token = cursor.peek()
        braced = token.kind in ("{", "(") and cursor.closing(cursor.at) == cursor.at + 2
        mark = cursor.peek(1) if braced else token
        base = Ones() if left == Number(Fraction(1)) else left
        if mark.kind in ("top", "'"):
            cursor.skip(3 if braced else 1)
            return Transpose(base, place=place)
        if mark.kind == "name" and mark.text[0] == "T" and (len(mark.text) == 1 or not braced):
            if braced:
                cursor.skip(3)
            else:
                cursor.next_letter()  # A^TB is A^T B
            return Transpose(base, letter=True, place=place)
        return Power(left, self.grammar.exponent(), place)


def _entries(left: Expr, indices: tuple[Expr, ...], place: Place) -> Expr:
    for index in indices:
        if not isinstance(index, Variable):
            raise Unreadable("an entry of a bracket needs plain indices, such as (A B)[i,j]", place)
        left = Spread(index.name, left, place)
    return left
