"""Measured costs become curves on logarithmic axes: characters for a terminal, an SVG for a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log2

from autograder.cost.fit import line_of
from autograder.cost.measure import Measured

MARKS = "●▲■◆○△□◇"
SHARED = "✱"  # where two curves meet
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by most eyes
Placer = Callable[[float, float], tuple[float, float]]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 360, 260, 58, 40, 30


@dataclass(frozen=True)
class Curve:
    """A name and its points, sizes against counts."""

    name: str
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Plot:
    """One pair of axes with its curves."""

    title: str
    curves: tuple[Curve, ...]

    @property
    def points(self) -> list[tuple[int, int]]:
        return [point for curve in self.curves for point in curve.points]


def panel(measured: Measured, quantity: str) -> Plot:
    """One curve for each variable: the counts along the line where it alone changes."""
    counts = [(row.sizes, getattr(row.cost, quantity)) for row in measured.rows]
    curves = []
    for name in measured.variables:
        line = line_of(counts, measured.variables, name)
        still = ", ".join(f"{other} = {line[0][0][other]}" for other in measured.variables if other != name)
        points = tuple((sizes[name], count) for sizes, count in line if count > 0)
        curves.append(Curve(f"{name} ({still})" if still else name, points))
    return Plot(f"{quantity}: {measured.fits[quantity].growth}", tuple(curves))


def terminal(shown: Plot, width: int = 60, height: int = 14) -> str:
    """The curves in characters, both axes logarithmic."""
    if not shown.points:
        return f"{shown.title}\n(nothing to draw)"
    grid = [[" "] * width for _ in range(height)]
    (left, right), (low, high) = _ends([x for x, _ in shown.points]), _ends([y for _, y in shown.points])
    for curve, mark in zip(shown.curves, MARKS, strict=False):
        for x, y in curve.points:
            column = round((log2(x) - left) / (right - left) * (width - 1))
            row = round((log2(y) - low) / (high - low) * (height - 1))
            here = grid[height - 1 - row]
            here[column] = mark if here[column] in (" ", mark) else SHARED
    top, bottom = f"{max(y for _, y in shown.points):,}", f"{min(y for _, y in shown.points):,}"
    room = max(len(top), len(bottom))
    labels = [top, *[""] * (height - 2), bottom]
    lines = [f"{label:>{room}} │{''.join(cells)}" for label, cells in zip(labels, grid, strict=True)]
    sizes = [x for x, _ in shown.points]
    axis = f"{min(sizes)}".ljust(width - len(str(max(sizes)))) + f"{max(sizes)}"
    legend = "  ".join(f"{mark} {curve.name}" for curve, mark in zip(shown.curves, MARKS, strict=False))
    pad = " " * room
    return "\n".join([shown.title, *lines, f"{pad} └{'─' * width}", f"{pad}  {axis}", f"{pad}  {legend}"])


def svg(panels: Sequence[Plot]) -> str:
    """The panels side by side; the same input gives the same text."""
    width = WIDTH * len(panels)
    body = "\n".join(_panel(shown, WIDTH * number) for number, shown in enumerate(panels))
    title = escape("; ".join(shown.title for shown in panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
        f'width="{width}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="11" role="img">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )


def _panel(shown: Plot, across: int) -> str:
    points = shown.points
    (left, right), (low, high) = _ends([x for x, _ in points]), _ends([y for _, y in points])

    def place(x: float, y: float) -> tuple[float, float]:
        span, rise = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM
        return (
            round(across + LEFT + (log2(x) - left) / (right - left) * span, 1),
            round(HEIGHT - BOTTOM - (log2(y) - low) / (high - low) * rise, 1),
        )

    parts = [f'<text x="{across + LEFT}" y="18" font-size="13">{escape(shown.title)}</text>']
    parts += _ticks(place, (left, right), (low, high))
    for number, (curve, colour) in enumerate(zip(shown.curves, COLOURS, strict=False)):
        placed = [place(x, y) for x, y in curve.points]
        line = " ".join(f"{x},{y}" for x, y in placed)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in placed]
        y = TOP + 12 + 15 * number
        parts.append(f'<text x="{across + LEFT + 8}" y="{y}" fill="{colour}">{escape(curve.name)}</text>')
    return "\n".join(parts)


def _ticks(place: Placer, across: tuple[float, float], up: tuple[float, float]) -> list[str]:
    parts = []
    bottom = place(2 ** across[0], 2 ** up[0])[1]
    for exponent in _marks(*across):
        x, _ = place(2.0**exponent, 2 ** up[0])
        parts.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{2**exponent}</text>')
    left, right = (place(2**end, 2 ** up[0])[0] for end in across)
    for exponent in _marks(*up):
        _, y = place(2 ** across[0], 2.0**exponent)
        parts.append(f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        label = f"{2**exponent}" if exponent < 14 else f"2<tspan dy='-4' font-size='8'>{exponent}</tspan>"
        parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{label}</text>')
    return parts


def _marks(low: float, high: float) -> range:
    """Whole exponents between two ends, at most about eight of them."""
    first, last = ceil(low), floor(high)
    return range(first, last + 1, max(1, -(-(last - first) // 7)))


def _ends(values: Sequence[int]) -> tuple[float, float]:
    """The exponents at both ends of an axis, never the same."""
    low, high = log2(min(values)), log2(max(values))
    return (low, high) if high > low else (low - 1, high + 1)
