"""The indices under a sum, and the bounds they have there: `{x,y}`, `{i=1}^{T/2}`, `{j <= i}`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from autograder.text.equation.cursor import Cursor, listed, text_of
from autograder.text.equation.lexer import Token, Unreadable
from autograder.text.equation.names import spell_index
from autograder.text.equation.tree import Binder, Condition, Expr, Number, Place, Size, Total, Variable, walk

RELATIONS = ("<", "<=", ">", ">=", "!=")
PARITIES = ("even", "odd")
_GROUPING = ("(", ")", "[", "]", "{", "}")
_EVERYTHING = frozenset(
    [
        "v",
        "w",
        "vocab",
        "vocabulary",
        "words",
        "positions",
        "all",
        "image",
        "pixels",
        "places",
        "heads",
        "grid",
    ]
)  # sets that are a whole axis
_PIECE = re.compile(r"[a-z]\d?'*")
ReadValue = Callable[[Cursor], Expr]  # a bound such as T/2 or i+1 at a cursor


class BinderReader:
    """Reads what stands below and above a sum sign; `value` reads the expressions in it."""

    def __init__(self, scope: frozenset[str], value: ReadValue) -> None:
        self.scope = scope
        self.value = value

    def read(self, cursor: Cursor) -> tuple[Binder, ...]:
        """The marks at the cursor: what is bound, and from where to where."""
        found: tuple[Binder, ...] = ()
        high: Expr | None = None
        while cursor.sees("_", "^"):
            if cursor.next().kind == "^":
                high = self._above(cursor)
            else:
                found = self._below(cursor)
        if not found:
            raise cursor.surprise("expected the index of the sum, such as sum_{j}")
        if high is not None:
            found = (*found[:-1], replace(found[-1], high=high))
        rest = cursor.tokens[cursor.at :]
        return tuple(piece for binder in found for piece in self._pieces_of(binder, rest))

    def _pieces_of(self, binder: Binder, rest: tuple[Token, ...]) -> list[Binder]:
        """`sum_{xy}` runs over x and y, where what follows speaks of those and not of xy."""
        pieces = [match[0] for match in _PIECE.finditer(binder.name)]
        plain = binder == Binder(binder.name, place=binder.place)
        if not plain or len(pieces) < 2 or "".join(pieces) != binder.name:
            return [binder]
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

    def _above(self, cursor: Cursor) -> Expr:
        if cursor.sees("{", "("):
            inner = self._whole(Cursor(cursor.inside(cursor.at)))
            cursor.skip(cursor.closing(cursor.at) + 1 - cursor.at)
            return inner
        return self._whole(Cursor((cursor.next(),)))

    def _whole(self, cursor: Cursor) -> Expr:
        value = self.value(cursor)
        if not cursor.sees("end"):
            raise cursor.surprise("expected the end of a bound")
        return value

    def _below(self, cursor: Cursor) -> tuple[Binder, ...]:
        if not cursor.sees("{", "("):
            names = [self._name(cursor)]
            while cursor.sees(",") and cursor.peek(1).kind == "name":  # sum_x,y
                cursor.next()
                names.append(self._name(cursor))
            return tuple(Binder(name, place=place) for name, place in names)
        inside = cursor.inside(cursor.at)
        cursor.skip(len(inside) + 2)
        return self.listed(inside)

    def _name(self, cursor: Cursor) -> tuple[str, Place]:
        token = cursor.expect("name", "as an index")
        name, cursor.spot = spell_index(cursor, token)
        return name, token.place

    def listed(self, tokens: tuple[Token, ...]) -> tuple[Binder, ...]:
        """The binders of a list such as `x, y`, `(x, y)` or `i=1..T, j`."""
        cursor = Cursor(tokens)
        if cursor.sees("(") and cursor.closing(0) == len(tokens) - 1:  # softmax_{(x, y)}
            cursor = Cursor(tokens[1:-1])
        found: list[Binder] = []
        while not cursor.sees("end"):
            binder = self._binder(cursor, found)
            found = [known for known in found if known.name != binder.name] + [binder]
            if not cursor.sees("end", "name") and not cursor.take(","):
                cursor.expect(",", "between the indices of a sum")
        return tuple(found)

    def _binder(self, cursor: Cursor, known: list[Binder]) -> Binder:
        start, place = cursor.spot, cursor.peek().place
        if cursor.sees("name"):
            name, _ = self._name(cursor)
            before = next((binder for binder in known if binder.name == name), Binder(name, place=place))
            if cursor.take("in"):
                return self._member(cursor, before)
            if cursor.sees_word("in"):
                cursor.next()
                return self._member(cursor, before)
            if cursor.sees_word(*PARITIES):
                return _restricted(before, Condition(Variable(name), cursor.next().text, Number(Fraction(0))))
            if cursor.sees("end", ",", "name"):
                return before
            if cursor.take("="):
                return self._from(cursor, before)
        cursor.spot = start
        return self._relation(cursor, known, place)

    def _member(self, cursor: Cursor, binder: Binder) -> Binder:
        """`j in 1..T`, or a set that is all of an axis, such as `[T]` or `Vocab`."""
        numbered = text_of(cursor.tokens[cursor.at :]).replace("[", "").replace("]", "")
        if numbered[:1].isdigit():
            while cursor.sees("[", "{", "("):
                cursor.next()
            return self._from(cursor, binder)
        named = [token for token in cursor.tokens[cursor.at :] if token.kind not in _GROUPING]
        cursor.skip(len(cursor.tokens) - cursor.at)
        if len(named) == 1:
            axis = self.value(Cursor(tuple(named)))
            if isinstance(axis, Size):
                return replace(binder, within=axis.name)
            if named[0].text.lower() in _EVERYTHING:
                return binder
        raise Unreadable(
            f"over what {binder.name} runs is not said: write {binder.name} alone for a whole axis, or "
            f"its ends, such as {binder.name}=1..T",
            binder.place,
        )

    def _from(self, cursor: Cursor, binder: Binder) -> Binder:
        """`1`, `1..T`, `1,...,T` or `2,4,...,T` after `i=`."""
        values = [self.value(cursor)]
        high: Expr | None = None
        while cursor.sees("dots") or (cursor.sees(",") and cursor.peek(1).kind in ("dots", "number")):
            cursor.take(",")
            if cursor.take("dots"):
                cursor.take(",")
                high = self.value(cursor)
            else:
                values.append(self.value(cursor))
        if len(values) > 1 and high is None:
            raise Unreadable(
                f"{binder.name} runs over single places: write its ends, such as {binder.name}=1..T",
                binder.place,
            )
        if cursor.sees("]", "}", ")"):
            cursor.next()
        binder = replace(binder, low=values[0], high=high)
        first, second = (values * 2)[:2]
        if isinstance(first, Number) and isinstance(second, Number) and second.value - first.value == 2:
            parity = PARITIES[int(first.value) % 2]
            return _restricted(binder, Condition(Variable(binder.name), parity, Number(Fraction(0))))
        return binder

    def _relation(self, cursor: Cursor, known: list[Binder], place: Place) -> Binder:
        """`j <= i` or `1 <= j <= T`: the index that is new here is the one that runs."""
        sides, relations = [self.value(cursor)], []
        while cursor.sees(*RELATIONS):
            relations.append(cursor.next().kind)
            sides.append(self.value(cursor))
        names = [node.name for side in sides for node in walk(side) if isinstance(node, Variable)]
        fresh = [name for name in names if name not in self.scope]
        if not relations or not names:
            raise cursor.surprise("expected an index under the sum, such as j, j=1 or j<=i")
        name = (fresh or names)[0]
        binder = next((binder for binder in known if binder.name == name), Binder(name, place=place))
        for left, relation, right in zip(sides, relations, sides[1:], strict=False):
            binder = _restricted(binder, _condition(left, relation, right))
        return binder


def numbered_axis(tokens: tuple[Token, ...]) -> str:
    """`dim=-1` or `axis=0` below a softmax: the number of an axis, as code names it; "" where it is none."""
    items = listed(tokens)
    words = ("dim", "axis")
    if len(items) != 1 or len(items[0]) < 3 or items[0][0].text not in words or items[0][1].kind != "=":
        return ""
    return text_of(items[0][2:])


def _condition(left: Expr, relation: str, right: Expr) -> Condition:
    if relation in (">", ">="):
        return Condition(right, relation.replace(">", "<"), left)
    return Condition(left, relation, right)


def _restricted(binder: Binder, condition: Condition) -> Binder:
    return replace(binder, conditions=(*binder.conditions, condition))


def whole_axes(binders: tuple[Binder, ...]) -> tuple[str, ...]:
    """The indices below a softmax, which runs over all of an axis: {t2 <= t1} is another one."""
    for binder in binders:
        if binder.conditions or not _is_whole(binder):
            raise Unreadable(
                "a softmax runs over a whole axis, as in softmax_{t2}: write the sum below it out for a part",
                binder.place,
            )
    return tuple(binder.name for binder in binders)


def _is_whole(binder: Binder) -> bool:
    return (binder.low is None and binder.high is None) or bool(_length_of(binder))


def lengths_of(binders: tuple[Binder, ...]) -> tuple[tuple[str, str], ...]:
    """The length up to which each index is said to run, where one is."""
    return tuple((binder.name, length) for binder in binders if (length := _length_of(binder)))


def _length_of(binder: Binder) -> str:
    """T where an index runs from 1 to T, or from 0 to T-1."""
    match binder.low, binder.high:
        case (None, None):
            return binder.within
        case (Number(low), Size(length)):
            return length if low == 1 else ""
        case (Number(low), Total((1, -1), (Size(length), Number(one)))):
            return length if low == 0 and one == 1 else ""
    return ""
