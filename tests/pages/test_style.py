"""The pages' colours: text stands out from what is behind it, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import autograder.pages
from autograder.drawing.heatmaps import contrast

TEMPLATES = Path(autograder.pages.__file__).parent / "templates"
ROOTS = re.findall(r":root \{(.*?)\}", (TEMPLATES / "style.css").read_text(encoding="utf-8"), re.S)
LIGHT, DARK = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", root)) for root in ROOTS)
PAIRS = [
    *(("ink", ground) for ground in ("page", "card", "code")),
    *(("soft", ground) for ground in ("page", "card")),
    *(("link", ground) for ground in ("page", "card")),
    *((name, f"{name}-bg") for name in ("right", "part", "wrong", "wait", "open")),
    *((name, "card") for name in ("right", "wrong", "key", "str", "num", "com")),
]


@pytest.mark.parametrize(("text", "ground"), PAIRS, ids=[f"{a}-on-{b}" for a, b in PAIRS])
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read(colours, text, ground):
    assert contrast(colours[text], colours[ground]) >= 4.5


# A bar and the number on it; in the dark some numbers change their colour.
BARS = {
    "light": (LIGHT, {"full": "#ffffff", "broken": "#ffffff"}),
    "dark": (DARK, {"full": "#06121f", "some": "#e6edf3", "empty": "#e6edf3"}),
}


@pytest.mark.parametrize("scheme", BARS)
@pytest.mark.parametrize("bar", ["full", "some", "none", "empty", "broken"])
def test_numbers_on_bars_can_be_read(scheme, bar):
    colours, own = BARS[scheme]
    assert contrast(colours[bar], own.get(bar, "#0d1117")) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_stand_out_from_the_card(colours):
    assert contrast(colours["full"], colours["card"]) >= 3
    assert contrast(colours["broken"], colours["card"]) >= 3
