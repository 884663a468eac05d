"""A name with its marks becomes a tensor with indices, an index, a size or nothing that is known."""

from __future__ import annotations

import re
from typing import Protocol

from autograder.text.equation.cursor import Cursor, Mark, TokenSpot, text_of
from autograder.text.equation.declarations import Declared, Vocabulary, function_name, spell
from autograder.text.equation.lexer import Token
from autograder.text.equation.tree import Expr, Lookup, Product, Size, Transpose, Variable

_INDEX = re.compile(r"[a-z]\d{0,2}'*")
_LETTERS = re.compile(r"(?:[ijklmnst]'*){2,3}")
_LETTER = re.compile(r"[A-Za-z]'*")
NEW_AXIS = ("None", "newaxis")
_NO_INDICES = frozenset([";", "dots", "sum", "sqrt", "<", "||", "kron", "top", "newline", "matmul"])


class IndexGrammar(Protocol):
    """What reading a name asks of the grammar around it."""

    cursor: Cursor
    vocabulary: Vocabulary
    scope: frozenset[str]

    def index_list(self, close: str) -> tuple[Expr, ...]: ...

    def index_of(self, tokens: tuple[Token, ...]) -> Expr: ...


def spell_index(cursor: Cursor, token: Token) -> tuple[str, TokenSpot]:
    """`t_1`, `t1` and `t_{1}` are one name, and so are `x'` and `x^{\\prime}`; and where the name ends."""
    mark_before, _, letter = token.text.rpartition(":")
    name, spot = f"{letter}_{mark_before}" if mark_before else letter, cursor.spot
    while mark := cursor.mark_at(spot):
        text = ",".join(mark.texts)
        if mark.sign == "^" and text.strip("'"):
            break
        if mark.sign == "_" and not text.isdigit():
            text = f"_{text}" if len(text) == 1 or text.isalpha() else f"_{{{text}}}"
        name, spot = name + text, mark.end
    while spot.at < len(cursor.tokens) and cursor.tokens[spot.at].kind == "'":
        name, spot = name + "'", TokenSpot(spot.at + 1)
    base = name.rstrip("'")
    return base.replace("'", "") + "'" * name.count("'"), spot


def _untopped(mark: Mark) -> list[str]:
    """What is raised, without the sign of a transpose that stands beside it: `Q` of `Q\\top`."""
    return [text if text == "top" else text.removesuffix("top") for text in mark.texts]


