"""LaTeX becomes MathML, which every front end shows without scripts; what cannot be set stays as text."""

from __future__ import annotations

from html import escape

from latex2mathml.converter import convert


def typeset(latex: str, plain: str) -> str:
    """Mathematics as HTML. The plain text is the label for a screen reader, and stands in where need be."""
    if latex:
        try:
            return f'<span role="math" aria-label="{escape(plain)}">{convert(latex)}</span>'
        except Exception:  # the converter has many errors of its own; plain text is always right
            pass
    return f"<code>{escape(plain)}</code>"
