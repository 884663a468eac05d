"""The tokens of an answer become statements: left side and right sides, one for each equation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.text import symbols
from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.every_other import without_steps
from autograder.text.equation.lexer import COMMENT, Token, read_tokens
from autograder.text.equation.remarks import refuse_doubt
from autograder.text.equation.repeated_remarks import IN_WORDS, without_repeats
from autograder.text.equation.softmax_in_words import directed, with_directions

MOST = 40  # equations in one answer

_PROBABILITY = re.compile(
    r"(?<![A-Za-z\\])(?:P|Pr|\\Pr|\\mathbb\{P\}|\\mathrm\{P\}|\\operatorname\{P\}|p)\s*"
    r"(?:_\s*(?:\{[^{}]*\}|\\?[A-Za-zΦθΘ]+))?\s*(?:\\left|\\[bB]igg?l?)?\s*[(\[]"
)
_BAR = re.compile(r"\||\\mid(?![A-Za-z])|\\l?vert(?![A-Za-z])|\\middle\s*\||∣|\\given(?![A-Za-z])")
_LISTED = re.compile(r"^[ \t]*(?:\(?\d+[.)]|[-*•])[ \t]+(?=(?:[^\W\d]|[\\$])[^\n]*=)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
_BOLD = re.compile(r"^([ \t]*)\*\*(.+?)\*\*(?=[ \t]*(?:$|=|\$\s*=))", re.MULTILINE)
_STRUCK = re.compile(r"~~[^~\n]+~~")
_SAID = re.compile(
    r"^[ \t]*[A-Z][a-z]+(?: [a-z]+){0,5} (?:is|are|by|have|get|gives)[ \t]+(?=\$[^$\n]*=)", re.MULTILINE
)  # The queries are $…$
_FOR_EACH = re.compile(
    r"^[ \t]*[Ff]or (?:each|every|all|any)[^=:\n]*:(?!=)", re.MULTILINE
)  # for every head k: …
_LABEL = re.compile(r"^[ \t]*[A-Z][a-z]+(?: [A-Za-z]+){0,4}:(?!=)", re.MULTILINE)
_TEXT = r"(?:\\(?:text|textrm|textit|mathrm|mbox)\s*\{\s*)?"
_ASIDE = re.compile(
    rf"[,;]?[ \t]*(?:\\forall(?![A-Za-z])|{_TEXT}\b(?:for|since|because|assuming) (?=[A-Za-z0-9$\\}}])).*$",
    re.MULTILINE,
)  # for all k, since T is even
_COUNTS = re.compile(
    r"[ \t]*,[ \t]*(?:\\q?quad|\\[,;:!]|[ \t])*\$?[a-z]'?\s*=\s*[01]\s*,\s*(?:\\[lc]?dots|\.\.\.|…)"
    r"\s*,\s*[A-Z](?:\s*-\s*1)?\$?[ \t]*[.$]?[ \t]*$",
    re.MULTILINE,
)  # , k = 1, ..., K: for all k
_JOINED = re.compile(
    rf"{_TEXT}(?<![\\A-Za-z_])(?P<word>[Ww]here|[Ww]ith|and|[Ll]et|[Tt]hen|[Ss]o|[Hh]ence|[Tt]hus|[Tt]herefore)"
    r"(?![A-Za-z_(\[])[,:]?\s*\}?"
)  # between an equation and another, or before a remark
_CLOSING_WORDS = re.compile(
    r"[ \t]\((?=[^()]*[a-z]{2}[^()]* [^()]*[a-z]{2})(?:\$?[A-Za-z]\$? )?[a-z]+"
    r"(?:[ -](?:[a-z]{2,}|a|\$?[A-Za-z]\$?(?=[ )])))+\)"
    r"[ \t]*[.,]?[ \t]*$",
    re.MULTILINE,
)  # (as we have seen), (I is the head dimension)
_CALLED = re.compile(
    r"[ \t]\((?:(?:\\text\s*\{)?\$?[a-z]_?\d?'*\$?(?:\s*,\s*\$?[a-z]_?\d?'*\$?)*\s*[=:]\s*)(?:\\text\s*\{)?"
    r"(?P<words>[a-z]{3,}(?:[ -][a-z]{2,})*)\}?\)[ \t]*[.,]?[ \t]*$",
    re.MULTILINE,
)  # (x, y = the place that asks)
_SENTENCE = re.compile(r"(?:the|each|every|both|all) [a-z]{3,} [a-z]{2,}")  # and the softmax runs over …
_JOINING = frozenset(["+", "-", "*", "/", "dot", "kron", "each", ";", "||", "=", ","])


@dataclass(frozen=True)
class Statement:
    """The tokens of one equation; `left` is None where only a right side is given."""

    left: tuple[Token, ...] | None
    rights: tuple[tuple[Token, ...], ...]
    start: Token
    number: int = 1

    @property
    def first(self) -> Token:
        return next(iter(self.tokens), self.start)

    @property
    def tokens(self) -> tuple[Token, ...]:
        joined = list(self.left or ())
        for right in self.rights:
            joined += right
        return tuple(joined)


def without_conditions(text: str) -> str:
    """`P(w_t | anything)` with the bar and what follows it blanked: it may be no mathematics at all."""
    at = 0
    while match := _PROBABILITY.search(text, at):
        at = match.end()
        depth, end, bar = 1, at, -1
        while end < len(text) and depth:
            if depth == 1 and bar < 0 and _BAR.match(text, end):
                bar = end
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[end], 0)
            end += 1
        if depth == 0 and bar >= 0:
            text = text[:bar] + " " * (end - 1 - bar) + text[end - 1 :]
    return text


def without_remarks(text: str, vocabulary: Vocabulary) -> str:
    """The text with Markdown and words of the sentence blanked, and `where` turned into a new line."""

    def blanked(match: re.Match[str]) -> str:
        refuse_doubt(match[0], match.string, match.start(), vocabulary)
        return _blank(match)

    def called(match: re.Match[str]) -> str:
        refuse_doubt(match["words"], match.string, match.start(), vocabulary)
        return _blank(match)

    def outside(match: re.Match[str]) -> str:
        """A remark is blanked unless it stands inside brackets that were open before it."""
        before = match.string[: match.start()].rpartition("\n")[2]
        inside = any(before.count(a) > before.count(b) for a, b in ("()", "[]", "{}"))
        return match[0] if inside else blanked(match)

    text = without_repeats(text)
    text = _LISTED.sub(_blank, _STRUCK.sub(_blank, _FENCE.sub(_blank, text.replace("`", " "))))
    text = _BOLD.sub(lambda match: f"{match[1]}  {match[2]}  ", text)
    text = _FOR_EACH.sub(blanked, _LABEL.sub(blanked, _SAID.sub(blanked, text)))
    text = _CLOSING_WORDS.sub(blanked, _ASIDE.sub(outside, COMMENT.sub(blanked, text)))
    text = IN_WORDS.sub(outside, _COUNTS.sub(blanked, _CALLED.sub(called, text)))
    at = 0
    while match := _JOINED.search(text, at):
        at = match.end()
        end = text.find("\n", at) if "\n" in text[at:] else len(text)
        if "=" in text[at:end]:
            text = text[: match.start()] + "\\\\".ljust(len(match[0])) + text[at:]
        elif match["word"] != "and" or _SENTENCE.match(text, at):
            refuse_doubt(text[match.start() : end], text, match.start(), vocabulary)
            text = text[: match.start()] + " " * (end - match.start()) + text[end:]
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def read_statements(text: str, vocabulary: Vocabulary) -> list[Statement]:
    """Every equation of the answer, in the order in which they stand."""
    if "::" in text:
        text = without_steps(text, vocabulary)
    text, said = with_directions(without_conditions(text), vocabulary.columns)
    text = without_remarks(text, vocabulary)
    below = {line: tuple(read_tokens(", ".join(names))) for line, names in said.items()}
    chunks: list[list[Token]] = []
    for row in _rows(directed(read_tokens(text), below) if below else read_tokens(text)):
        if chunks and (row[0].kind in _JOINING or chunks[-1][-1].kind in _JOINING - {";", ","}):
            chunks[-1] += row
        else:
            chunks += _separate(row)
    return [_statement(chunk, number) for number, chunk in enumerate(chunks, 1)]


def _rows(tokens: Sequence[Token]) -> list[list[Token]]:
    """Lines of tokens. A line goes on while a bracket is open, unless the next one is an equation itself."""
    rows: list[list[Token]] = [[]]
    stack: list[Token] = []
    for at, token in enumerate(tokens):
        if token.kind == "newline":
            if stack and stack[-1].text in symbols.MATRICES:
                rows[-1].append(Token(";", ";", token.place, token.spaced))
            elif not stack or _is_equation(tokens[at + 1 :]):
                rows.append([])
                stack = []
            continue
        if token.kind in symbols.OPENING:
            stack.append(token)
        elif token.kind in symbols.CLOSING and stack:
            stack.pop()
        rows[-1].append(token)
    return [row for row in (_trimmed(row) for row in rows) if row]


def _trimmed(row: list[Token]) -> list[Token]:
    """The row without the punctuation of a sentence at its end."""
    while row and row[-1].kind in (".", ",", ";"):
        row = row[:-1]
    while row and row[0].kind in (",", "."):
        row = row[1:]
    return row


def _is_equation(tokens: Sequence[Token]) -> bool:
    """Does the line that starts here have a left side and a `=` outside every bracket?"""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind == "newline":
            return False
        if token.kind == "=" and depth == 0:
            return at > 0
        depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
    return False


def _separate(row: list[Token]) -> list[list[Token]]:
    """Several equations on one line, with `;` or `,` between them."""
    cuts: list[int] = []
    depth, separator, equals = 0, -1, 0
    for at, token in enumerate(row):
        depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
        if depth:
            continue
        if token.kind in (";", ","):
            separator = at
        elif token.kind == "=":
            if equals and separator > equals and separator + 1 < at:
                cuts.append(separator)
            equals = at
    pieces = [row[start + 1 : end] for start, end in zip([-1, *cuts], [*cuts, len(row)], strict=True)]
    return [piece for piece in (_trimmed(piece) for piece in pieces) if piece]


def _statement(tokens: list[Token], number: int) -> Statement:
    sides: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
        if token.kind == "=" and depth == 0:
            sides.append([])
        else:
            sides[-1].append(token)
    if len(sides) == 1:
        return Statement(None, (tuple(tokens),), tokens[0], number)
    rights = tuple(tuple(side) for side in sides[1:])
    return Statement(tuple(sides[0]) or None, rights, tokens[0], number)
