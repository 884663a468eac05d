"""A name with its marks becomes a tensor with indices, an index, a size or a constant."""

from __future__ import annotations

import re

from autograder.answers.equation.binders import BinderReader
from autograder.answers.equation.cursor import Mark, text_of
from autograder.answers.equation.lexer import Token
from autograder.answers.equation.tree import Expr, Lookup, Product, Size, Variable
from autograder.answers.equation.vocabulary import (
    ELEMENTWISE,
    OPERATORS,
    SPELLINGS,
    Declared,
    spell,
)

_INDEX = re.compile(r"[a-z]\d{0,2}'*")
_LETTERS = re.compile(r"[ijklmnst]{2,3}")


def function_name(text: str, known: dict[str, object]) -> str | None:
    """The function a word names, in its usual spelling."""
    lower = text.lower()
    if lower in known:
        return lower
    lower = SPELLINGS.get(lower, lower)
    if lower in ELEMENTWISE or lower in OPERATORS:
        return lower
    return "sigmoid" if lower == "sigma" and text == "sigma" else None


class NameReader(BinderReader):
    """Reads names where an expression may stand."""

    def function_at(self, token: Token) -> str | None:
        if token.kind != "name":
            return None
        return function_name(token.text, dict(self.vocabulary.functions))

    def symbol(self) -> Expr | None:
        """The tensor, index or size at the cursor; None where the name means nothing here."""
        token = self.next()
        found = self._tensor(token)
        if found is not None:
            return found
        name, end = self._spelled_index(token)
        if name in self.scope:
            self.at = end
            return Variable(name, token.place)
        known = token.text in self.vocabulary.axes or token.text in self.vocabulary.sizes
        if known and not self.sees("_", "["):
            return Size(token.text, token.place)
        if self._cut(token):
            return self._pieces(token)
        return None

    def _tensor(self, token: Token) -> Lookup | None:
        match = self._match(token)
        if match is None and self._cut_subscript():
            match = self._match(token)
        if match is None:
            return None
        declared, rest, end = match
        bare = end == self.at and token.text in self.vocabulary.axes and not self.vocabulary.matrix
        if bare and not (self.sees("[") or (self.sees("(") and self._looks_like_indices())):
            return None  # a size that happens to share its letter with a tensor
        self.at = end
        indices = [index for item in rest for index in self.subscript(item)]
        while self._indexed(declared, len(indices)):
            close = "]" if self.next().kind == "[" else ")"
            indices += self.index_list(close)
        indices = self._without_fixed(declared, indices, len(rest))
        return Lookup(declared.name, tuple(self._positions(declared, indices)), token.place)

    def _match(self, token: Token) -> tuple[Declared, list[tuple[Token, ...]], int] | None:
        """The declared tensor with the longest spelling, and the subscripts left over as indices."""
        marks = self.marks()
        for count in range(len(marks), -1, -1):
            raised = [text for mark in marks[:count] if mark.sign == "^" for text in mark.texts]
            lowered = [item for mark in marks[:count] if mark.sign == "_" for item in mark.items]
            for used in range(len(lowered), -1, -1):
                texts = [text_of(item) for item in lowered[:used]]
                declared = self._find(spell(token.text, raised, texts), len(lowered) - used)
                if declared and (used == len(lowered) or declared.axes):
                    return declared, lowered[used:], self._end(marks, count)
        return None

    def _end(self, marks: list[Mark], count: int) -> int:
        return marks[count - 1].end if count else self.at

    def _find(self, spelled: str, rest: int) -> Declared | None:
        found = self.vocabulary.find(spelled, rest)
        if found or len(spelled) < 3:
            return found
        known = [name for name in self.vocabulary.spellings if name.lower() == spelled.lower()]
        return self.vocabulary.find(known[0], rest) if len(known) == 1 else None

    def _positions(self, declared: Declared, indices: list[Expr]) -> list[Expr]:
        """On an axis numbered up to its length the capital is a position: X_T is the last input."""
        for at, (axis, index) in enumerate(zip(declared.axes, indices, strict=False)):
            capital = isinstance(index, Variable) and index.capital and index.name not in self.scope
            numbered = self.vocabulary.numbering.get(axis, "").endswith(f"..{axis}")
            if isinstance(index, Variable) and capital and numbered and axis == index.name:
                indices[at] = Size(index.name, index.place)
        return indices

    def _without_fixed(self, declared: Declared, indices: list[Expr], subscripts: int) -> list[Expr]:
        """`alpha_t[x,y]` is alpha[x,y]: an index given from outside may be repeated as a subscript."""
        extra = len(indices) - len(declared.axes)
        first = indices[0] if indices else None
        if extra == 1 and subscripts and isinstance(first, Variable) and first.name in self.vocabulary.fixed:
            return indices[1:]
        return indices

    def _indexed(self, declared: Declared, given: int) -> bool:
        """Is the bracket at the cursor the tensor's index list, and not a further factor?"""
        opening = self.peek()
        if opening.kind not in ("[", "(") or not declared.axes:
            return False
        comma = self._looks_like_indices()
        if comma is None:
            return not self.vocabulary.matrix and given == 0
        if opening.kind == "(":
            return given == 0 and (comma or not self.vocabulary.matrix)
        return given < len(declared.axes) or not opening.spaced

    def _looks_like_indices(self) -> bool | None:
        """None where the bracket holds something else; otherwise whether a comma separates indices."""
        comma = False
        for token in self.tokens[self.at + 1 : self.closing(self.at)]:
            comma = comma or token.kind == ","
            if token.kind in (";", "dots", "sum", "sqrt", "<", "||", "kron", "top", "newline"):
                return None
            if token.kind == "name" and self.vocabulary.matrix and self._is_matrix(token.text):
                return None
        return comma

    def _is_matrix(self, text: str) -> bool:
        if text in self.scope or text in self.vocabulary.axes:
            return False
        declared = self.vocabulary.find(text, 0) or self.vocabulary.find(text, 1)
        known = declared is not None and not declared.entries
        return known or function_name(text, dict(self.vocabulary.functions)) is not None

    # ------------------------------------------------------------ letters written without a space

    def _known_letter(self, letter: str) -> bool:
        matrix = self.vocabulary.matrix and self.vocabulary.find(letter, 0) is not None
        return matrix or letter in self.vocabulary.axes or letter in self.scope

    def _cut(self, token: Token) -> bool:
        """Is the word a row of letters that are all known: `KH`, `XY`?"""
        return 1 < len(token.text) <= 4 and all(self._known_letter(letter) for letter in token.text)

    def _pieces(self, token: Token) -> Expr | None:
        letters = token.text
        if all(letter in self.vocabulary.axes for letter in letters) and not self.vocabulary.matrix:
            return Product(tuple(Size(letter, token.place) for letter in letters), token.place)
        self.at -= 1
        self.split(self.at, 1)
        return self.symbol()

    def _cut_subscript(self) -> bool:
        """`q_ik_j` is `q_i k_j`: without braces a subscript is one letter."""
        if not self.sees("_") or self.peek(1).kind != "name":
            return False
        text = self.peek(1).text
        if len(text) < 2 or text[0] not in self.scope or not self.vocabulary.find(text[1:], 1):
            return False
        self.split(self.at + 1, 1)
        return True

    # ------------------------------------------------------------ the left side

    def left(self) -> tuple[Lookup, Declared | None]:
        """What a line defines; the second value declares a name that is the answer's own."""
        if not self.sees("name"):
            raise self.surprise("expected the name of the tensor that the line defines")
        token = self.next()
        self.defining = True
        found, own = self._tensor(token), None
        if found is None:
            found, own = self._own(token)
        turned = self.sees("^") and self.peek(1).text in ("top", "T") and self.peek(2).kind == "end"
        if not self.sees("end") and not turned:
            raise self.surprise("expected '=' after the tensor that the line defines")
        return found, own

    def _own(self, token: Token) -> tuple[Lookup, Declared]:
        """A name that no one declared: an intermediate definition."""
        name, texts = token.text, []
        indices: list[Expr] = []
        for mark in self.marks():
            for item in mark.items:
                text = text_of(item)
                if mark.sign == "_" and _LETTERS.fullmatch(text):
                    indices += [Variable(letter, token.place) for letter in text]
                elif mark.sign == "_" and _INDEX.fullmatch(text):
                    indices.append(self.inside(item).whole_index())
                else:
                    texts.append(text)
            self.at = mark.end
        while self.sees("[", "("):
            close = "]" if self.next().kind == "[" else ")"
            indices += self.index_list(close)
        spelled = spell(name, texts, ())
        axes = tuple(f"{spelled} axis {number}" for number in range(1, len(indices) + 1))
        return Lookup(spelled, tuple(indices), token.place), Declared(spelled, axes)
