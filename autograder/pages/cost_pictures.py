"""A measured cost and its bound become a small picture: two lines on logarithmic axes, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log2, log10

from markupsafe import Markup

from autograder.cost.cost_curve import CostCurve, plain_bound

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 34
UNITS = {"work": "operations", "memory": "bytes"}
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SHOWS = 1.1  # a bound is seen to be broken from here on: so much faster than it allows
Place = Callable[[float, float], tuple[float, float]]


def draw_cost(curve: CostCurve) -> Markup:
    """The counts of the student's program against what the bound allows, as an SVG with its sentence."""
    says, bound = sentence(curve), plain_bound(curve.bound)
    label = escape(says or f"the {curve.quantity} along {curve.axis}, and what {bound} allows")
    colour = "kept" if curve.holds else "broken"
    sizes, counts, allowed = curve.sizes, curve.counts, curve.allowed
    low, high = log10(min(counts + allowed)), log10(max(counts + allowed))
    first, last = log2(min(sizes)), log2(max(sizes))

    def place(size: float, count: float) -> tuple[float, float]:
        across = (log2(size) - first) / ((last - first) or 1)
        up = (log10(count) - low) / ((high - low) or 1)
        x = LEFT + across * (WIDTH - LEFT - RIGHT)
        return round(x, 1), round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1)

    parts = [*_across(sizes, place), *_up(low, high, place)]
    for name, values in ((colour, counts), ("allowed", allowed)):  # dashes stay seen where both agree
        placed = [place(size, count) for size, count in zip(sizes, values, strict=True)]
        line = " ".join(f"{x},{y}" for x, y in placed)
        parts.append(f'<polyline class="{name}" points="{line}"/>')
        if name != "allowed":
            parts += [f'<circle class="{name}" cx="{x}" cy="{y}" r="3"/>' for x, y in placed]
    still = f" ({curve.still})" if curve.still else ""
    middle = (LEFT + WIDTH - RIGHT) // 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 4}">{escape(curve.axis + still)}</text>')
    return Markup(
        f'<figure class="cost"><figcaption><span class="{colour}">● your {escape(curve.quantity)}, '
        f'in {UNITS.get(curve.quantity, "steps")}</span> <span class="allowed">╌╌ allowed: '
        f"{escape(bound)}</span></figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
        f"{f'<p>{escape(says)}</p>' if says else ''}</figure>"
    )


def sentence(curve: CostCurve) -> str:
    """What the picture shows, in words; nothing where a bound is broken in a way that it does not show."""
    axis, sizes = curve.axis, curve.sizes
    grew, may = (values[-1] / values[0] for values in (curve.counts, curve.allowed))
    if not curve.holds and grew < SHOWS * may:
        return ""
    along = f"from {axis} = {sizes[0]} to {sizes[-1]} the {curve.quantity} grows {_fold(grew)}-fold"
    return f"{along}; {plain_bound(curve.bound)} allows {_fold(may)}-fold"


def _fold(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.3g}"


def _across(sizes: Sequence[int], place: Place) -> list[str]:
    bottom = HEIGHT - BOTTOM
    parts = []
    for size in sizes:
        x = place(size, 1.0)[0]
        parts.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x}" y="{bottom + 14}">{size}</text>')
    return parts


def _up(low: float, high: float, place: Place) -> list[str]:
    marks = range(ceil(low), floor(high) + 1)
    parts = []
    for exponent in marks[:: max(1, -(-len(marks) // 5))]:
        y = place(1.0, 10.0**exponent)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        label = f"10{str(exponent).translate(RAISED)}"
        parts.append(f'<text class="up" x="{LEFT - 5}" y="{y + 3}">{label}</text>')
    return parts
