"""A small answer as typed comes in; it goes out without what dresses it: Markdown, boxes, 'the answer is'."""

from __future__ import annotations

import re

_AROUND = (
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("**", "**"),
    ("`", "`"),
    ("\\boxed{", "}"),
)
_FONT = re.compile(r"\\(?:text|textbf|mbox|mathrm|mathbf|boxed)\s*\{([^{}]*)\}")
_SPACING = re.compile(r"\\(?:left|right|big|Big|bigl|bigr|quad|[,;!])(?![A-Za-z])")
_SAID = re.compile(
    r"^(?:(?:so|thus|hence|therefore)\b\s*[,:]?\s*(?=\S))?"
    r"(?:(?:it|this|that)(?:\s+(?:is|equals)\b|'s\b)\s*:?\s*"
    r"|(?:the\s+)?(?:(?:correct|right|final)\s+)?(?:answers?|results?)\b\s*(?:is|are|:|=)?\s*"
    r"|the\s+(?:(?:correct|right)\s+)?(?:interval|range|order|matrix|vector|shape)\b\s*(?:is|:|=)?\s*"
    r"|(?:interval|range|order|matrix|vector|shape)\s*(?:is\b|:|==?)\s*)?",
    re.I,
)


def undressed(answer: str) -> str:
    """What is said, without the marks around it and the words that only introduce it."""
    text = _bare(answer)
    return _bare(_SAID.sub("", text)) or text


def _bare(text: str) -> str:
    text = text.strip().rstrip(".").rstrip()
    for opening, closing in _AROUND:
        inner = text[len(opening) : len(text) - len(closing)]
        if text == opening + inner + closing and _is_one(inner, opening):
            return _bare(inner)
    if re.fullmatch(r"\*[^*]+\*", text):
        return _bare(text[1:-1])
    return _SPACING.sub(" ", _FONT.sub(r"\1", text)).strip()


def _is_one(inner: str, opening: str) -> bool:
    """Whether the marks belong together: not `$a$ and $b$`, not \\boxed{a} or {b}."""
    if opening != "\\boxed{":
        return opening not in inner
    depth = 0
    for char in inner:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0
