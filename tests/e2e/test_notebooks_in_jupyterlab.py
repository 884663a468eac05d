"""The built notebooks in a real JupyterLab: everything is typeset, nothing overflows."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT

pytestmark = pytest.mark.e2e


def test_equations_are_typeset_and_figures_shown(lab, page, tmp_path):
    folder = tmp_path / "work"
    shutil.copytree(ROOT / "notebooks", folder)
    opened = lab(folder)
    page.goto(opened.page_of("transformers/self_attention.ipynb"))
    statement = page.locator(".jp-MarkdownCell").first
    expect(statement.locator("mjx-container").first).to_be_visible(timeout=60_000)
    assert "$$" not in statement.inner_text()
    assert "\\text" not in statement.inner_text()
    figure = statement.locator("img").first
    assert figure.evaluate("image => image.complete && image.naturalWidth > 100")
    width = statement.evaluate("cell => cell.scrollWidth <= cell.clientWidth + 1")
    assert width, "the statement is wider than the page"
