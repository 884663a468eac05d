"""Raw tokens come in; those of the grammar go out: phrases joined, idle words and full stops dropped."""

from __future__ import annotations

from autograder.text.expression.lexer import ENDS_OPERAND, Tok, fail
from autograder.text.expression.vocabulary import FILLERS, LONGEST_PHRASE, PHRASE_WORDS, PHRASES, QUANTITIES
from autograder.text.fold import Folded

OPENING = ("LPAR", "LSQ", "LBRACE", "BAR_OPEN")
CLOSING = ("RPAR", "RSQ", "RBRACE", "BAR_CLOSE")
STARTS_OPERAND = (
    *OPENING,
    *("NUMBER", "NAME", "CONST", "LOG", "LOGSTAR", "SQRT", "CBRT", "EXP", "FUNC", "FRAC", "BINOM", "ORDER"),
    *("SHAPE", "PROPORTIONAL"),
)
IDLE_BEFORE = ("IN", "COLON", "EQUALS", "COMMA")
IDLE_AFTER = ("IN", "DOT", "COMMA", "COLON", "AND")


def settle(folded: Folded, raw: list[Tok]) -> list[Tok]:
    """The tokens for the grammar. A word that stays is an error that names it."""
    tokens = _drop_fillers(folded, _join_phrases(_without_sums(folded, raw)))
    tokens = _strip(tokens)
    _refuse_lists(folded, tokens)
    _refuse_two_meanings(folded, tokens)
    for token in tokens:
        if token.type in ("WORD", "DOT", "COLON"):
            raise fail(folded, token.at, len(token.value), "write a formula, or words such as 'linear in n'")
    return _resolve(folded, tokens)


def _without_sums(folded: Folded, raw: list[Tok]) -> list[Tok]:
    """`sum_{i=1}^{L} c` is L - 1 + 1 times c, where c does not depend on i."""
    for number, token in enumerate(raw):
        if token.type != "SUM":
            continue
        if number and raw[number - 1].type in ("CARET", "SLASH", "LOG", "SQRT", "CBRT", "EXP", "FUNC"):
            raise fail(folded, token.at, 4, "put the sum in brackets")
        index, low, high, end = _bounds(folded, raw, number)
        uses = [at for at in range(end, len(raw)) if raw[at].value == index.value]
        if uses and not _is_factor(raw, end, uses, low):
            raise fail(folded, token.at, 4, "work the sum out: what it adds depends on its index")
        count = _spelled("(h)(h + 1)/2" if uses else "(h - (l) + 1)", high, low, token.at)
        rest = [*raw[end : uses[0]], Tok("NUMBER", "1", token.at), *raw[uses[0] + 1 :]] if uses else raw[end:]
        return _without_sums(folded, [*raw[:number], *count, Tok("TIMES", "*", token.at), *rest])
    return raw


def _is_factor(raw: list[Tok], start: int, uses: list[int], low: list[Tok]) -> bool:
    """Whether the index of a sum from 1 is one factor of what it adds: it makes n(n + 1)/2 of the rest."""
    between = {token.type for token in raw[start : uses[0]]}
    follows = raw[uses[0] + 1].type if uses[0] + 1 < len(raw) else ""
    from_start = [token.value for token in low] in (["1"], ["0"])
    return (
        len(uses) == 1
        and from_start
        and between <= {"NAME", "NUMBER", "TIMES"}
        and follows
        not in (
            "CARET",
            "BANG",
            "SQUARED",
            "SUB",
        )
    )


def _spelled(text: str, high: list[Tok], low: list[Tok], at: int) -> list[Tok]:
    """The tokens of a formula in h and l, the bounds of a sum."""
    signs = {"(": "LPAR", ")": "RPAR", "+": "PLUS", "-": "MINUS", "/": "SLASH", "*": "TIMES"}
    out: list[Tok] = []
    for char in text.replace(" ", ""):
        out += high if char == "h" else low if char == "l" else [Tok(signs.get(char, "NUMBER"), char, at)]
    return out


