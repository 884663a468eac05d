"""One place of an image looks at the whole grid: a softmax over all places, beside one over each row alone."""

import numpy as np
from matplotlib.patches import Rectangle
from style import BLUE, GREEN, INK, ORANGE, PALE, plt, save

ROWS, COLUMNS, LOOKING = 3, 4, (1, 0)
SCORES = np.array([[0.0, 0.5, 1.5, 0.7], [0.8, 0.3, 2.2, 1.1], [0.1, 0.2, 0.9, 0.4]])  # made up
IMAGE, RIGHT, WRONG = 0.0, 6.0, 12.0  # left edges


def softmax(scores, axis):
    weights = np.exp(scores)
    return weights / weights.sum(axis=axis, keepdims=True)


def place(axes, left, row, column, **look):
    axes.add_patch(Rectangle((left + column, ROWS - 1 - row), 1, 1, **look))


def image(axes):
    """The input: a vector of channels at each place, drawn as a small stack."""
    for row, column in np.ndindex(ROWS, COLUMNS):
        place(axes, IMAGE, row, column, facecolor="none", edgecolor=PALE, linewidth=1)
        for cell in range(3):
            colour = ORANGE if (row, column) == LOOKING else GREEN
            low = ROWS - 1 - row + 0.2 + 0.2 * cell
            axes.add_patch(
                Rectangle(
                    (IMAGE + column + 0.4, low), 0.2, 0.2, facecolor=colour, edgecolor="white", linewidth=1
                )
            )
    place(axes, IMAGE, *LOOKING, fill=False, edgecolor=ORANGE, linewidth=2.5)


def weights(axes, left, table):
    for row, column in np.ndindex(ROWS, COLUMNS):
        weight = table[row, column]
        place(axes, left, row, column, facecolor=BLUE, alpha=0.05 + 0.9 * weight)
        place(axes, left, row, column, fill=False, edgecolor=PALE, linewidth=1)
        ink = "white" if weight > 0.6 else INK
        axes.text(left + column + 0.5, ROWS - 0.5 - row, f"{weight:.2f}", ha="center", va="center", color=ink)


def captions(axes, left, above, below):
    axes.text(left + COLUMNS / 2, ROWS + 0.2, above, ha="center", va="bottom")
    axes.text(left + COLUMNS / 2, -0.25, below, ha="center", va="top", fontsize=10)


figure, axes = plt.subplots(figsize=(10.5, 3.2))
image(axes)
weights(axes, RIGHT, softmax(SCORES, (0, 1)))
weights(axes, WRONG, softmax(SCORES, 1))
axes.text(IMAGE - 0.2, ROWS - 0.5, "x ↓", ha="right", va="center", fontsize=10)
axes.text(IMAGE + 0.1, ROWS + 0.15, "y →", va="bottom", fontsize=10)
for row in range(ROWS):
    axes.text(WRONG + COLUMNS + 0.15, ROWS - 0.5 - row, "Σ = 1", va="center", fontsize=9)
captions(axes, IMAGE, "h_in[x, y, J]", "the place (x₁, y₁) sends a query\nto the key of every place")
captions(axes, RIGHT, "softmax over x₂ and y₂", "the whole grid sums to 1:\nα[k, x₁, y₁, x₂, y₂]")
captions(axes, WRONG, "not over y₂ alone", "each row sums to 1:\nthe grid sums to X")
axes.annotate(
    "",
    (RIGHT - 0.25, ROWS / 2),
    (IMAGE + COLUMNS + 0.25, ROWS / 2),
    arrowprops={"arrowstyle": "-|>", "color": INK},
)
axes.set(xlim=(-0.9, WRONG + COLUMNS + 1.2), ylim=(-1.3, ROWS + 0.8), aspect="equal")
axes.axis("off")
save(figure, __file__)
