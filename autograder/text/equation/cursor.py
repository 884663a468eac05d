"""A position in a row of tokens, with the small questions a reader asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.text import symbols
from autograder.text.equation.lexer import Token, Unreadable
from autograder.text.equation.tree import Place
from autograder.text.step_bound import spend

_NO_MARKS = frozenset(["^", "_", "end", ")", "]", "}", ",", ";", "="])
_GROUPING = ("{", "}", "(", ")", "_", "^")
END = Token("end", "the end of the line", Place(0, 0))


@dataclass(frozen=True)
class TokenSpot:
    """A token, and how many of its letters are read: `KH` may be read one letter at a time."""

    at: int
    letters: int = 0


@dataclass(frozen=True)
class Mark:
    """One raised or lowered mark after a name: its items as tokens, and where it ends."""

    sign: str
    items: tuple[tuple[Token, ...], ...]
    end: TokenSpot

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(text_of(item) for item in self.items)


def text_of(tokens: Sequence[Token]) -> str:
    """Tokens run together, without the signs that only group or place them."""
    return "".join(token.text for token in tokens if token.kind not in _GROUPING)


class Cursor:
    """Reads tokens from left to right, and may go back to any spot; the tokens never change."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tuple(tokens)
        self.spot = TokenSpot(0)

    @property
    def at(self) -> int:
        return self.spot.at

    def spot_after(self, count: int) -> TokenSpot:
        return TokenSpot(self.spot.at + count)

    def peek(self, ahead: int = 0) -> Token:
        spend()
        at = self.spot.at + ahead
        if at < len(self.tokens):
            token = self.tokens[at]
            return token if ahead or not self.spot.letters else _rest(token, self.spot.letters)
        if not self.tokens:
            return END
        last = self.tokens[-1].place
        return Token("end", END.text, Place(last.line, last.column + 1))

    def next(self) -> Token:
        token = self.peek()
        self.spot = TokenSpot(self.spot.at + 1)
        return token

    def next_letter(self) -> Token:
        """The first letter or digit of the token alone; the others stay to be read."""
        token = self.peek()
        if len(token.text) == 1:
            return self.next()
        self.spot = TokenSpot(self.spot.at, self.spot.letters + 1)
        return Token(token.kind, token.text[0], token.place, token.spaced)

    def skip(self, count: int) -> None:
        self.spot = TokenSpot(self.spot.at + count)

    def sees(self, *kinds: str) -> bool:
        return self.peek().kind in kinds

    def sees_word(self, *words: str) -> bool:
        token = self.peek()
        return token.kind == "name" and token.text in words

    def take(self, kind: str) -> bool:
        """Step over a token of this kind, if it is the next one."""
        found = self.sees(kind)
        if found:
            self.next()
        return found

    def expect(self, kind: str, where: str) -> Token:
        if not self.sees(kind):
            raise self.surprise(f"expected '{kind}' {where}")
        return self.next()

    def surprise(self, wanted: str) -> Unreadable:
        token = self.peek()
        if token.kind == "strange":
            what = "character" if len(token.text) == 1 else "word"
            return Unreadable(
                f"cannot read '{token.text}': this {what} has no meaning in an answer", token.place
            )
        found = token.text if token.kind == "end" else f"'{token.text}'"
        return Unreadable(f"{wanted}, found {found}", token.place)

    def closing(self, at: int) -> int:
        """Where the bracket that opens at `at` is closed."""
        depth = 0
        for end in range(at, len(self.tokens)):
            kind = self.tokens[end].kind
            depth += (kind in symbols.OPENING) - (kind in symbols.CLOSING)
            if depth == 0:
                return end
        return len(self.tokens) - 1

    @staticmethod
    def level(tokens: tuple[Token, ...], at: int) -> int:
        """How many brackets are open at a place among tokens."""
        kinds = [token.kind for token in tokens[:at]]
        return sum((kind in symbols.OPENING) - (kind in symbols.CLOSING) for kind in kinds)

    def inside(self, at: int) -> tuple[Token, ...]:
        """The tokens between the bracket that opens at `at` and the one that closes it."""
        return self.tokens[at + 1 : self.closing(at)]

    def mark_at(self, spot: TokenSpot, short: bool = False) -> Mark | None:
        """The mark that starts at a spot, if one does. A `short` subscript is one letter: `q_ik_j`."""
        at = spot.at
        if spot.letters or at + 1 >= len(self.tokens) or self.tokens[at].kind not in ("_", "^"):
            return None
        sign, first = self.tokens[at].kind, self.tokens[at + 1]
        if first.kind in _NO_MARKS:
            return None
        if first.kind in ("{", "("):  # L_(l+1) is L_{l+1}
            return Mark(sign, _ungrouped(listed(self.inside(at + 1))), TokenSpot(self.closing(at + 1) + 1))
        if short:
            letter = Token(first.kind, first.text[0], first.place, first.spaced)
            return Mark(sign, ((letter,),), TokenSpot(at + 1, 1))
        return Mark(sign, ((first,),), TokenSpot(at + 2))

    def marks(self) -> list[Mark]:
        """All marks that follow the current position."""
        found: list[Mark] = []
        spot = self.spot
        while (mark := self.mark_at(spot)) and len(found) < 4:
            found.append(mark)
            spot = mark.end
        return found


def _rest(token: Token, letters: int) -> Token:
    place = Place(token.place.line, token.place.column + letters)
    return Token(token.kind, token.text[letters:], place)


def _ungrouped(items: tuple[tuple[Token, ...], ...]) -> tuple[tuple[Token, ...], ...]:
    """`{k,(x,y)}` is `{k,x,y}`: indices of one place may stand in brackets."""
    out: list[tuple[Token, ...]] = []
    for item in items:
        inner = listed(item[1:-1]) if len(item) > 2 and item[0].kind == "(" and item[-1].kind == ")" else ()
        out += inner if len(inner) > 1 else (item,)
    return tuple(out)


def listed(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], ...]:
    """The items of a list, cut at the commas that stand in no bracket; empty ones are left out."""
    items: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
        if token.kind == "," and depth == 0:
            items.append([])
        else:
            items[-1].append(token)
    return tuple(tuple(item) for item in items if item)
