"""A position in a row of tokens, with the small questions a reader asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.answers.equation import symbols
from autograder.answers.equation.lexer import Token, Unreadable
from autograder.answers.equation.tree import Place
from autograder.answers.equation.vocabulary import Vocabulary

_NO_MARKS = frozenset(["^", "_", "end", ")", "]", "}", ",", ";", "="])
END = Token("end", "the end of the line", Place(0, 0))


@dataclass(frozen=True)
class Mark:
    """One raised or lowered mark after a name: its items as tokens, and where it ends."""

    sign: str
    items: tuple[tuple[Token, ...], ...]
    end: int

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(text_of(item) for item in self.items)


def text_of(tokens: Sequence[Token]) -> str:
    """Tokens run together, without the signs that only group or place them."""
    return "".join(token.text for token in tokens if token.kind not in ("{", "}", "(", ")", "_", "^"))


class Cursor:
    """Reads tokens from left to right; `scope` holds the indices that are known at this point."""

    def __init__(self, tokens: Sequence[Token], vocabulary: Vocabulary, scope: frozenset[str]) -> None:
        self.tokens = list(tokens)
        self.at = 0
        self.vocabulary = vocabulary
        self.scope = scope

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        if at < len(self.tokens):
            return self.tokens[at]
        if not self.tokens:
            return END
        last = self.tokens[-1].place
        return Token("end", END.text, Place(last.line, last.column + 1))

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def sees(self, *kinds: str) -> bool:
        return self.peek().kind in kinds

    def take(self, kind: str) -> bool:
        """Step over a token of this kind, if it is the next one."""
        found = self.sees(kind)
        self.at += found
        return found

    def expect(self, kind: str, where: str) -> Token:
        if not self.sees(kind):
            raise self.surprise(f"expected '{kind}' {where}")
        return self.next()

    def surprise(self, wanted: str) -> Unreadable:
        token = self.peek()
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

    def mark_at(self, at: int) -> Mark | None:
        """The raised or lowered mark that starts at a token, if one does."""
        if at + 1 >= len(self.tokens) or self.tokens[at].kind not in ("_", "^"):
            return None
        sign, first = self.tokens[at].kind, self.tokens[at + 1]
        if first.kind in _NO_MARKS:
            return None
        if first.kind != "{" and not (first.kind == "(" and sign == "_"):  # L_(l+1) is L_{l+1}
            return Mark(sign, ((first,),), at + 2)
        end = self.closing(at + 1)
        items: list[list[Token]] = [[]]
        depth = 0
        for token in self.tokens[at + 2 : end]:
            depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
            if token.kind == "," and depth == 0:
                items.append([])
            else:
                items[-1].append(token)
        return Mark(sign, tuple(tuple(item) for item in items if item), end + 1)

    def marks(self) -> list[Mark]:
        """All marks that follow the current position."""
        found: list[Mark] = []
        at = self.at
        while (mark := self.mark_at(at)) and len(found) < 4:
            found.append(mark)
            at = mark.end
        return found

    def split(self, at: int, length: int) -> None:
        """Cut a name in two after `length` letters: `TQH` after a `^` is `T` and `QH`."""
        token = self.tokens[at]
        rest = Place(token.place.line, token.place.column + length)
        self.tokens[at : at + 1] = [
            Token("name", token.text[:length], token.place, token.spaced),
            Token("name", token.text[length:], rest),
        ]
