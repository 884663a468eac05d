"""Values times attention weights: a column of the weights makes a column of the output."""

import style
from matplotlib.patches import Rectangle
from style import BLUE, GREEN, INK, ORANGE, PALE, plt

D, N, MARKED = 3, 5, 3
VALUES, WEIGHTS, OUTPUT = 0.0, 7.6, 15.2  # left edges
SHARES = (0.10, 0.15, 0.45, 0.20, 0.10)  # the marked column of weights


def grid(axes, left, rows, title, colour):
    """A table of unit cells, centred on height zero."""
    top = rows / 2
    for row in range(rows):
        for column in range(N):
            axes.add_patch(
                Rectangle((left + column, top - row - 1), 1, 1, facecolor="none", edgecolor=PALE, linewidth=1)
            )
    axes.add_patch(Rectangle((left, -top), N, rows, facecolor="none", edgecolor=colour, linewidth=1.8))
    axes.text(left + N / 2, N / 2 + 1.15, title, ha="center", va="bottom", fontsize=13)


def side(axes, left, rows, text):
    axes.text(left - 0.25, 0, text, ha="right", va="center", fontsize=11)
    axes.text(left + N / 2, -rows / 2 - 0.3, "N", ha="center", va="top", fontsize=11)


figure, axes = plt.subplots(figsize=(10, 4))
for column, share in enumerate(SHARES):
    height = N / 2 - column - 1
    axes.add_patch(
        Rectangle((VALUES + column, -D / 2), 1, D, facecolor=BLUE, alpha=0.15 + 1.2 * share, edgecolor="none")
    )
    axes.add_patch(
        Rectangle(
            (WEIGHTS + MARKED, height), 1, 1, facecolor=ORANGE, alpha=0.15 + 1.2 * share, edgecolor="none"
        )
    )
    axes.text(WEIGHTS + MARKED + 0.5, height + 0.5, f"{share:.2f}", ha="center", va="center", fontsize=9)
axes.add_patch(Rectangle((OUTPUT + MARKED, -D / 2), 1, D, facecolor=GREEN, alpha=0.55, edgecolor="none"))

grid(axes, VALUES, D, r"values $\mathbf{V}\,\mathbf{H}$", BLUE)
grid(axes, WEIGHTS, N, r"weights $\mathbf{A} = \mathrm{SoftMax}(\mathbf{S})$", ORANGE)
grid(axes, OUTPUT, D, r"output $\mathbf{V}\,\mathbf{H}\,\mathbf{A}$", GREEN)
side(axes, VALUES, D, "D")
side(axes, WEIGHTS, N, "N")
side(axes, OUTPUT, D, "D")
axes.text((VALUES + N + WEIGHTS) / 2, 0, "×", ha="center", va="center", fontsize=18)
axes.text((WEIGHTS + N + OUTPUT) / 2, 0, "=", ha="center", va="center", fontsize=18)
axes.text(WEIGHTS + MARKED + 0.5, N / 2 + 0.2, "query j", ha="center", va="bottom", fontsize=10, color=INK)
axes.text(OUTPUT + MARKED + 0.5, D / 2 + 0.2, "item j", ha="center", va="bottom", fontsize=10, color=INK)
axes.text(WEIGHTS + N + 0.2, -N / 2 + 0.1, "rows: keys i", rotation=90, ha="left", va="bottom", fontsize=10)
axes.text(
    WEIGHTS + N / 2, -N / 2 - 1.1, "each column sums to 1", ha="center", va="top", fontsize=10, color=INK
)
axes.set_xlim(VALUES - 1, OUTPUT + N + 0.2)
axes.set_ylim(-N / 2 - 1.7, N / 2 + 2)
axes.set_aspect("equal")
axes.axis("off")
style.save(figure, __file__)
