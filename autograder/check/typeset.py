"""LaTeX becomes MathML, which every front end shows without scripts; what cannot be set stays as text."""

from __future__ import annotations

from html import escape

from autograder.mathml import to_mathml


def typeset(latex: str, plain: str) -> str:
    """Mathematics as HTML. The plain text is the label for a screen reader, and stands in where need be."""
    shown = to_mathml(latex) if latex else None
    if shown:
        return f'<span role="math" aria-label="{escape(plain)}">{shown}</span>'
    return f"<code>{escape(plain)}</code>"
