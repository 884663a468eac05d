"""Three layers of width three over eleven words: what one position at the top sees, layer by layer."""

from matplotlib.patches import Circle
from style import BLUE, INK, ORANGE, PALE, plt, save

WORDS, LAYERS, WIDTH, TOP = 11, 3, 3, 5


def seen(layer):
    """The positions of a layer within reach of the one at the top."""
    reach = (LAYERS - layer) * (WIDTH - 1) // 2
    return range(TOP - reach, TOP + reach + 1)


def main():
    figure, axes = plt.subplots(figsize=(8.8, 3.9))
    for layer in range(LAYERS + 1):
        for place in range(WORDS):
            inside = place in seen(layer)
            for below in range(place - 1, place + 2) if layer else ():
                if 0 <= below < WORDS:
                    axes.plot(
                        [place, below],
                        [layer - 0.17, layer - 0.83],
                        color=BLUE if inside else PALE,
                        lw=1.6 if inside else 0.8,
                        zorder=1 + inside,
                    )
            colour = ORANGE if layer == LAYERS and place == TOP else BLUE if inside else "white"
            axes.add_patch(
                Circle((place, layer), 0.17, facecolor=colour, edgecolor=INK if inside else PALE, zorder=3)
            )
        name = "words x" if layer == 0 else f"layer {layer}"
        axes.text(-0.7, layer, name, ha="right", va="center", fontsize=10)
        axes.text(
            WORDS - 0.3,
            layer,
            f"{len(seen(layer))} in reach" if layer < LAYERS else "of this one",
            va="center",
            fontsize=10,
            color=BLUE if layer < LAYERS else INK,
        )
    left, right = seen(0)[0], seen(0)[-1]
    axes.annotate(
        "", (left - 0.2, -0.45), (right + 0.2, -0.45), arrowprops={"arrowstyle": "<->", "color": INK}
    )
    axes.text(TOP, -0.75, f"receptive field: {right - left + 1} words", ha="center", va="center")
    axes.set(xlim=(-2.0, WORDS + 1.2), ylim=(-1, 3.35), aspect="equal")
    axes.axis("off")
    save(figure, __file__)


if __name__ == "__main__":
    main()
