"""Plain text, unicode or LaTeX comes in; a small frozen expression tree and what was read go out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lexer import Lexer

from autograder.errors import AnswerError
from autograder.text.expression.build_tree import Builder
from autograder.text.expression.lexer import Tok, fail, scan
from autograder.text.expression.names import Names, names_of
from autograder.text.expression.phrases import settle
from autograder.text.expression.strip_markup import without_marks
from autograder.text.expression.tree import Expr, Pow, children
from autograder.text.expression.vocabulary import THETA, words
from autograder.text.fold import Folded, fold
from autograder.text.step_bound import spend

LONGEST = 800  # characters
TALLEST = 8  # exponents on top of each other
SILENT_TOKENS = words(
    """
    PLUS MINUS TIMES SLASH WHOLES CARET BANG LPAR RPAR LSQ RSQ BAR_OPEN BAR_CLOSE COMMA SUB FRAC BINOM CHOOSE
    IN AND
    """
)


@dataclass(frozen=True)
class ReadBack:
    """What was read, for the student's eyes: plain, rendered, and where it could be read otherwise."""

    plain: str
    latex: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadSides:
    """The sides of an answer with the signs between them, the notes, and how it names its rate.

    `orders` counts the O(…), `tight` says whether one was a Θ(…), `spoken` whether it is all in words.
    """

    sides: tuple[Expr, ...]
    signs: tuple[str, ...]
    notes: tuple[str, ...]
    orders: int
    tight: bool = False
    spoken: bool = False


class _TokenFeed(Lexer):
    """Hands the grammar tokens that are already made."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Iterable[Tok]) -> Iterator[Token]:  # type: ignore[override]  # lark types text only
        for token in data:
            kind = f"_{token.type}" if token.type in SILENT_TOKENS else token.type
            yield Token(kind, token.value, start_pos=token.at)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_TokenFeed)


def prepare(text: str, names: Names, *, bullets: bool = False) -> Folded:
    """The text in plain characters, without fonts and the marks of Markdown."""
    if len(text) > LONGEST:
        raise AnswerError(f"the answer has {len(text)} characters: write at most {LONGEST}")
    folded = fold(text)
    if len(folded.text) > 2 * LONGEST:
        raise AnswerError(f"the answer is too long: write at most {LONGEST} characters")
    if text.strip().lower() == "n/a" or text.count("$") % 2:
        raise AnswerError(f"cannot read '{text.strip()}': {names.hint()}")
    return without_marks(folded, bullets=bullets)


def read(
    text: str | Folded, known: Sequence[str], declared: Sequence[str] = (), example: str = "O(n^2 d)"
) -> ReadSides:
    """Read an answer or a relation; `known` are all names in play, `declared` those that are asked about."""
    names = names_of(tuple(known))
    folded = text if isinstance(text, Folded) else prepare(text, names)
    spend(len(folded.text))
    tokens = settle(folded, scan(folded, names))
    if not tokens:
        raise AnswerError(f"there is nothing to read: write an answer such as {example}")
    tree = _parse(folded, tokens, example)
    builder = Builder(names, tuple(declared))
    sides, signs = builder.build(tree)
    if any(_towers(side) > TALLEST for side in sides):
        raise AnswerError("powers of powers are nested too deeply: write them in a simpler form")
    kinds = {token.type for token in tokens}
    tight = any(token.type == "ORDER" and token.value == THETA for token in tokens)
    spoken = bool(kinds & {"SHAPE", "PROPORTIONAL"}) and "ORDER" not in kinds
    return ReadSides(tuple(sides), tuple(signs), tuple(builder.notes), builder.orders, tight, spoken)


def _towers(node: Expr) -> int:
    """How many exponents stand on top of each other."""
    if isinstance(node, Pow):
        return max(_towers(node.base), 1 + _towers(node.exponent))
    return max((_towers(child) for child in children(node)), default=0)


def _parse(folded: Folded, tokens: list[Tok], example: str) -> Tree[Token]:
    try:
        return _parser().parse(tokens)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        at = getattr(token, "start_pos", None)
        if at is None or getattr(token, "type", "$END") == "$END":
            raise AnswerError(
                f"the answer stops after '{tokens[-1].value}': write an answer such as {example}",
                folded.column(len(folded.text)),
            ) from None
        raise fail(folded, at, 8, f"write an answer such as {example}") from None
