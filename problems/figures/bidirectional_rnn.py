"""Two chains of states over the same words: one from the left, one from the right, one state of each a word."""

from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from style import BLUE, GREEN, INK, ORANGE, plt, save

WORDS = ["the", "bank", "of", "the", "river"]
GAP, UP, DOWN = 1.9, 2.6, 1.3
LOOKING = 1


def arrow(axes, start, end, colour, width=1.8, bend=0.0):
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


def state(axes, x, y, text, colour, reading):
    axes.add_patch(
        Circle((x, y), 0.33, facecolor=colour, edgecolor=INK, lw=1, alpha=1.0 if reading else 0.45)
    )
    axes.text(x, y, text, ha="center", va="center", color="white" if reading else INK)


def main():
    figure, axes = plt.subplots(figsize=(9.2, 3.9))
    for place, word in enumerate(WORDS):
        x, t = place * GAP, place + 1
        state(axes, x, DOWN, rf"$\overrightarrow{{h}}_{t}$", BLUE, place <= LOOKING)
        state(axes, x, UP, rf"$\overleftarrow{{h}}_{t}$", GREEN, place >= LOOKING)
        axes.text(x, 0, f"{word}", ha="center", va="center", fontstyle="italic")
        arrow(axes, (x, 0.25), (x, DOWN - 0.36), INK, 1)
        # Round the lower state, so that the upper one is seen to read the word itself.
        arrow(axes, (x + 0.16, 0.25), (x + 0.2, UP - 0.3), INK, 1, 0.45)
        if place:
            arrow(axes, (x - GAP + 0.36, DOWN), (x - 0.36, DOWN), BLUE)
            arrow(axes, (x - 0.36, UP), (x - GAP + 0.36, UP), GREEN)
    end = (len(WORDS) - 1) * GAP
    arrow(axes, (-0.95, DOWN), (-0.36, DOWN), BLUE)
    axes.text(-1.05, DOWN, "0", ha="right", va="center")
    arrow(axes, (end + 0.95, UP), (end + 0.36, UP), GREEN)
    axes.text(end + 1.05, UP, "0", ha="left", va="center")
    x = LOOKING * GAP
    axes.add_patch(
        Rectangle((x - 0.5, DOWN - 0.48), 1.3, UP - DOWN + 0.96, fill=False, edgecolor=ORANGE, lw=2.5)
    )
    axes.text(
        x,
        UP + 0.62,
        "row of “bank”: what is left of it, and what is right of it",
        ha="center",
        color=INK,
        fontsize=10,
    )
    axes.text(end + 0.85, DOWN, "h_fwd", va="center", color=BLUE, weight="bold")
    axes.text(-0.5, UP, "h_bwd", va="center", ha="right", color=GREEN, weight="bold")
    axes.set(xlim=(-1.7, end + 1.8), ylim=(-0.3, 3.5), aspect="equal")
    axes.axis("off")
    save(figure, __file__)


if __name__ == "__main__":
    main()
