"""Markdown from a notebook: typeset as JupyterLab does, and unable to run, load or send anything."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.drawing.mathml import ELEMENTS
from autograder.pages.highlight import highlight
from autograder.pages.markdown import render_markdown

TAGS = ELEMENTS | {
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "em",
    "strong",
    "s",
    "code",
    "pre",
    "a",
    "img",
    "br",
    "hr",
}
TAGS |= {"ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "span"}


class Inspector(HTMLParser):
    """Reads a page as a browser would, and notes everything that is not on the list."""

    def __init__(self, own: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.own = own
        self.faults: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS | self.own:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("srcdoc", "formaction", "xlink:href", "action"):
                self.faults.append(f"{tag} {name}")
            targets = ("http://", "https://", "mailto:", *("#" for _ in self.own))
            if name == "href" and not (value or "").lower().startswith(targets):
                self.faults.append(f"{tag} href={value}")
            if name == "src" and not (value or "").startswith("data:image/"):
                self.faults.append(f"{tag} src={value}")
            if name == "style" and not (value or "").startswith(("text-align:", "fill:var(--", "flex-grow:")):
                self.faults.append(f"{tag} style={value}")


def faults(html: str, own: Iterable[str] = ()) -> list[str]:
    """What should not be there; `own` are the tags that the page itself has beside those of a cell."""
    inspector = Inspector(frozenset(own))
    inspector.feed(html)
    inspector.close()
    return inspector.faults


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>body{display:none}</style>",
    "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
    "<meta http-equiv=refresh content='0;url=http://evil'>",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&colon;alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "[click](vbscript:x) [click](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "![x](http://evil/beacon.png)",
    "![x](//evil/beacon.png)",
    "![x](data:text/html;base64,PHNjcmlwdD4=)",
    '![x" onerror="alert(1)](data:image/png;base64,AAAA)',
    '![x](data:image/png;base64,AAAA" onerror="alert(1))',
    '![x](data:image/svg+xml;base64,AAAA "t\\" onerror=\\"alert(1)")',
    '![a $" onerror="alert(1)$ b](data:image/png;base64,AAAA)',
    '![a](data:image/png;base64,AAAA "$\\" onload=alert(1)$")',
    '[a $x$ b](https://example.org/"onclick="alert(1)$x$)',
    r"$\text{<script>alert(1)</script>}$",
    r"$$\text{</math><script>alert(1)</script>}$$",
    r"\(\href{javascript:alert(1)}{x}\)",
    r"\begin{aligned}\text{<img/src=x/onerror=alert(1)>}\end{aligned}",
    "`$` <b> `$`",
    "```\n</code></pre><script>alert(1)</script>\n```",
    '``` "><script>alert(1)</script>\nx\n```',
    "\ue0000\ue001<script>\ue0001\ue001 $x$",
    "| <script> |\n|---|\n| $</td><script>$ |",
    "&lt;script&gt; &#60;script&#62;",
]


@pytest.mark.parametrize("source", HOSTILE)
def test_nothing_hostile_survives(source):
    assert faults(render_markdown(source)) == []


@given(
    st.lists(st.sampled_from([*HOSTILE, "$", "$$", "`", "\n", "[", "](", ")", "<", '"', "\\"]), max_size=7)
)
def test_nor_does_any_mixture_of_it(pieces):
    assert faults(render_markdown("".join(pieces))) == []


@pytest.mark.parametrize("source", [*HOSTILE, "x = '</pre><script>'", "'''", '"' * 50])
def test_highlighted_code_is_only_text_in_spans(source):
    html = highlight(source)
    assert faults(html) == []
    assert "<script" not in html


def test_mathematics_is_not_read_as_markdown():
    html = render_markdown("Let $a_b + c_d$ and $$x * y * z$$ be.")
    assert html.count("<math") == 2
    assert "<em>" not in html


@pytest.mark.parametrize("source", ["it costs $5 or $6", "`$x$`", r"\$x\$", "```\n$x$\n```"])
def test_a_dollar_need_not_be_mathematics(source):
    assert "<math" not in render_markdown(source)


def test_mathematics_that_cannot_be_set_is_shown_as_written():
    assert r"<code>$\frac$</code>" in render_markdown(r"see $\frac$ here")


def test_pictures_inside_the_cell_are_shown_and_others_named():
    html = render_markdown("![a map](data:image/png;base64,AAAA) ![b](http://evil/x.png)")
    assert '<img src="data:image/png;base64,AAAA" alt="a map">' in html
    assert "[picture: b]" in html
    assert html.count("<img") == 1


def test_highlighting_keeps_every_character():
    source = "def f(x):\n    '''doc'''\n    return x + 1e-3  # <b> & \"q\"\n"
    plain = []
    reader = HTMLParser(convert_charrefs=True)
    reader.handle_data = plain.append  # type: ignore[method-assign]
    reader.feed(highlight(source))
    reader.close()
    assert "".join(plain) == source
    assert '<span class="t-com"># &lt;b&gt;' in highlight(source)
