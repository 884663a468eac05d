"""The chain between two words that belong together: one step for each word, and one matrix for each step back."""

from matplotlib.patches import Circle, FancyArrowPatch
from style import BLUE, INK, ORANGE, PALE, RED, plt, save

WORDS = ["keys", "to", "the", "old", "oak", "cabinet", "sadly", "were"]
GAP = 1.25


def arrow(axes, start, end, colour, width=1.6, bend=0.0):
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=13,
            color=colour,
            lw=width,
            connectionstyle=f"arc3,rad={bend}",
            shrinkA=0,
            shrinkB=0,
        )
    )


def chain(axes):
    """The words, their states, and the way forward between them."""
    for place, word in enumerate(WORDS):
        x, ends = place * GAP, place in (0, len(WORDS) - 1)
        axes.add_patch(Circle((x, 1), 0.27, facecolor=BLUE if ends else PALE, edgecolor=INK, lw=1))
        axes.text(x, 1, f"$h_{place + 1}$", ha="center", va="center", color="white" if ends else INK)
        axes.text(
            x, -0.02, word, ha="center", va="center", fontstyle="italic", weight="bold" if ends else "normal"
        )
        arrow(axes, (x, 0.18), (x, 0.7), INK, 1)
        if place:
            arrow(axes, (x - GAP + 0.29, 1), (x - 0.29, 1), BLUE, 2)


def back(axes):
    """The gradient's way, with the factor of each step."""
    for place in range(len(WORDS) - 1, 0, -1):
        x = place * GAP
        arrow(
            axes, (x - 0.08, 1.34), (x - GAP + 0.08, 1.34), RED, 1 + 2.4 * 0.72 ** (len(WORDS) - place), 0.35
        )
        axes.text(x - GAP / 2, 1.72, rf"$\times D_{place + 1} W$", ha="center", fontsize=10, color=RED)


def main():
    figure, axes = plt.subplots(figsize=(9.6, 3.1))
    chain(axes)
    back(axes)
    last = (len(WORDS) - 1) * GAP
    axes.text(
        last / 2,
        2.2,
        "the gradient goes back: one factor $D_t W$ a step, with $D_t$ = diag$(1-h_t^2)$",
        ha="center",
        color=RED,
    )
    arrow(axes, (last / 2, -0.62), (0, -0.62), ORANGE, 1.4)
    arrow(axes, (last / 2, -0.62), (last, -0.62), ORANGE, 1.4)
    axes.text(
        last / 2,
        -0.62,
        f" N = {len(WORDS) - 1} positions apart ",
        ha="center",
        va="center",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
    )
    axes.set(xlim=(-0.6, last + 0.6), ylim=(-0.9, 2.5), aspect="equal")
    axes.axis("off")
    save(figure, __file__)


if __name__ == "__main__":
    main()
