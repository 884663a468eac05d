"""A page of the docs comes in; the words that lead to it go out, and nothing where the docs are not at hand.

They lie beside the package in a copy of the repository; they are in no wheel, and published nowhere else.
"""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


def are_at_hand(docs: Path = DOCS) -> bool:
    """Whether the pages can be opened here; no folder of that name that is another's."""
    return (docs / "install.md").is_file() and (docs.parent / "mkdocs.yml").is_file()


def says_more(page: str, docs: Path = DOCS) -> str:
    """A line of its own on where to read on."""
    return f"docs/{page}.md says more" if are_at_hand(docs) else ""


def as_said(page: str, docs: Path = DOCS) -> str:
    """The end of a clause: ', as docs/install.md says'."""
    return f", as docs/{page}.md says" if are_at_hand(docs) else ""
