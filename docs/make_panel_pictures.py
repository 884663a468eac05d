"""Pictures of the check's panel for every kind of part, light and dark: docs/images/check-*.png.

Run as `python docs/make_panel_pictures.py`; it needs the extra `dev` and a Chromium.
"""

from __future__ import annotations

import linecache
import shutil
from pathlib import Path
from typing import Any

import torch
from playwright.sync_api import Browser, sync_playwright

from autograder.check.checker import Checker
from autograder.course.load import load_course
from autograder.release.make_handout import make_handout

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# The colours that JupyterLab's own two themes set on the page.
THEMES = {
    "light": ("true", "#ffffff", "--jp-layout-color1:#fff;--jp-content-font-color1:rgba(0,0,0,.87)"),
    "dark": ("false", "#111111", "--jp-layout-color1:#111;--jp-content-font-color1:#fff"),
}


OF = "multi_head_self_attention"
HEADS = f"""def {OF}(h_in, WQ, WK, WV):
    query, keys, value = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))
    out = torch.softmax(query @ keys.mT, dim=-1) @ value
"""
RIGHT = f"{HEADS}    return out.transpose(0, 1).flatten(start_dim=1)"
INTERLEAVED = f"{HEADS}    return out.permute(1, 2, 0).flatten(start_dim=1)"
RAISING = f"{HEADS}    return out @ h_in"
RENAMED = RIGHT.replace(OF, "multihead_self_attention")
EQUATIONS = r"""
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,Z]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
"""
# What is pictured: its name, the problem, the part (or all of them), and the cell that answers.
SHOTS = [
    ("code-wrong", "self_attention", OF, INTERLEAVED),
    ("code-raises", "self_attention", OF, RAISING),
    ("code-right", "self_attention", OF, RIGHT),
    ("slip", "self_attention", OF, RENAMED),
    ("growth", "self_attention", "softmax_time", 'softmax_time = "O(log T + log(U)^2)"'),
    ("growth-unreadable", "self_attention", "softmax_time", 'softmax_time = "O(log T + log U"'),
    ("formula", "merged_query_key", "break_even", 'break_even = "I = J/4"'),
    ("equation", "spatial_attention", "spatial_equations", f"spatial_equations = {EQUATIONS!r}"),
    ("choice", "alternating_rnn", "meaning", 'meaning = "b"'),
    ("prose", "orthogonal_attention", "why_copying", ""),
    ("summary", "self_attention", None, f'{INTERLEAVED}\nsoftmax_time = "O(log T)"\nlayer_time = ""'),
]


def main() -> None:
    pages = draw()
    executable = next(found for name in CHROMIUM if (found := shutil.which(name)))
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for theme in THEMES:
            for name, panel in pages.items():
                shoot(browser, panel, theme, IMAGES / f"check-{name}-{theme}.png")
        browser.close()


def draw() -> dict[str, str]:
    course = load_course(ROOT)
    panels = {}
    for name, problem, part, source in SHOTS:
        handout = make_handout(course, course.problems[problem])
        panels[name] = Checker(handout, run_cell(source)).check(part)._repr_html_()
    return panels


def run_cell(source: str) -> dict[str, Any]:
    """The names that a cell leaves behind; its lines are kept for tracebacks, as IPython keeps them."""
    place = "<cell>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    names: dict[str, Any] = {"torch": torch}
    exec(compile(source, place, "exec"), names)
    return names


def shoot(browser: Browser, panel: str, theme: str, path: Path) -> None:
    is_light, paper, variables = THEMES[theme]
    page = browser.new_page(viewport={"width": 920, "height": 40}, device_scale_factor=1.5)
    style = f"margin:12px;background:{paper};{variables}"
    page.set_content(f'<body data-jp-theme-light="{is_light}" style="{style}">{panel}</body>')
    page.screenshot(path=path, full_page=True)
    page.close()


if __name__ == "__main__":
    main()
