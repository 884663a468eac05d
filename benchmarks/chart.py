"""The figures of a run become a chart of seconds a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

LABELS = {
    "otter": "otter run",
    "nbgrader": "nbgrader autograde + feedback",
    "ours": "autograder grade",
    "floor": "bare fork, same cells and cases",
    "alike": "the same with our large pages",
    "barest": "bare fork, one set of cases",
}
OURS, OTHERS = "#2f7d4f", "#9aa5b1"
LEFT, WIDTH, ROW, LEAST = 260, 380, 34, 2
QUIET = 0.5  # a load above it before the run: others were at work


def write_chart(results: dict[str, Any], path: Path) -> None:
    """Write the chart as an SVG that reads in light and dark pages."""
    median = results["median"]
    most = max(median[name]["seconds"] for name in LABELS)
    ours = median["ours"]["seconds"]
    rows = [_bar(n, name, median[name]["seconds"], ours, most) for n, name in enumerate(LABELS)]
    height = ROW * len(rows) + 40
    title = "Time a notebook; ours and the forks with two workers"
    load = results["machine"].get("load_before", 0.0)
    if load > QUIET:
        title += f"; the machine was not quiet (load {load:.1f} before the run)"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 110} {height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="14"><title>{title}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(rows)}'
        f'<text x="{LEFT}" y="{height - 12}" fill="#52606d" font-size="12">{title}</text></svg>\n',
        encoding="utf-8",
    )


def _bar(row: int, name: str, seconds: float, ours: float, most: float) -> str:
    colour = OURS if name == "ours" else OTHERS
    width, top = max(LEAST, WIDTH * seconds / most), 8 + ROW * row
    said = f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
    if seconds > ours:
        said += f" · {seconds / ours:.0f} ×"
    return (
        f'<text x="{LEFT - 10}" y="{top + 17}" text-anchor="end" fill="#1f2933">{LABELS[name]}</text>'
        f'<rect x="{LEFT}" y="{top}" width="{width:.0f}" height="24" rx="3" fill="{colour}"/>'
        f'<text x="{LEFT + width + 8:.0f}" y="{top + 17}" fill="#1f2933">{said}</text>'
    )