def _bounds(folded: Folded, raw: list[Tok], at: int) -> tuple[Tok, list[Tok], list[Tok], int]:
    """The index of a sum, where it begins and ends, and the place after them."""
    below = _group(raw, at + 1, "SUB")
    above = _group(raw, below[1], "CARET") if below else None
    kinds = [token.type for token in below[0][:2]] if below else []
    if not below or not above or kinds != ["NAME", "EQUALS"]:
        raise fail(folded, raw[at].at, 4, "write it as \\sum_{i=1}^{n}, or work it out")
    return below[0][0], below[0][2:], above[0], above[1]


def _group(raw: list[Tok], at: int, sign: str) -> tuple[list[Tok], int] | None:
    """What is lowered or raised at a place, and the place after it."""
    if at + 1 >= len(raw) or raw[at].type != sign:
        return None
    if raw[at + 1].type != "LBRACE":
        return [raw[at + 1]], at + 2
    ends = [number for number in range(at + 2, len(raw)) if raw[number].type == "RBRACE"]
    return (raw[at + 2 : ends[0]], ends[0] + 1) if ends else None


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
            follows = tokens[number + 1].type if number + 1 < len(tokens) else ""
            after_word = number > 0 and tokens[number - 1].type == "WORD"
            # log-linear and 'answer - O(T)' have a hyphen; before anything else it is a minus
            if not (token.type == "MINUS" and after_word and follows in ("WORD", "ORDER", "")):
                out.append(token)
            continue
        if token.value in QUANTITIES and (_is_about(tokens, number) or _is_inside(tokens, number)):
            raise fail(
                folded, token.at, len(token.value), "this names no variable of the question: write its letter"
            )
        after = next((t for t in tokens[number + 1 :] if not (t.type == "WORD" and t.value in FILLERS)), None)
        if out and out[-1].type in ENDS_OPERAND and after is not None and after.type in STARTS_OPERAND:
            raise fail(
                folded, token.at, len(token.value), "give one rate, with an operator between its parts"
            )
    return _without_empty_groups(out)


def _is_about(tokens: list[Tok], number: int) -> bool:
    """Whether a word stands for a variable: 'linear in the length' without one behind it."""
    before = next((token for token in tokens[number::-1] if token.type != "WORD"), None)
    shaped = any(token.type == "SHAPE" for token in tokens[:number])
    after = next((token for token in tokens[number:] if token.type != "WORD"), None)
    return shaped and before is not None and before.type == "IN" and (after is None or after.type != "NAME")


def _is_inside(tokens: list[Tok], number: int) -> bool:
    """Whether a word stands within brackets beside something else: O(L number of words)."""
    kinds = [token.type for token in tokens[:number]]
    depth = sum(kind in OPENING for kind in kinds) - sum(kind in CLOSING for kind in kinds)
    return depth > 0 and tokens[number].value in ("number", "length", "size", "dimension", "amount", "depth")


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


def _refuse_lists(folded: Folded, tokens: list[Tok]) -> None:
    """[T] and {T} alone are code or templates, not mathematics."""
    if len(tokens) < 2 or "\\" in folded.text or any(token.type == "ORDER" for token in tokens):
        return
    wrapped = (tokens[0].type, tokens[-1].type) in (("LSQ", "RSQ"), ("LBRACE", "RBRACE"))
    if wrapped and not any(token.type in ("RSQ", "RBRACE") for token in tokens[1:-1]):
        raise fail(folded, tokens[0].at, 1, "group with round brackets")
    if tokens[0].type == tokens[1].type == "LBRACE":
        raise fail(folded, tokens[0].at, 2, "group with round brackets")


def _refuse_two_meanings(folded: Folded, tokens: list[Tok]) -> None:
    """log^(3) n is log log log n in books and a power in code; what '+ 1 squared' squares nobody can tell."""
    for number, token in enumerate(tokens):
        kinds = [each.type for each in tokens[number : number + 6] if each.type != "LBRACE"]
        typed = (
            folded.typed[folded.column(tokens[number + 1].at) - 1 :] if kinds[:2] == ["LOG", "CARET"] else ""
        )
        if kinds[2:5] == ["LPAR", "NUMBER", "RPAR"] and typed.startswith(("^", "**")):
            raise fail(folded, token.at, 7, "write (log n)^2 for a power, or log(log(n))")
        if kinds[:2] == ["NUMBER", "SQUARED"]:
            raise fail(folded, token.at, 9, "write what is squared in brackets, and ^2")


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
        elif kind == "SIM":
            kind = "EQUALS" if before in ENDS_OPERAND else "ORDER"
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
