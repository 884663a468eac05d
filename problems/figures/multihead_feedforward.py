"""Heads stacked by rows, then a wide matrix and a bias column map the stack back to the size of an item."""

import style
from matplotlib.patches import Rectangle
from style import BLUE, GREEN, INK, ORANGE, PURPLE, plt

D, N, HEADS = 2.0, 3.2, 3
COLOURS = (BLUE, ORANGE, GREEN)
NAMES = ("1", "2", "n")
WEIGHTS, STACK, BIAS, OUTPUT = 1.8, 9.7, 14.2, 17.4  # left edges


def block(axes, left, bottom, width, height, colour, label):
    axes.add_patch(Rectangle((left, bottom), width, height, facecolor=colour, alpha=0.3, edgecolor="none"))
    axes.add_patch(
        Rectangle((left, bottom), width, height, facecolor="none", edgecolor=colour, linewidth=1.6)
    )
    axes.text(left + width / 2, bottom + height / 2, label, ha="center", va="center", fontsize=12)


def sign(axes, x, text, size=18):
    axes.text(x, 0, text, ha="center", va="center", fontsize=size)


figure, axes = plt.subplots(figsize=(10, 4))
for position, (colour, name) in enumerate(zip(COLOURS, NAMES, strict=True)):
    top = HEADS * D / 2 - position * D
    block(axes, STACK, top - D, N, D, colour, rf"$\mathbf{{H}}_{{\ell,{name}}}$")
    block(axes, WEIGHTS + position * D, -D / 2, D, D, colour, "")
    axes.text(STACK - 0.2, top - D / 2, "D", ha="right", va="center", fontsize=10)
axes.text(WEIGHTS + HEADS * D / 2, 0, r"$\mathbf{W}_{\mathrm{ff}}$", ha="center", va="center", fontsize=14)
block(axes, BIAS, -D / 2, 0.5, D, PURPLE, "")
block(axes, OUTPUT, -D / 2, N, D, INK, r"$\mathbf{H}_{\ell}$")

sign(axes, WEIGHTS - 1.2, "σ(", 20)
sign(axes, (WEIGHTS + HEADS * D + STACK) / 2 - 0.3, "×")
sign(axes, (STACK + N + BIAS) / 2, "+")
sign(axes, BIAS + 1.0, ")", 20)
sign(axes, (BIAS + 0.9 + OUTPUT) / 2, "=")
axes.text(BIAS + 0.25, -D / 2 - 0.3, r"$\mathbf{b}_{\mathrm{ff}}$", ha="center", va="top", fontsize=12)
axes.text(BIAS + 0.25, D / 2 + 0.25, "same for\nall items", ha="center", va="bottom", fontsize=9)
axes.text(WEIGHTS + HEADS * D / 2, -D / 2 - 0.3, "n D", ha="center", va="top", fontsize=11)
axes.text(WEIGHTS - 0.2, 0, "D", ha="right", va="center", fontsize=10)
axes.text(STACK + N / 2, -HEADS * D / 2 - 0.3, "N", ha="center", va="top", fontsize=11)
axes.text(OUTPUT + N / 2, -D / 2 - 0.3, "N", ha="center", va="top", fontsize=11)
axes.text(OUTPUT - 0.2, 0, "D", ha="right", va="center", fontsize=10)
axes.text(
    STACK + N / 2, HEADS * D / 2 + 0.3, "heads, one below the other", ha="center", va="bottom", fontsize=10
)
axes.text(
    WEIGHTS + HEADS * D / 2,
    D / 2 + 0.25,
    "each head meets its own D columns",
    ha="center",
    va="bottom",
    fontsize=10,
)
axes.set_xlim(-0.3, OUTPUT + N + 0.3)
axes.set_ylim(-HEADS * D / 2 - 1, HEADS * D / 2 + 1)
axes.set_aspect("equal")
axes.axis("off")
style.save(figure, __file__)
