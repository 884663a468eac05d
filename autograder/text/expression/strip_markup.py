"""An answer as typed comes in; the same text goes out without fonts, quotes and the marks of Markdown."""

from __future__ import annotations

import re

from autograder.text.fold import Folded
from autograder.text.symbols import FONTS, IGNORED

_COMMENT = re.compile(r"(?:^|(?<=\s))%\s*[A-Za-z]{3}[^\n]*")  # of LaTeX
_BIG = re.compile(r"(?<![A-Za-z])(big[\s-]*o(?:h)?\s*):", re.IGNORECASE)
_CITED = re.compile(
    r"(?P<open>\(\s*)?(?:(?<![A-Za-z])(?:see|cf\.?|from|by)\s+)?(?:[A-Z][a-z]+\s+)?(?<![A-Za-z])et\s+al\.?,?"
    r"(?:\s*\d{4}[a-z]?|\s*\(\d{4}[a-z]?\))?(?(open)\s*\))"
)  # (Vaswani et al., 2017)
_RESPECT = re.compile(r"(?<![A-Za-z])w\.?\s?r\.?\s?t\.?(?![A-Za-z])", re.IGNORECASE)
_SHORT = re.compile(r"(?<![A-Za-z])(seq|dim|approx)\.(?=\s)", re.IGNORECASE)
_FENCE = re.compile(r"```[a-z]*")
_AFTER_CODE = re.compile(r"(?<=[^\s])([ \t]+)#(?=\s)")  # T**2  # a remark
_DISPLAY = re.compile(r"\\(?:begin|end)\s*\{(?:equation|align|aligned|gather|displaymath|math|split)\*?\}")
_DELIMITERS = re.compile(r"(?<!\\)\\[\[\]()]")
_SPACING = re.compile(
    r"\\(?:[,;:!>]|(?:" + "|".join(sorted(IGNORED, key=len, reverse=True)) + r")(?![A-Za-z]))"
)
# > O(L): at the very beginning, before a formula, it may as well say that more is meant
_QUOTE = r"(?:(?<=\n)[ \t]*>(?=\s)|\A[ \t]*>(?=\s+(?:[A-Z]?[a-z]{2,}\s+[a-z]|[^\n]*\n[ \t]*>)))"
_LINE_MARK = re.compile(
    rf"(?m){_QUOTE}|^[ \t]*(?:\#{{1,6}}(?=\s)|[0-9a-h][.)](?=\s+[^-+*/^\s]))|\A\s*\*(?=\s)"
)
_BULLET = re.compile(rf"(?m){_QUOTE}|^[ \t]*(?:\#{{1,6}}(?=\s)|[-*+](?=\s)|\(?[0-9a-h][.)](?=\s))")
_LINE_STARTS = frozenset("#>-*+(0123456789abcdefgh")
_EMPHASIS = re.compile(r"(?<![\w)\]}*.])(\*{1,3}|_{2})(?=[^\s*])([^\n]*?[^\s*])\1(?![\w*(])")
_STRUCK = re.compile(r"~~[^~\n]+~~")
_HEDGE = re.compile(
    r"(?<![A-Za-z])I\s+(?:think|guess|believe|suppose|would\s+say)(?:\s+(?:that|it|its|it's))*(?![A-Za-z])"
)


def without_marks(folded: Folded, *, bullets: bool = False) -> Folded:
    """The same text, as long, with fonts, spacing, quotes, and the marks of Markdown blanked out.

    A dash or plus before a formula is its sign, and (2) a factor; before a growth rate they are `bullets`.
    """
    text = folded.text
    if "~~" in text:
        text = _STRUCK.sub(_blank, text)
    if "I " in text:
        text = _HEDGE.sub(_blank, text)
    if ":" in text:
        text = _BIG.sub(r"\1 ", text)
    if ". " in text:
        text = _SHORT.sub(r"\1 ", text)
    if "#" in text:
        text = _AFTER_CODE.sub(lambda found: found[1] + "\n", text)
    if "%" in text:
        text = _COMMENT.sub(_blank, text)
    if "al" in text:
        text = _CITED.sub(_blank, text)
    if "r" in text:
        text = _RESPECT.sub(lambda found: "in".ljust(len(found[0])), text)
    if "`" in text or '"' in text:
        text = _FENCE.sub(_blank, text).replace("`", " ").replace('"', " ")
    if "\n" in text or text.lstrip()[:1] in _LINE_STARTS:
        text = (_BULLET if bullets else _LINE_MARK).sub(_blank, text)
    if "*" in text or "__" in text:
        text = _without_emphasis(text)
    if "\\" in text:
        text = _DELIMITERS.sub(_blank, _DISPLAY.sub(_blank, text))
        text = _SPACING.sub(_blank, _without_fonts(text))
    return Folded(text, folded.columns, folded.typed)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _without_fonts(text: str) -> str:
    r"""\mathcal{…}, \text{…} and the like are blanked out around their contents."""
    chars = list(text)
    for found in re.finditer(r"\\([A-Za-z]+)\s*", text):
        if found[1] not in FONTS:
            continue
        chars[found.start() : found.end()] = " " * (found.end() - found.start())
        if text[found.end() : found.end() + 1] == "{" and (close := closing(text, found.end())) is not None:
            chars[found.end()] = chars[close] = " "
    return "".join(chars)


def _without_emphasis(text: str) -> str:
    """**O(T)** without its stars; T **2 keeps them: after a factor they are a power."""
    for found in _EMPHASIS.finditer(text):
        before = re.search(r"([A-Za-z]+(?:'[a-z]+)?|[\w)\]}])[^\S\n]*$", text[: found.start()])
        word = before[1].replace("'", "") if before else ""
        if before is None or (word.isalpha() and len(word) > 1 and not word.isupper()):
            size = len(found[1])
            text = text[: found.start()] + " " * size + found[2] + " " * size + text[found.end() :]
    return text


def closing(text: str, opening: int) -> int | None:
    """The place of the bracket that closes the one at a place."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return None