class NameFinder:
    """Finds what a name stands for, at the cursor of a grammar."""

    def __init__(self, grammar: IndexGrammar, defining: bool = False) -> None:
        self.grammar = grammar
        self.defining = defining  # on a left side `w_t` is an index, whatever w is elsewhere

    @property
    def vocabulary(self) -> Vocabulary:
        return self.grammar.vocabulary

    def symbol(self) -> Expr | None:
        """The tensor, index or size at the cursor; None where the name means nothing here."""
        cursor, scope = self.grammar.cursor, self.grammar.scope
        start = cursor.spot
        token = cursor.next()
        if (found := self.tensor(token)) is not None:
            return Transpose(found, place=token.place) if self._is_turned(cursor, start) else found
        name, end = spell_index(cursor, token)
        if name in scope:
            cursor.spot = end
            return Variable(name, token.place)
        if self.vocabulary.is_size(token.text) and not cursor.sees("_", "["):
            return Size(token.text, token.place)
        return self._letters(token, start)

    def _is_turned(self, cursor: Cursor, start: TokenSpot) -> bool:
        """`W_k^{Q\\top}` is the transpose of W_k^Q."""
        marked = cursor.tokens[start.at : cursor.at]
        return len(marked) > 3 and marked[-1].kind == "}" and marked[-2].kind == "top"

    def tensor(self, token: Token) -> Lookup | None:
        """The declared tensor of this name, with its subscripts and index lists."""
        cursor = self.grammar.cursor
        match = self._match(token, cursor.marks()) or self._match(token, self._short_mark())
        if match is None:
            return None
        declared, subscripts, end = match
        bare = end == cursor.spot and token.text in self.vocabulary.axes and not self.vocabulary.matrix
        if bare and not (cursor.sees("[") or (cursor.sees("(") and self.looks_like_indices())):
            return None  # a size that happens to share its letter with a tensor
        cursor.spot = end
        indices = [index for item in subscripts for index in self.subscript(item)]
        while self._indexed(declared, len(indices)):
            close = "]" if cursor.next().kind == "[" else ")"
            indices += self.grammar.index_list(close)
        indices = self._without_fixed(declared, indices, len(subscripts))
        return Lookup(declared.name, tuple(self._positions(declared, indices)), token.place)

    def _match(
        self, token: Token, marks: list[Mark]
    ) -> tuple[Declared, list[tuple[Token, ...]], TokenSpot] | None:
        """The declared tensor with the longest spelling, the subscripts left over, and where it ends."""
        here = self.grammar.cursor.spot
        for count in range(len(marks), -1, -1):
            raised = [text for mark in marks[:count] if mark.sign == "^" for text in _untopped(mark)]
            lowered = [item for mark in marks[:count] if mark.sign == "_" for item in mark.items]
            for used in range(len(lowered), -1, -1):
                texts = [text_of(item) for item in lowered[:used]]
                declared = self.vocabulary.find_alike(spell(token.text, raised, texts), len(lowered) - used)
                if declared and (used == len(lowered) or declared.axes):
                    return declared, lowered[used:], marks[count - 1].end if count else here
        return None

    def _short_mark(self) -> list[Mark]:
        """`q_ik_j` is `q_i k_j`: without braces a subscript is one letter."""
        cursor = self.grammar.cursor
        text = cursor.peek(1).text
        if not cursor.sees("_") or cursor.peek(1).kind != "name" or len(text) < 2:
            return []
        if text[0] not in self.grammar.scope or not self.vocabulary.find(text[1:], 1):
            return []
        mark = cursor.mark_at(cursor.spot, short=True)
        return [mark] if mark else []

    def _positions(self, declared: Declared, indices: list[Expr]) -> list[Expr]:
        """On an axis numbered up to its length the capital is a position: X_T is the last input."""
        for at, (axis, index) in enumerate(zip(declared.axes, indices, strict=False)):
            capital = isinstance(index, Variable) and index.capital and index.name not in self.grammar.scope
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
        opening = self.grammar.cursor.peek()
        if opening.kind not in ("[", "(") or not declared.axes:
            return False
        cursor = self.grammar.cursor
        if any(token.text in NEW_AXIS for token in cursor.inside(cursor.at)):
            return False
        comma = self.looks_like_indices()
        if comma is None:
            return not self.vocabulary.matrix and given == 0 and opening.kind == "[" and not opening.spaced
        if opening.kind == "(":
            called = len(declared.axes) > declared.inner
            return given == 0 and called and (comma or not self.vocabulary.matrix)
        return given < len(declared.axes) or not opening.spaced

    def looks_like_indices(self) -> bool | None:
        """None where the bracket holds something else; otherwise whether a comma separates indices."""
        comma, before = False, self.grammar.cursor.peek()
        cursor = self.grammar.cursor
        for token in cursor.inside(cursor.at):
            comma = comma or token.kind == ","
            if token.kind == "[" and not self._points(before.text):
                return None  # a tensor with indices of its own
            before = token
            if token.kind in _NO_INDICES or token.text in NEW_AXIS:
                return None
            if token.kind == "name" and self._is_matrix(token.text):
                return None
        return comma

    def _points(self, text: str) -> bool:
        """May what stands before an inner bracket be an index: w[b,t] or w[b][t]?"""
        declared = self.vocabulary.find(text, 0)
        return text == "]" or bool(declared and declared.entries)

    def _is_matrix(self, text: str) -> bool:
        if text in self.grammar.scope or text in self.vocabulary.axes:
            return False
        declared = self.vocabulary.find(text, 0) or self.vocabulary.find(text, 1)
        known = declared is not None and not declared.entries
        return known or function_name(text, self.vocabulary) is not None

    # ------------------------------------------------------------ names inside index lists

    def index(self) -> Expr:
        """An index by its name, or the entry of a tensor of whole numbers used as an index."""
        token = self.grammar.cursor.next()
        name, end = spell_index(self.grammar.cursor, token)
        if name not in self.grammar.scope and not self.defining and (found := self._entry(token)):
            return found
        self.grammar.cursor.spot = end
        return Variable(name, token.place)

    def index_name(self) -> tuple[str, Token]:
        """An index that is about to be bound, whatever its name may mean elsewhere."""
        token = self.grammar.cursor.expect("name", "as an index")
        name, self.grammar.cursor.spot = spell_index(self.grammar.cursor, token)
        return name, token

    def _entry(self, token: Token) -> Lookup | None:
        """`w_t` or `w[b,t]`; `w` alone is all of them, as in e[w]."""
        declared = self.vocabulary.find(spell(token.text, (), ()), 0)
        if not declared or not declared.entries:
            return None
        cursor = self.grammar.cursor
        indices: list[Expr] = []
        while mark := cursor.mark_at(cursor.spot):
            for item in mark.items:
                indices += self.subscript(item)
            cursor.spot = mark.end
        while cursor.sees("[", "("):
            indices += self.grammar.index_list("]" if cursor.next().kind == "[" else ")")
        return Lookup(declared.name, tuple(indices), token.place)

    def subscript(self, item: tuple[Token, ...]) -> list[Expr]:
        """One subscript as an index; `ij` and `i j` are two where i and j are known."""
        scope = self.grammar.scope
        if len(item) == 1 and item[0].kind == "name" and item[0].text not in scope:
            letters = _LETTER.findall(item[0].text)
            axes = self.vocabulary.axes
            known = scope.issuperset(letters) or (
                self.defining and all(letter.islower() and letter[0].upper() in axes for letter in letters)
            )
            if len(letters) > 1 and "".join(letters) == item[0].text and known:
                return [Variable(letter, item[0].place) for letter in letters]
        if len(item) > 1 and all(token.kind == "name" and token.text in scope for token in item):
            return [Variable(token.text, token.place) for token in item]
        return [self.grammar.index_of(item)]

    # ------------------------------------------------------------ letters written without a space

    def _known_letter(self, letter: str) -> bool:
        matrix = self.vocabulary.matrix and self.vocabulary.find_alike(letter, 0) is not None
        return matrix or letter in self.vocabulary.axes or letter in self.grammar.scope

    def _letters(self, token: Token, start: TokenSpot) -> Expr | None:
        """A word that is a row of known letters, `KH` or `XY`; of matrices the first alone is read."""
        cursor = self.grammar.cursor
        if not 1 < len(token.text) <= 4 or not all(self._known_letter(letter) for letter in token.text):
            cursor.spot = start
            return None
        if all(letter in self.vocabulary.axes for letter in token.text) and not self.vocabulary.matrix:
            return Product(tuple(Size(letter, token.place) for letter in token.text), token.place)
        cursor.spot = start
        letter = cursor.next_letter()
        found = self.tensor(letter)
        if found is None and letter.text in self.grammar.scope:
            return Variable(letter.text, letter.place)
        return found or Size(letter.text, letter.place)

    # ------------------------------------------------------------ the left side

    def own(self, token: Token) -> tuple[Lookup, Declared]:
        """A name that no one declared: an intermediate definition."""
        cursor = self.grammar.cursor
        texts: list[str] = []
        indices: list[Expr] = []
        for mark in cursor.marks():
            for item in mark.items:
                text = text_of(item)
                if mark.sign == "_" and _LETTERS.fullmatch(text):
                    indices += [Variable(letter, token.place) for letter in _LETTER.findall(text)]
                elif mark.sign == "_" and _INDEX.fullmatch(text):
                    indices.append(self.grammar.index_of(item))
                else:
                    texts.append(text)
            cursor.spot = mark.end
        while cursor.sees("[", "("):
            indices += self.grammar.index_list("]" if cursor.next().kind == "[" else ")")
        spelled = spell(token.text, texts, ())
        axes = tuple(f"axis {number}" for number in range(1, len(indices) + 3))
        return Lookup(spelled, tuple(indices), token.place), Declared(spelled, axes, inner=2)
