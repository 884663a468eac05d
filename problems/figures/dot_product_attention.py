"""One query against a memory of four entries: scores, the weights they become, and the average of the values."""

from matplotlib.patches import FancyArrowPatch, Rectangle
from style import BLUE, GREEN, INK, ORANGE, PALE, RED, plt, save

ALPHA = [0.15, 0.5, 0.05, 0.3]
# A shade for each cell, so that the vectors can be told apart at a glance.
SHADES = [(0.95, 0.4, 0.7), (0.35, 0.9, 0.5), (0.7, 0.25, 0.95), (0.5, 0.6, 0.3)]


def vector(axes, x, y, colour, shades):
    for cell, shade in enumerate(shades):
        place = (x + 0.3 * cell, y - 0.15)
        axes.add_patch(Rectangle(place, 0.3, 0.3, facecolor=colour, alpha=shade, edgecolor="none"))
        axes.add_patch(Rectangle(place, 0.3, 0.3, fill=False, edgecolor=INK, lw=0.6))


def arrow(axes, start, end, width=1.2):
    axes.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=11, color=INK, lw=width, shrinkA=0, shrinkB=0
        )
    )


def entry(axes, place):
    """One entry of the memory, from its key on the left to its share of the context on the right."""
    y, weight = 3 - place, ALPHA[place]
    arrow(axes, (0.1, 1.5), (1.25, y))
    vector(axes, 1.35, y, RED, SHADES[place])
    axes.text(1.8, y + 0.22, f"$k_{place + 1}$", ha="center", va="bottom", fontsize=10)
    axes.text(2.95, y, f"$q \\cdot k_{place + 1}$", ha="center", va="center")
    axes.add_patch(Rectangle((4.7, y - 0.14), 1.6, 0.28, facecolor=PALE, alpha=0.35, edgecolor="none"))
    axes.add_patch(Rectangle((4.7, y - 0.14), 1.6 * weight, 0.28, facecolor=BLUE, edgecolor="none"))
    axes.text(6.4, y, f"{weight:.2f}", va="center")
    axes.text(7.1, y, "×", ha="center", va="center")
    vector(axes, 7.3, y, GREEN, SHADES[place])
    axes.text(7.75, y + 0.22, f"$v_{place + 1}$", ha="center", va="bottom", fontsize=10)
    arrow(axes, (8.3, y), (9.3, 1.5), 0.6 + 3 * weight)


def main():
    figure, axes = plt.subplots(figsize=(9.6, 3.9))
    for place in range(4):
        entry(axes, place)
    vector(axes, -0.85, 1.5, ORANGE, (0.8, 0.5, 0.9))
    axes.text(-0.4, 1.75, "query $q$", ha="center", va="bottom")
    axes.add_patch(Rectangle((3.6, -0.3), 0.75, 3.6, facecolor="white", edgecolor=INK, lw=1))
    axes.text(3.98, 1.5, "softmax", ha="center", va="center", rotation=90)
    mixed = [sum(w * s[cell] for w, s in zip(ALPHA, SHADES, strict=True)) for cell in range(3)]
    vector(axes, 9.4, 1.5, GREEN, mixed)
    axes.text(9.85, 1.75, "context $c$", ha="center", va="bottom")
    axes.text(5.5, 3.75, "weights α, sum 1", ha="center", fontsize=10)
    axes.text(1.8, 3.75, "keys", ha="center", fontsize=10)
    axes.text(7.75, 3.75, "values", ha="center", fontsize=10)
    axes.set(xlim=(-1.2, 10.7), ylim=(-0.4, 4.0), aspect="equal")
    axes.axis("off")
    save(figure, __file__)


if __name__ == "__main__":
    main()
