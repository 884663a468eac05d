"""Raw tokens come in; those of the grammar go out: phrases joined, idle words and full stops dropped."""

from __future__ import annotations

from autograder.answers.reading.fold import Folded
from autograder.answers.reading.lexer import ENDS_OPERAND, Tok, fail
from autograder.answers.reading.vocabulary import FILLERS, LONGEST_PHRASE, PHRASE_WORDS, PHRASES

OPENING = ("LPAR", "LSQ", "LBRACE", "BAR_OPEN")
CLOSING = ("RPAR", "RSQ", "RBRACE", "BAR_CLOSE")
STARTS_OPERAND = (
    *OPENING,
    *("NUMBER", "NAME", "CONST", "LOG", "LOGSTAR", "SQRT", "CBRT", "EXP", "FUNC", "FRAC", "BINOM", "ORDER"),
)
IDLE_BEFORE = ("IN", "COLON", "EQUALS", "COMMA")
IDLE_AFTER = ("IN", "DOT", "COMMA", "COLON", "AND")


def settle(folded: Folded, raw: list[Tok]) -> list[Tok]:
    """The tokens for the grammar. A word that stays is an error that names it."""
    tokens = _drop_fillers(folded, _join_phrases(raw))
    tokens = _strip(_equate_words(tokens))
    _refuse_lists(folded, tokens)
    for token in tokens:
        if token.type in ("WORD", "DOT", "COLON"):
            raise fail(folded, token.at, len(token.value), "write a formula, or words such as 'linear in n'")
    return _resolve(folded, tokens)


def _join_phrases(raw: list[Tok]) -> list[Tok]:
    if not any(token.type == "WORD" for token in raw):
        return raw
    out: list[Tok] = []
    at = 0
    while at < len(raw):
        size, replacement = _phrase_at(raw, at)
        if size == 0:
            out.append(raw[at])
            size = 1
        elif replacement is not None:
            out.append(Tok(*replacement, raw[at].at))
        at += size
    return out


def _phrase_at(raw: list[Tok], at: int) -> tuple[int, tuple[str, str] | None]:
    # A hyphen between two words joins them: log-linear, big-O.
    window: list[str] = []
    sizes: list[int] = []
    here = at
    while here < len(raw) and len(window) < LONGEST_PHRASE and raw[here].value.lower() in PHRASE_WORDS:
        window.append(raw[here].value.lower())
        here += 1
        sizes.append(here - at)
        if here + 1 < len(raw) and raw[here].type == "MINUS" and raw[here + 1].type == "WORD":
            here += 1
    if raw[at].type not in ("WORD", "LOG", "FUNC"):
        return 0, None
    for length in range(len(window), 0, -1):
        phrase = tuple(window[:length])
        if phrase in PHRASES:
            return sizes[length - 1], PHRASES[phrase]
    return 0, None


def _drop_fillers(folded: Folded, tokens: list[Tok]) -> list[Tok]:
    """Idle words go, except between two operands, which would then seem to be multiplied."""
    if not any(token.type == "WORD" for token in tokens):
        return tokens
    out: list[Tok] = []
    for number, token in enumerate(tokens):
        if token.type != "WORD" or token.value not in FILLERS:
            hyphen = token.type == "MINUS" and number and tokens[number - 1].type == "WORD"
            if not hyphen:
                out.append(token)
            continue
        after = next((t for t in tokens[number + 1 :] if not (t.type == "WORD" and t.value in FILLERS)), None)
        if out and out[-1].type in ENDS_OPERAND and after is not None and after.type in STARTS_OPERAND:
            raise fail(
                folded, token.at, len(token.value), "give one rate, with an operator between its parts"
            )
    return _without_empty_groups(out)


def _without_empty_groups(tokens: list[Tok]) -> list[Tok]:
    """A bracketed aside such as (sequential) at the end is empty once its words are gone."""
    if len(tokens) > 2 and tokens[-1].type == "RPAR" and tokens[-2].type == "LPAR":
        return tokens[:-2]
    return tokens


