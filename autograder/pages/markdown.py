"""A student's Markdown with LaTeX becomes HTML that can carry no script and loads nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from autograder.drawing.mathml import to_mathml

MOST_MATH = 12_000  # characters of mathematics in one cell; more is shown as it is written
# Every repetition is bounded, so that no cell takes longer than its length allows.
_MATH = re.compile(
    r"(?P<code>^(?P<fence>```+|~~~+)[^\n]*\n.{0,9000}?^(?P=fence)"
    r"|(?<!`)(?P<ticks>`+)(?!`).{1,3000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<escaped>\\\$)"
    r"|\$\$(?P<shown>[^$]{1,3000})\$\$"
    r"|\\\[(?P<bracket>.{1,3000}?)\\\]"
    r"|\\\((?P<round>.{1,3000}?)\\\)"
    r"|(?P<environment>\\begin\{(?P<name>[a-z]{3,12}\*?)\}.{1,3000}?\\end\{(?P=name)\})"
    r"|\$(?!\s)(?P<inline>(?:\\.|[^$\\\n]|\n(?!\n)){1,3000}?)(?<!\s)\$(?!\d)",
    re.S | re.M,
)
_HOLE = re.compile("\ue000(\\d+)\ue001")
_LINK = re.compile(r"(?:https?://|mailto:)", re.I)
_PICTURE = re.compile(r"data:image/(?:png|gif|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]*\Z")


@lru_cache(maxsize=256)
def render_markdown(source: str) -> Markup:
    """The cell as HTML. The cells of a stub are rendered once for the whole class."""
    formulas = _Formulas()
    text = _MATH.sub(formulas.take, source.replace("\ue000", "").replace("\ue001", ""))
    reader, env = _markdown(), {"formulas": formulas}
    html = reader.renderer.render(_in_order(reader.parse(text, env)), reader.options, env)
    # What is left of the formulas stands in code or in an attribute: there they are text.
    return Markup(_HOLE.sub(lambda found: escape(formulas.written[int(found[1])]), html))


class _Formulas:
    """The formulas of a cell, taken out before its Markdown is read: a_b_c is no emphasis there."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.typeset: list[str] = []
        self._left = MOST_MATH

    def take(self, found: re.Match[str]) -> str:
        if found["code"] or found["escaped"]:
            return found[0]
        shown = found["shown"] or found["bracket"] or found["environment"]
        latex = (shown or found["round"] or found["inline"]).strip()
        self._left -= len(latex)
        math = to_mathml(latex, display=bool(shown)) if self._left >= 0 else None
        self.written.append(found[0])
        if math and shown:
            # Wider than a phone, it scrolls by itself, with the keyboard too.
            math = f'<span class="shown scrolls" tabindex="0" role="group" aria-label="formula">{math}</span>'
        self.typeset.append(math or f"<code>{escape(found[0])}</code>")
        return f"\ue000{len(self.written) - 1}\ue001"

    def put(self, text: str) -> str:
        return _HOLE.sub(lambda found: self.typeset[int(found[1])], text)


def _in_order(tokens: list[Token]) -> list[Token]:
    """Headings below the page's own, none of them a step too deep: readers by ear go from one to the next."""
    written = sorted({token.tag for token in tokens if token.type == "heading_open"})
    level = 1
    for token in tokens:
        if token.type == "heading_open":
            level = min(2 + written.index(token.tag), level + 1, 6)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"
    return tokens


@cache
def _markdown() -> MarkdownIt:
    # HTML in a cell is shown as text: the page belongs to whoever opens it, not to who wrote the notebook.
    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    # Every link is let through here and judged where it is written out, so that none is left as raw text.
    reader.validateLink = lambda url: True  # type: ignore[method-assign]
    for name, rule in (("text", _text), ("image", _image), ("link_open", _link)):
        reader.add_render_rule(name, rule)
    return reader


def _text(self: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: EnvType) -> str:
    return str(env["formulas"].put(escape(tokens[at].content)))


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    source = str(tokens[at].attrs.get("src", ""))
    alt = escape(self.renderInlineAsText(tokens[at].children or [], options, env))
    # A picture from elsewhere would tell its server who opened the page, and when.
    return f'<img src="{escape(source)}" alt="{alt}">' if _PICTURE.match(source) else f"[picture: {alt}]"


def _link(self: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
    target = str(tokens[at].attrs.get("href", ""))
    return f'<a href="{escape(target)}" rel="noopener noreferrer">' if _LINK.match(target) else "<a>"
