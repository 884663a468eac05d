"""One step of a captioning decoder: the state weighs the places of the image, and the cell reads their average."""

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from style import BLUE, GREEN, INK, ORANGE, PALE, PURPLE, plt, save

# Made up; the whole grid sums to 1.
ALPHA = ((0.02, 0.05, 0.06, 0.03), (0.04, 0.18, 0.31, 0.08), (0.02, 0.07, 0.10, 0.04))
ROWS, COLUMNS = 3, 4
FEATURES, WEIGHTS, LOW = 0.0, 5.6, 1.0


def box(axes, x, y, text, colour, width=1.5, ink="white"):
    shape = "round,pad=0.02,rounding_size=0.12"
    axes.add_patch(
        FancyBboxPatch((x - width / 2, y - 0.3), width, 0.6, boxstyle=shape, facecolor=colour, linewidth=0)
    )
    axes.text(x, y, text, ha="center", va="center", color=ink)


def arrow(axes, start, end, bend=0.0):
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=12,
            color=INK,
            lw=1.3,
            connectionstyle=f"arc3,rad={bend}",
        )
    )


def grids(axes):
    """The features, a stack of channels at each place, and the weights of the places."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            low = LOW + ROWS - 1 - row
            axes.add_patch(Rectangle((FEATURES + column, low), 1, 1, fill=False, edgecolor=PALE, linewidth=1))
            for cell in range(3):
                axes.add_patch(
                    Rectangle(
                        (FEATURES + column + 0.4, low + 0.2 + 0.2 * cell),
                        0.2,
                        0.2,
                        facecolor=GREEN,
                        edgecolor="white",
                        linewidth=1,
                    )
                )
            weight = ALPHA[row][column]
            axes.add_patch(
                Rectangle(
                    (WEIGHTS + column, low), 1, 1, facecolor=BLUE, alpha=0.05 + 2.2 * weight, linewidth=0
                )
            )
            axes.add_patch(Rectangle((WEIGHTS + column, low), 1, 1, fill=False, edgecolor=PALE, linewidth=1))
            ink = "white" if weight > 0.25 else INK
            axes.text(WEIGHTS + column + 0.5, low + 0.5, f"{weight:.2f}", ha="center", va="center", color=ink)


figure, axes = plt.subplots(figsize=(10.5, 4.9))
grids(axes)
axes.text(FEATURES + 2, LOW - 0.2, "features M[x, y, K]", ha="center", va="top")
axes.text(WEIGHTS + 2, LOW - 0.2, "α[x, y]: the whole grid sums to 1", ha="center", va="top")
arrow(axes, (FEATURES + COLUMNS + 0.2, LOW + 1.5), (WEIGHTS - 0.2, LOW + 1.5))
axes.text(FEATURES + COLUMNS + 0.8, LOW + 1.7, "W_key", ha="center", va="bottom", fontsize=10)
box(axes, WEIGHTS + 2, 5.4, "h[t−1]", ORANGE, ink=INK)
arrow(axes, (WEIGHTS + 2, 5.05), (WEIGHTS + 2, LOW + ROWS + 0.1))
axes.text(WEIGHTS + 2.15, 4.55, "scores every place", va="center", fontsize=10)
box(axes, 11.9, LOW + 1.5, "V[K]", GREEN)
arrow(axes, (WEIGHTS + COLUMNS + 0.2, LOW + 1.5), (11.1, LOW + 1.5))
axes.text(10.35, LOW + 1.65, "Σ α M", ha="center", va="bottom", fontsize=10)
box(axes, 11.9, 5.4, "CELL", INK)
arrow(axes, (WEIGHTS + 2.8, 5.4), (11.1, 5.4))
arrow(axes, (11.9, LOW + 1.85), (11.9, 5.05))
box(axes, 14.2, LOW + 1.5, "e[w_t]", PURPLE)
arrow(axes, (14.0, LOW + 1.85), (12.45, 5.05))
box(axes, 14.7, 5.4, "h[t]", ORANGE, ink=INK)
arrow(axes, (12.7, 5.4), (13.9, 5.4))
box(axes, FEATURES + 2, 5.4, "P over the words", BLUE, width=3.0)
arrow(axes, (WEIGHTS + 1.2, 5.4), (FEATURES + 3.6, 5.4))
axes.text(5.2, 5.55, "W_auto, e", ha="center", va="bottom", fontsize=10)
axes.set(xlim=(-0.2, 15.7), ylim=(0.3, 6.0), aspect="equal")
axes.axis("off")
save(figure, __file__)
