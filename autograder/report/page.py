"""The templates behind every page: one environment, one style sheet, everything escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder import pictures


def render(template: str, **values: Any) -> str:
    """Fill a template of autograder/report/templates."""
    return _environment().get_template(template).render(**values)


def marks(value: float) -> str:
    """Points without trailing zeros."""
    return f"{round(value, 2):g}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marks"] = marks
    dark = f"@media screen and (prefers-color-scheme:dark){{.heat{{{pictures.dark_style()}}}}}"
    environment.globals["picture_style"] = Markup(pictures.style() + dark)
    return environment
