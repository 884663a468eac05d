"""An answer that says in words along what a softmax runs comes in; the words go out as indices below it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autograder.text.equation.lexer import Token

_INDEX = r"\$?[a-z](?:_?\{?[\w']+\}?)?'*\$?"
_INDICES = rf"(?P<names>{_INDEX}(?:(?:\s*,\s*|\s+and\s+){_INDEX})*)"
# softmax over t2 of …
_OVER = re.compile(
    rf"(?P<word>softmax|SoftMax|Softmax)\}}?\s+(?:over|along|across)\s+(?:all\s+)?"
    rf"(?P<bracket>\()?{_INDICES}(?(bracket)\))\s+of(?![A-Za-z])"
)
_SAID = (
    r"(?:(?:(?:where|with|and)\s+)?(?:the\s+)?softmax\s+(?:is\s+|being\s+|runs\s+|running\s+)?)?"
    r"(?:(?:taken|applied|computed|normali[sz]ed)\s+)?"
)
# …, softmax down each column; … over all x, y
_BEHIND = re.compile(
    rf"(?:[ \t]|\\q?quad|\\[ ,;:!])*(?:\\(?:text|mathrm)\s*\{{\s*)?[,;(#]?[ \t]*{_SAID}(?:"
    rf"(?P<wise>row|column)[\s-]?wise(?:\s+softmax)?"
    rf"|(?:over|down|along|across)\s+(?P<each>(?:(?:all|each|every|the)\s+)*)(?P<line>rows?|col(?:umn)?s?)"
    rf"|(?:over|across)\s+(?:all\s+)?(?:(?:indices|places|positions)\s+)?(?P<bracket>\()?{_INDICES}(?(bracket)\)))"
    rf"\s*\)?\s*\}}?[ \t]*[.$]?[ \t]*$",
    re.IGNORECASE,
)
# softmax(…, over t2), softmax(…, axis=t2)
_WITHIN = re.compile(
    rf"[ \t]*,[ \t]*(?:over\s+|(?:axis|dim)\s*=\s*)(?P<bracket>\()?{_INDICES}(?(bracket)\))(?=\s*[)\]])"
)
_SOFTMAX = re.compile(r"softmax", re.IGNORECASE)
_NAMED = re.compile(
    r"softmax\s*\}?\s*_|(?:row|col(?:umn)?)[\s_-]*softmax|\\underset|dim\s*=|axis\s*=|\.softmax|,\s*-?\d\s*\)",
    re.IGNORECASE,
)


def with_directions(text: str, columns: bool) -> tuple[str, dict[int, tuple[str, ...]]]:
    """The text without such words, and for each line the names that its one softmax runs over.

    Only where a line has one softmax, and that names no axis: otherwise the words stay, as a remark to be
    judged. `columns` says that items are columns: then "over columns" can mean only each of them.
    """
    found: dict[int, tuple[str, ...]] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        over = _OVER.search(line)
        within = None if over else _WITHIN.search(line)
        behind = None if over or within else _BEHIND.search(line)
        told = over or within or behind
        rest = line[: behind.start()] if behind else _WITHIN.sub("", line, 1)
        if told is None or len(_SOFTMAX.findall(rest)) != 1 or _NAMED.search(rest) or "=" not in rest:
            continue
        names = _names(told, columns)
        if names:
            start = over.end("word") if over else told.start()
            found[number + 1] = names
            lines[number] = line[:start] + " " * (told.end() - start) + line[told.end() :]
    return "\n".join(lines), found


def _names(told: re.Match[str], columns: bool) -> tuple[str, ...]:
    given = told.groupdict()
    word = given.get("wise") or given.get("line")
    if not word:
        return tuple(name.strip().strip("$") for name in re.split(r",|\sand\s", told["names"]))
    axis = "row" if word.lower().startswith("row") else "col"
    each = given.get("wise") or re.search("each|every", given["each"] or "", re.IGNORECASE)
    return (axis,) if each or (columns and axis == "col") else ()


def directed(tokens: Sequence[Token], lines: Mapping[int, tuple[Token, ...]]) -> tuple[Token, ...]:
    """The tokens of an equation, with an index list below the softmax of each line that has one."""
    out: list[Token] = []
    for token in tokens:
        out.append(token)
        names = lines.get(token.place.line)
        if names and token.kind == "name" and _SOFTMAX.fullmatch(token.text):
            below = [Token(sign, sign, token.place, False) for sign in "_{}"]
            out += [*below[:2], *names, below[2]]
    return tuple(out)