def _strip(tokens: list[Tok]) -> list[Tok]:
    start, stop = 0, len(tokens)
    while stop > start and tokens[stop - 1].type in IDLE_AFTER:
        stop -= 1
    while start < stop and (tokens[start].type in IDLE_BEFORE or tokens[start].value == "<="):
        start += 1
    return tokens[start:stop]


def _equate_words(tokens: list[Tok]) -> list[Tok]:
    """A rate that is said twice, 'O(T) (linear)' or 'linear: O(T)', is an equation: both must be the same."""
    if not any(t.type == "SHAPE" for t in tokens) or not any(t.type == "ORDER" for t in tokens):
        return tokens
    out: list[Tok] = []
    said = False  # whether a word came before
    for number, token in enumerate(tokens):
        before = tokens[number - 1].type if number else ""
        after = tokens[number + 1].type if number + 1 < len(tokens) else ""
        equals = Tok("EQUALS", "=", token.at)
        if before == "SHAPE" and token.type in ("COLON", "COMMA") and after == "ORDER":
            out.append(equals)
        elif before == "SHAPE" and token.type in ("LPAR", "ORDER"):
            out += [equals, token]
        elif after == "SHAPE" and not said and token.type in ("COMMA", "COLON", "MINUS"):
            out.append(equals)
        elif after == "SHAPE" and not said and token.type == "LPAR" and before in ENDS_OPERAND:
            out += [equals, token]
        elif after == "SHAPE" and not said and token.type in ENDS_OPERAND:
            out += [token, equals]
        else:
            out.append(token)
        said = said or token.type == "SHAPE"
    return out


def _refuse_lists(folded: Folded, tokens: list[Tok]) -> None:
    """[T] and {T} alone are code or templates, not mathematics."""
    if len(tokens) < 2 or "\\" in folded.text or any(token.type == "ORDER" for token in tokens):
        return
    wrapped = (tokens[0].type, tokens[-1].type) in (("LSQ", "RSQ"), ("LBRACE", "RBRACE"))
    if wrapped and not any(token.type in ("RSQ", "RBRACE") for token in tokens[1:-1]):
        raise fail(folded, tokens[0].at, 1, "group with round brackets")
    if tokens[0].type == tokens[1].type == "LBRACE":
        raise fail(folded, tokens[0].at, 2, "group with round brackets")


def _resolve(folded: Folded, tokens: list[Tok]) -> list[Tok]:
    """Brackets are matched, bars open or close, a tilde is 'of the order of' or a tie."""
    out: list[Tok] = []
    open_brackets: list[Tok] = []
    for number, token in enumerate(tokens):
        before = out[-1].type if out else ""
        kind = token.type
        if kind == "BAR":
            inside = any(bracket.type == "BAR_OPEN" for bracket in open_brackets)
            kind = "BAR_CLOSE" if inside and before in ENDS_OPERAND else "BAR_OPEN"
        elif kind == "TILDE":
            if out:
                continue
            kind = "ORDER"
        follows = tokens[number + 1].type if number + 1 < len(tokens) else ""
        if kind == "NUMBER" and before == "LOG" and token.value in ("2", "10") and follows == "LPAR":
            out.append(Tok("SUB", "_", token.at))
        if kind in OPENING:
            open_brackets.append(Tok(kind, before, token.at))
            kind = _opening(kind, before)
        elif kind in CLOSING:
            kind = _closing(folded, kind, open_brackets, token)
        out.append(Tok(kind, token.value, token.at))
    if open_brackets:
        raise fail(folded, open_brackets[-1].at, 1, "this bracket is never closed")
    return out


def _opening(kind: str, before: str) -> str:
    if kind == "BAR_OPEN" or (kind == "LSQ" and before == "SQRT"):
        return kind
    return "LPAR"


def _closing(folded: Folded, kind: str, open_brackets: list[Tok], token: Tok) -> str:
    opened = open_brackets.pop() if open_brackets else None
    if opened is None or OPENING.index(opened.type) != CLOSING.index(kind):
        raise fail(folded, token.at, 1, "this bracket closes nothing")
    return (
        "RSQ" if opened.type == "LSQ" and opened.value == "SQRT" else kind if kind == "BAR_CLOSE" else "RPAR"
    )
