"""A sentence that quotes a student's error becomes HTML: words as words, code and Python's words as code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent

from markupsafe import Markup

# Of a cell that Python cannot read: the place, and then, indented, the line and a caret below it.
_ABOVE = re.compile(r"(?P<before>.*) \(line (?P<number>\d+)\)")
# The student's own line, as the words for a failed call end.
_PLACE = re.compile(r"(?P<before>.*?) \(line (?P<number>\d+): (?P<code>.+)\)", re.S)
_RAISED = re.compile(
    r"(?P<before>(?:.*[ :])?)(?P<error>[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration)\b.*)",
    re.S,
)
_QUOTED = re.compile(r"`([^`\n]+)`")  # a line of the student's, or a name in it


def told(text: str) -> list[Markup]:
    """The paragraphs of a text; a line of code stands below the words that speak of it."""
    lines = [line for line in text.split("\n") if line.strip()]
    paragraphs = []
    while lines:
        line = lines.pop(0)
        above = _ABOVE.fullmatch(line)
        code = []
        while above is not None and lines and lines[0].startswith(" "):
            code.append(lines.pop(0))
        if above is None or not code:
            paragraphs.append(_sentence(line))
            continue
        shown = dedent("\n".join(code)).split("\n")
        paragraphs.append(_words(above["before"]) + _code(above["number"], shown))
    return paragraphs


def _sentence(line: str) -> Markup:
    place = _PLACE.fullmatch(line)
    if place is None:
        return _words(line)
    return _words(place["before"]) + _code(place["number"], [place["code"]])


def _words(text: str) -> Markup:
    raised = _RAISED.fullmatch(text)
    if raised is None:
        return Markup(_QUOTED.sub(r"<code>\1</code>", str(Markup.escape(text))))
    return Markup("{}<code>{}</code>").format(raised["before"], raised["error"])


def _code(number: str, lines: Sequence[str]) -> Markup:
    """The line with its number, and what stands below it (a caret) in the same columns: those do not wrap."""
    margins = [f"{number} │ ", *[" " * len(number) + " │ "] * (len(lines) - 1)]
    shown = "\n".join(margin + line for margin, line in zip(margins, lines, strict=True))
    kind = "line scrolls" if len(lines) > 1 else "line"
    focus = Markup(' tabindex="0"') if len(lines) > 1 else ""
    return Markup('<code class="{}"{}>{}</code>').format(kind, focus, shown)
