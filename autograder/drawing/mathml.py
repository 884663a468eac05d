"""LaTeX becomes MathML, which browsers show without scripts; nothing but mathematics comes through."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from xml.etree.ElementTree import Element

from latex2mathml.converter import Converter

MOST_CHARACTERS = 3000
DEEPEST = 100
# The converter writes \text{<script>} and \href{javascript:…} through as they stand, so its tree is written
# out here, by these lists: an element that is not on them gives way to its children.
ELEMENTS = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup"}
    | {"msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr"}
    | {"mtd", "mstyle", "mpadded", "mphantom", "menclose"}
)
ATTRIBUTES = frozenset(
    {"accent", "accentunder", "depth", "display", "displaystyle", "fence", "form", "height", "largeop"}
    | {"linethickness", "lspace", "maxsize", "minsize", "movablelimits", "notation", "rspace", "scriptlevel"}
    | {"separator", "stretchy", "symmetric", "voffset", "width"}
)
# Browsers know neither columnalign nor most values of mathvariant: the first becomes a style, which moves the
# block that a cell holds and so needs Chromium's own word; the second, the letters that Unicode has for it.
_ALIGNED = {
    "left": "text-align:left;padding:.2em 0",
    "right": "text-align:right;text-align:-webkit-right;padding:.2em 0 .2em 1em",
}
_LETTERS = {"bold": 0x1D400, "double-struck": 0x1D538}
_OLD_LETTERS = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_MACRO = re.compile(r"\\(?:def|let|(?:re)?newcommand|newenvironment)(?![a-zA-Z])")
_ENVIRONMENTS = {"aligned": "split", "gathered": "matrix", "equation": "matrix", "equation*": "matrix"}
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(" + "|".join(map(re.escape, _ENVIRONMENTS)) + r")\}")
_TALL = (r"\frac", r"\sum", r"\prod", r"\int", r"\begin", r"\underset", r"\binom")


@lru_cache(maxsize=4096)
def to_mathml(latex: str, *, display: bool = False) -> str | None:
    """One <math> element, or None where the text is no LaTeX that can be set."""
    # A few macros that call each other would grow beyond all bounds.
    if not latex.strip() or len(latex) > MOST_CHARACTERS or _MACRO.search(latex):
        return None
    known = _ENVIRONMENT.sub(lambda found: f"\\{found[1]}{{{_ENVIRONMENTS[found[2]]}}}", latex)
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(known)
        shown = _write(tree, 0)
    except Exception:  # the converter has many errors of its own; the caller shows the text instead
        return None
    # Brackets around a single line need not grow; without a font for mathematics they grow too far.
    tall = any(command in latex for command in _TALL)
    return shown if tall else shown.replace('stretchy="true"', 'stretchy="false"')


def _write(element: Element, depth: int) -> str:
    if depth > DEEPEST:
        raise ValueError("nested deeper than anybody writes")
    # The converter has character references in its texts and relies on their being written unescaped.
    text = _lettered(unescape(element.text or ""), element.get("mathvariant", ""))
    inside = escape(text) + "".join(
        _write(child, depth + 1) + _gap(child, after) + escape(unescape(child.tail or ""))
        for child, after in zip(element, [*element[1:], None], strict=False)
    )
    tag = element.tag if element.tag in ELEMENTS else "mrow"
    kept = "".join(
        f' {name}="{escape(unescape(value))}"' for name, value in element.items() if name in ATTRIBUTES
    )
    if element.get("columnalign") in _ALIGNED:
        kept += f' style="{_ALIGNED[element.attrib["columnalign"]]}"'
    if element.get("mathvariant") == "normal":
        kept += ' mathvariant="normal"'
    return f"<{tag}{kept}>{inside}</{tag}>"


def _gap(name: Element, after: Element | None) -> str:
    """A thin space between a function's name and a bare argument: ln T."""
    is_name = name.tag == "mi" and len(name.text or "") > 1 and (name.text or "").isalpha()
    return '<mspace width="0.17em"></mspace>' if is_name and after is not None and after.tag != "mo" else ""


def _lettered(text: str, variant: str) -> str:
    if variant not in _LETTERS or len(text) != 1 or not (text.isascii() and text.isalpha()):
        return text
    if variant == "double-struck" and text in _OLD_LETTERS:
        return _OLD_LETTERS[text]
    return chr(_LETTERS[variant] + (ord(text) - ord("A") if text.isupper() else ord(text) - ord("a") + 26))
