"""The table of positions for 24 positions and 16 columns, and four of its columns as waves."""

import numpy as np
from style import BLUE, GREEN, INK, ORANGE, PALE, RED, plt, save

T, D = 24, 16
# Column, colour, name: two of the first pair, two slower sines.
WAVES = [
    (0, BLUE, "column 0: sin t"),
    (1, ORANGE, "column 1: cos t"),
    (4, GREEN, "column 4"),
    (8, RED, "column 8"),
]


def positions(t):
    angle = np.asarray(t)[:, None] / 10000.0 ** (np.arange(0, D, 2) / D)
    table = np.empty((len(angle), D))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def main():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), width_ratios=[1, 1.25])
    # Drawn cell by cell: an image would blur when the page is scaled.
    mesh = left.pcolormesh(
        positions(np.arange(T)), cmap="RdBu_r", vmin=-1, vmax=1, edgecolors="white", lw=0.3
    )
    left.invert_yaxis()
    left.set(xlabel="column", ylabel="position t", title="P[t, column]")
    left.set_xticks(np.arange(0, D, 4) + 0.5, [str(j) for j in range(0, D, 4)])
    left.set_yticks(np.arange(0, T, 6) + 0.5, [str(t) for t in range(0, T, 6)])
    bar = figure.colorbar(mesh, ax=left, ticks=[-1, 0, 1], pad=0.03)
    bar.outline.set_edgecolor(PALE)
    fine, whole = np.linspace(0, T - 1, 600), np.arange(T)
    for row, (column, colour, name) in enumerate(WAVES):
        base = -2.6 * row
        right.axhline(base, color=PALE, lw=0.8)
        right.plot(fine, base + positions(fine)[:, column], color=colour, lw=1.2)
        right.plot(whole, base + positions(whole)[:, column], "o", color=colour, ms=3)
        right.text(T + 0.3, base, name, va="center", fontsize=10, color=INK)
    right.set(xlabel="position t", yticks=[], title="fast waves first, slow ones last")
    right.set_xticks(range(0, T, 6))
    for side in ("left", "right", "top"):
        right.spines[side].set_visible(False)
    figure.tight_layout()
    save(figure, __file__)


if __name__ == "__main__":
    main()
