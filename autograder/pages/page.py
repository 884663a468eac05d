"""The templates behind every page: one environment, one style sheet, everything escaped."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.drawing import heatmaps

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class Inlined:
    """A script or a style sheet of ours, and the digest by which a page's policy lets it in and no other."""

    text: Markup
    digest: str


@cache
def inlined(name: str) -> Inlined:
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Inlined(Markup(text), digest)


def render(template: str, *, room: str = "autograder.pages", **values: object) -> str:
    """Fill one of the templates of a room."""
    return _environment(room).get_template(template).render(**values)


def marks(value: float) -> str:
    """Points without trailing zeros."""
    return f"{round(value, 2):g}"


@cache
def _environment(room: str) -> Environment:
    environment = Environment(
        loader=PackageLoader(room),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marks"] = marks
    dark = f"@media screen and (prefers-color-scheme:dark){{.heat{{{heatmaps.dark_style()}}}}}"
    environment.globals["picture_style"] = Markup(heatmaps.style() + dark)
    return environment
