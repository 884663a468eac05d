"""Rows of numbers become heat maps side by side on one scale: SVG by itself, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

LEVELS = 6  # shades on each side of zero
MOST_ROWS, MOST_COLUMNS = 24, 32
NUMBERS_UP_TO = (8, 9)  # rows and columns of a map that shows its numbers

# Blue below zero and orange above it: told apart in every common form of colour blindness, and in grey by
# the numbers and marks. On dark pages zero is dark, so that what is large shines on both.
_NEGATIVE = ("#d3e4f3", "#a9cce8", "#7cb0db", "#5193ca", "#2f75b3", "#195593")
_POSITIVE = ("#fde3cb", "#fcc798", "#f9a45f", "#ec7f2e", "#ba540f", "#9c430a")
_NEGATIVE_DARK = ("#22384e", "#28517a", "#2f6da6", "#4189cb", "#6aa8e2", "#a3ccf3")
_POSITIVE_DARK = ("#453225", "#6d4420", "#9a591c", "#c8731f", "#ec9443", "#fabf86")
_INK, _PAPER = "#16202a", "#ffffff"


@dataclass(frozen=True)
class HeatMap:
    """A titled table of numbers; `marked` are the places to point out, as (row, column)."""

    title: str
    rows: Sequence[Sequence[float]]
    marked: Collection[tuple[int, int]] = ()


def heat_maps(maps: Sequence[HeatMap], alt: str) -> str:
    """The maps side by side with one scale and its legend; `alt` says in words what they show."""
    top = scale_of(maps)
    figures = "".join(f"<figure>{_caption(each)}{_svg(each, top)}</figure>" for each in maps)
    return f'<div class="heat" role="img" aria-label="{escape(alt)}">{figures}{_legend(maps, top)}</div>'


def scale_of(maps: Sequence[HeatMap]) -> float:
    """The largest finite magnitude of all maps: the end of their common scale."""
    values = (abs(value) for each in maps for row in each.rows for value in row if math.isfinite(value))
    return max(values, default=0.0) or 1.0


def style() -> str:
    """The rules that the maps need, for a page that has `dark_style()` where it is dark."""
    return (
        f".heat{{{_palette(_NEGATIVE, _POSITIVE, '#f4f5f6', _INK, _PAPER)}"
        "display:flex;flex-wrap:wrap;gap:10px;align-items:flex-start;margin:6px 0}"
        ".heat figure{margin:0}.heat figcaption{font-size:12px;margin:0 0 3px 15px}"
        ".heat svg{display:block;overflow:visible}"
        ".heat text{font:8.5px ui-sans-serif,system-ui,sans-serif;fill:currentColor;text-anchor:middle}"
        ".heat .axis{font-size:8.5px;opacity:.75}"
        f"{_fills()}"
        ".heat .mark{fill:none;stroke:currentColor;stroke-width:1.6}.heat .sign{fill:none;stroke-width:1}"
        ".heat .key{flex-basis:100%;font-size:11px;display:flex;flex-wrap:wrap;align-items:center;gap:0 8px;"
        "margin-left:15px}"
    )


def dark_style() -> str:
    """What changes on a dark page: the declarations of a rule for `.heat`."""
    return _palette(_NEGATIVE_DARK, _POSITIVE_DARK, "#242a31", "#0d1117", "#f0f3f6")


def _fills() -> str:
    """A class for each level: `.a` to `.m` for the fill of a cell, `.na` to `.nm` for the number on it."""
    shades = ((_shade(level), level) for level in range(-LEVELS, LEVELS + 1))
    return "".join(f".heat .{a}{{fill:var(--heat{n})}}.heat .n{a}{{fill:var(--on{n})}}" for a, n in shades)


def _shade(level: int) -> str:
    """One letter for a level: a map of many cells names it in each."""
    return chr(ord("a") + LEVELS + level)


def _palette(negative: Sequence[str], positive: Sequence[str], zero: str, ink: str, paper: str) -> str:
    """A fill and the colour of a number on it, for each level."""
    colours = {0: zero} | {-n: c for n, c in enumerate(negative, 1)} | dict(enumerate(positive, 1))
    return "".join(
        f"--heat{level}:{colour};--on{level}:{max(ink, paper, key=partial(contrast, colour))};"
        for level, colour in colours.items()
    )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as the accessibility guidelines of the web define it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def level_of(value: float, top: float) -> int:
    """The shade of a value: 0 only for what is next to nothing, so that a small value is still seen."""
    share = max(-1.0, min(1.0, value / top))
    return int(math.copysign(math.ceil(abs(share) * LEVELS), share)) if abs(share) > 0.01 else 0


def _caption(each: HeatMap) -> str:
    return f"<figcaption>{escape(each.title)}</figcaption>"


def _svg(each: HeatMap, top: float) -> str:
    rows = [list(row[:MOST_COLUMNS]) for row in each.rows[:MOST_ROWS]]
    columns = max((len(row) for row in rows), default=0)
    numbers = _numbered(each)
    width, height = (29, 19) if numbers else ((14, 14) if columns <= 20 else (10, 10))
    body = "".join(
        _cell(value, level_of(value, top) if math.isfinite(value) else 0, (x, y), (width, height), numbers)
        for y, row in enumerate(rows)
        for x, value in enumerate(row)
    )
    if not numbers:
        body += "".join(_signs(rows, top, width, height))
    body += "".join(
        _mark(x, y, width, height) for y, x in sorted(each.marked) if y < len(rows) and x < columns
    )
    body += "".join(_ticks(len(rows), columns, width, height))
    left, above = 15, 12
    size = (columns * width + left + 2, len(rows) * height + above + 2)
    cut = ""
    if len(each.rows) > MOST_ROWS or _columns(each) > MOST_COLUMNS:
        cut = f"<figcaption>the first {len(rows)} rows and {columns} columns</figcaption>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="{-left} {-above} {size[0]} {size[1]}" aria-hidden="true">{body}</svg>{cut}'
    )


def _columns(each: HeatMap) -> int:
    return max((len(row) for row in each.rows), default=0)


def _cell(value: float, level: int, at: tuple[int, int], size: tuple[int, int], numbers: bool) -> str:
    (x, y), (width, height) = at, size
    place = f'x="{x * width + 0.5:g}" y="{y * height + 0.5:g}" width="{width - 1}" height="{height - 1}"'
    shown = f'<rect {place} rx="2" class="{_shade(level)}"><title>[{y}, {x}]: {value:.6g}</title></rect>'
    if not numbers and math.isfinite(value):
        return shown
    text = short_number(value) if numbers else "?"
    middle = f'x="{(x + 0.5) * width:g}" y="{(y + 0.5) * height + 3.4:g}"'
    return f'{shown}<text {middle} class="n{_shade(level)}">{text}</text>'


def _signs(rows: Sequence[Sequence[float]], top: float, width: int, height: int) -> Iterator[str]:
    """A plus or a minus in each cell, the longer the larger its value: what the colour says, without it."""
    strokes: dict[int, list[str]] = {}
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            level = level_of(value, top) if math.isfinite(value) else 0
            if level:
                half = (0.5 + 0.5 * abs(level) / LEVELS) * (min(width, height) / 2 - 2)
                across, down = (x + 0.5) * width, (y + 0.5) * height
                upright = f"m{-half:.2g} {-half:.2g}v{2 * half:.2g}" if level > 0 else ""
                strokes.setdefault(level, []).append(
                    f"M{across - half:.4g} {down:.4g}h{2 * half:.2g}{upright}"
                )
    for level, drawn in sorted(strokes.items()):
        yield f"<path class='sign' style='stroke:var(--on{level})' d='{''.join(drawn)}'/>"


def _numbered(each: HeatMap) -> bool:
    return len(each.rows) <= NUMBERS_UP_TO[0] and _columns(each) <= NUMBERS_UP_TO[1]


def _mark(x: int, y: int, width: int, height: int) -> str:
    return (
        f'<rect class="mark" x="{x * width + 1:g}" y="{y * height + 1:g}" '
        f'width="{width - 2}" height="{height - 2}" rx="2"/>'
    )


def _ticks(rows: int, columns: int, width: int, height: int) -> Iterator[str]:
    step = 1 if width > 20 else 5
    for x in range(0, columns, step):
        yield f'<text class="axis" x="{(x + 0.5) * width:g}" y="-3">{x}</text>'
    for y in range(0, rows, step):
        yield f'<text class="axis" x="-7" y="{(y + 0.5) * height + 3:g}">{y}</text>'


def _legend(maps: Sequence[HeatMap], top: float) -> str:
    lowest = min((value for each in maps for row in each.rows for value in row), default=0.0)
    levels = range(-LEVELS if lowest < 0 else 0, LEVELS + 1)
    body = "".join(
        f'<rect x="{n * 12}" width="12" height="9" class="{_shade(level)}"/>'
        for n, level in enumerate(levels)
    )
    ends = (short_number(-top) if lowest < 0 else "0", short_number(top))
    bar = f"<svg width='{12 * len(levels)}' height='9' aria-hidden='true'>{body}</svg>"
    notes = [] if all(map(_numbered, maps)) else ["+ above zero, − below, longer where larger"]
    notes += ["framed: differs"] if any(each.marked for each in maps) else []
    said = "".join(f"<span>{note}</span>" for note in notes)
    return f'<div class="key"><span>{ends[0]}</span>{bar}<span>{ends[1]}</span>{said}</div>'


def short_number(value: float) -> str:
    """At most five characters, as wide as a cell."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    magnitude = abs(value)
    if magnitude == 0:
        return "0"
    if magnitude < 0.005:
        text = f"{value:.0e}".replace("e-0", "e-")
    elif magnitude < 10:
        text = f"{value:.2f}"
    elif magnitude < 1000:
        text = f"{value:.0f}"
    else:
        text = f"{value:.0e}".replace("e+0", "e")
    return text.replace("-0.00", "0.00").replace("-", "−")
