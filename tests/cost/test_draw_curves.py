"""Curves in characters and as SVG, and the picture of the documentation, which must be fresh."""

from __future__ import annotations

from xml.etree import ElementTree

from autograder.cost.draw_curves import Curve, Plot, panel, svg, terminal
from autograder.cost.measure import measure
from autograder.cost.measured_function import Subject
from tests.cost import pictures, programs


def measured():
    subject = Subject(programs.PART, ("T", "d"), {"dv": "d"})
    return measure(programs.linear_attention, subject.made, ["T", "d"], quantities=["work"])


def test_a_panel_has_a_curve_for_each_variable_alone():
    shown = panel(measured(), "work")
    assert shown.title == "work: T d^2"
    assert [curve.name for curve in shown.curves] == ["T (d = 8)", "d (T = 8)"]
    assert shown.curves[0].points[0] == (2, 2 * 2 * 64 + 3 * 2 * 8)


def test_a_terminal_shows_both_ends_of_both_axes_and_a_legend():
    text = terminal(Plot("span: T", (Curve("T", ((2, 10), (4, 20), (8, 40))),)), width=9, height=3)
    assert text.splitlines() == [
        "span: T",
        "40 │        ●",
        "   │    ●    ",
        "10 │●        ",
        "   └─────────",
        "    2       8",
        "    ● T",
    ]


def test_curves_that_meet_are_marked_as_such():
    shown = Plot("", (Curve("a", ((2, 1), (4, 2))), Curve("b", ((2, 1), (4, 4)))))
    assert "✱" in terminal(shown)


def test_a_flat_curve_and_an_empty_panel_can_be_drawn():
    assert "●" in terminal(Plot("", (Curve("a", ((2, 5), (4, 5))),)))
    assert "nothing to draw" in terminal(Plot("", (Curve("a", ()),)))


def test_an_svg_is_well_formed_and_always_the_same():
    drawn = svg([panel(measured(), "work")] * 2)
    assert drawn == svg([panel(measured(), "work")] * 2)
    root = ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert len(root.findall(".//{*}polyline")) == 4


def test_names_in_an_svg_cannot_carry_markup():
    drawn = svg([Plot("<script>", (Curve("a & b", ((2, 1), (4, 2))),))])
    assert "<script>" not in drawn
    assert "a &amp; b" in drawn


def test_the_picture_of_the_documentation_is_fresh():
    assert pictures.PATH.read_text(encoding="utf-8") == pictures.draw()
