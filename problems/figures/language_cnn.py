"""Draw windows of three positions with stride 2 over a sentence of eight: where each output reads."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, Polygon
from style import BLUE, GREEN, INK, ORANGE, PALE, save

T, D, COLOURS = 8, 3, (BLUE, ORANGE, GREEN)
INPUT_ROW, OUTPUT_ROW, SIDE = 0.0, 2.1, 0.78

figure, axes = plt.subplots(figsize=(8.2, 3.5))


def box(x, y, text, colour, weight=1.6):
    patch = FancyBboxPatch(
        (x - SIDE / 2, y - SIDE / 2), SIDE, SIDE, boxstyle="round,pad=0,rounding_size=0.08"
    )
    patch.set(facecolor="white", edgecolor=colour, linewidth=weight, zorder=3)
    axes.add_patch(patch)
    axes.text(x, y, text, ha="center", va="center", zorder=4)


for t in range(T):
    left_over = t == T - 1
    box(t, INPUT_ROW, str(t), PALE if left_over else INK)
axes.text(T - 1, INPUT_ROW - 0.62, "left over", ha="center", va="top", fontsize=10)

for t, colour in enumerate(COLOURS):
    start = 2 * t
    centre = start + (D - 1) / 2
    corners = [
        (start - SIDE / 2, INPUT_ROW + SIDE / 2),
        (start + D - 1 + SIDE / 2, INPUT_ROW + SIDE / 2),
        (centre + SIDE / 2, OUTPUT_ROW - SIDE / 2),
        (centre - SIDE / 2, OUTPUT_ROW - SIDE / 2),
    ]
    axes.add_patch(Polygon(corners, facecolor=colour, alpha=0.22, edgecolor="none", zorder=1))
    axes.plot(
        [start - SIDE / 2, start + D - 1 + SIDE / 2],
        [INPUT_ROW - 0.5 - 0.09 * t] * 2,
        color=colour,
        linewidth=3,
        solid_capstyle="butt",
    )
    box(centre, OUTPUT_ROW, str(t), colour, weight=2.2)
    axes.text(centre, OUTPUT_ROW + 0.55, f"reads {start}, {start + 1}, {start + 2}", ha="center", fontsize=10)

axes.text(-0.75, INPUT_ROW, r"$L_\ell$, position", ha="right", va="center")
axes.text(-0.75, OUTPUT_ROW, r"$L_{\ell+1}$, position", ha="right", va="center")
axes.set(xlim=(-2.9, T - 0.4), ylim=(-1.1, 3.0), aspect="equal")
axes.axis("off")
save(figure, __file__)
