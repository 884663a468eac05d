"""LaTeX becomes MathML, which every front end shows without scripts; what cannot be set stays as text."""

from __future__ import annotations

import re
from html import escape

from latex2mathml.converter import convert

# The converter leaves out the space after the name of a function.
_NAME = re.compile(r"(<mi>(?:log|ln|exp|lg|min|max)</mi>)(?=<m(?:i|n|sub|sup|subsup|frac|sqrt)[ >])")
_SPACE = r'\1<mspace width="0.167em"/>'


def typeset(latex: str, plain: str) -> str:
    """Mathematics as HTML. The plain text is the label for a screen reader, and stands in where need be."""
    if latex:
        try:
            shown = _NAME.sub(_SPACE, convert(latex))
            # Brackets around a single line need not grow; without a font for mathematics they grow too far.
            shown = shown if r"\frac" in latex else shown.replace('stretchy="true"', 'stretchy="false"')
            return f'<span role="math" aria-label="{escape(plain)}">{shown}</span>'
        except Exception:  # the converter has many errors of its own; plain text is always right
            pass
    return f"<code>{escape(plain)}</code>"
