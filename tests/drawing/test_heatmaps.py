"""Heat maps: one scale for all, every number in reach, and words for those who do not see them."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.drawing import heatmaps
from autograder.drawing.heatmaps import LEVELS, HeatMap, contrast, heat_maps, level_of, scale_of, short_number


def parse(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


def test_maps_share_one_scale_and_say_what_they_show():
    maps = [HeatMap("expected", [[1.0, -2.0]]), HeatMap("got", [[4.0, 0.0]])]
    tree = parse(heat_maps(maps, 'two maps, "quoted"'))
    assert scale_of(maps) == 4.0
    assert (tree.get("role"), tree.get("aria-label")) == ("img", 'two maps, "quoted"')
    assert [caption.text for caption in tree.iter("figcaption")] == ["expected", "got"]


def test_titles_and_words_are_escaped():
    html = heat_maps([HeatMap("<script>", [[1.0]])], '"><script>')
    assert "<script>" not in html


def test_small_maps_show_their_numbers_and_large_ones_do_not():
    def drawn(size: int) -> str:
        return heat_maps([HeatMap("m", [[0.25] * size] * size)], "m")

    assert ">0.25</text>" in drawn(3)
    assert ">0.25</text>" not in drawn(20)
    assert "the first" in drawn(60)


@pytest.mark.parametrize(
    ("value", "level"), [(0.0, 0), (0.001, 0), (0.02, 1), (1.0, LEVELS), (-1.0, -LEVELS), (7.0, LEVELS)]
)
def test_shades_run_from_the_lowest_to_the_highest(value, level):
    assert level_of(value, 1.0) == level


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.001, "−1e−3"),
        (-0.25, "−0.25"),
        (12.34, "12"),
        (12345.0, "1e4"),
        (math.nan, "NaN"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_fit_their_cells(value, text):
    assert short_number(value) == text


@given(st.lists(st.lists(st.floats(width=32), min_size=1, max_size=12), min_size=1, max_size=12))
def test_any_numbers_can_be_drawn(rows):
    assert len(list(parse(heat_maps([HeatMap("m", rows, {(0, 0)})], "m")).iter("figure"))) == 1


def test_contrast_is_that_of_the_guidelines():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("style", [heatmaps.style(), heatmaps.dark_style()], ids=["light", "dark"])
def test_numbers_stand_out_from_every_shade(style):
    colours = dict(re.findall(r"(--(?:heat|on)-?\d+):(#[0-9a-f]{6});", style))
    assert len(colours) == 2 * (2 * LEVELS + 1)
    for level in range(-LEVELS, LEVELS + 1):
        assert contrast(colours[f"--heat{level}"], colours[f"--on{level}"]) >= 4.5


def test_a_map_without_numbers_says_its_signs_without_colour():
    rows = [[1.0] * 12, [-0.5] * 12, [0.0] * 12]
    drawn = heat_maps([HeatMap("got", rows)], "words")
    plus, minus = (re.findall(rf"--on{level}\)' d='([^']*)'", drawn) for level in (6, -3))
    assert plus[0].count("v") == 12
    assert minus[0].count("h") == 12
    assert "v" not in minus[0]
    assert "+ above zero, − below, longer where larger" in drawn


def test_a_map_with_numbers_needs_no_signs():
    assert "sign" not in heat_maps([HeatMap("got", [[1.0, -1.0]])], "words")
