"""One head of self-attention on four words: queries against keys, weights that sum to one in each row, values."""

from matplotlib.patches import FancyArrowPatch, Rectangle
from style import BLUE, GREEN, INK, ORANGE, PALE, plt, save

WORDS = ("the", "cat", "it", "sat")
# Made up; each row sums to 1, and "it" looks mostly at "cat".
ALPHA = (
    (0.32, 0.46, 0.10, 0.12),
    (0.15, 0.49, 0.12, 0.24),
    (0.06, 0.70, 0.15, 0.09),
    (0.10, 0.47, 0.19, 0.24),
)
LOOKING = 2
VALUES, OUTPUT = 6.6, 9.4  # left edges


def vector(axes, x, y, colour, upright=False):
    """Three cells in a line: the vector of one position."""
    for cell in range(3):
        left, low = (x, y + 0.2 * cell) if upright else (x + 0.2 * cell, y)
        axes.add_patch(Rectangle((left, low), 0.2, 0.2, facecolor=colour, edgecolor="white", linewidth=1))


def table(axes):
    """The weights: one row for each query, one column for each key."""
    for row, weights in enumerate(ALPHA):
        for column, weight in enumerate(weights):
            axes.add_patch(Rectangle((column, 3 - row), 1, 1, facecolor=BLUE, alpha=0.05 + 0.9 * weight))
            ink = "white" if weight > 0.6 else INK
            axes.text(column + 0.5, 3.5 - row, f"{weight:.2f}", ha="center", va="center", color=ink)
        axes.text(4.15, 3.5 - row, "Σ = 1", va="center", fontsize=9)
    axes.add_patch(Rectangle((0, 0), 4, 4, fill=False, edgecolor=PALE, linewidth=1))
    axes.add_patch(Rectangle((0, 3 - LOOKING), 4, 1, fill=False, edgecolor=ORANGE, linewidth=2.5))


def average(axes):
    """The values, and how the marked row of weights averages them."""
    height = 3.5 - LOOKING
    for place, (word, weight) in enumerate(zip(WORDS, ALPHA[LOOKING], strict=True)):
        start = 3.5 - place
        vector(axes, VALUES, start - 0.1, BLUE)
        axes.text(VALUES - 0.15, start, word, ha="right", va="center", fontstyle="italic")
        end = (OUTPUT - 0.1, height + 0.05 * (LOOKING - place))
        axes.add_patch(
            FancyArrowPatch(
                (VALUES + 0.7, start),
                end,
                arrowstyle="-|>",
                mutation_scale=11,
                color=INK,
                lw=0.8 + 4 * weight,
            )
        )
        x, y = VALUES + 1.35, start + 0.3 * (height - start)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        axes.text(x, y, f"{weight:.2f}", ha="center", va="center", fontsize=9, bbox=box)
    vector(axes, OUTPUT, height - 0.1, ORANGE)
    axes.text(OUTPUT + 0.3, height + 0.35, "Out[k, t₁]", ha="center", fontsize=10)
    axes.text(OUTPUT + 0.75, height, "it", va="center", fontstyle="italic")


figure, axes = plt.subplots(figsize=(9.2, 4.6))
table(axes)
for place, word in enumerate(WORDS):
    vector(axes, -0.85, 3.4 - place, ORANGE)
    axes.text(-1.0, 3.5 - place, word, ha="right", va="center", fontstyle="italic")
    vector(axes, place + 0.4, 4.15, GREEN, upright=True)
    axes.text(place + 0.5, 4.85, word, ha="center", va="bottom", fontstyle="italic")
average(axes)
axes.text(-0.2, 4.25, "Query[k, t₁]", ha="right", fontsize=10)
axes.text(2, 5.35, "Key[k, t₂]", ha="center", fontsize=10)
axes.text(2, -0.35, "α[k, t₁, t₂]: softmax over t₂, along each row", ha="center", va="center", fontsize=10)
axes.text(VALUES + 0.3, 4.25, "Value[k, t₂]", ha="center", fontsize=10)
axes.text(
    (VALUES + OUTPUT) / 2, -0.35, "the row of “it” averages the values", ha="center", va="center", fontsize=10
)
axes.set(xlim=(-1.9, 10.5), ylim=(-0.6, 5.7), aspect="equal")
axes.axis("off")
save(figure, __file__)
